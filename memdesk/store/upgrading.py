"""A desk that an earlier MemDesk wrote, brought to today's schema after a backup. Newer schemas are refused."""

from __future__ import annotations

import shutil
from pathlib import Path

from memdesk.model.errors import NewerDesk, StorageFailed
from memdesk.store.connection import Connection
from memdesk.store.migrations import migrations

# isort: split
from sqlite_utils import Database


def migrate(db: Connection, path: Path, backups: Path) -> None:
    """Bring a desk's schema to today's, each step whole or not at all, after a backup of what was there.

    Raises NewerDesk, leaving the file unchanged, when it holds steps this program does not know.
    """
    wrapped = Database(db.raw)
    known = {step.name for step in migrations.pending(Database(memory=True))}
    applied = [step.name for step in migrations.applied(wrapped)]
    if unknown := [name for name in applied if name not in known]:
        raise NewerDesk(f"This desk was written by a newer MemDesk ({unknown[-1]}).")
    pending = migrations.pending(wrapped)
    if not pending:
        return
    if applied:
        _back_up(path, backups, pending[0].name)
    migrations.apply(wrapped)


def _back_up(path: Path, backups: Path, step: str) -> None:
    """Copy the database and its WAL beside each other before `step` touches them."""
    backups.mkdir(parents=True, exist_ok=True, mode=0o700)
    for suffix in ("", "-wal"):
        source = path.with_name(path.name + suffix)
        if source.exists():
            try:
                shutil.copy2(source, backups / f"before-{step}.db{suffix}")
            except OSError as error:
                raise StorageFailed(
                    f"The desk could not be backed up before an upgrade: {error.strerror}."
                ) from error
