"""The jobs over the real socket: listed, run, run dry, paused over a restart, on record, and taken back."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from memdesk.api import curation, history, jobs, memory, upkeep
from memdesk.client.client import Client
from memdesk.model.browse import ListFacts
from memdesk.model.curation import UndoRun
from memdesk.model.errors import NotAllowed, NotFound
from memdesk.model.history import AskHistory
from memdesk.model.job import AskRuns, JobRow, NamedJob, RunJob, SwitchJobs
from memdesk.model.remember import NewTurn, NewTurns
from memdesk.model.status import AskJob, ChangeSettings, JobState, Nothing


async def ended(client: Client, job: JobState) -> JobState:
    while job.open:
        await asyncio.sleep(0.01)
        job = await client.call(upkeep.JOB, AskJob(id=job.id))
    return job


async def row(client: Client, name: str) -> JobRow:
    found = await client.call(jobs.LIST, Nothing())
    return next(each for each in found.rows if each.name == name)


def test_a_job_runs_dry_then_for_real_and_is_taken_back_by_its_record(running_service: Any) -> None:
    async def journey() -> None:
        async with (
            Client(running_service.desk) as owner,
            Client(running_service.desk, agent="Forge") as agent,
        ):
            await agent.call(
                memory.STORE_TURN, NewTurn(content="My sister Ana works at Siemens.", speaker="Mara")
            )
            dry = await ended(owner, await owner.call(jobs.RUN, RunJob(name="consolidate", dry=True)))
            assert dry.state == "done" and dry.result["changes"] == len(dry.result["planned"]) == 1
            assert (await owner.call(memory.FACTS, ListFacts())).total == 0
            done = await ended(owner, await owner.call(jobs.RUN, RunJob(name="consolidate")))
            assert done.result["facts"] >= 1 and done.says == "Made 1 change."
            page = await owner.call(jobs.HISTORY, AskRuns(name="consolidate"))
            assert [(run.dry, run.changes) for run in page.rows] == [(False, 1), (True, 0)]
            assert page.rows[0].id == done.result["run"] and page.rows[0].first_change is not None
            undo = await owner.call(curation.UNDO_RUN, UndoRun(change=page.rows[0].first_change))
            await ended(owner, undo)
            assert (await owner.call(memory.FACTS, ListFacts())).total == 0
            assert (await owner.call(jobs.HISTORY, AskRuns())).rows[0].undone == 1

    asyncio.run(journey())


def test_the_schedule_outlives_a_restart_with_what_was_paused(running_service: Any) -> None:
    async def before() -> None:
        async with Client(running_service.desk) as owner:
            await ended(owner, await owner.call(jobs.RUN, RunJob(name="decay")))
            await owner.call(jobs.PAUSE, NamedJob(name="cleanup"))

    async def after() -> None:
        async with Client(running_service.desk) as owner:
            decay, cleanup, promote = [await row(owner, name) for name in ("decay", "cleanup", "promote")]
            assert (
                decay.last is not None and decay.last.finished_at is not None and decay.next_due is not None
            )
            assert (decay.next_due - decay.last.finished_at).total_seconds() == 86_400
            assert cleanup.paused and cleanup.next_due is None
            assert promote.last is None and promote.next_due is not None
            assert not (await owner.call(jobs.RESUME, NamedJob(name="cleanup"))).paused

    asyncio.run(before())
    running_service.stop()
    running_service.start()
    asyncio.run(after())


def test_the_stop_switch_ends_what_runs_and_lets_nothing_start_over_a_restart(running_service: Any) -> None:
    async def stop() -> None:
        async with Client(running_service.desk) as owner:
            many = tuple(
                NewTurn(content=f"I moved to Lisbon {n} times.", conversation_id=f"c{n}") for n in range(190)
            )
            await owner.call(memory.STORE_TURNS, NewTurns(turns=many))
            job = await owner.call(jobs.RUN, RunJob(name="consolidate"))
            switched = await owner.call(jobs.SWITCH, SwitchJobs(on=False))
            assert [each.id for each in switched.stopped] == [job.id] and switched.change is not None
            assert (await ended(owner, job)).state == "cancelled"

    async def start() -> None:
        async with Client(running_service.desk) as owner:
            found = await owner.call(jobs.LIST, Nothing())
            assert not found.enabled and {each.next_due for each in found.rows} == {None}
            assert (await owner.call(jobs.SWITCH, SwitchJobs(on=True))).stopped == ()
            assert (await row(owner, "consolidate")).next_due is not None

    asyncio.run(stop())
    running_service.stop()
    running_service.start()
    asyncio.run(start())


def test_a_service_killed_in_a_run_goes_on_at_the_next_start_and_repeats_nothing(
    running_service: Any,
) -> None:
    talks = 120

    async def begin() -> None:
        async with Client(running_service.desk) as owner:
            many = tuple(
                NewTurn(content=f"We chose plan {n} for Lisbon.", conversation_id=f"c{n}")
                for n in range(talks)
            )
            await owner.call(memory.STORE_TURNS, NewTurns(turns=many))
            job = await owner.call(jobs.RUN, RunJob(name="consolidate"))
            while job.done < 10:
                job = await owner.call(upkeep.JOB, AskJob(id=job.id))

    async def go_on() -> None:
        async with Client(running_service.desk) as owner:
            (broken,) = (await owner.call(jobs.HISTORY, AskRuns())).rows
            assert broken.state == "interrupted" and 10 <= broken.changes < talks
            done = await ended(owner, await owner.call(jobs.RUN, RunJob(name="consolidate")))
            assert done.result["conversations"] == talks - broken.changes
            log = await owner.call(
                history.PAGE, AskHistory(authors=("job:consolidate",), operations=("learn",))
            )
            assert log.total == talks

    asyncio.run(begin())
    running_service.kill()
    running_service.start()
    asyncio.run(go_on())


def test_a_changed_interval_counts_without_a_restart(running_service: Any) -> None:
    async def journey() -> None:
        async with Client(running_service.desk) as owner:
            await ended(owner, await owner.call(jobs.RUN, RunJob(name="decay")))
            await owner.call(upkeep.CHANGE_SETTINGS, ChangeSettings(values={"decay_minutes": 30}))
            decay = await row(owner, "decay")
            assert (
                decay.last is not None and decay.last.finished_at is not None and decay.next_due is not None
            )
            assert (decay.next_due - decay.last.finished_at).total_seconds() == 1800
            await owner.call(upkeep.CHANGE_SETTINGS, ChangeSettings(values={"decay_minutes": 0}))
            assert (await row(owner, "decay")).next_due is None

    asyncio.run(journey())


def test_jobs_are_the_owners_and_an_unknown_one_is_named(running_service: Any) -> None:
    async def knock() -> None:
        async with Client(running_service.desk) as owner:
            with pytest.raises(NotFound, match="tidy"):
                await owner.call(jobs.RUN, RunJob(name="tidy"))
        running_service.desk.owner_token.unlink()
        async with Client(running_service.desk, agent="Forge") as agent:
            with pytest.raises(NotAllowed):
                await agent.call(jobs.RUN, RunJob(name="decay"))
            with pytest.raises(NotAllowed):
                await agent.call(jobs.LIST, Nothing())

    asyncio.run(knock())
