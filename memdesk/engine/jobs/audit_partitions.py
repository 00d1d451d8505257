"""Retention of the audit log: each past day is closed with a checkpoint, and old days are dropped."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.engine.jobs.run import Run
from memdesk.model.change import Change
from memdesk.model.instant import DAY
from memdesk.store import prompting, segments
from memdesk.store.connection import Connection


def drop_old_segments(run: Run) -> dict[str, int]:
    """Close every past day, and drop those older than `audit_retention_days`; the job audit_partitions.

    A closed day keeps its checkpoint for good: its number of rows, and the last change of the journal on it.
    Each drop is an event of the journal, which is never thinned. Returns how many were closed and dropped,
    and how many recorded prompts were deleted."""
    engine = run.engine
    today = engine.clock() // DAY
    with engine.store.reading() as db:
        there = [day for day in segments.days(db) if day < today]
        closed = {each.day for each in segments.checkpoints(db) if each.dropped_at is None}
    due = [day for day in there if day not in closed]
    old = [day for day in there if day < today - engine.settings.audit_retention_days]
    for done, day in enumerate(sorted(due)):
        run.step(done, len(due) + len(old), "Closing days of the audit log")
        if not run.dry:
            _close(engine, day)
    for done, day in enumerate(sorted(old)):
        run.step(len(due) + done, len(due) + len(old), "Dropping days of the audit log")
        _drop(run, day)
    prompts = 0 if run.dry else _forget_prompts(engine, today - engine.settings.audit_retention_days)
    counts = {"closed": len(due), "dropped": len(old)}
    return counts | {"prompts": prompts} if prompts else counts


def _forget_prompts(engine: Engine, day: int) -> int:
    """Delete the records of prompts before a day: they are kept no longer than the audit log."""
    return engine.store.submit(lambda db: prompting.forget(db, before=day * DAY)).result()


def _close(engine: Engine, day: int) -> None:
    at = engine.clock()
    engine.store.submit(lambda db: segments.close(db, day, at)).result()


def _drop(run: Run, day: int) -> None:
    def verb(db: Connection) -> tuple[Change | None, None]:
        rows = segments.counted(db, day)
        if not run.dry:
            segments.drop(db, day, run.engine.clock())
        date = segments.date_of(day).isoformat()
        return Change(
            op="delete", layer="workspace", title=f"The audit log of {date}, dropped by its retention",
            author=run.author, user_id="", edits=(), run=run.id, details={"day": date, "rows": rows},
        ), None  # fmt: skip

    run.decide(verb)
