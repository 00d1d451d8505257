"""Reads of events of the audit log: one event, the latest, events after a cursor, events of a record,
and what facts were before a change.

Events are changes and recalls in one sequence of numbers without gaps; order follows the number, never the
clock."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from memdesk.model.history import EventRow
from memdesk.model.instant import to_datetime
from memdesk.model.message import MESSAGE, Message, message, with_stored_parts
from memdesk.store import recalls
from memdesk.store.connection import Connection, marks
from memdesk.store.journal import completed
from memdesk.store.records import rows_among

_COLUMNS = (
    "id, at, op, layer, title, author, channel, user_id, took_us, run, undoes, undone_by, "
    f"(SELECT details ->> '$.{MESSAGE}' FROM changes WHERE changes.id = events.id)"
)
"""Columns of an event; the last has the id and parts of its title."""
TOUCHING = (
    "SELECT change AS id FROM edits WHERE record = ? "
    "UNION SELECT change FROM edits JOIN facts ON facts.id = record WHERE promoted_from = ? AND before IS NULL "
    "UNION SELECT recall FROM recalled JOIN records USING (seq) WHERE records.id = ?"
)
ERASED = message("Erased")
"""Title shown for a stub, whose own title is erased permanently."""


def newest(db: Connection) -> int:
    """Return the number of the newest event, 0 if there is none."""
    found: int = db.value(f"SELECT max({db.newest('changes')}, {db.newest('recalls')})")
    return found


def first_at(db: Connection, at: int) -> int:
    """Return the number of the first event at or after a time, by bisection; one past the newest if there is
    none."""
    low, high = 1, newest(db) + 1
    while low < high:
        middle = (low + high) // 2
        when = db.value("SELECT at FROM events WHERE id = ?", (middle,))
        low, high = (middle + 1, high) if when is None or when < at else (low, middle)
    return low


def rows(db: Connection, where: str, params: Sequence[Any], limit: int, skipped: int = 0) -> list[EventRow]:
    """Return events that satisfy a condition on the events view, newest first."""
    found = db.rows(
        f"SELECT {_COLUMNS} FROM events WHERE {where} ORDER BY id DESC LIMIT ? OFFSET ?",
        (*params, limit, skipped),
    )
    return _event_rows(db, found)


def event(db: Connection, number: int) -> EventRow | None:
    rows = _event_rows(db, db.rows(f"SELECT {_COLUMNS} FROM events WHERE id = ?", (number,)))
    return rows[0] if rows else None


def latest_change(db: Connection) -> EventRow | None:
    """Return the newest change of memory; recalls do not count."""
    number = db.value("SELECT max(id) FROM changes")
    return None if number is None else event(db, number)


def latest_by(db: Connection, author: str) -> EventRow | None:
    """Return the newest event of an author."""
    number = db.value(
        "SELECT max(id) FROM (SELECT max(id) AS id FROM changes WHERE author = ? UNION ALL "
        "SELECT max(id) FROM recalls WHERE author = ?)",
        (author, author),
    )
    return None if number is None else event(db, number)


def span_of_run(db: Connection, run: str) -> tuple[int, int, int, int | None]:
    """Return the numbers of a run's first and last change, how many it has, and the number of the last that is not
    undone."""
    ((first, last, changes, open),) = db.rows(
        "SELECT min(id), max(id), count(*), max(CASE WHEN undone_by IS NULL THEN id END) FROM changes WHERE run = ?",
        (run,),
    )
    return first, last, changes, open


def after(db: Connection, cursor: int, limit: int) -> list[EventRow]:
    """Return events after a cursor, oldest first."""
    rows = db.rows(f"SELECT {_COLUMNS} FROM events WHERE id > ? ORDER BY id LIMIT ?", (cursor, limit))
    return _event_rows(db, rows)


def touching(db: Connection, record: str, limit: int) -> list[EventRow]:
    """Return events that changed, promoted or recalled a record, newest first."""
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM events WHERE id IN ({TOUCHING}) ORDER BY id DESC LIMIT ?",
        (record, record, record, limit),
    )
    return _event_rows(db, rows)


def changing(db: Connection, record: str, limit: int) -> list[EventRow]:
    """Return events that changed a record, newest first; recalls left out."""
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM events WHERE id IN (SELECT DISTINCT change FROM edits WHERE record = ?) "
        "ORDER BY id DESC LIMIT ?",
        (record, limit),
    )
    return _event_rows(db, rows)


def touched(db: Connection, numbers: Sequence[int]) -> dict[int, list[tuple[str, str]]]:
    """Return, by event, (kind, record id) of the records it touched or returned, in order."""
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


def titles(db: Connection, numbers: Sequence[int]) -> dict[int, Message]:
    """Return the titles of events, by their number."""
    rows = db.rows(f"SELECT {_COLUMNS} FROM events WHERE id IN ({marks(numbers)})", numbers)
    return _titles(db, rows)


def _titles(db: Connection, rows: list[tuple[Any, ...]]) -> dict[int, Message]:
    """Return the titles of events as messages, by their number."""
    recalled = recalls.titles(db, [row[0] for row in rows if row[2] == "recall"])
    return {
        row[0]: recalled.get(row[0])
        or (with_stored_parts(row[4], row[12] and json.loads(row[12])) if row[4] else ERASED)
        for row in rows
    }


def details_of(db: Connection, number: int) -> str:
    """Return a change's details as JSON text, `{}` if it has none or is a recall."""
    return str(db.value("SELECT details FROM changes WHERE id = ?", (number,)) or "{}")


def span(db: Connection) -> tuple[int, int] | None:
    """Return (first, last) hour with an event, in hours since 1970; None on an empty desk."""
    row = db.row("SELECT min(hour), max(hour) FROM rollup")
    return None if row is None or row[0] is None else (row[0], row[1])


def users(db: Connection) -> list[str]:
    """Return the names of all users with turns, facts or sessions, sorted; each index seek finds the next
    name."""
    found: set[str] = set()
    for table in ("turns", "facts", "sessions"):
        step = f"SELECT min(user_id) FROM {table}"
        name = db.value(step)
        while name is not None:
            found.add(name)
            name = db.value(f"{step} WHERE user_id > ?", (name,))
    return sorted(found)


def _event_rows(db: Connection, rows: list[tuple[Any, ...]]) -> list[EventRow]:
    changes = [row[0] for row in rows if row[2] != "recall" and row[11] is None]
    movable = {
        row[0]
        for row in db.rows(f"SELECT DISTINCT change FROM edits WHERE change IN ({marks(changes)})", changes)
    }
    named = _titles(db, rows)
    return [
        EventRow(
            id=row[0],
            at=to_datetime(row[1]),
            op=row[2],
            layer=row[3],
            title=named[row[0]],
            author=row[5],
            channel=row[6],
            user_id=row[7],
            took_us=row[8],
            run=row[9],
            undoes=row[10],
            undone_by=row[11],
            undoable=row[0] in movable,
        )
        for row in rows
    ]


def changed_since(
    db: Connection, kind: str, change: int, limit: int
) -> tuple[dict[str, dict[str, Any] | None], bool]:
    """Return for each record of a kind that was edited since a change, it included, the edited fields as they were
    before it.

    None: the record did not exist. The one edited last comes first. True if more than `limit` edits were made, of which
    the newest were read."""
    rows = db.rows(
        "SELECT record, before, after IS NULL FROM edits WHERE change >= ? AND kind = ? "
        "ORDER BY change DESC, n DESC LIMIT ?",
        (change, kind, limit + 1),
    )
    found: dict[str, dict[str, Any] | None] = {}
    for record, before, is_deleted in rows[:limit]:
        fields = None if before is None else json.loads(before)
        if is_deleted:
            fields, _ = completed(kind, record, fields, None)
        found[record] = None if fields is None else {**(found.get(record) or {}), **fields}
    return found, len(rows) > limit


def fields_of_gone(db: Connection, ids: Sequence[str]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield (id, kind, fields) of records as they were created, and as they were deleted."""
    sql = (
        "SELECT kind, record, before, after FROM edits "
        "WHERE record IN (*) AND (before IS NULL OR after IS NULL)"
    )
    for kind, record, *texts in rows_among(db, sql, ids):
        before, after = completed(kind, record, *(text and json.loads(text) for text in texts))
        yield record, kind, after or before or {}
