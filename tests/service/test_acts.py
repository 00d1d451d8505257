"""Long acts survive the death of the service: what was acknowledged is done, however often it is killed."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import time
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from memdesk.api import curation, exports, memory, upkeep, workspace
from memdesk.client.client import Client
from memdesk.engine.interop.formats import export
from memdesk.engine.memory.remember import learn_fact
from memdesk.engine.opening import open_engine
from memdesk.files.places import Desk
from memdesk.model.browse import ListFacts
from memdesk.model.curation import Bulk, EraseUser, Redo, UndoRun
from memdesk.model.interop import AskExport, AskImport
from memdesk.model.remember import NewFact
from memdesk.model.status import AskJob, JobState
from memdesk.service.long_acts import TRIES_AT_MOST, Act, Acts, Jobs
from tests.engine.whole_desk import differences, whole_desk
from tests.store.agreement import assert_agreement

T = TypeVar("T")
TURNS = 120


def asked(service: Any, ask: Callable[[Client], Coroutine[Any, Any, T]]) -> T:
    """What the service's owner is answered."""

    async def go() -> T:
        async with Client(service.desk) as owner:
            return await ask(owner)

    return asyncio.run(go())


def start(service: Any, endpoint: Any, ask: Any) -> JobState:
    return asked(service, lambda owner: owner.call(endpoint, ask))


def ended(service: Any, job: JobState) -> JobState:
    """The job once it has ended, in this life of the service or in a later one."""

    async def wait(owner: Client) -> JobState:
        state = job
        while state.open:
            await asyncio.sleep(0.02)
            state = await owner.call(upkeep.JOB, AskJob(id=job.id))
        return state

    return asked(service, wait)


def killed_and_started(service: Any, after_seconds: float = 0.0) -> None:
    time.sleep(after_seconds)
    service.kill()
    service.start()


def folder_of(place: Path) -> Path:
    folder = place / "in"
    folder.mkdir()
    lines = "".join(f"- Berth {number} is rented by company {number}\n" for number in range(80))
    (folder / "MEMORY.md").write_text(f"# Memory\n{lines}")
    (folder / "SOUL.md").write_text("Calm.\n")
    said = [{"role": "user", "content": f"I moved to Lisbon in {1900 + n % 120}."} for n in range(TURNS)]
    (folder / "talk.jsonl").write_text("\n".join(json.dumps(each) for each in said))
    return folder


def held(service: Any, *folders: Path) -> dict[str, Any]:
    """The whole desk, of a service that is ended for it."""
    service.stop()
    engine = open_engine(service.desk)
    try:
        return whole_desk(engine, *folders)
    finally:
        engine.close()
        assert_agreement(service.desk.database)


def test_an_erasure_that_was_acknowledged_is_done_after_a_kill(running_service: Any) -> None:
    async def learn(owner: Client) -> JobState:
        for number in range(5):
            await owner.call(
                memory.LEARN_FACT, NewFact(claim=f"Ana has {number} cats", channel="a", user_id="ana")
            )
        return await owner.call(curation.ERASE_USER, EraseUser(user_id="ana", confirm="ana"))

    job = asked(running_service, learn)
    killed_and_started(running_service)
    assert ended(running_service, job).state == "done"
    rows = asked(running_service, lambda owner: owner.call(memory.FACTS, ListFacts(user_id="ana"))).rows
    assert rows == () and b"ana" not in b"".join(
        file.read_bytes() for file in running_service.desk.acts.iterdir()
    )
    running_service.stop()
    if running_service.desk.address is None:
        assert b"cats" not in running_service.desk.database.read_bytes()


@pytest.mark.parametrize("seed", range(2))
def test_an_import_and_its_undo_and_redo_are_whole_however_often_the_service_is_killed(
    running_service: Any, tmp_path: Path, seed: int
) -> None:
    dice, folder = random.Random(seed), folder_of(tmp_path)
    empty = held(running_service, folder)
    running_service.start()
    job = start(running_service, workspace.IMPORT, AskImport(path=str(folder)))
    killed_and_started(running_service, dice.random())
    done = ended(running_service, job)
    assert done.state == "done", done.says
    whole = held(running_service, folder)
    assert len(whole["turns"]) == TURNS and len(whole["facts"]) >= 80
    running_service.start()
    change = done.result["change"]
    for expected in (empty, whole):
        job = start(running_service, curation.UNDO_RUN, UndoRun(change=change))
        killed_and_started(running_service, dice.random() / 2)
        killed_and_started(running_service, dice.random() / 4)
        done = ended(running_service, job)
        assert (done.state, done.result["left"]) == ("done", {})
        assert not differences(expected, held(running_service, folder))
        running_service.start()
        change = done.result["change"]


def test_one_act_on_many_memories_goes_on_after_a_kill_as_one_run(running_service: Any) -> None:
    async def learn(owner: Client) -> list[str]:
        asks = [NewFact(claim=f"Pump {number} is red", channel="a") for number in range(200)]
        return [(await owner.call(memory.LEARN_FACT, each)).id for each in asks]

    ids = tuple(asked(running_service, learn))
    job = start(running_service, curation.BULK, Bulk(verb="pin", ids=ids))
    killed_and_started(running_service, 0.05)
    done = ended(running_service, job)
    assert (done.state, done.result["changed"], done.result["left"]) == ("done", 200, {})
    undone = ended(
        running_service, start(running_service, curation.UNDO_RUN, UndoRun(change=done.result["change"]))
    )
    assert undone.result["undone"] == 200
    redone_after_kills(running_service)
    rows = asked(
        running_service, lambda owner: owner.call(memory.FACTS, ListFacts(channels=("a",), limit=200))
    ).rows
    assert all(row.pinned for row in rows)


def redone_after_kills(service: Any) -> None:
    """Redo the owner's latest undo, which was of a run; the service is killed twice in it."""
    asked_for = asked(service, lambda owner: owner.call(curation.REDO, Redo()))
    assert asked_for.change is None and asked_for.job.open
    killed_and_started(service)
    killed_and_started(service, 0.05)
    assert ended(service, asked_for.job).result["undone"] == 200


def test_an_export_that_was_acknowledged_is_written_after_a_kill(
    running_service: Any, tmp_path: Path
) -> None:
    start(running_service, memory.LEARN_FACT, NewFact(claim="The lamp is lit", channel="a"))
    path = tmp_path / "desk.zip"
    job = start(running_service, exports.START, AskExport(format="archive", path=str(path)))
    killed_and_started(running_service)
    ended(running_service, job)
    assert path.stat().st_size > 0


@pytest.mark.parametrize("format", ["archive", "markdown-openclaw"])
def test_an_export_that_is_in_its_place_when_the_service_is_killed_is_done(
    running_service: Any, tmp_path: Path, format: str
) -> None:
    start(running_service, memory.LEARN_FACT, NewFact(claim="The lamp is lit", channel="a"))
    path = tmp_path / "exported"
    job = start(running_service, exports.START, AskExport(format=format, path=str(path)))
    while not path.exists():
        time.sleep(0.0005)
    killed_and_started(running_service)
    assert ended(running_service, job).state == "done"
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".memdesk-")] == []


@pytest.mark.parametrize("format", ["archive", "markdown-openclaw"])
def test_an_export_begun_again_knows_the_file_that_it_put_there_and_no_other(
    tmp_path: Path, format: str
) -> None:
    """The process ends right after the file is in its place, each time that it writes one."""
    engine = open_engine(Desk(tmp_path / "desk"))
    learn_fact(engine, NewFact(claim="The lamp is lit", channel="a"), author="person:Mara")
    own, others = tmp_path / "own", tmp_path / "others"

    def work(ask: AskExport, act: Act, progress: Any) -> dict[str, Any]:
        result = export(engine, ask, progress=progress, reached=act.reached, note=partial(acts.note, act))
        if not act.again:
            raise SystemExit
        return result

    for path in (own, others):
        jobs = Jobs()
        acts = Acts(tmp_path / "acts", jobs)
        acts.learn(AskExport, "export", work)
        begun = acts.start(AskExport(format=format, path=str(path)), author="person:Mara")
        with pytest.raises(SystemExit):
            jobs.wait(begun.id)
        jobs.close()
    rename_and_copy(others)
    jobs = Jobs()
    acts = Acts(tmp_path / "acts", jobs)
    acts.learn(AskExport, "export", work)
    acts.go_on()
    first, second = (jobs.wait(each.id) for each in jobs.states())
    jobs.close()
    assert first.state == "done" and first.result["facts"] == 1
    assert second.state == "failed" and "others is there already" in second.says
    assert (tmp_path / "kept").exists() and others.exists()
    engine.close()


def rename_and_copy(path: Path) -> None:
    """Put a copy where a file or folder is, which is kept under another name."""
    kept = path.rename(path.with_name("kept"))
    (shutil.copytree if kept.is_dir() else shutil.copy2)(kept, path)


def test_what_a_person_cancels_is_not_begun_again(running_service: Any, tmp_path: Path) -> None:
    job = start(running_service, workspace.IMPORT, AskImport(path=str(folder_of(tmp_path))))
    asked(running_service, lambda owner: owner.call(upkeep.CANCEL_JOB, AskJob(id=job.id)))
    assert ended(running_service, job).state in ("cancelled", "done")
    assert not list(running_service.desk.acts.glob("j_*"))


def test_an_act_that_ends_the_service_each_time_is_given_up(tmp_path: Path) -> None:
    """What never comes back to say that it ended is begun three times in all."""
    begun: list[int] = []

    def never_ends(ask: EraseUser, act: Act, progress: Any) -> dict[str, Any]:
        begun.append(act.tries)
        raise SystemExit

    for _ in range(TRIES_AT_MOST + 1):
        jobs = Jobs()
        acts = Acts(Desk(tmp_path).acts, jobs)
        acts.learn(EraseUser, "erase", never_ends)
        if not begun:
            acts.start(EraseUser(user_id="ana", confirm="ana"), author="person:Mara")
        else:
            acts.go_on()
        jobs.close()
    (state,) = jobs.states()
    assert begun == [1, 2, 3] and state.state == "failed" and "given up" in state.says
    assert not list(Desk(tmp_path).acts.glob("j_*"))


def test_what_the_watch_sees_of_a_folder_is_never_in_the_way_of_a_run(
    running_service: Any, tmp_path: Path
) -> None:
    """A folder that is on the desk again is watched again, while most of its files are still to come back."""
    folder = tmp_path / "in"
    (folder / "memory").mkdir(parents=True)
    (folder / "SOUL.md").write_text("Calm.\n")
    for day in range(1, 29):
        (folder / f"memory/2026-03-{day:02}.md").write_text(f"# Day {day}\n- Painted berth {day}\n")
    empty = held(running_service, folder)
    running_service.start()
    done = ended(running_service, start(running_service, workspace.IMPORT, AskImport(path=str(folder))))
    whole = held(running_service, folder)
    running_service.start()
    for _ in range(3):
        undo = start(running_service, curation.UNDO_RUN, UndoRun(change=done.result["change"]))
        assert ended(running_service, undo).result["left"] == {}
        again = asked(running_service, lambda owner: owner.call(curation.REDO, Redo()))
        assert ended(running_service, again.job).result["left"] == {}
    assert not differences(whole, held(running_service, folder)) and whole != empty
