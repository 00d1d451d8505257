"""Jobs: one at a time of each name, with progress, cancel, and a sentence when they fail."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memdesk.engine.beliefs.reading import read
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import Interrupted, Progress
from memdesk.files.places import Desk
from memdesk.model.errors import Cancelled, NotFound, Refused
from memdesk.service import app as service
from memdesk.service.app import DeskApp
from memdesk.service.long_acts import KEPT, Jobs


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    runner = Jobs()
    yield runner
    runner.close()


def ended(jobs: Jobs, job_id: str) -> Any:
    deadline = time.monotonic() + 60
    while (state := jobs.state(job_id)).open:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return state


def test_a_job_tells_its_progress_and_its_result(jobs: Jobs) -> None:
    gate, seen = threading.Event(), threading.Event()

    def work(progress: Progress) -> dict[str, Any]:
        progress(3, 10, "Reading a.md")
        seen.set()
        gate.wait(10)
        return {"turns": 10}

    started = jobs.start("import", work)
    assert seen.wait(10)
    running = jobs.state(started.id)
    assert (running.state, running.done, running.total, running.says) == ("running", 3, 10, "Reading a.md")
    gate.set()
    assert ended(jobs, started.id).result == {"turns": 10}
    assert jobs.state(started.id).state == "done"


def test_a_cancelled_job_stops_at_its_next_step(jobs: Jobs) -> None:
    def work(progress: Progress) -> dict[str, Any]:
        while True:
            progress(0, 0, "")
            time.sleep(0.005)

    started = jobs.start("import", work)
    jobs.cancel(started.id)
    assert ended(jobs, started.id).state == "cancelled"


def test_a_waiting_job_is_cancelled_before_it_starts(jobs: Jobs) -> None:
    gate = threading.Event()
    first = jobs.start("import", lambda _: {"waited": gate.wait(10)})
    second = jobs.start("import", lambda _: {"never": True})
    assert jobs.cancel(second.id).state == "cancelled"
    gate.set()
    assert ended(jobs, first.id).state == "done"
    assert jobs.state(second.id).result == {}


def test_jobs_of_one_name_follow_each_other(jobs: Jobs) -> None:
    inside: list[int] = []
    most: list[int] = []

    def work(_: Progress) -> dict[str, Any]:
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.01)
        inside.pop()
        return {}

    for state in [jobs.start("import", work) for _ in range(4)]:
        ended(jobs, state.id)
    assert max(most) == 1


def test_a_job_that_is_under_way_is_not_started_twice(jobs: Jobs) -> None:
    gate = threading.Event()
    first = jobs.start_once("consolidate", lambda _: {"waited": gate.wait(10)})
    assert jobs.start_once("consolidate", lambda _: {}).id == first.id
    gate.set()
    ended(jobs, first.id)
    assert jobs.start_once("consolidate", lambda _: {}).id != first.id


def test_a_refused_job_says_why_and_carries_its_code(jobs: Jobs) -> None:
    def work(_: Progress) -> dict[str, Any]:
        raise Refused("a.json is no conversation.", next="Export it again.")

    failed = ended(jobs, jobs.start("import", work).id)
    assert (failed.state, failed.says) == ("failed", "a.json is no conversation. Export it again.")
    assert failed.result == {"code": "refused", "next": "Export it again."}


def test_a_bug_in_a_job_is_logged_and_told_without_its_inside(
    jobs: Jobs, caplog: pytest.LogCaptureFixture
) -> None:
    def work(_: Progress) -> dict[str, Any]:
        raise ZeroDivisionError("secret")

    failed = ended(jobs, jobs.start("consolidate", work).id)
    assert failed.state == "failed"
    assert "secret" not in failed.says
    assert "ZeroDivisionError" in caplog.text
    assert caplog.records[-1].levelno == logging.ERROR


def test_what_ended_is_shown_once_a_name_beside_all_that_is_under_way(jobs: Jobs) -> None:
    gate = threading.Event()
    past = [ended(jobs, jobs.start(name, lambda _: {}).id).id for name in ("decay", "import", "decay")]
    running = [jobs.start("decay", lambda _: {"waited": gate.wait(10)}).id for _ in range(2)]
    assert [state.id for state in jobs.latest()] == [*past[1:], *running]
    gate.set()


def test_only_the_last_jobs_are_remembered(jobs: Jobs) -> None:
    started = [jobs.start("import", lambda _: {}).id for _ in range(KEPT + 5)]
    ended(jobs, started[-1])
    last = jobs.start("import", lambda _: {}).id
    ended(jobs, last)
    assert len(jobs.states()) == KEPT
    with pytest.raises(NotFound):
        jobs.state(started[0])


def test_closing_cancels_what_runs_and_waits_for_it() -> None:
    jobs = Jobs()
    begun = threading.Event()

    def work(progress: Progress) -> dict[str, Any]:
        begun.set()
        while True:
            progress(0, 0, "")
            time.sleep(0.005)

    started = jobs.start("import", work)
    waiting = jobs.start("import", work)
    assert begun.wait(10)
    jobs.close()
    assert {jobs.state(started.id).state, jobs.state(waiting.id).state} == {"cancelled"}


def test_a_dry_run_is_neither_taken_for_the_run_under_way_nor_the_other_way_round(jobs: Jobs) -> None:
    gate = threading.Event()
    dry = jobs.start("decay", lambda _: {"waited": gate.wait(10)}, dry=True)
    real = jobs.start_once("decay", lambda _: {})
    assert real.id != dry.id and jobs.start_once("decay", lambda _: {}).id == real.id
    gate.set()
    assert ended(jobs, real.id).state == "done" and jobs.state(dry.id).dry


def test_a_job_may_end_with_a_sentence_of_its_own(jobs: Jobs) -> None:
    done = ended(jobs, jobs.start("decay", lambda _: {"says": "Made 3 changes.", "retired": 3}).id)
    assert (done.says, done.result) == ("Made 3 changes.", {"retired": 3})


def test_all_of_some_names_are_stopped_and_others_go_on(jobs: Jobs) -> None:
    gate = threading.Event()

    def work(progress: Progress) -> dict[str, Any]:
        while not gate.wait(0.005):
            progress(0, 0, "")
        return {}

    running, waiting, other = (jobs.start(name, work) for name in ("decay", "decay", "import"))
    assert {state.id for state in jobs.cancel_all({"decay"})} == {running.id, waiting.id}
    assert ended(jobs, running.id).state == ended(jobs, waiting.id).state == "cancelled"
    gate.set()
    assert ended(jobs, other.id).state == "done"


def test_the_end_of_the_service_interrupts_a_job_and_does_not_cancel_it() -> None:
    jobs, begun = Jobs(), threading.Event()
    raised: list[type[BaseException]] = []

    def work(progress: Progress) -> dict[str, Any]:
        begun.set()
        try:
            while True:
                progress(0, 0, "")
                time.sleep(0.005)
        except Cancelled as stopped:
            raised.append(type(stopped))
            raise

    jobs.start("decay", work)
    assert begun.wait(10)
    jobs.close()
    assert raised == [Interrupted]


def test_work_that_nobody_waits_for_waits_while_a_call_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "GIVE_WAY_SECONDS", 60)
    app, over = DeskApp(token="t" * 40, person=lambda: "Mara"), threading.Event()
    with closing(app):
        app.give_way()
        app.readers.submit(over.wait, 60)
        threading.Timer(0.02, over.set).start()
        app.give_way()
        assert over.is_set()


def test_calls_that_never_end_stop_no_background_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "GIVE_WAY_SECONDS", 0.01)
    app, over = DeskApp(token="t" * 40, person=lambda: "Mara"), threading.Event()
    with closing(app):
        app.writers.submit(over.wait, 60)
        app.give_way()
        monkeypatch.setattr(service, "GIVE_WAY_SECONDS", 60)
        app.give_way(writing=True)
        assert not over.is_set()
        over.set()


def test_a_job_gives_way_before_each_statement_and_claim_and_in_its_writes_to_reads(
    desk_folder: Path,
) -> None:
    given: list[tuple[str, bool]] = []

    def give_way(*, writing: bool = False) -> None:
        given.append((threading.current_thread().name, writing))

    def work(_: Progress) -> dict[str, Any]:
        with engine.store.reading() as db:
            given.clear()
            db.rows("SELECT 1")
            read("Iris likes tea")
            counted = len(given)
        engine.store.submit(lambda db: read(str(db.value("SELECT 'Iris likes rye'")))).result()
        return {"given": counted}

    with (
        closing(open_engine(Desk(desk_folder))) as engine,
        closing(Jobs(give_way)) as jobs,
    ):
        assert ended(jobs, jobs.start("checkup", work).id).result == {"given": 2}
    assert set(given) == {("memdesk-checkup_0", False), ("store-writer", True)}
