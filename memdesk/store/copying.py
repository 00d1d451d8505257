"""Copy of all memory from one store into an empty one, of a file or a database, with every id, version, journal entry
and vector. Indexes are made anew in the target."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from memdesk.model.errors import Conflict, StorageFailed
from memdesk.model.message import message
from memdesk.store import audit_log, chain, events, timeline_query
from memdesk.store.connection import Connection, Row
from memdesk.store.indexing import Index
from memdesk.store.store import Store

_INDEXES = ("words", "titles", "vectors", "postings", "places", "fading")
_SETTLED = ("grants_behind", "beliefs_reader", "beliefs_unread", "lines_reader", "lifts_from", "checked_seq")
"""Columns of `upkeep` that describe the memory rather than the database, and are copied with it."""
_OF_STORE = ("upkeep", "migrated", "digested", "engines", "writing")
"""Tables whose rows are about the database itself."""
_SHADOWS = ("words_", "titles_", "vectors_", "sqlite_", "_sqlite_")
ROWS = 1000
"""Rows read and written at once: both databases wait for one another no longer than they take."""


def copy(source: Store, target: Store, step: Callable[[int], None]) -> tuple[dict[str, int], bytes]:
    """Copy all memory in one transaction of the target; return (rows by table, hash of the newest change).

    step: called with the number of rows copied so far. Raises Conflict if the target has memory, StorageFailed if what
    was written differs from what was read; the target is empty then."""
    with source.reading() as old:
        copied = target.maintain(lambda db, index, _: _copy(source, old, target, db, index, step)).result()
    target.alone(lambda db: db.refresh_statistics()).result()
    return copied


def _copy(
    source: Store, old: Connection, target: Store, db: Connection, index: Index, step: Callable[[int], None]
) -> tuple[dict[str, int], bytes]:
    if any(db.value(f"SELECT 1 FROM {table} LIMIT 1") for table in ("records", "changes", "recalls")):
        raise Conflict(
            message("There is memory in the desk to copy into."),
            next=message("Name an empty folder or an empty database."),
        )
    for day in audit_log.days(old):
        audit_log.create(db, day)
    counts: dict[str, int] = {}
    sums: dict[str, int] = {}
    with db.loading():
        for table in sorted(set(old.tables()).intersection(db.tables()).difference(_INDEXES, _OF_STORE)):
            if not table.startswith(_SHADOWS):
                counts[table], sums[table] = _copy_table(old, db, table)
                step(sum(counts.values()))
    target.continue_at(db, source.next_seq(old))
    index.fill()
    (settled,) = old.rows(f"SELECT {', '.join(_SETTLED)} FROM upkeep")
    db.run(f"UPDATE upkeep SET {', '.join(f'{name} = ?' for name in _SETTLED)}", settled)
    timeline_query.clear(db, events.newest(db))
    for table, expected in sums.items():
        if sum(_sum(rows) for rows in _read(db, table, _columns(db, table))) % _MODULUS != expected:
            raise StorageFailed(
                message("The table {table} is not what was read; nothing was copied.", table=table)
            )
    if (broken := chain.first_break(db)) is not None:
        raise StorageFailed(
            message("The journal does not hold at change {change}; nothing was copied.", change=broken),
            next=message("`memdesk verify` says what is wrong with the desk that was to be copied."),
        )
    return {table: n for table, n in counts.items() if n}, chain.last_hash(db, events.newest(db)) or b""


def _copy_table(old: Connection, db: Connection, table: str) -> tuple[int, int]:
    """Return (number of rows, their sum)."""
    columns = _columns(old, table)
    db.run(f"DELETE FROM {table}")
    count = total = 0
    for rows in _read(old, table, columns):
        db.load(table, columns, rows)
        count, total = count + len(rows), total + _sum(rows)
    return count, total % _MODULUS


def _columns(db: Connection, table: str) -> list[str]:
    # A file's rows get digests as they are written.
    return sorted(name for name in db.columns(table) if name != "digest")


def _read(db: Connection, table: str, columns: list[str]) -> Iterator[list[Row]]:
    rows = iter(db.each(f"SELECT {', '.join(columns)} FROM {table}"))
    while some := list(islice(rows, ROWS)):
        yield some


_MODULUS = 2**128


def _sum(rows: list[Row]) -> int:
    """Return a sum over rows that is the same in any order."""
    return sum(map(_number, rows))


def _number(row: tuple[Any, ...]) -> int:
    return int.from_bytes(hashlib.blake2b(ascii(row).encode(), digest_size=16).digest())
