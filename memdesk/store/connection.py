"""One typed wrapper around a SQLite connection, opened the way every part of the store needs it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlite_vec

from memdesk.store import binding
from memdesk.store.scopes import Scopes

Row = tuple[Any, ...]
Params = Sequence[Any] | Mapping[str, Any]
"""In the order of the question marks, or by name."""


class Connection:
    """Rows in, rows out. `vectors` says whether sqlite-vec is loaded; `scopes` is what several may share."""

    def __init__(self, path: Path, *, writer: bool = False, scopes: Scopes | None = None) -> None:
        self.scopes = scopes or Scopes()
        self.raw: Any = binding.sqlite.connect(
            str(path), isolation_level=None, check_same_thread=False, cached_statements=512
        )
        self.vectors = self._load_vectors()
        # FULL: an acknowledged write survives power loss. The WAL is cut back after checkpoints.
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "busy_timeout=10000",
            "cache_size=-65536" if writer else "cache_size=-16384",
            "journal_size_limit=67108864",
            "temp_store=MEMORY",
        ):
            self.raw.execute(f"PRAGMA {pragma}")
        if not writer:
            self.raw.execute("PRAGMA query_only=ON")

    def _load_vectors(self) -> bool:
        if not binding.can_load_extensions:
            return False
        try:
            self.raw.enable_load_extension(True)
            sqlite_vec.load(self.raw)
            self.raw.enable_load_extension(False)
        except binding.sqlite.OperationalError:
            return False
        return True

    def rows(self, sql: str, params: Params = ()) -> list[Row]:
        found: list[Row] = self.raw.execute(sql, params).fetchall()
        return found

    def each(self, sql: str, params: Params = ()) -> Iterator[Row]:
        """Rows one by one, for a reader that may stop early."""
        found: Iterator[Row] = self.raw.execute(sql, params)
        return found

    def row(self, sql: str, params: Params = ()) -> Row | None:
        found: Row | None = self.raw.execute(sql, params).fetchone()
        return found

    def value(self, sql: str, params: Params = ()) -> Any:
        """The first column of the first row, None when there is no row."""
        found = self.row(sql, params)
        return None if found is None else found[0]

    def run(self, sql: str, params: Sequence[Any] = ()) -> int:
        """Carry out a statement; returns how many rows it touched."""
        count: int = self.raw.execute(sql, params).rowcount
        return count

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        self.raw.executemany(sql, rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """What is run inside is committed whole, or rolled back when it raises."""
        self.run("BEGIN IMMEDIATE")
        try:
            yield
            self.run("COMMIT")
        except BaseException:
            if self.raw.in_transaction:
                self.run("ROLLBACK")
            raise

    def close(self) -> None:
        self.raw.close()


def marks(values: Sequence[Any]) -> str:
    """Placeholders for an IN list: `?,?,?`."""
    return ",".join("?" * len(values))
