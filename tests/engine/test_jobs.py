"""Jobs as a whole: their schedule, their history, dry runs, budgets, and what a kill leaves behind."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memdesk.engine.browsing import history
from memdesk.engine.engine import Engine, now
from memdesk.engine.jobs import schedule
from memdesk.engine.jobs.run import Run
from memdesk.engine.jobs.schedule import BY_NAME, JOBS, Job, close_interrupted, perform
from memdesk.engine.memory.curate import pin
from memdesk.engine.memory.remember import learn_fact, store_turn, upsert_entity
from memdesk.engine.opening import open_engine
from memdesk.engine.progress import Interrupted, ignore_progress
from memdesk.engine.undo import undo_run
from memdesk.files.places import Desk
from memdesk.model.change import Change
from memdesk.model.curation import Pin, UndoRun
from memdesk.model.entity import ENTITY
from memdesk.model.errors import BadAsk, BugError, Cancelled, NotFound
from memdesk.model.history import AskHistory
from memdesk.model.job import CLOCK, AskRuns, JobRow
from memdesk.model.remember import NewEntity, NewFact, NewTurn
from memdesk.store import bookkeeping, records
from memdesk.store.connection import Connection
from tests.engine.conftest import Clock
from tests.store.agreement import assert_agreement

PERSON = "person:Mara"


def row(engine: Engine, name: str) -> JobRow:
    return next(each for each in schedule.jobs(engine).rows if each.name == name)


def due(engine: Engine) -> set[str]:
    return {job.name for job in schedule.due(engine)}


def run_all(engine: Engine, clock: Clock) -> None:
    for job in JOBS:
        perform(engine, job, author=CLOCK)
        clock.pass_days(1e-6)


def test_a_job_that_never_ran_is_due_and_then_at_its_own_interval(engine: Engine, clock: Clock) -> None:
    assert {"consolidate", "promote", "decay", "cleanup"} <= due(engine) and "embedding" not in due(engine)
    run_all(engine, clock)
    assert due(engine) == set()
    clock.pass_days(16 / 1440)
    assert due(engine) == {"consolidate"}
    clock.pass_days(1)
    assert {"consolidate", "promote", "decay", "cleanup"} <= due(engine)


def test_none_is_due_before_the_service_has_been_there_a_while(engine: Engine, clock: Clock) -> None:
    soon = clock.at + 60_000_000
    assert schedule.due(engine, earliest=soon) == ()
    assert min(each.next_due for each in schedule.jobs(engine, earliest=soon).rows if each.next_due)
    clock.at = soon
    assert schedule.due(engine, earliest=soon)


def test_a_changed_interval_counts_at_once_and_zero_is_never(engine: Engine, clock: Clock) -> None:
    run_all(engine, clock)
    clock.pass_days(2 / 1440)
    engine.use(replace(engine.settings, consolidate_minutes=1, decay_minutes=0))
    assert due(engine) == {"consolidate"}
    clock.pass_days(400)
    assert "decay" not in due(engine) and row(engine, "decay").next_due is None


def test_jobs_off_starts_none_and_a_paused_job_stays_paused(engine: Engine) -> None:
    engine.use(replace(engine.settings, jobs_enabled=False))
    assert due(engine) == set() and not schedule.jobs(engine).enabled
    engine.use(replace(engine.settings, jobs_enabled=True))
    paused = schedule.pause(engine, "decay", author=PERSON)
    assert paused.change is not None and "decay" not in due(engine) and row(engine, "decay").paused
    assert schedule.pause(engine, "decay", author=PERSON).change is None
    assert schedule.resume(engine, "decay", author=PERSON).change is not None and "decay" in due(engine)
    titles = [each.title for each in history.page(engine, AskHistory(authors=(PERSON,))).rows]
    assert titles == ["Job decay resumed", "Job decay paused"]


def test_a_clock_that_was_set_back_does_not_put_a_job_off(engine: Engine, clock: Clock) -> None:
    run_all(engine, clock)
    clock.pass_days(-500)
    assert "decay" in due(engine)


def test_an_unknown_job_is_named_with_those_there_are(engine: Engine) -> None:
    with pytest.raises(NotFound, match="tidy") as wrong:
        schedule.pause(engine, "tidy", author=PERSON)
    assert "consolidate" in wrong.value.next
    with pytest.raises(NotFound):
        schedule.runs(engine, AskRuns(name="tidy"))
    with pytest.raises(BadAsk):
        schedule.runs(engine, AskRuns(limit=0))


def made(name: str, work: Any) -> Job:
    return Job(name=name, says="", work=work)


def failing(error: BaseException) -> Job:
    def work(run: Run) -> dict[str, int]:
        run.counts["begun"] += 1
        raise error

    return made("decay", work)


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (Cancelled("Cancelled."), "cancelled"),
        (Interrupted("Stopped."), "interrupted"),
        (BadAsk("No."), "failed"),
        (ZeroDivisionError("secret"), "failed"),
    ],
)
def test_every_end_is_written_down(engine: Engine, error: Exception, state: str) -> None:
    with pytest.raises(type(error)):
        perform(engine, failing(error), author=PERSON)
    (run,) = schedule.runs(engine, AskRuns()).rows
    assert (run.job, run.author, run.state, run.result) == ("decay", PERSON, state, {"begun": 1})
    assert run.finished_at is not None and run.says and "secret" not in run.says


def test_a_failed_job_is_tried_again_sooner_and_an_interrupted_one_at_once(
    engine: Engine, clock: Clock
) -> None:
    with pytest.raises(BadAsk):
        perform(engine, failing(BadAsk("No.")), author=CLOCK)
    assert "decay" not in due(engine)
    clock.pass_days(16 / 1440)
    assert "decay" in due(engine)
    perform(engine, BY_NAME["decay"], author=CLOCK)
    clock.pass_days(16 / 1440)
    with pytest.raises(Interrupted):
        perform(engine, failing(Interrupted("Stopped.")), author=CLOCK)
    assert "decay" not in due(engine)
    last = row(engine, "decay").last
    assert last is not None and last.state == "interrupted"


def test_a_run_that_used_up_its_time_says_so_and_the_next_goes_on(engine: Engine, clock: Clock) -> None:
    forgotten(engine, clock, 3)
    engine.use(replace(engine.settings, job_seconds=1))

    def slow(run: Run) -> dict[str, int]:
        calls = iter(range(10))

        def twice(done: int, total: int, says: str) -> None:
            if next(calls) == 2:
                run.deadline = 0

        run.progress = twice
        return BY_NAME["cleanup"].work(run)

    result = perform(engine, made("cleanup", slow), author=CLOCK)
    assert result["archived"] == 2 and "goes on at the next run" in result["says"]
    (run,) = schedule.runs(engine, AskRuns()).rows
    assert (run.state, run.says, run.result["archived"], run.changes) == ("done", result["says"], 2, 2)
    assert perform(engine, BY_NAME["cleanup"], author=CLOCK)["archived"] == 1


def forgotten(engine: Engine, clock: Clock, many: int) -> None:
    """Conversations that are quiet for a long time."""
    for number in range(many):
        told = NewTurn(content="Good night.", conversation_id=f"Forgotten {number}")
        store_turn(engine, told, author="agent:iris")
    clock.pass_days(100)


def talks(engine: Engine) -> list[Any]:
    with engine.store.reading() as db:
        return db.rows("SELECT * FROM conversations ORDER BY seq")


def test_a_dry_run_changes_nothing_and_lists_what_it_would(engine: Engine, clock: Clock) -> None:
    forgotten(engine, clock, 3)
    before, newest = talks(engine), history.head(engine)
    result = perform(engine, BY_NAME["cleanup"], author=PERSON, dry=True)
    assert (result["archived"], result["changes"], len(result["planned"])) == (3, 3, 3)
    assert (
        result["planned"][0]["op"] == "update" and result["planned"][0]["title"] == "“Good night.” archived"
    )
    assert (talks(engine), history.head(engine)) == (before, newest)
    (run,) = schedule.runs(engine, AskRuns()).rows
    assert run.dry and run.says == "Would make 3 changes." and run.first_change is None
    assert row(engine, "cleanup").last is None and "cleanup" in due(engine)


def test_a_run_is_found_in_the_history_with_its_changes_and_taken_back_by_one_of_them(
    engine: Engine, clock: Clock
) -> None:
    forgotten(engine, clock, 3)
    before = talks(engine)
    result = perform(engine, BY_NAME["cleanup"], author=CLOCK)
    page = schedule.runs(engine, AskRuns(name="cleanup"))
    (run,) = page.rows
    assert (page.total, run.id, run.author, run.changes, run.undone) == (1, result["run"], CLOCK, 3, 0)
    assert run.first_change is not None and run.last_change == run.first_change + 2
    undo_run(engine, UndoRun(change=run.first_change), author=PERSON, progress=ignore_progress)
    assert talks(engine) == before
    assert schedule.runs(engine, AskRuns()).rows[0].undone == 3


def test_the_history_is_bounded_and_paged_newest_first(
    engine: Engine, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bookkeeping, "KEPT", 5)
    for number in range(8):
        perform(engine, made("decay", lambda _, n=number: {"n": n}), author=CLOCK)
        clock.pass_days(1)
    perform(engine, BY_NAME["promote"], author=CLOCK)
    page = schedule.runs(engine, AskRuns(name="decay", first=1, limit=3))
    assert (page.total, [run.result["n"] for run in page.rows]) == (5, [6, 5, 4])
    assert schedule.runs(engine, AskRuns()).total == 6


def test_a_job_that_would_harm_what_a_person_keeps_is_stopped_as_a_bug(engine: Engine, clock: Clock) -> None:
    id = upsert_entity(engine, NewEntity(name="Kept"), author="agent:iris").id
    pin(engine, Pin(id=id), author=PERSON)

    def careless(run: Run) -> dict[str, int]:
        def verb(db: Connection) -> tuple[Change, None]:
            entity = records.need(db, ENTITY, id)
            edits = (records.update_edit(ENTITY, entity, retired_at=1),)
            return Change(op="retire", title="", author=run.author, edits=edits, run=run.id), None

        run.decide(verb)
        return {}

    before = talks(engine)
    with pytest.raises(BugError, match=id):
        perform(engine, made("decay", careless), author=CLOCK)
    assert talks(engine) == before


KILLED = """
import sys, time
from pathlib import Path
from memdesk.engine.engine import now
from memdesk.engine.opening import open_engine
from memdesk.engine.jobs.schedule import BY_NAME, perform
from memdesk.engine.memory.remember import store_turn
from memdesk.files.places import Desk
from memdesk.model.remember import NewTurn

ahead = 0
engine = open_engine(Desk(Path(sys.argv[1])), clock=lambda: now() + ahead)
for number in range(60):
    store_turn(engine, NewTurn(content="Good night.", conversation_id=f"Forgotten {number}"), author="agent:iris")
ahead = 100 * 86_400_000_000

def slowly(done, total, says):
    print(done, flush=True)
    time.sleep(0.002)

perform(engine, BY_NAME["cleanup"], author="clock", progress=slowly)
"""


def test_a_run_killed_midway_loses_nothing_and_the_next_repeats_nothing(tmp_path: Path) -> None:
    running = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE)
    assert running.stdout is not None
    while int(running.stdout.readline()) < 20:
        pass
    running.send_signal(signal.SIGKILL)
    running.communicate()
    engine = open_engine(Desk(tmp_path), clock=lambda: now() + 100 * 86_400_000_000)
    assert close_interrupted(engine) == 1 and close_interrupted(engine) == 0
    (first,) = schedule.runs(engine, AskRuns()).rows
    assert first.state == "interrupted" and 20 <= first.changes < 60 and "cleanup" in due(engine)
    second = perform(engine, BY_NAME["cleanup"], author=CLOCK)
    assert first.changes + second["archived"] == 60
    with engine.store.reading() as db:
        assert db.value("SELECT count(*) FROM conversations WHERE archived_at IS NULL") == 0
        assert db.value("SELECT count(*) FROM changes WHERE title LIKE '%archived'") == 60
    engine.close()
    assert_agreement(tmp_path / "memory.db")


def test_embedding_by_hand_counts_its_texts_and_a_dry_run_leaves_them(engine: Engine) -> None:
    for number in range(3):
        learn_fact(engine, NewFact(claim=f"Claim {number}"), author="agent:iris")
    assert perform(engine, BY_NAME["embedding"], author=PERSON, dry=True)["texts"] == 3
    assert perform(engine, BY_NAME["embedding"], author=PERSON)["texts"] == 3
    assert perform(engine, BY_NAME["embedding"], author=PERSON, dry=True)["texts"] == 0


def test_consolidation_is_a_run_like_any_other(engine: Engine) -> None:
    store_turn(engine, NewTurn(content="We decided to move to Lisbon in May."), author="agent:iris")
    result = perform(engine, BY_NAME["consolidate"], author=PERSON)
    assert result["conversations"] == 1
    run = schedule.runs(engine, AskRuns(name="consolidate")).rows[0]
    assert (run.author, run.result["conversations"], run.changes) == (PERSON, 1, 1)


def test_a_clock_that_was_set_back_starts_no_job_again_and_again(engine: Engine, clock: Clock) -> None:
    for days in (0, 10, -8):
        clock.pass_days(days)
        perform(engine, BY_NAME["cleanup"], author=CLOCK)
    assert "cleanup" not in due(engine)
    clock.pass_days(1.1)
    assert "decay" in due(engine)
