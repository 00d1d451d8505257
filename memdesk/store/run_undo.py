"""Undo of a run: selects its changes, the changes derived from it, and the records that stay because others
changed them.

A run is undone with everything that jobs, and edits found on the disk, derived from it. A record that a
person or an agent changed since stays, with its parts and the records it refers to."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memdesk.model.change import OUTSIDE, Edit
from memdesk.model.channel import CHANNEL
from memdesk.model.curation import TAG
from memdesk.model.document import DOCUMENT, WORKSPACE
from memdesk.model.entity import ALIAS, RELATION
from memdesk.model.errors import NotFound
from memdesk.model.kind import Kind
from memdesk.model.kinds import BY_NAME, KINDS
from memdesk.model.message import Message, message
from memdesk.model.turn import CONVERSATION, TURN
from memdesk.store.connection import Connection, marks
from memdesk.store.document_versions import root_change
from memdesk.store.events import newest
from memdesk.store.journal import DECIDED, run_of
from memdesk.store.records import chunks, many, rows_among, update_edit

DERIVED = f"(author LIKE 'job:%' OR author = '{OUTSIDE}')"
"""Condition for a change derived automatically from the desk or the disk, without a decision."""
_OWNERS = {
    TURN.name: "conversation_id",
    ALIAS.name: "entity_id",
    TAG.name: "record_id",
    RELATION.name: "source_id",
}
"""Column, by kind, that names the record which this one is a part of."""
_REFERENCES = tuple((kind, column) for kind in KINDS for column, _ in kind.references)
_BY_CHANGE = "changes JOIN edits ON edits.change = changes.id"


@dataclass(slots=True, kw_only=True)
class RunUndo:
    """Plan for undoing a run; while it is carried out, more records may be added to those that stay.

    changes: newest first, including those derived from the run. own: the run's own. newest: the event number
    it was planned at. born: ids of records that they created and that exist. touched: all records they edit.
    brought: documents of an import, whose files the run never wrote. along: by record, the edits that remove
    what jobs attached to it. kept: by id, why a record stays; `implied` records stay because of these.
    leaving: by id, files and folders among the records that stay, with the edit that takes them out of use:
    they stay only as sources of other memory."""

    changes: tuple[int, ...]
    own: frozenset[int]
    newest: int
    born: frozenset[str]
    touched: frozenset[str]
    brought: frozenset[str]
    along: Mapping[str, Sequence[Edit]]
    kept: dict[str, Message]
    implied: set[str]
    leaving: Mapping[str, Edit]

    def edits(self, edits: Iterable[Edit]) -> Iterator[Edit]:
        """Yield the mirrored edits of one of the changes, without those of records that stay.

        A created record is removed in its present state: jobs may have changed it since, and any other change
        keeps it."""
        gone: set[str] = set()
        for edit in edits:
            if edit.after is None and edit.id in self.leaving:
                yield self.leaving[edit.id]
            if self.stays(edit.id) or any(self.stays(id) for id in _named(edit)):
                continue
            if edit.after is None:
                yield from self._hanging_on(edit.id, gone)
                yield Edit(edit.kind, edit.id, {}, None)
            else:
                yield edit

    def stays(self, id: str) -> bool:
        """Return True if a record is left unchanged."""
        return id in self.kept or id in self.implied

    def spares(self, edit: Edit) -> bool:
        """Return True for an edit that is not made, because its record stays."""
        return self.stays(edit.id) and self.leaving.get(edit.id) is not edit

    def refused(self, edit: Edit, why: Message) -> None:
        """Keep a record whose edit was refused. Ignored if the undo removes the record anyway, as its other
        edits need no undo then."""
        if edit.kind in (CHANNEL.name, RELATION.name):
            self.implied.add(edit.id)
        elif edit.id not in self.born or edit.after is None:
            self.kept.setdefault(edit.id, why)

    def _hanging_on(self, id: str, gone: set[str]) -> Iterator[Edit]:
        for edit in self.along.get(id, ()):
            if edit.id not in gone:
                gone.add(edit.id)
                if edit.after is None:
                    yield from self._hanging_on(edit.id, gone)
                yield edit


def run_undo(db: Connection, change: int, *, at: int) -> RunUndo:
    """Plan to undo the run that a change belongs to, at this time. Raises NotFound for a change of no run."""
    run = run_of(db, change)
    if run is None:
        raise NotFound(
            message("Change {change} belongs to no run.", change=change),
            next=message("Take it back by itself."),
        )
    own = _ids(
        db.rows(
            f"SELECT DISTINCT id FROM {_BY_CHANGE} WHERE run = ? AND undone_by IS NULL AND erased_by IS NULL",
            (run,),
        )
    )
    born = _created(db, own)
    derived = _derived(db, run, own, born)
    changes = own | derived
    born |= _created(db, derived)
    born = _existing(db, born)
    touched = set(born)
    touched |= _ids(rows_among(db, "SELECT record FROM edits WHERE change IN (*)", sorted(changes)))
    keeping = _Keeping(db, born)
    for id, why in _changed_since(db, born, changes):
        keeping.keep(id, why)
    keeping.hold_what_hangs_on(touched)
    implied = keeping.implied()
    brought = _imported_documents(db, own)
    leaving = _leaving(db, {id: kind for id, kind in born.items() if id in implied or id in keeping.kept}, at)
    return RunUndo(
        changes=tuple(sorted(changes, reverse=True)),
        own=frozenset(own),
        newest=newest(db),
        born=frozenset(born),
        touched=frozenset(touched),
        brought=frozenset(brought),
        along=keeping.along,
        kept=keeping.kept,
        implied=implied,
        leaving=leaving if brought else {},
    )


def _since(author: str, change: int) -> Message:
    name = author.partition(":")[2]
    return message("Changed since by {author} (change {change}).", author=name, change=change)


def changed_meanwhile(db: Connection, ids: Sequence[str], after: int, run: str) -> dict[str, Message]:
    """Return, by id, the reason to keep records that a person or an agent, outside this run, changed after an
    event number."""
    rows = rows_among(
        db,
        f"SELECT record, changes.id, author FROM {_BY_CHANGE} WHERE record IN (*) "
        f"AND edits.change > ? AND run IS NOT ? AND NOT {DERIVED}",
        ids,
        after,
        run,
    )
    return {record: _since(author, change) for record, change, author in rows}


@dataclass(frozen=True, slots=True)
class _Reference:
    """Reference from a record (kind, id) to another by a column."""

    kind: str
    id: str
    column: str
    target: str


@dataclass(slots=True)
class _Keeping:
    """Collector of the records of a run that stay, with the reason. born: kind by id of the existing records
    the run created."""

    db: Connection
    born: Mapping[str, str]
    kept: dict[str, Message] = field(default_factory=dict)
    along: dict[str, list[Edit]] = field(default_factory=lambda: defaultdict(list))

    def keep(self, id: str, why: Message) -> None:
        self.kept.setdefault(id, why)

    def hold_what_hangs_on(self, touched: Collection[str]) -> None:
        """Collect outside references to the run's records: records made by jobs are undone too, any others
        keep their targets.

        touched: records that the run edited; their present references may come from the run."""
        front: Collection[str] = self.born.keys()
        seen = set(touched)
        while front:
            found = [each for each in _referring(self.db, front) if each.id not in seen]
            decided = _decided_over(self.db, {each.id for each in found})
            for each in found:
                if each.id in decided:
                    self._keep_above(each.target, decided[each.id])
                else:
                    self.along[each.target].append(self._parted(each))
            front = {each.id for each in found if each.id not in decided and each.column != "superseded_by"}
            seen |= {each.id for each in found}

    def _parted(self, reference: _Reference) -> Edit:
        """Return the edit that detaches a job's record from one that is removed: removes it, or undoes only
        its supersession."""
        superseding = reference.column == "superseded_by" and self.db.row(
            "SELECT before, after FROM edits WHERE record = ? AND before IS NOT NULL "
            "AND after ->> 'superseded_by' = ? ORDER BY change DESC LIMIT 1",
            (reference.id, reference.target),
        )
        if not superseding:
            return Edit(reference.kind, reference.id, {}, None)
        before, after = (json.loads(each) for each in superseding)
        return Edit(reference.kind, reference.id, after, before)

    def _keep_above(self, id: str, why: Message) -> None:
        """Keep the run's record that this one depends on, directly or through records made by jobs."""
        above = {edit.id: target for target, found in self.along.items() for edit in found}
        while id not in self.born and id in above:
            id = above[id]
        self.keep(id, why)

    def implied(self) -> set[str]:
        """Return the records that stay because a kept one refers to them, or because they are parts of it."""
        refers, parts = self._bonds()
        front, found = list(self.kept), set(self.kept)
        while front:
            id = front.pop()
            for other in (*refers.get(id, ()), *parts.get(id, ())):
                if other not in found:
                    found.add(other)
                    front.append(other)
        return found - self.kept.keys()

    def _bonds(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """Return (references of each of the run's records, parts of each), among the run's records alone."""
        refers: dict[str, list[str]] = defaultdict(list)
        parts: dict[str, list[str]] = defaultdict(list)
        if not self.kept:
            return refers, parts
        for kind, column in _REFERENCES:
            ids = [id for id, name in self.born.items() if name == kind.name]
            sql = f"SELECT id, {column} FROM {kind.table} WHERE id IN (*)"
            for id, other in rows_among(self.db, sql, ids):
                if other in self.born:
                    refers[id].append(other)
                    if _OWNERS.get(kind.name) == column:
                        parts[other].append(id)
        return refers, parts


def _created(db: Connection, changes: Collection[int]) -> dict[str, Message]:
    """Return kind by id of the records that these changes created."""
    sql = "SELECT record, kind FROM edits WHERE change IN (*) AND before IS NULL"
    return dict(rows_among(db, sql, sorted(changes)))


def _existing(db: Connection, born: Mapping[str, str]) -> dict[str, Message]:
    """Return those of these records that exist."""
    return dict(rows_among(db, "SELECT id, kind FROM records WHERE id IN (*)", born))


def _derived(db: Connection, run: str, own: Collection[int], born: Mapping[str, str]) -> set[int]:
    """Return changes in effect that extracted from a conversation of the run, or recorded a disk edit of one
    of its files.

    Each is about that one conversation or file, so it is undone completely."""
    found: set[int] = set()
    wanted = [id for id, kind in born.items() if kind in (CONVERSATION.name, DOCUMENT.name)]
    for chunk in chunks(wanted):
        rows = db.rows(
            f"SELECT changes.id, run, author FROM {_BY_CHANGE} WHERE record IN ({marks(chunk)}) "
            f"AND run IS NOT ? AND undoes IS NULL AND undone_by IS NULL AND erased_by IS NULL AND {DERIVED} "
            "AND (kind = 'document' OR after ->> 'consolidated_index' IS NOT NULL)",
            (*chunk, run),
        )
        found |= _ids(rows)
        for run_outside in {each for _, each, author in rows if each is not None and author == OUTSIDE}:
            found |= _ids(
                db.rows("SELECT id FROM changes WHERE run = ? AND undone_by IS NULL", (run_outside,))
            )
    return {change for change in found if change > min(own)} if own else set()


def _changed_since(
    db: Connection, born: Mapping[str, str], changes: Collection[int]
) -> Iterator[tuple[str, Message]]:
    """Yield (record, why it stays) for records that someone decided about after the run created them."""
    first = min(changes, default=0)
    rows = rows_among(
        db,
        f"SELECT record, changes.id, author FROM {_BY_CHANGE} WHERE record IN (*) "
        f"AND edits.change > ? AND undoes IS NULL AND undone_by IS NULL AND NOT {DERIVED} AND {DECIDED} "
        "ORDER BY edits.change DESC",
        born,
        first,
    )
    for record, change, author in rows:
        if change not in changes:
            yield record, _since(author, change)


def _referring(db: Connection, ids: Collection[str]) -> Iterator[_Reference]:
    """Yield the references to these records."""
    for kind, column in _REFERENCES:
        rows = rows_among(db, f"SELECT id, {column} FROM {kind.table} WHERE {column} IN (*)", ids)
        yield from (_Reference(kind.name, id, column, target) for id, target in rows)


def _decided_over(db: Connection, ids: Collection[str]) -> dict[str, Message]:
    """Return those of these records that a person or an agent made or changed, with the reason why their
    targets stay."""
    found: dict[str, Message] = {}
    sql = (
        f"SELECT record, kind, changes.id, author FROM {_BY_CHANGE} WHERE record IN (*) "
        f"AND undone_by IS NULL AND NOT {DERIVED} AND {DECIDED}"
    )
    for record, kind, change, author in rows_among(db, sql, sorted(ids)):
        found[record] = message(
            "A {label} of change {change} by {author} depends on it.",
            label=BY_NAME[kind].label.lower(),
            change=change,
            author=author,
        )
    return found


def _imported_documents(db: Connection, own: Collection[int]) -> set[str]:
    """Return the documents that the run's changes edit without touching their files, as an import does."""
    sql = "SELECT change, record FROM edits WHERE change IN (*) AND kind = 'document'"
    rows = list(rows_among(db, sql, sorted(own)))
    stay = {change for change in _ids(rows) if root_change(db, change).files_stay}
    return {record for change, record in rows if change in stay}


def _leaving(db: Connection, staying: Mapping[str, str], at: int) -> dict[str, Edit]:
    """Return the edits that take the files and folders among these out of use."""
    found: dict[str, Edit] = {}
    kinds: tuple[Kind[Any], ...] = (DOCUMENT, WORKSPACE)
    for kind in kinds:
        ids = [id for id, name in staying.items() if name == kind.name]
        for each in many(db, kind, "id", ids):
            if each.retired_at is None:
                found[each.id] = update_edit(kind, each, retired_at=at)
    return found


def _named(edit: Edit) -> Iterator[Any]:
    """Yield the records that the edit's changed fields refer to before it, but not after."""
    before: dict[str, Any] = edit.before or {}
    if edit.after is not None:
        yield from (before[column] for column, _ in _kind(edit).references if before.get(column) is not None)


def _kind(edit: Edit) -> Kind[Any]:
    return BY_NAME[edit.kind]


def _ids(rows: Iterable[tuple[Any, ...]]) -> set[Any]:
    return {row[0] for row in rows}
