"""SQLite databases of other programs, read from a private copy. Their content is data: none of it is ever
executed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memdesk.model.errors import Refused
from memdesk.model.message import message
from memdesk.store import binding

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
