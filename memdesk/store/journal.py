"""The journal: changes, their authors and fields before and after, for undo, the audit timeline and the feed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

from memdesk.model.change import EDITS_AT_MOST, Applied, Change, Edit
from memdesk.model.channel import CHANNEL
from memdesk.model.errors import BugError, Conflict, MemDeskError, NotFound, StorageFailed
from memdesk.model.kind import Kind
from memdesk.model.kinds import BY_NAME
from memdesk.model.message import (
    NO_MESSAGE,
    Message,
    kept_message,
    message,
    packed,
    verbatim,
    with_stored_parts,
)
from memdesk.store import records
from memdesk.store.audit_log import AuditLog
from memdesk.store.chain import link_hash, mark_undone, payload_of
from memdesk.store.connection import Connection
from memdesk.store.counters import count_event
from memdesk.store.digests import TYPES, digest_of_new
from memdesk.store.guarding import guarded_change
from memdesk.store.indexing import Index
from memdesk.store.moving import SCOPED
from memdesk.store.records import refusing, rows_among

Fields = dict[str, Any]


class Sparing(Protocol):
    """Protocol for skipping edits: decides which ones are not made, since their records stay, and is informed
    of refused ones."""

    def spares(self, edit: Edit) -> bool: ...

    def refused(self, edit: Edit, why: Message) -> None: ...


def carry_out(
    db: Connection, index: Index, change: Change, sparing: Sparing | None = None
) -> tuple[Edit, ...]:
    """Apply every edit in order; return those that had an effect, as journalled.

    Raises Conflict if a record differs from `before`. Call it within `refusing`, which raises a Conflict for what the
    database refuses, as where other memory depends on a record to be deleted. With `sparing` such a record is left
    unchanged, and the other edits are made."""
    if sparing is not None:
        tried = (_spared(db, index, edit, sparing) for edit in change.edits if not sparing.spares(edit))
        return tuple(done for done in tried if done is not None)
    if len(change.edits) > EDITS_AT_MOST:
        raise BugError(
            message("A change of {count} edits; {most} at most.", count=len(change.edits), most=EDITS_AT_MOST)
        )
    return tuple(done for edit in change.edits if (done := _edit(db, index, edit)) is not None)


def _spared(db: Connection, index: Index, edit: Edit, sparing: Sparing) -> Edit | None:
    db.run("SAVEPOINT edit")
    try:
        with refusing(db):
            return _edit(db, index, edit)
    except Conflict as conflict:
        db.run("ROLLBACK TO edit")
        sparing.refused(edit, conflict.says)
        return None
    finally:
        db.run("RELEASE edit")


def _edit(db: Connection, index: Index, edit: Edit) -> Edit | None:
    kind = BY_NAME[edit.kind]
    if edit.before is None:
        return _insert_record(db, index, kind, edit)
    now = _fields(db, kind, edit.id)
    if now is None:
        raise Conflict(
            message("{label} {id} is gone.", label=kind.label, id=edit.id),
            next=_first(db, edit.id),
            details={"id": edit.id, "expected": edit.before},
        )
    found = {name: now[name] for name, value in edit.before.items() if now[name] != value}
    if found:
        raise Conflict(
            message(
                "{label} “{kind}” changed since: {found}.",
                label=kind.label,
                kind=_title(kind, now),
                found=", ".join(found),
            ),
            next=_first(db, edit.id),
            details={"id": edit.id, "expected": edit.before, "found": found},
        )
    return (
        _delete_record(db, index, kind, now)
        if edit.after is None
        else _move(db, index, kind, now, edit.after)
    )


def _first(db: Connection, id: str) -> Message:
    """Return the advice to undo first the last change of a record."""
    last = db.value("SELECT max(change) FROM edits WHERE record = ?", (id,))
    if last is None:
        return NO_MESSAGE
    return message("Change {last} moved it last; take that back first.", last=last)


def _insert_record(db: Connection, index: Index, kind: Kind[Any], edit: Edit) -> Edit:
    if edit.after is None:
        raise BugError(message("An edit with neither before nor after."))
    # A redo may bear a record that was journalled before one of its fields existed.
    born = kind.defaults | edit.after
    values = [born[name] for name in kind.columns]
    digest = None if db.row_digests else digest_of_new(kind.table, values, TYPES[kind.table])
    db.insert(
        (born["seq"], edit.id, kind.name),
        kind.table,
        (*kind.columns, "digest"),
        (*values, digest),
        taken=partial(_taken, kind, edit.id),
    )
    index.follow(kind, None, born)
    return Edit(kind.name, edit.id, None, born)


def _taken(kind: Kind[Any], id: str) -> Conflict:
    """Return the Conflict for an id in use, which may be that of another user's record."""
    return Conflict(message("{label} {id} exists already.", label=kind.label, id=id), details={"id": id})


def _delete_record(db: Connection, index: Index, kind: Kind[Any], now: Fields) -> Edit:
    if kind is CHANNEL:
        _need_empty(db, now)
    index.follow(kind, now, None)
    db.run(f"DELETE FROM {kind.table} WHERE seq = ?", (now["seq"],))
    db.run("DELETE FROM records WHERE seq = ?", (now["seq"],))
    return Edit(kind.name, now["id"], now, None)


def _need_empty(db: Connection, channel: Fields) -> None:
    """Raise Conflict if a channel has memory: memory names its channel without a foreign key, so SQLite would
    not refuse."""
    for kind in SCOPED:
        if db.value(
            f"SELECT 1 FROM {kind.table} WHERE user_id = ? AND channel = ? LIMIT 1",
            (channel["user_id"], channel["name"]),
        ):
            raise Conflict(
                message("Channel {channel} holds memory.", channel=channel["name"]),
                next=message("Take back what was stored in it first."),
                details={"id": channel["id"]},
            )


def _move(db: Connection, index: Index, kind: Kind[Any], now: Fields, wanted: Fields) -> Edit | None:
    after = {name: value for name, value in wanted.items() if now[name] != value}
    if not after:
        return None
    assignments = ",".join(f"{name} = ?" for name in after)
    db.run(f"UPDATE {kind.table} SET {assignments} WHERE seq = ?", [*after.values(), now["seq"]])
    index.follow(kind, now, {**now, **after})
    return Edit(kind.name, now["id"], {name: now[name] for name in after}, after)


def _fields(db: Connection, kind: Kind[Any], id: str) -> Fields | None:
    record = records.get(db, kind, id)
    return None if record is None else {name: getattr(record, name) for name in kind.columns}


def _title(kind: Kind[Any], fields: Fields) -> str:
    text = " ".join(str(fields[kind.title]).split())
    return text if len(text) <= 60 else text[:59] + "…"


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
        self.last_id, self.chain = 0, b""
        self.read_position()

    def read_position(self, *also: str) -> list[Any]:
        """Read where the journal ends; return the values of other expressions at that moment."""
        head = "(SELECT hash FROM changes ORDER BY id DESC LIMIT 1)"
        ((self.last_id, chain, *values),) = self.db.rows(
            "SELECT max(ifnull((SELECT max(id) FROM changes), 0), ifnull((SELECT max(id) FROM recalls), 0)), "
            + ", ".join((head, *also))
        )
        self.chain = chain or b""
        return values

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
        change = guarded_change(self.db.guard, change)
        self._tried = change
        if (known := change_by_key(self.db, change.user_id, change.author, change.key)) is not None:
            return Applied(id=known, edits=(), repeated=True)
        with refusing(self.db):
            applied = self._apply(change, sparing)
        self._tried = None
        return applied

    def _apply(self, change: Change, sparing: Sparing | None) -> Applied:
        started = time.perf_counter_ns()
        edits = carry_out(self.db, self.index, change, sparing)
        if sparing is not None and not edits:
            raise Conflict(message("Everything that it moved stays as it is."))
        self.last_id += 1
        at = self.clock()
        rows = [(n, e.kind, e.id, *map(_dump, _shortened(e))) for n, e in enumerate(edits)]
        self.db.run_many("INSERT INTO edits VALUES (?,?,?,?,?,?)", ((self.last_id, *row) for row in rows))
        mark_undone(self.db, self.last_id, change.undoes)
        took_us = (time.perf_counter_ns() - started) // 1000
        self._write_down(change, at, rows, took_us)
        self.audit.wrote(change, self.last_id, edits, at=at, took_us=took_us)
        return Applied(id=self.last_id, edits=edits)

    def refused(self, error: Exception) -> None:
        """Log the refusal of the last attempted change in the audit log, after its rollback."""
        tried, self._tried = self._tried, None
        if isinstance(error, MemDeskError):
            self.audit.refused(error, tried, at=self.clock())

    def _write_down(self, change: Change, at: int, rows: list[Any], took_us: int) -> None:
        event = (
            change.title,
            change.channel,
            change.user_id,
            change.key,
            _dump(packed(change.details) | kept_message(change.title)),
        )
        payload = payload_of(event, rows)
        head = (self.last_id, at, change.op, change.layer, change.author, change.run, change.undoes, took_us)
        self.chain = link_hash(self.chain, head, payload)
        self.db.send(
            "INSERT INTO changes VALUES (?,?,?,?,?,?,?,?,?,?,?,NULL,?,?,?,NULL,?)",
            (
                self.last_id,
                at,
                change.op,
                change.layer,
                change.title,
                change.author,
                change.channel,
                change.user_id,
                change.run,
                change.key,
                change.undoes,
                event[-1],
                took_us,
                self.chain,
                payload,
            ),
        )
        count_event(
            self.db, self.last_id, at, change.op, change.layer, change.author, change.channel, change.user_id
        )

    def next_id(self) -> int:
        """Return a number for an event that is not a change."""
        self.last_id += 1
        return self.last_id


def change_by_key(db: Connection, user_id: str, author: str, key: str | None) -> int | None:
    """Return the change that an author made for a user under a retry key; None if there is none, or no key."""
    if key is None:
        return None
    found: int | None = db.value(
        "SELECT id FROM changes WHERE user_id = ? AND author = ? AND key = ?", (user_id, author, key)
    )
    return found


def edits_of(db: Connection, change: int) -> list[Edit]:
    rows = db.rows("SELECT kind, record, before, after FROM edits WHERE change = ? ORDER BY n", (change,))
    return [
        Edit(kind, record, *completed(kind, record, _load(before), _load(after)))
        for kind, record, before, after in rows
    ]


def _shortened(edit: Edit) -> tuple[Fields | None, Fields | None]:
    """Return the fields before and after an edit as they are stored: of a complete record, created or deleted, without
    its id and without fields that are None or have their default."""
    if edit.before is not None and edit.after is not None:
        return edit.before, edit.after
    defaults = BY_NAME[edit.kind].defaults
    before, after = (
        fields
        and {name: value for name, value in fields.items() if name != "id" and value != defaults.get(name)}
        for fields in (edit.before, edit.after)
    )
    return before, after


def completed(
    kind: str, id: str, before: Fields | None, after: Fields | None
) -> tuple[Fields | None, Fields | None]:
    """Return the stored fields before and after an edit, with those that `_shortened` left out of a complete record."""
    known = BY_NAME.get(kind)
    if known is None or (before is not None and after is not None):
        return before, after
    left_out = dict.fromkeys(known.columns) | known.defaults | {"id": id}
    # With its id it was stored with all the fields of its day.
    first, last = (
        fields if fields is None or "id" in fields else left_out | fields for fields in (before, after)
    )
    return first, last


_BACK_AND_FORTH = ("Undo: {subject}", "Redo: {subject}")


def reversed_change(db: Connection, change: int, author: str, *, run: str | None = None) -> Change:
    """Return the change that undoes `change`, as part of `run`: the same edits reversed, in reverse order.

    Raises NotFound, or Conflict when it was undone already or changed nothing."""
    row = db.row(
        "SELECT op, title, details ->> '$.message', layer, channel, user_id, undone_by, erased_by FROM changes "
        "WHERE id = ?",
        (change,),
    )
    if row is None:
        raise NotFound(message("There is no change {change} to undo.", change=change))
    op, text, kept, layer, channel, user_id, undone_by, erased_by = row
    if erased_by is not None:
        raise Conflict(
            message(
                "What change {change} held was erased by change {erased_by}; erasing is for good.",
                change=change,
                erased_by=erased_by,
            )
        )
    if undone_by is not None:
        raise Conflict(
            message("Change {change} was undone already, by change {count}.", change=change, count=undone_by)
        )
    edits = edits_of(db, change)
    if not edits:
        raise Conflict(message("Change {change} moved nothing, so there is nothing to undo.", change=change))
    title = with_stored_parts(text, _load(kept))
    # Titles from before there were messages are plain text.
    plain = verbatim(title.removeprefix("Undo: ").removeprefix("Redo: "))
    subject = title.parts["subject"] if title.id in _BACK_AND_FORTH else title if title.id else plain
    return Change(
        op="redo" if op == "undo" else "undo",
        title=message("Redo: {subject}", subject=subject)
        if op == "undo"
        else message("Undo: {subject}", subject=subject),
        layer=layer,
        author=author,
        channel=channel,
        user_id=user_id,
        run=run,
        undoes=change,
        edits=tuple(edit.mirrored() for edit in reversed(edits)),
    )


def run_of(db: Connection, change: int) -> str | None:
    """Return the run that a change belongs to; None if it belongs to none. Raises NotFound."""
    row = db.row("SELECT run FROM changes WHERE id = ?", (change,))
    if row is None:
        raise NotFound(message("There is no change {change}.", change=change))
    run: str | None = row[0]
    return run


def count_undone(db: Connection, run: str | None, by: str) -> int:
    """Return how many changes of a run the changes of another run have undone."""
    found: int = db.value(
        "SELECT count(*) FROM changes AS undo JOIN changes AS done ON done.id = undo.undoes "
        "WHERE undo.run = ? AND done.run = ?",
        (by, run),
    )
    return found


def newest_of(db: Connection, run: str) -> int | None:
    """Return the newest change of a run, None if it has changed nothing."""
    found: int | None = db.value("SELECT max(id) FROM changes WHERE run = ?", (run,))
    return found


def records_of_run(db: Connection, change: int | None, column: str = "") -> set[str]:
    """Return the ids of the records touched by the run of a change; empty for a change of no run.

    column: only records of which the run set this column."""
    rows = db.rows(
        "SELECT DISTINCT record FROM edits JOIN changes ON changes.id = edits.change "
        "WHERE run = (SELECT run FROM changes WHERE id = ?1) "
        "AND (?2 = '' OR before IS NULL OR after -> ('$.' || ?2) IS NOT NULL)",
        (change, column),
    )
    return {row[0] for row in rows}


def decided_by_people(db: Connection, ids: Sequence[str]) -> set[str]:
    """Return those of these records that a person decided about, regardless of later changes by jobs and
    agents."""
    sql = (
        "SELECT DISTINCT record FROM edits JOIN changes ON changes.id = edits.change "
        f"WHERE record IN (*) AND {DECIDED_BY_PERSON}"
    )
    return {record for (record,) in rows_among(db, sql, ids)}


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
            message("There is nothing of yours to redo.")
            if undo
            else message("There is nothing of yours to undo."),
            next=message("See `memdesk log`."),
        )
    return int(found)


def _dump(fields: dict[str, Any] | None) -> str | None:
    return None if fields is None else json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _load(text: str | None) -> dict[str, Any] | None:
    try:
        fields: dict[str, Any] | None = None if text is None else json.loads(text)
    except ValueError as error:
        raise StorageFailed(
            message("An entry of the journal is damaged on the disk."),
            next=message("Run `memdesk verify` to see which, then restore a backup."),
        ) from error
    return fields
