"""What the service does unasked: it goes on after a failure, and no thread outlives its end."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.jobs import schedule
from memdesk.engine.jobs.schedule import JOBS
from memdesk.engine.memory.remember import learn_fact, store_turn
from memdesk.engine.memory.review_queue import review
from memdesk.engine.memory.working import get_value, set_value, size
from memdesk.engine.opening import open_engine
from memdesk.engine.providers.embedder import StaticTable
from memdesk.files.places import Desk
from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.job import CLOCK, AskRuns
from memdesk.model.remember import NewFact, NewTurn
from memdesk.model.review import AskReview
from memdesk.model.working import AskValue, SetValue
from memdesk.service import background
from memdesk.service.background import (
    ask_kept_questions,
    embed_what_comes,
    end_when_unreachable,
    forget_what_expires,
    jobs_by_the_clock,
    run_until_end,
)
from memdesk.service.host import CommitSignal, Host
from memdesk.service.long_acts import Acts, Jobs
from memdesk.service.sockets import bind, mark_of


class Observed:
    """The desk's own embedder, held up or failing as a test likes."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.name, self.dimension = inner.name, inner.dimension
        self.begun, self.done, self.off = threading.Event(), threading.Event(), False
        self.seconds = 0.0

    def embed(self, texts: Sequence[str]) -> Any:
        self.begun.set()
        if self.off:
            raise EmbedderUnavailable("The embedder is away.")
        time.sleep(self.seconds)
        vectors = self._inner.embed(texts)
        self.done.set()
        return vectors


@pytest.fixture
def embedder() -> Observed:
    return Observed(StaticTable())


@pytest.fixture
def engine(short_folder: Any, embedder: Observed) -> Iterator[Engine]:
    opened = open_engine(Desk(short_folder / "desk"))
    yield replace(opened, embedder=embedder)
    opened.close()


@pytest.fixture
def host(engine: Engine) -> Iterator[Host]:
    jobs = Jobs()
    yield Host(
        desk=engine.desk,
        engine=engine,
        jobs=jobs,
        acts=Acts(engine.desk.acts, jobs),
        started_at=datetime.now(UTC),
        socket_mark=None,
        stop=lambda: None,
        restore=lambda _: None,
    )
    jobs.close()


def say(engine: Engine, content: str) -> None:
    """Store what waits for a vector; a fact would not do, since learning one looks at its meaning at once."""
    store_turn(engine, NewTurn(content=content), author="agent:iris")


async def until(holds: Any) -> None:
    async with asyncio.timeout(10):
        while not holds():
            await asyncio.sleep(0.01)


def test_what_is_stored_gets_its_vectors_before_and_after_the_start(host: Host, embedder: Observed) -> None:
    async def live() -> None:
        bell = CommitSignal()
        host.engine.store.subscribe(bell.ring)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(embed_what_comes(host, bell))
            for claim in ("Mara likes tea", "Jun likes rye bread"):
                await asyncio.to_thread(say, host.engine, claim)
                await until(embedder.done.is_set)
                embedder.done.clear()
            bell.close()

    say(host.engine, "Learned before the service started")
    asyncio.run(live())


def test_what_likely_clashes_with_a_fact_is_asked_about_soon_after_it_was_learned(host: Host) -> None:
    def asked() -> list[str]:
        return [row.type for row in review(host.engine, AskReview()).rows]

    async def live() -> None:
        bell = CommitSignal()
        host.engine.store.subscribe(bell.ring)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(embed_what_comes(host, bell))
            await until(lambda: host.engine.facts_compared is not None)
            for claim in (
                "The harbour café belongs to Wilhelmina",
                "The harbour café was sold and is a bank now",
            ):
                await asyncio.to_thread(learn_fact, host.engine, NewFact(claim=claim), author="agent:iris")
            await until(asked)
            bell.close()
        assert asked() == ["contradiction"]

    asyncio.run(live())


def test_the_end_waits_for_the_batch_under_way(host: Host, embedder: Observed) -> None:
    async def live() -> None:
        bell = CommitSignal()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(run_until_end("embedding", bell, lambda: embed_what_comes(host, bell)))
            await until(embedder.begun.is_set)
            bell.close()
        assert embedder.done.is_set()

    embedder.seconds = 0.3
    say(host.engine, "Mara likes tea")
    asyncio.run(live())


def test_vectors_that_could_not_be_made_come_with_the_next_change(host: Host, embedder: Observed) -> None:
    async def live() -> None:
        bell = CommitSignal()
        host.engine.store.subscribe(bell.ring)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(embed_what_comes(host, bell))
            await until(embedder.begun.is_set)
            embedder.off = False
            await asyncio.to_thread(say, host.engine, "Jun likes rye bread")
            await until(embedder.done.is_set)
            bell.close()

    embedder.off = True
    say(host.engine, "Mara likes tea")
    asyncio.run(live())


def test_kept_questions_are_asked_again_when_the_vectors_of_a_change_have_come(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(background, "QUESTIONS_SECONDS", 0.0)
    monkeypatch.setattr(
        background.kept_questions,
        "run_all",
        lambda engine: asked.append(background.kept_questions.stamp(engine)[1]),
    )

    async def live() -> None:
        bell = CommitSignal()
        host.engine.store.subscribe(bell.ring)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(ask_kept_questions(host, bell))
            await until(lambda: asked)
            tasks.create_task(embed_what_comes(host, bell))
            await until(lambda: asked[-1] > asked[0])
            bell.close()

    say(host.engine, "Mara likes tea")
    asyncio.run(live())


def test_turns_are_consolidated_by_the_clock(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "FIRST_JOB_SECONDS", 0.01)

    async def live() -> None:
        bell = CommitSignal()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(jobs_by_the_clock(host, bell))
            await until(lambda: any(job.state == "done" for job in host.jobs.states()))
            bell.close()

    store_turn(host.engine, NewTurn(content="We decided to move to Lisbon."), author="agent:iris")
    asyncio.run(live())
    assert host.jobs.states()[0].result["conversations"] == 1


def test_jobs_by_the_clock_run_one_after_the_other_and_are_on_record(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "FIRST_JOB_SECONDS", 0.01)
    monkeypatch.setattr(background, "LOOK_SECONDS", 0.01)
    most: list[int] = []

    def all_ran() -> bool:
        most.append(sum(state.state == "running" for state in host.jobs.states()))
        return not schedule.due(host.engine)

    async def live() -> None:
        bell = CommitSignal()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(jobs_by_the_clock(host, bell))
            await until(all_ran)
            bell.close()

    asyncio.run(live())
    by_the_clock = {job.name for job in JOBS if not job.by_change}
    runs = schedule.runs(host.engine, AskRuns()).rows
    assert {run.job for run in runs} == by_the_clock and {run.author for run in runs} == {CLOCK}
    assert max(most) <= 1


def test_paused_embedding_waits_and_goes_on_when_it_is_resumed(host: Host, embedder: Observed) -> None:
    schedule.pause(host.engine, "embedding", author="person:Mara")
    say(host.engine, "Mara likes tea")

    async def live() -> None:
        bell = CommitSignal()
        host.engine.store.subscribe(bell.ring)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(embed_what_comes(host, bell))
            await asyncio.sleep(0.3)
            assert not embedder.begun.is_set()
            await asyncio.to_thread(schedule.resume, host.engine, "embedding", author="person:Mara")
            await until(embedder.done.is_set)
            bell.close()

    asyncio.run(live())


def test_working_memory_goes_when_its_time_is_over_however_much_else_happens(host: Host) -> None:
    engine = host.engine
    heard: list[int] = []
    engine.store.subscribe(lambda: heard.append(engine.store.working_moves))

    async def live() -> float:
        bell = CommitSignal()
        engine.store.subscribe(bell.ring)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(forget_what_expires(host, bell))
            await asyncio.to_thread(set_value, engine, SetValue(key="plan", value=1, ttl_seconds=1))
            await asyncio.to_thread(set_value, engine, SetValue(key="street", value=2, ttl_seconds=900))
            begun = time.monotonic()
            while size(engine).expired == 0:
                assert time.monotonic() - begun < 10
                await asyncio.to_thread(say, engine, f"It is {time.monotonic()}")
            bell.close()
            return time.monotonic() - begun

    took = asyncio.run(live())
    assert 0.8 < took < 5
    assert get_value(engine, AskValue(key="street"), author="person:Mara").value == 2
    assert size(engine).expired == 1
    asyncio.run(until(lambda: heard[-1] == engine.store.working_moves))


def test_background_work_that_failed_is_logged_and_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(background, "RETRY_SECONDS", 0.01)
    tries: list[int] = []

    async def live() -> None:
        bell = CommitSignal()

        async def work() -> None:
            tries.append(1)
            if len(tries) < 3:
                raise ZeroDivisionError

        await run_until_end("embedding", bell, work)

    asyncio.run(live())
    assert len(tries) == 3
    assert "embedding failed" in caplog.text


@pytest.mark.parametrize("made_anew", [False, True])
def test_a_service_that_nobody_can_reach_ends(
    host: Host, monkeypatch: pytest.MonkeyPatch, made_anew: bool
) -> None:
    monkeypatch.setattr(background, "REACH_SECONDS", 0.02)
    stopped = threading.Event()

    async def live() -> None:
        with bind(host.desk):
            mine = replace(host, stop=stopped.set, socket_mark=mark_of(host.desk.socket))
            task = asyncio.create_task(end_when_unreachable(mine, CommitSignal()))
            await asyncio.sleep(0.1)
            assert not stopped.is_set()
            host.desk.socket.rename(host.desk.socket.with_suffix(".thrown-away"))
            with bind(host.desk) if made_anew else contextlib.nullcontext():
                await task

    asyncio.run(live())
    assert stopped.is_set()


def test_a_long_pause_ends_with_the_service() -> None:
    async def live() -> float:
        bell = CommitSignal()
        begun = time.monotonic()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(bell.rest(3600))
            await asyncio.sleep(0.01)
            bell.close()
        return time.monotonic() - begun

    assert asyncio.run(live()) < 5
