"""Databases of other programs for importers: they are copied first, so that a live one is never locked or
changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memdesk.engine.interop.reading import SQLITE, Peek, tidy
from memdesk.files.places import scratch_folder
from memdesk.files.reading import read_bytes
from memdesk.model.errors import Refused
from memdesk.model.message import message
from memdesk.store import database_file

_TRIES = 5
_PARTS = ("", "-wal", "-journal")
"""Suffixes of the files that make up a database: the latest commits may be only in its log."""
Row = dict[str, Any]


def is_database(peek: Peek) -> bool:
    return peek.head.startswith(SQLITE)


def tables_of(peek: Peek) -> dict[str, frozenset[str]]:
    """Return the columns of each table of a database file, empty for other files. Raises Refused, naming it."""
    if not is_database(peek):
        return {}
    if peek.tables is None:
        with _opened(peek) as found:
            peek.tables = found.tables
    return peek.tables


def rows_of(peek: Peek, *tables: str) -> tuple[dict[str, list[Row]], int]:
    """Return every row of these tables at one moment, and the database's own version. Raises Refused, naming
    it."""
    with _opened(peek) as found:
        return {table: [tidy(row) for row in found.rows(table)] for table in tables}, found.version


@contextmanager
def _opened(peek: Peek) -> Iterator[database_file.Foreign]:
    with scratch_folder() as folder:
        copy = folder / "copy.db"
        _copy(peek, copy)
        with database_file.open_foreign(copy, peek.name) as found:
            yield found


def _copy(peek: Peek, copy: Path) -> None:
    """Copy a database in a consistent state. Raises Refused if it is being written to at every attempt."""
    for _ in range(_TRIES):
        before = _state(peek.path)
        for part in _PARTS:
            _copy_part(peek, part, copy.with_name(copy.name + part))
        if _state(peek.path) == before:
            return
    raise Refused(
        message("{peek} is being written to.", peek=peek.name),
        next=message("Close the program it belongs to, and import it again."),
    )


def _copy_part(peek: Peek, part: str, target: Path) -> None:
    source = peek.path.with_name(peek.path.name + part)
    target.unlink(missing_ok=True)
    if part == "" or source.is_file():
        try:
            target.write_bytes(read_bytes(source, peek.name, limit_bytes=peek.limit_bytes)[0])
        except Refused as refused:
            # A journal goes with each commit, also in the moment after it was seen.
            if part == "" or not isinstance(refused.__cause__, FileNotFoundError):
                raise


def _state(path: Path) -> list[tuple[int, int]]:
    """Return size and modification time of each part that exists."""
    found: list[tuple[int, int]] = []
    for part in _PARTS:
        try:
            about = path.with_name(path.name + part).stat()
        except OSError:
            continue
        found.append((about.st_size, about.st_mtime_ns))
    return found
