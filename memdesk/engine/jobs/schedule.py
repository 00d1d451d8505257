"""JOBS: all jobs in one tuple; their schedule, and the execution of a run, recorded however it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.checkup import checkup
from memdesk.engine.jobs.consolidate import consolidate
from memdesk.engine.jobs.fading import decay
from memdesk.engine.jobs.patterns import patterns
from memdesk.engine.jobs.promoting import promote
from memdesk.engine.jobs.run import BudgetSpent, Run, begin
from memdesk.engine.jobs.upkeep import back_up, cleanup, drop_old_segments, embedding, read_files_again
from memdesk.engine.memory.decisions import newest_question, settle
from memdesk.engine.progress import Interrupted, Progress, ignore_progress
from memdesk.engine.providers.meter import asking
from memdesk.model.change import Applied, Change
from memdesk.model.errors import BadAsk, Cancelled, Conflict, MemDeskError, NotFound
from memdesk.model.instant import DAY, MINUTE, from_datetime, to_datetime
from memdesk.model.job import AskRuns, AskTotals, JobPaused, JobRow, JobRun, JobsList, RunsPage, TotalsList
from memdesk.model.message import NO_MESSAGE, Message, joined, message
from memdesk.model.settings import Settings
from memdesk.model.status import JobState
from memdesk.store import bookkeeping
from memdesk.store.connection import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Job of the service. minutes: interval under these settings, 0 for never. work: returns counts of its
    results.

    by_change: it follows every change of memory, and no schedule starts it."""

    name: str
    says: str
    work: Callable[[Run], dict[str, int]]
    minutes: Callable[[Settings], int] = lambda _: 0
    by_change: bool = False


JOBS: tuple[Job, ...] = (
    Job(
        name="consolidate",
        says="Extract facts, entities and relations from new turns",
        minutes=lambda settings: settings.consolidate_minutes,
        work=consolidate,
    ),
    Job(
        name="patterns",
        says="Learn strategies from conversations that succeeded with tools",
        minutes=lambda settings: settings.patterns_minutes,
        work=patterns,
    ),
    Job(
        name="promote",
        says="Propose project facts that proved themselves for _global",
        minutes=lambda settings: settings.promote_minutes,
        work=promote,
    ),
    Job(
        name="reread",
        says="Read lines of files again, once after the rules for them changed",
        minutes=lambda settings: settings.checkup_minutes,
        work=read_files_again,
    ),
    Job(
        name="checkup",
        says="Check new facts and a share of the others, and ask about those that may not be right",
        minutes=lambda settings: settings.checkup_minutes,
        work=checkup,
    ),
    Job(
        name="backup",
        says="Back up the desk, test the copy, and let old copies go",
        minutes=lambda settings: settings.backup_minutes,
        work=back_up,
    ),
    Job(
        name="decay",
        says="Count what fades, and ask about what has faded and is unused",
        minutes=lambda settings: settings.decay_minutes,
        work=decay,
    ),
    Job(
        name="cleanup",
        says="Archive old conversations, delete what was retired long ago",
        minutes=lambda settings: settings.cleanup_minutes,
        work=cleanup,
    ),
    Job(
        name="audit_partitions",
        says="Drop whole days of the audit log that are past their time",
        minutes=lambda settings: settings.audit_partitions_minutes,
        work=drop_old_segments,
    ),
    Job(name="embedding", says="Compute the vectors of texts that have none", by_change=True, work=embedding),
)
"""All jobs; if several are due at once they run in this order, one after the other."""
BY_NAME: dict[str, Job] = {job.name: job for job in JOBS}


def job_named(name: str) -> Job:
    """Return the job of this name. Raises NotFound."""
    if name not in BY_NAME:
        raise NotFound(
            message("There is no job “{name}”.", name=name),
            next=message("The jobs are {by_name}.", by_name=", ".join(BY_NAME)),
        )
    return BY_NAME[name]


RETRY_MINUTES = 15
"""Minutes after which a failed job is due again, if its regular turn would come later."""
PAGE_AT_MOST = 500
DAYS_AT_MOST = 3_650


def due(engine: Engine, *, earliest: int = 0) -> tuple[Job, ...]:
    """Return the jobs that the scheduler should start now, in the order of JOBS. earliest: none is due before
    that moment."""
    now = engine.clock()
    with engine.store.reading() as db:
        moments = [(job, _due_at(engine, db, job, now)) for job in JOBS]
    return tuple(job for job, at in moments if at is not None and max(at, earliest) <= now)


def jobs(engine: Engine, *, earliest: int = 0, states: tuple[JobState, ...] = ()) -> JobsList:
    """List every job with its schedule and its latest run. states: the running jobs, as the service knows them."""
    now = engine.clock()
    open_states = {state.name: state for state in states if state.open}
    with engine.store.reading() as db:
        rows = tuple(_row(engine, db, job, now, earliest, open_states.get(job.name)) for job in JOBS)
    return JobsList(enabled=engine.settings.jobs_enabled, rows=rows)


def runs(engine: Engine, ask: AskRuns) -> RunsPage:
    """Return a window of the runs, newest first. Raises NotFound for an unknown job, BadAsk for a window out
    of range."""
    if ask.first < 0 or not 1 <= ask.limit <= PAGE_AT_MOST:
        raise BadAsk(message("first counts from 0 and limit lies between 1 and {count}.", count=PAGE_AT_MOST))
    if ask.name:
        job_named(ask.name)
    with engine.store.reading() as db:
        total, rows = bookkeeping.page(db, ask.name, ask.first, ask.limit)
    return RunsPage(first=ask.first, total=total, rows=tuple(rows))


def totals(engine: Engine, ask: AskTotals) -> TotalsList:
    """Return what the runs of the last days brought, by job. Raises NotFound for an unknown job, BadAsk for a number
    of days out of range."""
    if not 1 <= ask.days <= DAYS_AT_MOST:
        raise BadAsk(message("days lies between 1 and {count}.", count=f"{DAYS_AT_MOST:,}"))
    asked = (job_named(ask.name),) if ask.name else JOBS
    since = engine.clock() - ask.days * DAY
    with engine.store.reading() as db:
        found = [bookkeeping.totals(db, job.name, since) for job in asked]
    return TotalsList(days=ask.days, rows=tuple(each for each in found if each.runs))


def pause(engine: Engine, name: str, *, author: str) -> JobPaused:
    """Stop scheduled starts of a job until it is resumed, even after a restart. Raises NotFound."""
    job = job_named(name)

    def verb(db: Connection) -> tuple[Change | None, bool]:
        moved = bookkeeping.pause(db, job.name, at=engine.clock())
        return _event(message("Job {job} paused", job=job.name), author) if moved else None, moved

    return _paused(engine.store.decide(verb)[0], job.name, paused=True)


def resume(engine: Engine, name: str, *, author: str) -> JobPaused:
    """Allow scheduled starts of a paused job again. Raises NotFound."""
    job = job_named(name)

    def verb(db: Connection) -> tuple[Change | None, bool]:
        moved = bookkeeping.resume(db, job.name)
        return _event(message("Job {job} resumed", job=job.name), author) if moved else None, moved

    return _paused(engine.store.decide(verb)[0], job.name, paused=False)


def is_paused(engine: Engine, name: str) -> bool:
    with engine.store.reading() as db:
        return name in bookkeeping.paused(db)


def is_scheduled(engine: Engine, name: str) -> bool:
    """Return True if the clock starts this job. Raises NotFound."""
    with engine.store.reading() as db:
        return _due_at(engine, db, job_named(name), engine.clock()) is not None


def _row(
    engine: Engine, db: Connection, job: Job, now: int, earliest: int, running: JobState | None
) -> JobRow:
    at = _due_at(engine, db, job, now)
    return JobRow(
        name=job.name,
        says=job.says,
        every_minutes=job.minutes(engine.settings),
        by_change=job.by_change,
        paused=job.name in bookkeeping.paused(db),
        last=bookkeeping.last(db, job.name),
        next_due=None if at is None else to_datetime(max(at, earliest)),
        running=running,
    )


def _due_at(engine: Engine, db: Connection, job: Job, now: int) -> int | None:
    """Return the time at which the scheduler should start a job; None if it should not."""
    minutes = job.minutes(engine.settings)
    if not minutes or not engine.settings.jobs_enabled or job.name in bookkeeping.paused(db):
        return None
    ended = bookkeeping.last_ended(db, job.name, at=now)
    return now if ended is None else _after(ended, minutes, now)


def _after(ended: JobRun, minutes: int, now: int) -> int:
    """Return when a job that ran is due again: at once if it ended in the future because the clock was set back."""
    at = from_datetime(ended.finished_at or ended.started_at)
    wait = min(minutes, RETRY_MINUTES) if ended.state == "failed" else minutes
    return now if at > now else at + wait * MINUTE


def _event(title: Message, author: str) -> Change:
    return Change(op="update", layer="workspace", title=title, author=author, edits=())


def _paused(applied: Applied | None, name: str, *, paused: bool) -> JobPaused:
    return JobPaused(name=name, paused=paused, change=None if applied is None else applied.id)


INTERRUPTED = message("The service ended meanwhile; what was finished stays, and the next run goes on.")

ELSEWHERE = message("Another service of this desk does it.")


def perform(
    engine: Engine,
    job: Job,
    *,
    author: str,
    progress: Progress = ignore_progress,
    dry: bool = False,
    only_due: bool = False,
) -> dict[str, Any]:
    """Run a job under its budget, and keep the run in its history. author: CLOCK, or the requester. only_due: leave it
    to another service of the desk that runs it, or just did.

    Returns its counts, with `run` (its id), `says` (a sentence) and, for a dry run, `changes` and `planned`.
    Raises the job's errors; the changes made before stay. Raises Conflict while another service of the desk runs it."""
    run = begin(engine, job.name, progress=progress, dry=dry)
    with engine.store.lease(run.id, *(() if dry else (job.name,))) as free:
        # The service that had it until now may have done what was due.
        if only_due and engine.store.shared and not (free and job in due(engine)):
            return {"says": ELSEWHERE}
        if not free:
            raise Conflict(
                ELSEWHERE, next=message("Its run is among the job's runs; wait until it has ended.")
            )
        return _perform(run, job, author)


def _perform(run: Run, job: Job, author: str) -> dict[str, Any]:
    asked = newest_question(run.engine)
    spent = NO_MESSAGE
    with _recorded(run, author) as ending:
        try:
            with asking(run.author, run.heed):
                counted = job.work(run)
            # Not Counter.update, which would add what the job counted in the run already.
            dict.update(run.counts, counted)
        except BudgetSpent as over:
            spent = over.says
        if not run.dry:
            _settle(run, asked)
        ending.state, ending.says = "done", spent or _summary(run)
    result: dict[str, Any] = {**run.counts, "run": run.id, "says": ending.says}
    if run.dry:
        result |= {"changes": run.changes, "planned": [asdict(each) for each in run.planned]}
    return result


def _settle(run: Run, asked: int) -> None:
    """Answer the run's questions for which there is a standing decision of a person."""
    if settled := len(settle(run.engine, asked, run=run.id)):
        run.counts["settled"] = settled
        run.changes += settled


def close_interrupted(engine: Engine) -> int:
    """Close the runs that a killed service left open; return how many. Call it before any job runs."""
    with engine.store.reading() as db:
        ids = [id for id in bookkeeping.unfinished(db) if engine.store.is_free(id)]
    at = engine.clock()
    return engine.store.maintain(
        lambda db, *_: bookkeeping.interrupt(db, ids, at=at, says=INTERRUPTED)
    ).result()


@dataclass(slots=True)
class _Ending:
    """State and sentence of a run's end: a failure until another is set."""

    state: str
    says: Message


@contextmanager
def _recorded(run: Run, author: str) -> Iterator[_Ending]:
    """Record the run's beginning immediately, and its end even if an exception is raised."""
    ending = _Ending(
        "failed", message("MemDesk failed here; this is a bug, and the desk's log has the details.")
    )
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
        ending.state, ending.says = "failed", joined(wrong.says, wrong.next)
        raise
    finally:
        _write_end(run, ending)


def _write_beginning(run: Run, author: str) -> None:
    at = run.engine.clock()
    begun = JobRun(
        id=run.id,
        job=run.job,
        author=author,
        dry=run.dry,
        started_at=to_datetime(at),
        finished_at=None,
        state="running",
        says=message("Running."),
    )
    run.engine.store.maintain(lambda db, *_: bookkeeping.begin(db, begun, at=at)).result()


def _write_end(run: Run, ending: _Ending) -> None:
    at, result = run.engine.clock(), dict(run.counts)
    if run.dry:
        result["changes"] = run.changes
    run.engine.store.maintain(
        lambda db, *_: bookkeeping.finish(
            db, run.id, at=at, state=ending.state, says=ending.says, result=result
        )
    ).result()


def _summary(run: Run) -> Message:
    if not run.changes:
        return message("Would change nothing.") if run.dry else message("Changed nothing.")
    if run.changes == 1:
        return message("Would make 1 change.") if run.dry else message("Made 1 change.")
    count = f"{run.changes:,}"
    if run.dry:
        return message("Would make {count} changes.", count=count)
    return message("Made {count} changes.", count=count)
