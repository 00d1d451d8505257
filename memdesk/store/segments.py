"""Segments of the audit log: one table per UTC day, created on demand, closed by a checkpoint, and dropped as
a table.

Dropping a table takes milliseconds, while deleting its rows takes minutes; retention never deletes row by
row."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from memdesk.model.instant import DAY
from memdesk.store import digests
from memdesk.store.connection import Connection, Row, marks

_EPOCH = date(1970, 1, 1).toordinal()
_ROWS = 2**32
"""Ids per day: an id is day × 2³² plus a counter, so that ids order rows across segments and identify their
segment."""
_TYPES = {
    "timestamp": "INTEGER NOT NULL", "operation": "TEXT NOT NULL", "memory_type": "TEXT NOT NULL",
    "author": "TEXT NOT NULL", "user_id": "TEXT", "session_id": "TEXT", "conversation_id": "TEXT",
    "source_channel": "TEXT", "target_channels": "TEXT", "query_text": "TEXT", "result_count": "INTEGER",
    "latency_us": "INTEGER", "success": "INTEGER NOT NULL", "error_message": "TEXT", "promoted_from_channel": "TEXT",
    "promotion_confidence": "REAL", "promotion_access_count": "INTEGER", "promotion_conversation_count": "INTEGER",
    "config_snapshot": "INTEGER NOT NULL", "event": "INTEGER", "metadata": "TEXT",
}  # fmt: skip
COLUMNS = tuple(_TYPES)
"""Columns of a row, after its id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilter:
    """Filter of audit rows. Times in UTC microseconds, [since, until); empty tuples and None mean all."""

    before: int | None = None
    since: int | None = None
    until: int | None = None
    columns: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    """(column, allowed values) pairs; no list of values is empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Closed day: its rows, the journal's last change by its end with that change's hash, and when it was
    dropped."""

    day: int
    rows: int
    last_change: int
    hash: bytes
    dropped_at: int | None


def day_of(when: date) -> int:
    """Return days since 1970 (UTC)."""
    return when.toordinal() - _EPOCH


def date_of(day: int) -> date:
    return date.fromordinal(day + _EPOCH)


def days(db: Connection) -> list[int]:
    """Return the days that have a segment, newest first."""
    rows = db.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'audit_[0-9]*'")
    return sorted((_day_named(name) for (name,) in rows), reverse=True)


def newest(db: Connection) -> int:
    """Return the day of the newest segment, -1 if there is none."""
    return max(days(db), default=-1)


def create(db: Connection, day: int) -> None:
    name = table_of(day)
    columns = ", ".join(f"{column} {type}" for column, type in _TYPES.items())
    db.run(f"CREATE TABLE IF NOT EXISTS {name} (id INTEGER PRIMARY KEY, {columns}, digest BLOB) STRICT")
    for column in ("session_id", "conversation_id"):
        db.run(f"CREATE INDEX IF NOT EXISTS {name}_{column} ON {name} ({column}) WHERE {column} IS NOT NULL")
    digests.watch_new(db, name)


@functools.lru_cache(maxsize=4)
def insert_into(day: int) -> str:
    """Return the statement that inserts a row, given COLUMNS."""
    name, first = table_of(day), day * _ROWS
    return (
        f"INSERT INTO {name} (id, {', '.join(COLUMNS)}) "
        f"VALUES ((SELECT ifnull(max(id) + 1, {first}) FROM {name}), {marks(COLUMNS)})"
    )


def page(db: Connection, wanted: AuditFilter, limit: int) -> list[Row]:
    """Return rows (id, then COLUMNS) newest first. Segments are read one after the other, until the limit is
    reached."""
    found: list[Row] = []
    for day in days(db):
        if _beyond(day, wanted) or len(found) >= limit:
            continue
        where, params = _condition(wanted)
        found += db.rows(
            f"SELECT id, {','.join(COLUMNS)} FROM {table_of(day)} WHERE {where} ORDER BY id DESC LIMIT ?",
            (*params, limit - len(found)),
        )
    return found


def counted(db: Connection, day: int) -> int:
    """Return the number of rows of a segment."""
    return int(db.value(f"SELECT count(*) FROM {table_of(day)}"))


def checkpoints(db: Connection) -> list[Checkpoint]:
    """Return every closed day, newest first."""
    rows = db.rows(
        "SELECT segment, rows, last_change, hash, dropped_at FROM audit_checkpoints ORDER BY segment DESC"
    )
    return [
        Checkpoint(day=_day_named(name), rows=count, last_change=last, hash=hash, dropped_at=dropped)
        for name, count, last, hash, dropped in rows
    ]


def close(db: Connection, day: int, at: int) -> None:
    """Write a segment's checkpoint, after which no row is added to it."""
    last, hash = db.row(
        "SELECT id, hash FROM changes WHERE at < ? ORDER BY id DESC LIMIT 1", ((day + 1) * DAY,)
    ) or (0, b"")
    db.run(
        "INSERT OR REPLACE INTO audit_checkpoints (segment, rows, last_change, hash, closed_at, dropped_at) "
        "VALUES (?,?,?,?,?,NULL)",
        (table_of(day), counted(db, day), last, hash, at),
    )


def drop(db: Connection, day: int, at: int) -> None:
    """Drop a closed segment with all its rows; its checkpoint stays."""
    db.run(f"DROP TABLE {table_of(day)}")
    db.run("DELETE FROM digested WHERE name = ?", (table_of(day),))
    db.run("UPDATE audit_checkpoints SET dropped_at = ? WHERE segment = ?", (at, table_of(day)))


def forget(db: Connection, user_id: str) -> int:
    """Erase a user's rows from every segment, and refusals without a user; return how many there were."""
    return sum(
        db.run(
            f"DELETE FROM {table_of(day)} WHERE user_id = ? OR (user_id IS NULL AND error_message IS NOT NULL)",
            (user_id,),
        )
        for day in days(db)
    )


def configs(db: Connection, numbers: Sequence[int]) -> dict[int, str]:
    """Return snapshots of the settings, JSON as text, by their number."""
    return dict(db.rows(f"SELECT id, snapshot FROM audit_configs WHERE id IN ({marks(numbers)})", numbers))


def table_of(day: int) -> str:
    """Return the table name of a day's segment."""
    return f"audit_{date_of(day):%Y%m%d}"


def _day_named(name: str) -> int:
    return day_of(date.fromisoformat(name.removeprefix("audit_")))


def _beyond(day: int, wanted: AuditFilter) -> bool:
    """Return True if a day cannot have a requested row. A day may have later times if a clock was set back."""
    if wanted.before is not None and day > wanted.before // _ROWS:
        return True
    return wanted.since is not None and (day + 1) * DAY <= wanted.since


def _condition(wanted: AuditFilter) -> tuple[str, list[Any]]:
    where, params = ["1"], list[Any]()
    for sign, column, value in (
        ("<", "id", wanted.before), (">=", "timestamp", wanted.since), ("<", "timestamp", wanted.until)
    ):  # fmt: skip
        if value is not None:
            where.append(f"{column} {sign} ?")
            params.append(value)
    for column, values in wanted.columns:
        where.append(f"{column} IN ({marks(values)})")
        params.extend(values)
    return " AND ".join(where), params
