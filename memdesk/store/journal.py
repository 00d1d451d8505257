"""The journal: what changed, who did it, and how it read before. Feeds undo, the audit timeline and the feed."""

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
"""What a workspace's change moves beside its files: what is in its channel. Facts of lines go with a file's text."""
DECIDED = f"NOT ({_OF_ITS_CHANNEL})"
"""The condition for an edit (joined to its change) that is about its record: not one that moved with its channel."""
DECIDED_BY_PERSON = (
    f"author LIKE 'person:%' AND undone_by IS NULL AND op != 'import' AND {DECIDED} "
    "AND NOT (op = 'store' AND kind = 'conversation')"
)
"""… that a person made, changed or brought back, in effect. Who brings a folder in has not read every line, and who
goes on with a conversation has not judged it."""


class Journal:
    """Numbers events, chains their hashes, and writes them with what they changed. Owned by the writer thread.

    audit: the audit log that goes with it, in the same transactions.
    """

    def __init__(self, db: Connection, index: Index, clock: Callable[[], int]) -> None:
        self.db, self.index, self.clock = db, index, clock
        self.audit = AuditLog(db)
        self._tried: Change | None = None
        self.last_id: int = db.value(
            "SELECT max(ifnull((SELECT max(id) FROM changes), 0), ifnull((SELECT max(id) FROM recalls), 0))"
        )
        self.chain: bytes = db.value("SELECT hash FROM changes ORDER BY id DESC LIMIT 1") or b""

    def position(self) -> tuple[int, bytes]:
        """What a failed transaction must return to."""
        return self.last_id, self.chain

    def return_to(self, position: tuple[int, bytes]) -> None:
        self.last_id, self.chain = position
        self.audit.forget()

    def apply(self, change: Change, sparing: Sparing | None = None) -> Applied:
        """Carry a change out and write it down. A key that its author used for this user before makes it a no-op.

        sparing: what is left as it is rather than refusing the change. Raises Conflict when that is all of it.
        """
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
        """Tell the audit log that what was just tried came to nothing, after its traces were rolled back."""
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
        """A number for an event that is not a change."""
        self.last_id += 1
        return self.last_id

    def _mark_undone(self, undoes: int | None) -> None:
        """Undoing puts a change out of effect, which puts what that had undone back into effect, and so on down."""
        by: int | None = self.last_id
        while undoes is not None:
            self.db.run("UPDATE changes SET undone_by = ? WHERE id = ?", (by, undoes))
            by = undoes if by is None else None
            undoes = self.db.value("SELECT undoes FROM changes WHERE id = ?", (undoes,))


def made_under(db: Connection, user_id: str, author: str, key: str | None) -> int | None:
    """The change that an author made for a user under a key of their own; None where there is none, or no key."""
    found: int | None = db.value(
        "SELECT id FROM changes WHERE user_id = ? AND author = ? AND key = ?", (user_id, author, key)
    )
    return found


def edits_of(db: Connection, change: int) -> list[Edit]:
    rows = db.rows("SELECT kind, record, before, after FROM edits WHERE change = ? ORDER BY n", (change,))
    return [Edit(kind, record, _load(before), _load(after)) for kind, record, before, after in rows]


def mirrored(db: Connection, change: int, author: str, *, run: str | None = None) -> Change:
    """The change that takes `change` back, as part of `run`: the same edits mirrored, backwards.

    Raises NotFound, or Conflict when it was undone already or moved nothing.
    """
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
    """The run that a change belongs to; None where it stands alone. Raises NotFound."""
    row = db.row("SELECT run FROM changes WHERE id = ?", (change,))
    if row is None:
        raise NotFound(f"There is no change {change}.")
    run: str | None = row[0]
    return run


def newest_of(db: Connection, run: str) -> int | None:
    """The newest change of a run, None when it has changed nothing."""
    found: int | None = db.value("SELECT max(id) FROM changes WHERE run = ?", (run,))
    return found


def of_its_run(db: Connection, change: int | None) -> set[str]:
    """Ids of what the run that a change belongs to has touched; empty for a change of no run."""
    rows = db.rows(
        "SELECT DISTINCT record FROM edits JOIN changes ON changes.id = edits.change "
        "WHERE run = (SELECT run FROM changes WHERE id = ?)",
        (change,),
    )
    return {row[0] for row in rows}


def moved_by_people(db: Connection, ids: Sequence[str]) -> set[str]:
    """Those of these records that a person decided over, whatever jobs and agents added since."""
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
    """The author's latest change in effect; with `undo`, the latest undo of theirs instead. Raises NotFound."""
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
