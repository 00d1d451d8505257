"""Statements as the store writes them and as PostgreSQL reads them, with few of them for many rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from psycopg import RawCursor

from memdesk.store.connection import Params, Row
from memdesk.store.postgres.dialect import translated

_ROWS = re.compile(r"(INSERT INTO \w+(?: \([^()]*\))? VALUES )(\([?, ]+\))((?: ON CONFLICT DO NOTHING)?)")
_TOGETHER = (32, *range(16, 0, -1))
"""Rows that one INSERT takes: not any number, since the server keeps a plan for each."""
_PLAIN = frozenset((str, int, float, bytes, type(None)))


@dataclass(frozen=True, slots=True)
class Statement:
    """Statement as the store wrote it and as PostgreSQL reads it, with its values. many: values of several rows.

    taken: makes the error of one that met a record with its number or id, from what is known without a look at it."""

    sql: str
    text: bytes
    given: Sequence[Any]
    many: bool = False
    taken: Callable[[], Exception] | None = None

    def issue(self, cursor: RawCursor[Row]) -> None:
        """Carry the statement out with a cursor, which has its answer once its pipeline has ended."""
        if self.many:
            cursor.executemany(self.text, self.given)
        else:
            cursor.execute(self.text, self.given)


@lru_cache(maxsize=256)
def _of_rows(sql: str, count: int) -> bytes:
    """Return an INSERT of one row as PostgreSQL reads it, with so many rows."""
    rows = ", ".join([r"\2"] * count)
    return translated(_ROWS.sub(rf"\1{rows}\3", sql))[0].encode()


def statements_of_rows(sql: str, rows: Iterable[Sequence[Any]]) -> Iterator[Statement]:
    """Yield the statements that carry out one for each of these rows: few, where it inserts them."""
    given = [plain(row) for row in rows]
    if not _ROWS.fullmatch(sql):
        if given:
            yield Statement(sql, translated(sql)[0].encode(), given, many=True)
        return
    first = 0
    for size in _TOGETHER:
        while len(given) - first >= size:
            values = [each for row in given[first : first + size] for each in row]
            yield Statement(sql, _of_rows(sql, size), values)
            first += size


def with_record(
    record: Sequence[Any],
    table: str,
    columns: Sequence[str],
    values: Sequence[Any],
    taken: Callable[[], Exception],
) -> Statement:
    """Return the INSERT of a record (number, id, kind) and of its row, which fails by the record first."""
    text = _inserting(table, ",".join(columns), len(values))
    return Statement(f"INSERT INTO {table}", text, plain([*record, *values]), taken=taken)


@lru_cache(maxsize=256)
def _inserting(table: str, columns: str, count: int) -> bytes:
    places = ", ".join(f"${number}" for number in range(4, 4 + count))
    return (
        "WITH added AS (INSERT INTO records VALUES ($1, $2, $3) RETURNING seq) "
        f"INSERT INTO {table} ({columns}) SELECT {places} FROM added"
    ).encode()


def prepared(sql: str, params: Params) -> Statement:
    """Return a statement with its values, in the order of its marks or by their names."""
    text, names = translated(sql)
    given = [params[name] for name in names] if isinstance(params, dict) else params
    return Statement(sql, text.encode(), plain(given))


def plain(values: Iterable[Any]) -> list[Any]:
    """Return parameters as types that have a counterpart: a message is text, and a condition a number."""
    return [each if type(each) in _PLAIN else _plain_one(each) for each in values]


def _plain_one(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    return str(value) if isinstance(value, str) else value.item() if hasattr(value, "item") else value
