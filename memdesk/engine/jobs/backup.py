"""Backup job: a tested copy of the desk, unless there was no event since the last; then rotation."""

from __future__ import annotations

from memdesk.engine.health import backups
from memdesk.engine.jobs.run import Run
from memdesk.model.backup import DAILY


def back_up(run: Run) -> dict[str, int]:
    """Make a backup and remove old ones. Returns counts of backups made and of bytes; a dry run counts what
    it would make."""
    needed = backups.unchanged_since(run.engine) is None
    if run.dry or not needed:
        return {"backups": int(needed)}
    made = backups.make(run.engine, DAILY, run.step)
    return {"backups": 1, "bytes": made.bytes}
