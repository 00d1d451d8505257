"""Digests of rows: each row stores one, so that a row altered by a damaged disk is never returned as memory.

Temporary triggers of the writer's connection update it, whichever statement writes the row, unless the row is
inserted with one; PostgreSQL keeps digests of its own (`store/postgres/digests.py`). A row whose digest was wrong
before a write stays marked as damaged after it. All tables with a column `digest` are covered; the others can be
rebuilt from those (`store/integrity.py`), or have a hash of their own.
A migration that adds columns needs to do nothing: the table is digested again at the next start. One that changes
values deletes the table's row in `digested`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from memdesk.model.kinds import KINDS
from memdesk.store.connection import Connection, marks

DIGEST_BYTES = 8
_FUNCTION = "row_digest"
_COLUMNS_OF = {kind.table: kind.columns for kind in KINDS}
_LATER: dict[str, tuple[int, ...]] = {
    kind.table: tuple(kind.columns.index(name) for name in ("origin", "trust"))
    for kind in KINDS
    if "trust" in kind.columns
}
"""Places of columns that were added to tables with many rows. A row with their defaults has the digest that it had
without them, so that no row is digested again when the columns come."""
_DEFAULTS = ("", 0.7)
_DECLARED: dict[str, type] = {"str": str, "int": int, "float": float}
TYPES: dict[str, tuple[type, ...]] = {
    kind.table: tuple(
        _DECLARED.get(str(item.type).removesuffix(" | None"), object) for item in fields(kind.record)
    )
    for kind in KINDS
}
"""Types of the columns of each kind's table; `object`, which no value has, for one that is not declared by its name."""


@dataclass(frozen=True, slots=True)
class Table:
    """Table whose rows have digests. columns: those digested, in order; types: of each; key: the columns that
    identify a row, or its number where none does."""

    name: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    key: tuple[str, ...]

    def values(self, row: str) -> str:
        """Return the SQL expressions of a row's digested values; texts as bytes, since damaged text may not
        be valid text."""
        forms = {"TEXT": "CAST({} AS BLOB)", "BLOB": "hex({})", "BYTEA": "hex({})"}
        return ", ".join(
            forms.get(type, "{}").format(f"{row}.{name}")
            for name, type in zip(self.columns, self.types, strict=True)
        )

    def digest(self, row: str) -> str:
        """Return the SQL expression of a row's digest, for the writer's connection."""
        return f"{_FUNCTION}('{self.name}', {self.values(row)})"


def digest_of(table: str, values: Sequence[Any]) -> bytes:
    """Return the digest of a row from its values as SQLite returns them, texts as str."""
    later = _LATER.get(table, ())
    # A table that lacks columns added after these has them in the same places.
    if later and len(values) > later[-1] and tuple(values[place] for place in later) == _DEFAULTS:
        values = [value for place, value in enumerate(values) if place not in later]
    # ASCII escapes are alike in every Python; plain repr follows its tables of what can be printed.
    packed = ascii((table, *values)).encode("ascii")
    return hashlib.blake2b(packed, digest_size=DIGEST_BYTES).digest()


def digest_of_new(table: str, values: Sequence[Any], types: Sequence[type]) -> bytes | None:
    """Return the digest of a row to be inserted, which spares the trigger's second write of it; None where SQLite may
    store another value than a given one, such as 1.0 for 1. types: of each value, if it is not None."""
    for value, expected in zip(values, types, strict=True):
        if value is not None and (type(value) is not expected or value != value):
            return None
    return digest_of(table, values)


def holds(db: Connection, table: str, values: Sequence[Any], digest: bytes | None) -> bool:
    """Return True if a row's values, texts as str, have this digest."""
    of = digest_of if db.row_digests is None else db.row_digests.digest_of
    return of(table, values) == digest


def matches(db: Connection, table: str, values: Sequence[Any], digest: bytes | None) -> bool:
    """Return True if values read by `Table.values` have this digest."""
    return holds(db, table, _as_texts(values), digest)


def tables(db: Connection, name: str | None = None) -> list[Table]:
    """Return every table whose rows have digests. name: return that one only, if its rows have."""
    named = sorted(db.tables(column="digest"))
    return [table_named(db, each) for each in named if name in (None, each)]


def table_named(db: Connection, name: str) -> Table:
    """Return one digested table, by its name."""
    found = db.columns(name)
    found.pop("digest", None)
    columns = _COLUMNS_OF.get(name, tuple(found))
    key = sorted((place, column) for column, (*_, place) in found.items() if place)
    identity = tuple(column for _, column in key) or (db.row_number,)
    return Table(name, columns, tuple(found[column][0] for column in columns), identity)


def install_digests(db: Connection) -> None:
    """Install the triggers that update digests on this connection, and compute missing digests."""
    db.provide(_FUNCTION, -1, lambda table, *values: digest_of(table, _as_texts(values)))
    known: dict[str, str] = dict(db.rows("SELECT name, columns FROM digested"))
    every = tables(db)
    behind = [table for table in every if known.get(table.name) != ",".join(table.columns)]
    empty = [table for table in behind if db.value(f"SELECT 1 FROM {table.name} LIMIT 1") is None]
    if empty:
        with db.transaction():
            for table in empty:
                _note(db, table)
    for table in behind:
        if table not in empty:
            with db.transaction():
                digest_anew(db, table, known.get(table.name), Table.digest)
    for table in every:
        _install(db, table)


def install_digest(db: Connection, name: str) -> None:
    """Install the triggers for a table that was just created."""
    table = table_named(db, name)
    _note(db, table)
    (_install if db.row_digests is None else db.row_digests.install)(db, table)


def _as_texts(values: Sequence[Any]) -> list[Any]:
    return [
        value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value for value in values
    ]


def digest_anew(
    db: Connection, table: Table, before: str | None, digest: Callable[[Table, str], str]
) -> None:
    """Digest every row. before: the columns that were digested until now; rows that fail by them stay damaged.
    digest: returns the SQL expression of a row's digest."""
    new = digest(table, table.name)
    if before is not None:
        types = {name: type for name, (type, *_) in db.columns(table.name).items()}
        columns = tuple(before.split(","))
        if all(name in types for name in columns):
            was = Table(table.name, columns, tuple(types[name] for name in columns), table.key)
            new = f"iif(digest IS {digest(was, table.name)}, {new}, x'')"
    db.run(f"UPDATE {table.name} SET digest = {new}")
    _note(db, table)


def _note(db: Connection, table: Table) -> None:
    """Store the columns by which a table is digested."""
    db.run(
        "INSERT INTO digested VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET columns = excluded.columns",
        (table.name, ",".join(table.columns)),
    )


def _install(db: Connection, table: Table) -> None:
    same = " AND ".join(f"{name} = new.{name}" for name in table.key)
    write = f"UPDATE {table.name} SET digest = {{}} WHERE {same}"
    new, old = table.digest("new"), table.digest("old")
    db.run(
        f"CREATE TEMP TRIGGER IF NOT EXISTS digest_born_{table.name} AFTER INSERT ON main.{table.name} "
        f"WHEN new.digest IS NULL BEGIN {write.format(new)}; END"
    )
    db.run(
        f"CREATE TEMP TRIGGER IF NOT EXISTS digest_moved_{table.name} AFTER UPDATE OF {','.join(table.columns)} "
        f"ON main.{table.name} BEGIN {write.format(f'''iif(old.digest IS {old}, {new}, x'')''')}; END"
    )


def rows(
    db: Connection, table: Table, after: Sequence[Any] | None, limit: int
) -> list[tuple[tuple[Any, ...], bool]]:
    """Return (key, True if undamaged) of the next rows after a key, in key order; None starts at the first."""
    key = ", ".join(table.key)
    past = "" if after is None else f"WHERE ({key}) > ({marks(table.key)}) "
    size = len(table.key)
    return [
        (row[:size], matches(db, table.name, row[size + 1 :], row[size]))
        for row in db.rows(
            f"SELECT {key}, digest, {table.values(table.name)} FROM {table.name} {past}ORDER BY {key} LIMIT ?",
            (*(after or ()), limit),
        )
    ]
