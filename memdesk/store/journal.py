"""The journal: changes, their authors, and the fields before and after. Feeds undo, the audit timeline and
the change feed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Any

from memdesk.model.change import Applied, Change, Edit
from memdesk.model.errors import Conflict, MemDeskError, NotFound, StorageFailed
from memdesk.store.auditing import AuditLog
from memdesk.store.chain import linked, payload_of
from memdesk.store.connection import Connection, marks
from memdesk.store.indexing import Index
from memdesk.store.records import chunks
from memdesk.store.tallies import count_event
from memdesk.store.writing import Sparing, carry_out

_OF_ITS_CHANNEL = (
    "layer = 'workspace' AND kind NOT IN ('workspace', 'document') AND NOT EXISTS (SELECT 1 FROM edits AS file "
    "WHERE file.change = edits.change AND file.kind = 'document' AND file.after ->> 'content_hash' IS NOT NULL)"
)
"""Condition for edits by which a workspace's change moves other records of its channel. Facts of lines change
with the file's text, and are not among them."""
DECIDED = f"NOT ({_OF_ITS_CHANNEL})"
"""Condition for an edit (joined to its change) about the record itself, not one that moved it with its
channel."""
DECIDED_BY_PERSON = (
    f"author LIKE 'person:%' AND undone_by IS NULL AND op != 'import' AND {DECIDED} "
    "AND NOT (op = 'store' AND kind = 'conversation')"
)
"""Condition for such an edit that a person made, and that is in effect. Imports are left out, since the
person has not read every line, and so are turns added to a conversation."""


class Journal:
    """Journal of events: numbers them, chains their hashes, and writes them with their changes. Owned by the
    writer thread.

    audit: the audit log, written in the same transactions."""

    def __init__(self, db: Connection, index: Index, clock: Callable[[], int]) -> None:
        self.db, self.index, self.clock = db, index, clock
        self.audit = AuditLog(db)
        self._tried: Change | None = None
        self.last_id: int = db.value(
            "SELECT max(ifnull((SELECT max(id) FROM changes), 0), ifnull((SELECT max(id) FROM recalls), 0))"
        )
        self.chain: bytes = db.value("SELECT hash FROM changes ORDER BY id DESC LIMIT 1") or b""

    def position(self) -> tuple[int, bytes]:
        """Return the state to go back to after a failed transaction."""
        return self.last_id, self.chain

    def return_to(self, position: tuple[int, bytes]) -> None:
        self.last_id, self.chain = position
        self.audit.forget()

    def apply(self, change: Change, sparing: Sparing | None = None) -> Applied:
        """Apply a change and journal it. A key that its author used for this user before makes it a no-op.

        sparing: records to leave unchanged instead of refusing the change. Raises Conflict if that leaves no
        edit."""
        self._tried = change
        if (known := made_under(self.db, change.user_id, change.author, change.key)) is not None:
            return Applied(id=known, edits=(), repeated=True)
        started = time.perf_counter_ns()
        edits = carry_out(self.db, self.index, change, sparing)
        if sparing is not None and not edits:
            raise Conflict("Everything that it moved stays as it is.")
        self.last_id += 1
        at = self.clock()
        rows = [(n, e.kind, e.id, _dump(e.before), _dump(e.after)) for n, e in enumerate(edits)]
        self.db.run_many("INSERT INTO edits VALUES (?,?,?,?,?,?)", ((self.last_id, *row) for row in rows))
        self._mark_undone(change.undoes)
        took_us = (time.perf_counter_ns() - started) // 1000
        self._write_down(change, at, rows, took_us)
        self.audit.wrote(change, self.last_id, edits, at=at, took_us=took_us)
        self._tried = None
        return Applied(id=self.last_id, edits=edits)

    def refused(self, error: Exception) -> None:
        """Log the refusal of the last attempted change in the audit log, after its rollback."""
        tried, self._tried = self._tried, None
        if isinstance(error, MemDeskError):
            self.audit.refused(error, tried, at=self.clock())

    def _write_down(self, change: Change, at: int, rows: list[Any], took_us: int) -> None:
        told = (change.title, change.channel, change.user_id, change.key, _dump(change.details))
        payload = payload_of(told, rows)
        head = (self.last_id, at, change.op, change.layer, change.author, change.run, change.undoes, took_us)
        self.chain = linked(self.chain, head, payload)
        self.db.run(
            "INSERT INTO changes VALUES (?,?,?,?,?,?,?,?,?,?,?,NULL,?,?,?,NULL,?)",
            (self.last_id, at, change.op, change.layer, change.title, change.author, change.channel,
             change.user_id, change.run, change.key, change.undoes, told[-1], took_us, self.chain, payload),
        )  # fmt: skip
        count_event(
            self.db, self.last_id, at, change.op, change.layer, change.author, change.channel, change.user_id
        )

    def next_id(self) -> int:
        """Return a number for an event that is not a change."""
        self.last_id += 1
        return self.last_id

    def _mark_undone(self, undoes: int | None) -> None:
        """Mark a change as undone, or, if it is itself an undo, mark the change it had undone as in effect
        again, and so on."""
        by: int | None = self.last_id
        while undoes is not None:
            self.db.run("UPDATE changes SET undone_by = ? WHERE id = ?", (by, undoes))
            by = undoes if by is None else None
            undoes = self.db.value("SELECT undoes FROM changes WHERE id = ?", (undoes,))


def made_under(db: Connection, user_id: str, author: str, key: str | None) -> int | None:
    """Return the change that an author made for a user under a retry key; None if there is none, or no key."""
    found: int | None = db.value(
        "SELECT id FROM changes WHERE user_id = ? AND author = ? AND key = ?", (user_id, author, key)
    )
    return found


def edits_of(db: Connection, change: int) -> list[Edit]:
    rows = db.rows("SELECT kind, record, before, after FROM edits WHERE change = ? ORDER BY n", (change,))
    return [Edit(kind, record, _load(before), _load(after)) for kind, record, before, after in rows]


def mirrored(db: Connection, change: int, author: str, *, run: str | None = None) -> Change:
    """Return the change that undoes `change`, as part of `run`: the same edits reversed, in reverse order.

    Raises NotFound, or Conflict when it was undone already or changed nothing."""
    row = db.row(
        "SELECT op, title, layer, channel, user_id, undone_by, erased_by FROM changes WHERE id = ?", (change,)
    )
    if row is None:
        raise NotFound(f"There is no change {change} to undo.")
    op, title, layer, channel, user_id, undone_by, erased_by = row
    if erased_by is not None:
        raise Conflict(f"What change {change} held was erased by change {erased_by}; erasing is for good.")
    if undone_by is not None:
        raise Conflict(f"Change {change} was undone already, by change {undone_by}.")
    edits = edits_of(db, change)
    if not edits:
        raise Conflict(f"Change {change} moved nothing, so there is nothing to undo.")
    subject = title.removeprefix("Undo: ").removeprefix("Redo: ")
    return Change(
        op="redo" if op == "undo" else "undo", title=f"{'Redo' if op == 'undo' else 'Undo'}: {subject}",
        layer=layer, author=author, channel=channel, user_id=user_id, run=run, undoes=change,
        edits=tuple(edit.mirrored() for edit in reversed(edits)),
    )  # fmt: skip


def run_of(db: Connection, change: int) -> str | None:
    """Return the run that a change belongs to; None if it belongs to none. Raises NotFound."""
    row = db.row("SELECT run FROM changes WHERE id = ?", (change,))
    if row is None:
        raise NotFound(f"There is no change {change}.")
    run: str | None = row[0]
    return run


def newest_of(db: Connection, run: str) -> int | None:
    """Return the newest change of a run, None if it has changed nothing."""
    found: int | None = db.value("SELECT max(id) FROM changes WHERE run = ?", (run,))
    return found


def of_its_run(db: Connection, change: int | None) -> set[str]:
    """Return the ids of the records touched by the run of a change; empty for a change of no run."""
    rows = db.rows(
        "SELECT DISTINCT record FROM edits JOIN changes ON changes.id = edits.change "
        "WHERE run = (SELECT run FROM changes WHERE id = ?)",
        (change,),
    )
    return {row[0] for row in rows}


def moved_by_people(db: Connection, ids: Sequence[str]) -> set[str]:
    """Return those of these records that a person decided about, regardless of later changes by jobs and
    agents."""
    found: set[str] = set()
    for chunk in chunks(ids):
        rows = db.rows(
            "SELECT DISTINCT record FROM edits JOIN changes ON changes.id = edits.change "
            f"WHERE record IN ({marks(chunk)}) AND {DECIDED_BY_PERSON}",
            chunk,
        )
        found.update(row[0] for row in rows)
    return found


def latest_own(db: Connection, author: str, *, undo: bool) -> int:
    """Return the author's latest change in effect; with `undo`, their latest undo instead. Raises NotFound."""
    wanted = "= 'undo'" if undo else "NOT IN ('undo', 'redo')"
    found = db.value(
        f"SELECT id FROM changes WHERE author = ? AND undone_by IS NULL AND erased_by IS NULL AND op {wanted} "
        "AND EXISTS (SELECT 1 FROM edits WHERE change = changes.id) ORDER BY id DESC LIMIT 1",
        (author,),
    )
    if found is None:
        raise NotFound(
            f"There is nothing of yours to {'redo' if undo else 'undo'}.", next="See `memdesk log`."
        )
    return int(found)


def _dump(fields: dict[str, Any] | None) -> str | None:
    return None if fields is None else json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _load(text: str | None) -> dict[str, Any] | None:
    try:
        fields: dict[str, Any] | None = None if text is None else json.loads(text)
    except ValueError as error:
        raise StorageFailed(
            "An entry of the journal is damaged on the disk.",
            next="Run `memdesk verify` to see which, then restore a backup.",
        ) from error
    return fields
