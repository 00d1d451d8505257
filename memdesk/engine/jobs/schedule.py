"""Schedule of jobs: due times, pauses and history, read again on each call, so that a change applies
immediately."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.jobs import JOBS, Job, job_named
from memdesk.model.change import Applied, Change
from memdesk.model.errors import BadAsk
from memdesk.model.instant import SECOND, from_datetime, to_datetime
from memdesk.model.job import AskRuns, JobPaused, JobRow, JobRun, JobsList, RunsPage
from memdesk.model.status import JobState
from memdesk.store import job_runs
from memdesk.store.connection import Connection

MINUTE = 60 * SECOND
RETRY_MINUTES = 15
"""Minutes after which a failed job is due again, if its regular turn would come later."""
PAGE_AT_MOST = 500


def due(engine: Engine, *, earliest: int = 0) -> tuple[Job, ...]:
    """Return the jobs that the scheduler should start now, in the order of JOBS. earliest: none is due before
    that moment."""
    now = engine.clock()
    with engine.store.reading() as db:
        moments = [(job, _due_at(engine, db, job, now)) for job in JOBS]
    return tuple(job for job, at in moments if at is not None and max(at, earliest) <= now)


def jobs(engine: Engine, *, earliest: int = 0, states: tuple[JobState, ...] = ()) -> JobsList:
    """List every job with its schedule and its latest run. states: the running jobs, as the service knows
    them."""
    now = engine.clock()
    open_states = {state.name: state for state in states if state.open}
    with engine.store.reading() as db:
        rows = tuple(_row(engine, db, job, now, earliest, open_states.get(job.name)) for job in JOBS)
    return JobsList(enabled=engine.settings.jobs_enabled, rows=rows)


def runs(engine: Engine, ask: AskRuns) -> RunsPage:
    """Return a window of the runs, newest first. Raises NotFound for an unknown job, BadAsk for a window out
    of range."""
    if ask.first < 0 or not 1 <= ask.limit <= PAGE_AT_MOST:
        raise BadAsk(f"first counts from 0 and limit lies between 1 and {PAGE_AT_MOST}.")
    if ask.name:
        job_named(ask.name)
    with engine.store.reading() as db:
        total, rows = job_runs.page(db, ask.name, ask.first, ask.limit)
    return RunsPage(first=ask.first, total=total, rows=tuple(rows))


def pause(engine: Engine, name: str, *, author: str) -> JobPaused:
    """Stop scheduled starts of a job until it is resumed, even after a restart. Raises NotFound."""
    job = job_named(name)

    def verb(db: Connection) -> tuple[Change | None, bool]:
        moved = job_runs.pause(db, job.name, at=engine.clock())
        return _event(f"Job {job.name} paused", author) if moved else None, moved

    return _paused(engine.store.decide(verb)[0], job.name, paused=True)


def resume(engine: Engine, name: str, *, author: str) -> JobPaused:
    """Allow scheduled starts of a paused job again. Raises NotFound."""
    job = job_named(name)

    def verb(db: Connection) -> tuple[Change | None, bool]:
        moved = job_runs.resume(db, job.name)
        return _event(f"Job {job.name} resumed", author) if moved else None, moved

    return _paused(engine.store.decide(verb)[0], job.name, paused=False)


def is_paused(engine: Engine, name: str) -> bool:
    with engine.store.reading() as db:
        return name in job_runs.paused(db)


def _row(
    engine: Engine, db: Connection, job: Job, now: int, earliest: int, running: JobState | None
) -> JobRow:
    at = _due_at(engine, db, job, now)
    return JobRow(
        name=job.name, says=job.says, every_minutes=job.minutes(engine.settings), by_change=job.by_change,
        paused=job.name in job_runs.paused(db), last=job_runs.last(db, job.name),
        next_due=None if at is None else to_datetime(max(at, earliest)), running=running,
    )  # fmt: skip


def _due_at(engine: Engine, db: Connection, job: Job, now: int) -> int | None:
    """Return the time at which the scheduler should start a job; None if it should not."""
    minutes = job.minutes(engine.settings)
    if not minutes or not engine.settings.jobs_enabled or job.name in job_runs.paused(db):
        return None
    ended = job_runs.last_ended(db, job.name, at=now)
    return now if ended is None else _after(ended, minutes, now)


def _after(ended: JobRun, minutes: int, now: int) -> int:
    """Return when a job that ran is due again: at once if it ended in the future because the clock was set
    back."""
    at = from_datetime(ended.finished_at or ended.started_at)
    wait = min(minutes, RETRY_MINUTES) if ended.state == "failed" else minutes
    return now if at > now else at + wait * MINUTE


def _event(title: str, author: str) -> Change:
    return Change(op="update", layer="workspace", title=title, author=author, edits=())


def _paused(applied: Applied | None, name: str, *, paused: bool) -> JobPaused:
    return JobPaused(name=name, paused=paused, change=None if applied is None else applied.id)
