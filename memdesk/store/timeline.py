"""The audit timeline as read: windows, counts per bucket, one event, and what came after a cursor.

Events are changes and recalls under one sequence of numbers without gaps; order follows the number, never the clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.model.history import EventRow
from memdesk.model.instant import to_datetime
from memdesk.store.connection import Connection, marks

_COLUMNS = "id, at, op, layer, title, author, channel, user_id, took_us, run, undoes, undone_by"
_TOUCHING = (
    "SELECT change FROM edits WHERE record = ? "
    "UNION SELECT change FROM edits JOIN facts ON facts.id = record WHERE promoted_from = ? AND before IS NULL "
    "UNION SELECT recall FROM recalled JOIN records USING (seq) WHERE records.id = ?"
)
HOUR_US = 3_600_000_000
SOUGHT_FROM = 20_000
"""So many rows are skipped one by one at most."""
ERASED = "Erased"
"""The title of a stub: what it said is gone for good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFilter:
    """Which events. Times in UTC microseconds, [after, before); empty tuples mean all. below: only smaller numbers."""

    after: int | None = None
    before: int | None = None
    operations: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    text: str = ""
    record: str | None = None
    user_id: str | None = None
    conversation_id: str | None = None
    session_id: str | None = None
    run: str | None = None
    below: int | None = None

    @property
    def in_rollup(self) -> bool:
        """Whether the hourly counts know all that is asked for."""
        return not any(
            (self.text, self.record, self.user_id, self.conversation_id, self.session_id, self.run)
        )

    @property
    def in_whole_hours(self) -> bool:
        """Whether it begins and ends where hours do."""
        ends = (self.after or 0, self.before or 0)
        return not any(end % HOUR_US for end in ends)

    @property
    def narrow(self) -> bool:
        """Whether more than the time and the number is asked for."""
        return not self.in_rollup or any((self.operations, self.layers, self.authors, self.channels))


def newest(db: Connection) -> int:
    """The number of the newest event, 0 when there is none."""
    found: int = db.value(
        "SELECT max(ifnull((SELECT max(id) FROM changes), 0), ifnull((SELECT max(id) FROM recalls), 0))"
    )
    return found


def first_at(db: Connection, at: int) -> int:
    """The number of the first event at or after a time, by bisection; one past the newest when there is none."""
    low, high = 1, newest(db) + 1
    while low < high:
        middle = (low + high) // 2
        when = db.value("SELECT at FROM events WHERE id = ?", (middle,))
        low, high = (middle + 1, high) if when is None or when < at else (low, middle)
    return low


def window(db: Connection, wanted: EventFilter, first: int, limit: int) -> list[EventRow]:
    """Rows `first` on, newest first."""
    low, high = _bounds(db, wanted)
    if not wanted.narrow:
        rows = db.rows(
            f"SELECT {_COLUMNS} FROM events WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?",
            (low, high - first, limit),
        )
        return _event_rows(db, rows)
    where, params = _condition(db, wanted)
    if first >= SOUGHT_FROM and wanted.in_rollup and wanted.in_whole_hours:
        high, first = _sought(db, wanted, first, high)
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM events WHERE id >= ? AND id < ? AND {where} ORDER BY id DESC LIMIT ? OFFSET ?",
        (low, high, *params, limit, first),
    )
    return _event_rows(db, rows)


def total(db: Connection, wanted: EventFilter) -> int:
    """How many events there are: by number where all of a time are asked for, else from the rollup if it can tell."""
    low, high = _bounds(db, wanted)
    if not wanted.narrow:
        return max(0, high - low)
    if not (wanted.in_rollup and wanted.in_whole_hours and wanted.below is None):
        return _count(db, wanted, low, high)
    where, params = _condition(db, wanted)
    found = db.value(
        f"SELECT sum(n) FROM rollup WHERE hour >= ? AND hour < ? AND {where}", (*_hours(wanted), *params)
    )
    return int(found or 0)


def event(db: Connection, number: int) -> EventRow | None:
    rows = _event_rows(db, db.rows(f"SELECT {_COLUMNS} FROM events WHERE id = ?", (number,)))
    return rows[0] if rows else None


def latest_change(db: Connection) -> EventRow | None:
    """The newest change of memory; recalls are none."""
    number = db.value("SELECT max(id) FROM changes")
    return None if number is None else event(db, number)


def latest_by(db: Connection, author: str) -> EventRow | None:
    """The newest event of an author."""
    number = db.value(
        "SELECT max(id) FROM (SELECT max(id) AS id FROM changes WHERE author = ? UNION ALL "
        "SELECT max(id) FROM recalls WHERE author = ?)",
        (author, author),
    )
    return None if number is None else event(db, number)


def after(db: Connection, cursor: int, limit: int) -> list[EventRow]:
    """Events past a cursor, oldest first."""
    rows = db.rows(f"SELECT {_COLUMNS} FROM events WHERE id > ? ORDER BY id LIMIT ?", (cursor, limit))
    return _event_rows(db, rows)


def touching(db: Connection, record: str, limit: int) -> list[EventRow]:
    """Events that changed, promoted or recalled a record, newest first."""
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM events WHERE id IN ({_TOUCHING}) ORDER BY id DESC LIMIT ?",
        (record, record, record, limit),
    )
    return _event_rows(db, rows)


def changing(db: Connection, record: str, limit: int) -> list[EventRow]:
    """Events that changed a record, newest first; recalls left out."""
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM events WHERE id IN (SELECT DISTINCT change FROM edits WHERE record = ?) "
        "ORDER BY id DESC LIMIT ?",
        (record, limit),
    )
    return _event_rows(db, rows)


def touched(db: Connection, numbers: Sequence[int]) -> dict[int, list[tuple[str, str]]]:
    """(kind, record id) of what each event touched or returned, in order."""
    found: dict[int, list[tuple[str, str]]] = {number: [] for number in numbers}
    for number, kind, record in db.rows(
        f"SELECT change, kind, record FROM edits WHERE change IN ({marks(numbers)}) ORDER BY change, n",
        numbers,
    ):
        found[number].append((kind, record))
    for number, kind, record in db.rows(
        "SELECT recall, records.kind, records.id FROM recalled JOIN records USING (seq) "
        f"WHERE recall IN ({marks(numbers)}) ORDER BY recall, position",
        numbers,
    ):
        found[number].append((kind, record))
    return found


def titles(db: Connection, numbers: Sequence[int]) -> dict[int, str]:
    """What events say, by their number."""
    rows = db.rows(f"SELECT id, title FROM events WHERE id IN ({marks(numbers)})", numbers)
    return {number: title or ERASED for number, title in rows}


def details_of(db: Connection, number: int) -> str:
    """A change's details as JSON text, `{}` when it has none or is a recall."""
    return str(db.value("SELECT details FROM changes WHERE id = ?", (number,)) or "{}")


def span(db: Connection) -> tuple[int, int] | None:
    """(first, last) hour with an event, in hours since 1970; None on an empty desk."""
    row = db.row("SELECT min(hour), max(hour) FROM rollup")
    return None if row is None or row[0] is None else (row[0], row[1])


def counted(
    db: Connection, wanted: EventFilter, first_hour: int, step: int
) -> list[tuple[int, str, str, str, str, int]]:
    """(bucket, op, layer, author, channel, n) in the asked time and filters; buckets of `step` hours from the first."""
    where, params = _condition(db, wanted)
    if wanted.in_rollup:
        low, high = _hours(wanted)
        table, hour, number, ends = "rollup", "hour", "sum(n)", "hour >= ? AND hour < ?"
    else:
        low, high = _bounds(db, wanted)
        table, hour, number, ends = "events", f"at / {HOUR_US}", "count(*)", "id >= ? AND id < ?"
    rows: list[Any] = db.rows(
        f"SELECT ({hour} - ?) / ? AS bucket, op, layer, author, channel, {number} FROM {table} "
        f"WHERE {ends} AND {where} GROUP BY bucket, op, layer, author, channel",
        (first_hour, step, low, high, *params),
    )
    return rows


def _hours(wanted: EventFilter) -> tuple[int, int]:
    low = 0 if wanted.after is None else wanted.after // HOUR_US
    return low, 1 << 60 if wanted.before is None else -(-wanted.before // HOUR_US)


def _sought(db: Connection, wanted: EventFilter, first: int, high: int) -> tuple[int, int]:
    """Where to begin to look for the row `first`: (a number to stay below, rows to skip from there).

    The rollup tells how many events each hour has, so that of a long list only one hour is read in vain. It counts by
    the clock; where that was set back, a row may come twice or not at all."""
    where, params = _condition(db, wanted)
    newer = 0 if wanted.below is None else _count(db, wanted, wanted.below, newest(db) + 1)
    low_hour, high_hour = _hours(wanted)
    left = first + newer
    hours = db.rows(
        f"SELECT hour, sum(n) FROM rollup WHERE hour >= ? AND hour < ? AND {where} GROUP BY hour ORDER BY hour DESC",
        (low_hour, high_hour, *params),
    )
    for hour, number in hours:
        if left < number:
            end = first_at(db, (hour + 1) * HOUR_US)
            return (end, left) if end <= high else (high, first)
        left -= number
    return high, first


def _count(db: Connection, wanted: EventFilter, low: int, high: int) -> int:
    where, params = _condition(db, wanted)
    return int(
        db.value(f"SELECT count(*) FROM events WHERE id >= ? AND id < ? AND {where}", (low, high, *params))
    )


def users(db: Connection) -> list[str]:
    """Everybody something is remembered of, by name: each step through an index finds the next one."""
    found: set[str] = set()
    for table in ("turns", "facts", "sessions"):
        step = f"SELECT min(user_id) FROM {table}"
        name = db.value(step)
        while name is not None:
            found.add(name)
            name = db.value(f"{step} WHERE user_id > ?", (name,))
    return sorted(found)


def _bounds(db: Connection, wanted: EventFilter) -> tuple[int, int]:
    low = 1 if wanted.after is None else first_at(db, wanted.after)
    high = newest(db) + 1 if wanted.before is None else first_at(db, wanted.before)
    return low, high if wanted.below is None else min(high, wanted.below)


def _condition(db: Connection, wanted: EventFilter) -> tuple[str, list[Any]]:
    where, params = ["1"], list[Any]()
    columns = {
        "op": wanted.operations,
        "layer": wanted.layers,
        "author": wanted.authors,
        "channel": wanted.channels,
    }
    for column, values in columns.items():
        if values:
            where.append(f"{column} IN ({marks(values)})")
            params.extend(values)
    if wanted.text:
        where.append("instr(lower(title), lower(?)) > 0")
        params.append(wanted.text)
    if wanted.user_id:
        where.append("user_id = ?")
        params.append(wanted.user_id)
    if wanted.record:
        where.append(f"id IN ({_TOUCHING})")
        params.extend((wanted.record, wanted.record, wanted.record))
    if wanted.run:
        where.append("id IN (SELECT id FROM changes WHERE run = ?)")
        params.append(wanted.run)
    if wanted.conversation_id:
        _add_talks(where, params, [wanted.conversation_id])
    if wanted.session_id:
        _add_talks(where, params, _talks_of(db, wanted.session_id), wanted.session_id)
    return " AND ".join(where), params


def _add_talks(where: list[str], params: list[Any], talks: Sequence[str], *records: str) -> None:
    """Only what happened in these conversations, and to these records."""
    own, of = marks([*talks, *records]), marks(talks)
    where.append(
        f"id IN (SELECT change FROM edits WHERE record IN ({own}) UNION "
        f"SELECT change FROM turns CROSS JOIN edits ON record = turns.id WHERE conversation_id IN ({of}) UNION "
        "SELECT change FROM turns CROSS JOIN facts ON source_turn_id = turns.id CROSS JOIN edits "
        f"ON record = facts.id WHERE conversation_id IN ({of}) UNION "
        "SELECT change FROM compactions CROSS JOIN edits ON record = compactions.id "
        f"WHERE conversation_id IN ({of}) UNION SELECT id FROM recalls WHERE conversation_id IN ({of}))"
    )
    params.extend((*talks, *records, *talks, *talks, *talks, *talks))


def _talks_of(db: Connection, session: str) -> list[str]:
    """Every conversation a session has had, as the journal tells it; a reset begins another one."""
    rows = db.rows(
        "SELECT after ->> 'conversation_id' FROM edits WHERE record = ? AND after IS NOT NULL", (session,)
    )
    return sorted({row[0] for row in rows if row[0] is not None})


def _event_rows(db: Connection, rows: list[tuple[Any, ...]]) -> list[EventRow]:
    changes = [row[0] for row in rows if row[2] != "recall" and row[11] is None]
    movable = {
        row[0]
        for row in db.rows(f"SELECT DISTINCT change FROM edits WHERE change IN ({marks(changes)})", changes)
    }
    return [
        EventRow(
            id=row[0], at=to_datetime(row[1]), op=row[2], layer=row[3], title=row[4] or ERASED, author=row[5],
            channel=row[6], user_id=row[7], took_us=row[8], run=row[9], undoes=row[10], undone_by=row[11],
            undoable=row[0] in movable,
        )
        for row in rows
    ]  # fmt: skip
