"""Execution of a job run from beginning to end, recorded in the history however it ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.jobs import Job
from memdesk.engine.jobs.run import BudgetSpent, Run, begin
from memdesk.engine.memory.settling import newest_question, settle
from memdesk.engine.progress import Interrupted, Progress, silent
from memdesk.engine.providers.asking import asking
from memdesk.model.errors import Cancelled, MemDeskError
from memdesk.model.instant import to_datetime
from memdesk.model.job import JobRun
from memdesk.store import job_runs

INTERRUPTED = "The service ended meanwhile; what was finished stays, and the next run goes on."


def perform(
    engine: Engine, job: Job, *, author: str, progress: Progress = silent, dry: bool = False
) -> dict[str, Any]:
    """Run a job under its budget, and keep the run in its history. author: CLOCK, or the requester.

    Returns its counts, with `run` (its id), `says` (a sentence) and, for a dry run, `changes` and `planned`.
    Raises the job's errors; the changes made before stay."""
    run = begin(engine, job.name, progress=progress, dry=dry)
    asked = newest_question(engine)
    spent = ""
    with _written_down(run, author) as ending:
        try:
            with asking(run.author, run.heed):
                counted = job.work(run)
            # Not Counter.update, which would add what the job counted in the run already.
            dict.update(run.counts, counted)
        except BudgetSpent as over:
            spent = str(over)
        if not dry:
            _settle(run, asked)
        ending.state, ending.says = "done", spent or _told(run)
    result: dict[str, Any] = {**run.counts, "run": run.id, "says": ending.says}
    if dry:
        result |= {"changes": run.changes, "planned": [asdict(each) for each in run.planned]}
    return result


def _settle(run: Run, asked: int) -> None:
    """Answer the run's questions for which there is a standing decision of a person."""
    if settled := len(settle(run.engine, asked, run=run.id)):
        run.counts["settled"] = settled
        run.changes += settled


def close_interrupted(engine: Engine) -> int:
    """Close the runs that a killed service left open; return how many. Call it before any job runs."""
    at = engine.clock()
    return engine.store.maintain(lambda db, *_: job_runs.interrupt(db, at=at, says=INTERRUPTED)).result()


@dataclass(slots=True)
class _Ending:
    """State and sentence of a run's end: a failure until another is set."""

    state: str
    says: str


@contextmanager
def _written_down(run: Run, author: str) -> Iterator[_Ending]:
    """Record the run's beginning immediately, and its end even if an exception is raised."""
    ending = _Ending("failed", "MemDesk failed here; this is a bug, and the desk's log has the details.")
    _write_beginning(run, author)
    try:
        yield ending
    except Interrupted:
        ending.state, ending.says = "interrupted", INTERRUPTED
        raise
    except Cancelled as cancelled:
        ending.state, ending.says = "cancelled", cancelled.says
        raise
    except MemDeskError as wrong:
        ending.state, ending.says = "failed", f"{wrong.says} {wrong.next}".strip()
        raise
    finally:
        _write_end(run, ending)


def _write_beginning(run: Run, author: str) -> None:
    at = run.engine.clock()
    begun = JobRun(
        id=run.id, job=run.job, author=author, dry=run.dry, started_at=to_datetime(at), finished_at=None,
        state="running", says="Running.",
    )  # fmt: skip
    run.engine.store.maintain(lambda db, *_: job_runs.begin(db, begun, at=at)).result()


def _write_end(run: Run, ending: _Ending) -> None:
    at, result = run.engine.clock(), dict(run.counts)
    if run.dry:
        result["changes"] = run.changes
    run.engine.store.maintain(
        lambda db, *_: job_runs.finish(db, run.id, at=at, state=ending.state, says=ending.says, result=result)
    ).result()


def _told(run: Run) -> str:
    if not run.changes:
        return "Would change nothing." if run.dry else "Changed nothing."
    changes = "1 change" if run.changes == 1 else f"{run.changes:,} changes"
    return f"Would make {changes}." if run.dry else f"Made {changes}."
