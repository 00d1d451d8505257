"""Applies one change: preconditions, rows, index. Runs on the writer thread, inside its transaction."""

from __future__ import annotations

from typing import Any, Protocol

from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.channel import CHANNEL
from memdesk.model.errors import BugError, Conflict
from memdesk.model.kind import Kind
from memdesk.model.kinds import BY_NAME
from memdesk.store import binding, records
from memdesk.store.connection import Connection, marks
from memdesk.store.indexing import Index
from memdesk.store.moving import SCOPED

Fields = dict[str, Any]


class Sparing(Protocol):
    """Protocol for skipping edits: decides which ones are not made, since their records stay, and is informed
    of refused ones."""

    def spares(self, edit: Edit) -> bool: ...

    def refused(self, edit: Edit, why: str) -> None: ...


def carry_out(
    db: Connection, index: Index, change: Change, sparing: Sparing | None = None
) -> tuple[Edit, ...]:
    """Apply every edit in order; return those that had an effect, as journalled.

    Raises Conflict if a record differs from `before`, or if other memory depends on a record to be deleted.
    With `sparing` such a record is left unchanged, and the other edits are made."""
    if sparing is not None:
        tried = (_spared(db, index, edit, sparing) for edit in change.edits if not sparing.spares(edit))
        return tuple(done for done in tried if done is not None)
    if len(change.edits) > EDITS_AT_MOST:
        raise BugError(f"A change of {len(change.edits)} edits; {EDITS_AT_MOST} at most.")
    return tuple(done for edit in change.edits if (done := _allowed(db, index, edit)) is not None)


def _spared(db: Connection, index: Index, edit: Edit, sparing: Sparing) -> Edit | None:
    db.run("SAVEPOINT edit")
    try:
        return _allowed(db, index, edit)
    except Conflict as conflict:
        db.run("ROLLBACK TO edit")
        sparing.refused(edit, conflict.says)
        return None
    finally:
        db.run("RELEASE edit")


def _allowed(db: Connection, index: Index, edit: Edit) -> Edit | None:
    try:
        return _edit(db, index, edit)
    except binding.sqlite.IntegrityError as error:
        raise _refusal(str(error)) from error


def _edit(db: Connection, index: Index, edit: Edit) -> Edit | None:
    kind = BY_NAME[edit.kind]
    now = _fields(db, kind, edit.id)
    if edit.before is None:
        return _bear(db, index, kind, edit, now)
    if now is None:
        raise Conflict(
            f"{kind.label} {edit.id} is gone.",
            next=_first(db, edit.id),
            details={"id": edit.id, "expected": edit.before},
        )
    found = {name: now[name] for name, value in edit.before.items() if now[name] != value}
    if found:
        raise Conflict(
            f"{kind.label} “{_title(kind, now)}” changed since: {', '.join(found)}.",
            next=_first(db, edit.id),
            details={"id": edit.id, "expected": edit.before, "found": found},
        )
    return _bury(db, index, kind, now) if edit.after is None else _move(db, index, kind, now, edit.after)


def _first(db: Connection, id: str) -> str:
    """Return the advice to undo first the last change of a record."""
    last = db.value("SELECT max(change) FROM edits WHERE record = ?", (id,))
    return "" if last is None else f"Change {last} moved it last; take that back first."


def _bear(db: Connection, index: Index, kind: Kind, edit: Edit, now: Fields | None) -> Edit:
    if now is not None:
        raise Conflict(f"{kind.label} {edit.id} exists already.", details={"id": edit.id, "found": now})
    if edit.after is None:
        raise BugError("An edit with neither before nor after.")
    # A redo may bear a record that was journalled before one of its fields existed.
    born = kind.defaults | edit.after
    db.run("INSERT INTO records VALUES (?,?,?)", (born["seq"], edit.id, kind.name))
    columns = kind.columns
    db.run(
        f"INSERT INTO {kind.table} ({','.join(columns)}) VALUES ({marks(columns)})",
        [born[name] for name in columns],
    )
    index.follow(kind, None, born)
    return Edit(kind.name, edit.id, None, born)


def _bury(db: Connection, index: Index, kind: Kind, now: Fields) -> Edit:
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
                f"Channel {channel['name']} holds memory.",
                next="Take back what was stored in it first.",
                details={"id": channel["id"]},
            )


def _move(db: Connection, index: Index, kind: Kind, now: Fields, wanted: Fields) -> Edit | None:
    after = {name: value for name, value in wanted.items() if now[name] != value}
    if not after:
        return None
    assignments = ",".join(f"{name} = ?" for name in after)
    db.run(f"UPDATE {kind.table} SET {assignments} WHERE seq = ?", [*after.values(), now["seq"]])
    index.follow(kind, now, {**now, **after})
    return Edit(kind.name, now["id"], {name: now[name] for name in after}, after)


def _fields(db: Connection, kind: Kind, id: str) -> Fields | None:
    record = records.get(db, kind, id)
    return None if record is None else {name: getattr(record, name) for name in kind.columns}


def _title(kind: Kind, fields: Fields) -> str:
    text = " ".join(str(fields[kind.title]).split())
    return text if len(text) <= 60 else text[:59] + "…"


def _refusal(cause: str) -> Conflict:
    """Return the Conflict for an integrity error of SQLite, in plain words."""
    if "FOREIGN KEY" in cause:
        return Conflict(
            "Other memory depends on this: what came after it would lose its source.",
            next="Take back what came after it first; the audit timeline names it.",
        )
    if "UNIQUE" in cause:
        return Conflict(f"Something with the same name is there already ({cause.rpartition(': ')[2]}).")
    return Conflict(f"The store refused this change ({cause}).")
