"""The hash chain of the journal: each change has a digest of its content and one that covers all changes
before it.

It is separate from writing so that verification recomputes the same digests, from the bytes on the disk."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from memdesk.store.connection import Connection, Row

Part = str | bytes | int | None
DIGEST_BYTES = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Change as stored, with its recomputed digest compared.

    said: whether title, channel, user, key, details and edits still have the digest `payload`; None for an
    erased change, of which only the digest is left. head: the other fields that the hash covers."""

    id: int
    head: tuple[Part, ...]
    payload: bytes
    hash: bytes
    said: bool | None


def payload_of(event: Iterable[Part], edits: Iterable[Iterable[Part]]) -> bytes:
    """Return the digest of a change's content and edits, which an erasure deletes while it keeps the digest.

    event: title, channel, user_id, key, details. edits: (n, kind, record, before, after) in order."""
    sums = hashlib.blake2b(digest_size=DIGEST_BYTES)
    _feed(sums, event)
    for edit in edits:
        _feed(sums, edit)
    return sums.digest()


def link_hash(before: bytes, head: Iterable[Part], payload: bytes) -> bytes:
    """Return the hash of a change. before: the hash of the change before it, b"" for the first.

    head: id, at, op, layer, author, run, undoes, took_us."""
    sums = hashlib.blake2b(before, digest_size=DIGEST_BYTES)
    _feed(sums, head)
    sums.update(payload)
    return sums.digest()


def links_after(db: Connection, after: int, limit: int) -> list[Link]:
    """Return the next changes after a number, with digests recomputed from bytes, as damaged text may not be
    valid text."""
    rows, edits = _changes(db, after, limit)
    return [
        Link(
            id=row[0],
            head=row[:8],
            payload=row[13],
            hash=row[14],
            said=None if row[15] is not None else payload_of(row[8:13], edits.get(row[0], ())) == row[13],
        )
        for row in rows
    ]


def derive(db: Connection) -> None:
    """Recompute every digest of the journal from its rows."""
    last, before = 0, b""
    while True:
        rows, edits = _changes(db, last, 1000)
        if not rows:
            return
        derived = []
        for row in rows:
            payload = payload_of(row[8:13], edits.get(row[0], ()))
            before = link_hash(before, row[:8], payload)
            derived.append((payload, before, row[0]))
        db.run_many("UPDATE changes SET payload = ?, hash = ? WHERE id = ?", derived)
        last = rows[-1][0]


def _changes(db: Connection, after: int, limit: int) -> tuple[list[Row], dict[int, list[tuple[Part, ...]]]]:
    """Return the next changes after a number as they are stored, and the edits of each."""
    rows = db.rows(
        "SELECT id, at, CAST(op AS BLOB), CAST(layer AS BLOB), CAST(author AS BLOB), CAST(run AS BLOB), undoes, "
        "took_us, CAST(title AS BLOB), CAST(channel AS BLOB), CAST(user_id AS BLOB), CAST(key AS BLOB), "
        "CAST(details AS BLOB), payload, hash, erased_by FROM changes WHERE id > ? ORDER BY id LIMIT ?",
        (after, limit),
    )
    return rows, _edits(db, after, rows[-1][0]) if rows else {}


def mark_undone(db: Connection, by: int, undoes: int | None) -> None:
    """Mark a change as undone by another, or, if it is itself an undo, mark the change it had undone as in effect
    again, and so on."""
    mark: int | None = by
    while undoes is not None:
        db.run("UPDATE changes SET undone_by = ? WHERE id = ?", (mark, undoes))
        mark = undoes if mark is None else None
        undoes = db.value("SELECT undoes FROM changes WHERE id = ?", (undoes,))


def derive_undone(db: Connection) -> None:
    """Recompute which changes are undone from those that undo them. Of one of these only the number may be left:
    what it undid stays undone."""
    db.run(
        "UPDATE changes SET undone_by = NULL WHERE undone_by IS NOT NULL AND NOT EXISTS "
        "(SELECT 1 FROM changes AS undo WHERE undo.id = changes.undone_by AND undo.erased_by IS NOT NULL)"
    )
    for by, undoes in db.rows("SELECT id, undoes FROM changes WHERE undoes IS NOT NULL ORDER BY id"):
        mark_undone(db, by, undoes)


def wrongly_undone(db: Connection, after: int, last: int) -> list[int]:
    """Return the changes between two numbers that are marked as undone and are not, and those that are undone by
    a change between them and are not marked so."""
    rows = db.rows(
        "SELECT done.id FROM changes AS done LEFT JOIN changes AS undo ON undo.id = done.undone_by "
        "WHERE done.id > ? AND done.id <= ? AND done.undone_by IS NOT NULL AND undo.erased_by IS NULL "
        "AND (undo.undoes IS NOT done.id OR undo.undone_by IS NOT NULL) UNION "
        "SELECT done.id FROM changes AS undo JOIN changes AS done ON done.id = undo.undoes "
        "WHERE undo.id > ? AND undo.id <= ? AND undo.undone_by IS NULL AND done.undone_by IS NOT undo.id",
        (after, last, after, last),
    )
    return [id for (id,) in rows]


def first_break(db: Connection) -> int | None:
    """Return the first change that was altered or does not follow the one before it, None if the chain is
    intact."""
    last, before = 0, b""
    while links := links_after(db, last, 1000):
        for link in links:
            if link.said is False or link_hash(before, link.head, link.payload) != link.hash:
                return link.id
            last, before = link.id, link.hash
    newest = db.value("SELECT ifnull(max(id), 0) FROM events")
    there: int = db.value("SELECT count(*) FROM events")
    return missing_between(db, 1, newest) if there != newest else None


def missing_between(db: Connection, first: int, last: int) -> int | None:
    """Return the first of these event numbers that is neither a recall nor a change, None if none is missing."""
    there = {row[0] for row in db.rows("SELECT id FROM events WHERE id BETWEEN ? AND ?", (first, last))}
    return next((number for number in range(first, last + 1) if number not in there), None)


def last_hash(db: Connection, number: int) -> bytes | None:
    """Return the hash of the newest change up to an event number, None if there is none."""
    found: bytes | None = db.value(
        "SELECT hash FROM changes WHERE id <= ? ORDER BY id DESC LIMIT 1", (number,)
    )
    return found


def _edits(db: Connection, after: int, last: int) -> dict[int, list[tuple[Part, ...]]]:
    rows = db.rows(
        "SELECT change, n, CAST(kind AS BLOB), CAST(record AS BLOB), CAST(before AS BLOB), CAST(after AS BLOB) "
        "FROM edits WHERE change > ? AND change <= ? ORDER BY change, n",
        (after, last),
    )
    return {change: [row[1:] for row in found] for change, found in groupby(rows, key=lambda row: row[0])}


def _feed(sums: Any, parts: Iterable[Part]) -> None:
    """Add each part to the digest with its length, so that different rows never give the same bytes."""
    for part in parts:
        if part is None:
            sums.update(b"-")
        else:
            data = part if isinstance(part, bytes) else str(part).encode()
            sums.update(b"%d:" % len(data) + data)
