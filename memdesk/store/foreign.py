"""SQLite databases of other programs, read from a private copy. Their content is data: none of it is ever
executed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from memdesk.model.errors import Refused, StorageFailed
from memdesk.model.message import message
from memdesk.store import binding
from memdesk.store.migrations import migrations

_GUARDS = ("trusted_schema=OFF", "query_only=ON", "cell_size_check=ON", "mmap_size=0")


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
def opened(copy: Path, name: str) -> Iterator[Foreign]:
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
