"""Database files: a desk's own, opened and brought to the present schema, with its errors in MemDesk's own words; and
those of other programs, read from a private copy. Their content is data: none of it is ever executed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from memdesk.model.errors import BadAsk, MemDeskError, NewerDesk, Refused, StorageFailed
from memdesk.model.message import NO_MESSAGE, Message, message
from memdesk.store import backups, binding
from memdesk.store.connection import Connection, Damage
from memdesk.store.migrations import migrations

_DISK_CODES = frozenset((8, 10, 13, 14))
"""Primary codes of SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN."""


def open_database(path: Path, damaged: Callable[[Damage], None]) -> Connection:
    if binding.too_old:
        raise StorageFailed(
            message(
                "This Python's SQLite is {version}; a desk needs 3.43 or later.", version=binding.version
            ),
            next=message("Install the package pysqlite3 or sqlean.py beside MemDesk, or use a newer Python."),
        )
    try:
        if path.exists() and path.stat().st_size:
            refuse_foreign(path)
        else:
            path.touch(0o600)
        return Connection(path, writer=True, damaged=damaged)
    except (binding.sqlite.Error, UnicodeDecodeError) as error:
        raise failed(
            error, says=message("{path} could not be opened: {error}.", path=path, error=why(error))
        ) from error
    except OSError as error:
        raise StorageFailed(
            message("{path} could not be opened: {error}.", path=path, error=error.strerror)
        ) from error


def refuse_foreign(path: Path) -> None:
    """Raise StorageFailed for another program's database, which is not changed in any byte.

    Opening a desk sets its journal mode and creates its tables, so this must be checked before."""
    # Without a WAL the file alone tells everything, and nothing is made beside it.
    waiting = path.with_name(path.name + "-wal")
    unwritten = waiting.exists() and waiting.stat().st_size > 0
    with closing(binding.connect(path, query="?mode=ro" if unwritten else "?immutable=1")) as db:
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        ours = (
            "_sqlite_migrations" in tables
            and db.execute(
                "SELECT 1 FROM _sqlite_migrations WHERE migration_set = ?", (migrations.name,)
            ).fetchone()
        )
    if tables and not ours:
        raise StorageFailed(
            message("{path} is a database of another program, not a desk; it was not changed.", path=path),
            next=message(
                "Name another folder with --desk, or bring what it holds into a desk with `memdesk import`."
            ),
        )


def migrate(db: Connection, path: Path, folder: Path, *, at: int) -> None:
    """Migrate a desk's schema to the present one atomically, after a backup of the earlier state.

    folder: of the backups; at: the present time in UTC microseconds. Raises NewerDesk, leaving the file
    unchanged, if it has migrations this program does not know."""
    wrapped = Database(db.raw)
    known = {step.name for step in migrations.pending(Database(memory=True))}
    applied = [step.name for step in migrations.applied(wrapped)]
    if unknown := [name for name in applied if name not in known]:
        raise NewerDesk(message("This desk was written by a newer MemDesk ({unknown}).", unknown=unknown[-1]))
    pending = migrations.pending(wrapped)
    if not pending:
        return
    if applied:
        backups.before_migration(path, folder, at=at)
    with wrapped.atomic():
        migrations.apply(wrapped)


def failed(error: Exception, *, says: Message) -> StorageFailed:
    """Return the error for a failed database operation; for a damaged file it suggests restoring a backup."""
    mend = (
        message("Keep a copy of the file, then restore the desk's folder from a backup.")
        if is_damage(error)
        else NO_MESSAGE
    )
    wrong = StorageFailed(says, next=mend)
    wrong.__cause__ = error
    return wrong


def why(error: Exception) -> str:
    return "its tables have names that are no text" if isinstance(error, UnicodeDecodeError) else str(error)


def is_damage(error: Exception) -> bool:
    # What is wrong with the file itself comes as this very class, all else as one derived from it. SQLite repeats
    # damaged names in what it says, and Python cannot read them then.
    return type(error) is binding.sqlite.DatabaseError or isinstance(error, UnicodeDecodeError)


def is_refused_by_disk(error: BaseException | None) -> bool:
    """Return True if the disk or its file system refused a write, regardless of the data."""
    if not isinstance(error, binding.sqlite.OperationalError):
        return False
    code = getattr(error, "sqlite_errorcode", None)
    # Where this Python does not know the code, the sentence has to do.
    return (
        code & 0xFF in _DISK_CODES
        if code is not None
        else any(word in str(error) for word in ("disk", "readonly"))
    )


def explained(error: Exception) -> Exception:
    if isinstance(error, MemDeskError):
        return error
    if isinstance(error, UnicodeEncodeError):
        return BadAsk(message("The text holds half a character (a lone surrogate), which cannot be stored."))
    if isinstance(error, binding.sqlite.Error):
        return failed(error, says=message("The desk could not be written: {error}.", error=why(error)))
    return error


_GUARDS = ("trusted_schema=OFF", "query_only=ON", "cell_size_check=ON", "mmap_size=0")


class Foreign:
    """Open database of another program. tables: the columns of each ordinary table. version: its
    `user_version`."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self.version: int = raw.execute("PRAGMA user_version").fetchone()[0]
        names = raw.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'create virtual%'"
        ).fetchall()
        self.tables: dict[str, frozenset[str]] = {
            name: frozenset(row[0] for row in raw.execute("SELECT name FROM pragma_table_info(?)", (name,)))
            for (name,) in names
        }

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """Yield every row of a table, none if there is no such table; without blobs, which are vectors."""
        if table not in self.tables:
            return
        quoted = table.replace('"', '""')
        found = self._raw.execute(f'SELECT * FROM "{quoted}"')
        columns = [column[0] for column in found.description]
        for row in found:
            yield {
                name: value for name, value in zip(columns, row, strict=True) if not isinstance(value, bytes)
            }


@contextmanager
def open_foreign(copy: Path, name: str) -> Iterator[Foreign]:
    """Open a private copy of a database. Raises Refused with its name if it is damaged or no database."""
    raw = binding.connect(copy, clear=True, isolation_level=None)
    try:
        raw.text_factory = lambda text: text.decode("utf-8", "replace")
        for guard in _GUARDS:
            raw.execute(f"PRAGMA {guard}")
        found = Foreign(raw)
        if _is_torn(raw, copy):
            raise binding.sqlite.DatabaseError("the file is shorter than its header says")
        if (wrong := raw.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise binding.sqlite.DatabaseError(wrong)
        yield found
    except binding.sqlite.DatabaseError as error:
        raise Refused(
            message("{name} is a damaged SQLite database.", name=name),
            next=message("Nothing was brought in; take it from a backup."),
        ) from error
    finally:
        raw.close()


def _is_torn(raw: Any, copy: Path) -> bool:
    """Return True if the end of the file is missing. SQLite reads such a file without an error and loses the
    missing rows."""
    if copy.with_name(copy.name + "-wal").exists():
        return False
    pages, size = (raw.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    return bool(pages * size > copy.stat().st_size)
