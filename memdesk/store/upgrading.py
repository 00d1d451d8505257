"""Migration of a desk from an earlier MemDesk to the present schema, after a backup. Newer schemas are
refused."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from memdesk.model.errors import NewerDesk, StorageFailed
from memdesk.store import backups, binding
from memdesk.store.connection import Connection
from memdesk.store.migrations import migrations

# isort: split
from sqlite_utils import Database


def refuse_foreign(path: Path) -> None:
    """Raise StorageFailed for another program's database, which is not changed in any byte.

    Opening a desk sets its journal mode and creates its tables, so this must be checked before."""
    # Without a WAL the file alone tells everything, and nothing is made beside it.
    waiting = path.with_name(path.name + "-wal")
    unwritten = waiting.exists() and waiting.stat().st_size > 0
    uri = path.absolute().as_uri() + ("?mode=ro" if unwritten else "?immutable=1")
    with closing(binding.sqlite.connect(uri, uri=True)) as db:
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        ours = (
            "_sqlite_migrations" in tables
            and db.execute(
                "SELECT 1 FROM _sqlite_migrations WHERE migration_set = ?", (migrations.name,)
            ).fetchone()
        )
    if tables and not ours:
        raise StorageFailed(
            f"{path} is a database of another program, not a desk; it was not changed.",
            next="Name another folder with --desk, or bring what it holds into a desk with `memdesk import`.",
        )


def migrate(db: Connection, path: Path, folder: Path, *, at: int) -> None:
    """Migrate a desk's schema to the present one atomically, after a backup of the earlier state.

    folder: of the backups; at: the present time in UTC microseconds. Raises NewerDesk, leaving the file
    unchanged, if it has migrations this program does not know."""
    wrapped = Database(db.raw)
    known = {step.name for step in migrations.pending(Database(memory=True))}
    applied = [step.name for step in migrations.applied(wrapped)]
    if unknown := [name for name in applied if name not in known]:
        raise NewerDesk(f"This desk was written by a newer MemDesk ({unknown[-1]}).")
    pending = migrations.pending(wrapped)
    if not pending:
        return
    if applied:
        backups.before_migration(path, folder, at=at)
    with wrapped.atomic():
        migrations.apply(wrapped)
