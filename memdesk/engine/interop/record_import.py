"""Import of records: each is compared with the desk, and the new records of a batch become one change of
the run.

A preview compares in the same way but applies nothing, so that it can report every conflict in advance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.interop.batches import (
    BESIDE,
    Batch,
    ImportedRecord,
    Move,
    Step,
    Uses,
    required_references,
    with_extra_fields,
)
from memdesk.engine.memory.believe import FULL, PAST, ask_about
from memdesk.engine.memory.draft import Draft
from memdesk.engine.wording import shortened
from memdesk.engine.workspace.placing import ImportContext
from memdesk.files.reading import Left
from memdesk.model.change import Change, Edit
from memdesk.model.channel import CHANNEL, GLOBAL, LOCAL_USER
from memdesk.model.entity import ALIAS, ENTITY, RELATION
from memdesk.model.errors import Conflict, MemDeskError
from memdesk.model.fact import FACT, IMPORTED, Fact, claim_hash
from memdesk.model.kind import Kind
from memdesk.model.kinds import BY_NAME
from memdesk.model.message import message
from memdesk.store import archiving, document_versions, proposing, records, semantic
from memdesk.store.connection import Connection
from memdesk.store.recalls import Use


def import_uses(engine: Engine, uses: Uses) -> None:
    """Record the use of memories that have no use recorded on this desk."""

    def noted(db: Connection) -> None:
        for each in uses.rows:
            use = Use(
                access_count=each.access_count, last_accessed=each.last_accessed, salience=each.salience
            )
            archiving.import_use(db, each.id, each.lines, use)

    engine.store.maintain(lambda db, *_: noted(db)).result()


_JSON_COLUMNS = {"turn": "metadata", "entity": "properties", "relation": "properties"}
_USUAL: dict[str, Any] = {
    **dict.fromkeys(("quote", "description", "result", "task_type", "error_message", "context_pattern"), ""),
    **dict.fromkeys(("metadata", "properties", "tool_input"), "{}"),
    "tool_sequence": "[]",
    "pinned": 0,
    "category": "fact",
    "source": IMPORTED,
    "status": "active",
    "priority": 3,
    "type": "Entity",
}
"""Default of a column that the source lacks; None if it may be empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchResult:
    """Result of one batch. creations: new records by table; known: number of records the desk already has."""

    change: Change | None
    creations: Counter[str]
    known: int
    left: tuple[Left, ...]


@dataclass(slots=True, kw_only=True)
class RecordImport:
    """Parcels of one import, in order. created: ids created so far; same: desk ids of records that the source
    has under other ids.

    channel: for records that name none."""

    engine: Engine
    context: ImportContext
    channel: str
    created: set[str] = field(default_factory=set)
    same: dict[str, str] = field(default_factory=dict)
    by_mark: dict[tuple[str, ...], str] = field(default_factory=dict)

    def judge(self, db: Connection, batch: Batch) -> BatchResult:
        """Return the result that a batch would have on this connection. Applies nothing."""
        return _BatchComparison(self, db, batch).outcome()

    def take(self, batch: Batch) -> BatchResult:
        """Import a batch, completely or not at all."""

        def verb(db: Connection) -> tuple[Change | None, BatchResult]:
            for name in batch.texts:
                assert batch.text_of is not None
                document_versions.keep(db, batch.text_of(name))
            outcome = self.judge(db, batch)
            return outcome.change, outcome

        return self.engine.store.decide(verb)[1]

    def channels_of(self, batch: Batch) -> set[str]:
        """Return the channels of a batch's records."""
        creations = (
            step
            for step in batch.steps
            if isinstance(step, ImportedRecord) and "channel" in step.kind.columns
        )
        return {self.channel_of(creation, batch) for creation in creations}

    def channel_of(self, creation: ImportedRecord, batch: Batch) -> str:
        given = creation.fields.get("channel") or batch.channel
        return str(given if batch.exact else self.context.channel or given or self.channel or GLOBAL)

    def id_of(self, id: str, batch: Batch) -> str:
        """Return the id that a record of the source has here: another user's copy of the same source is
        another record."""
        whose = self.context.user_id
        mine = id if batch.exact or whose == LOCAL_USER else f"{whose}/{id}"
        return self.same.get(mine, mine)


class _BatchComparison:
    """Comparison of one batch with the desk. `now`: the records it touches, as they would be afterwards."""

    def __init__(self, importing: RecordImport, db: Connection, batch: Batch) -> None:
        self.importing, self.db, self.batch = importing, db, batch
        self.engine, self.at = importing.engine, importing.engine.clock()
        self.edits: list[Edit] = []
        self.beside: dict[str, Any] = {}
        self.left: list[Left] = []
        self.creations: Counter[str] = Counter()
        self.known = 0
        self.now = {id: _fields_of(*found) for id, found in records.by_ids(db, self._ids()).items()}

    def outcome(self) -> BatchResult:
        for step in self.batch.steps:
            if isinstance(step, Move):
                self._move(step)
                continue
            try:
                self._draft_record(step)
            except MemDeskError as error:
                self.left.append(Left(name=f"{step.kind.label} {step.id}", why=error.says))
        change = self._change() if self.edits else None
        return BatchResult(change=change, creations=self.creations, known=self.known, left=tuple(self.left))

    def _ids(self) -> Iterator[str]:
        for step in self.batch.steps:
            each_step: tuple[Step, ...] = (step, *step.then) if isinstance(step, ImportedRecord) else (step,)
            for each in each_step:
                fields = each.fields if isinstance(each, ImportedRecord) else each.after
                yield self._id(each.id)
                yield from (self._id(fields[c]) for c, _ in each.kind.references if fields.get(c))

    def _id(self, id: str) -> str:
        return self.importing.id_of(id, self.batch)

    def _draft_record(self, creation: ImportedRecord) -> None:
        """Draft a new record. Raises Conflict if the desk has a different record in its place, or lacks one
        it refers to."""
        fields = self._completed(creation)
        id = fields["id"]
        known = self.now.get(id)
        if known is not None:
            _need_same(creation.kind, known, fields)
        elif (twin := self._twin(creation, fields)) is not None:
            self.importing.same[id] = twin
        else:
            self._need_references(creation.kind, fields)
            self._refuse_taken_out(creation.kind, fields)
            self._draft(creation, fields)
            return
        self.known += 1
        for move in creation.then:
            self._move(move)

    def _draft(self, creation: ImportedRecord, fields: dict[str, Any]) -> None:
        id = fields["id"]
        column = _JSON_COLUMNS.get(creation.kind.name)
        if creation.beside and column and (whole := with_extra_fields(fields[column], creation.beside)):
            fields[column] = whole
        elif creation.beside:
            self.beside[id] = creation.beside
        fields["seq"] = self.engine.store.new_seq()
        self.now[id] = fields
        self.edits.append(Edit(creation.kind.name, id, None, fields))
        if creation.kind is FACT and not self.batch.exact:
            self._ask_about(fields)
        self.creations[creation.kind.table] += 1
        self.importing.created.add(id)
        if mark := self._mark(creation.kind, fields):
            self.importing.by_mark[mark] = id
        for move in creation.then:
            self._move(move)

    def _ask_about(self, fields: dict[str, Any]) -> None:
        """Ask about the facts of the desk that an imported one repeats or contradicts; nothing gives way to it."""
        fact = Fact(**(FACT.defaults | fields))
        if fact.retired_at is not None or fact.superseded_by is not None or fact.temporal == PAST:
            return
        draft = Draft.of(self.engine, self.db, fact, fact.channel, at=self.at)
        if len(self.edits) < FULL:
            ask_about(draft, fact, fact.claim, author=self.importing.context.author)
            self.edits.extend(draft.edits)

    def _move(self, move: Move) -> None:
        id = self._id(move.id)
        now = self.now.get(id)
        references = {column for column, _ in move.kind.references}
        after = {c: self._id(v) if c in references else v for c, v in move.after.items()}
        if now is None or any(now[name] != value for name, value in move.before.items()):
            return
        if references & after.keys() and id not in self.importing.created:
            return
        self.now[id] = {**now, **after}
        self.edits.append(Edit(move.kind.name, id, {name: now[name] for name in after}, after))

    def _completed(self, creation: ImportedRecord) -> dict[str, Any]:
        """Return every column of a record but its number."""
        kind, given = creation.kind, creation.fields
        here = {
            **dict.fromkeys(("created_at", "updated_at", "started_at"), self.at),
            "salience_at": self.at,
            "user_id": self.importing.context.user_id,
            "agent_id": self.batch.agent_id,
            "salience": self.engine.settings.new_salience,
            **_USUAL,
            **kind.defaults,
            **given,
        }
        fields: dict[str, Any] = {name: here.get(name) for name in kind.columns if name != "seq"}
        fields["id"] = self._id(creation.id)
        if "channel" in fields:
            channel = self.importing.channel_of(creation, self.batch)
            fields["channel"] = semantic.current_channel(self.db, fields["user_id"], channel)
        if "trust" in fields and not self.importing.context.trusted:
            origin, trust = self.importing.context.door
            fields |= {"origin": origin, "trust": min(trust, fields["trust"])}
        if "agent_id" in fields and not self.batch.exact:
            fields["agent_id"] = self.importing.context.agent_id or fields["agent_id"]
        for column, _ in kind.references:
            if fields[column] is not None:
                fields[column] = self._id(fields[column])
        return fields

    def _need_references(self, kind: Kind[Any], fields: dict[str, Any]) -> None:
        for column, _ in kind.references:
            target = fields[column]
            if target is None or target in self.now or target in self.importing.created:
                continue
            if column in required_references(kind):
                raise Conflict(message("It names {target}, which is not there.", target=target))
            fields[column] = None

    def _refuse_taken_out(self, kind: Kind[Any], fields: dict[str, Any]) -> None:
        """Raise Conflict for a current fact whose claim is kept out of recall or was taken out for good."""
        if kind is not FACT or fields.get("retired_at") is not None:
            return
        if proposing.quarantined_fact(self.db, fields["user_id"], fields["channel"], fields["claim"]):
            raise Conflict(message("The desk keeps this claim out of recall."))

    def _twin(self, creation: ImportedRecord, fields: dict[str, Any]) -> str | None:
        """Return the id of the same record on the desk under another id, if any. Raises Conflict if its place
        is taken."""
        kind = creation.kind
        for group in kind.unique:
            for there in records.find(self.db, kind, limit=1, **{name: fields[name] for name in group}):
                _need_same(kind, _fields_of(kind, there), fields)
                return str(there.id)
        if kind is CHANNEL:
            self._renumber(fields)
        if self.batch.exact or fields.get("retired_at") is not None:
            return None
        return self._find_equal(kind, fields)

    def _find_equal(self, kind: Kind[Any], fields: dict[str, Any]) -> str | None:
        """Return the id of an equal record on the desk: a fact of this claim or an entity of this name in the
        channel, an alias's entity, or such a relation."""
        if kind is RELATION:
            ends = {name: fields[name] for name in ("source_id", "target_id", "type")}
            known = records.find(self.db, RELATION, retired_at=None, limit=1, **ends)
            return known[0].id if known else None
        if kind is ALIAS:
            names = semantic.aliases_of(self.db, fields["entity_id"])
            return fields["entity_id"] if fields["name"] in names else None
        mark = self._mark(kind, fields)
        if mark is None:
            return None
        if mark in self.importing.by_mark:
            return self.importing.by_mark[mark]
        place = fields["user_id"], fields["channel"]
        if kind is ENTITY:
            entity = semantic.entity_named(self.db, place[0], place[1:], fields["name"])
            return None if entity is None else entity.id
        fact = semantic.fact_claiming(self.db, *place, fields["claim"])
        if fact is None and fields["key"] is not None:
            keyed = semantic.fact_keyed(self.db, *place, fields["agent_id"], fields["key"])
            if keyed is not None:
                raise Conflict(
                    message(
                        "The desk has another value for “{fields}”: {claim}",
                        fields=fields["key"],
                        claim=shortened(keyed.claim),
                    )
                )
        return None if fact is None else fact.id

    def _mark(self, kind: Kind[Any], fields: dict[str, Any]) -> tuple[str, ...] | None:
        """Return the key that identifies a current fact or entity in its channel; None for past records and
        other kinds."""
        if (
            self.batch.exact
            or fields.get("retired_at") is not None
            or fields.get("superseded_by") is not None
        ):
            return None
        place = fields["user_id"], fields.get("channel") or "", kind.name
        if kind is FACT:
            return (*place, claim_hash(fields["claim"]))
        return (*place, fields["name"].casefold()) if kind is ENTITY else None

    def _renumber(self, fields: dict[str, Any]) -> None:
        """Keep a channel's number, and so its colour, unless another channel has it here; else give it a new one."""
        here = records.find(self.db, CHANNEL, user_id=fields["user_id"])
        drafted = {edit.after["number"] for edit in self.edits if edit.kind == CHANNEL.name and edit.after}
        taken = {each.number for each in here} | drafted
        if fields["number"] in taken:
            fields["number"] = max(taken) + 1

    def _change(self) -> Change:
        first = self.edits[0]
        fields = self.now[first.id]
        details: dict[str, Any] = {"from": self.batch.file}
        if self.beside:
            details[BESIDE] = self.beside
        return Change(
            op="import",
            layer=BY_NAME[first.kind].layer,
            author=self.importing.context.author,
            title=message(
                "Imported {parcel}, {count} records",
                parcel=shortened(self.batch.name, 60),
                count=len(self.edits),
            ),
            edits=tuple(self.edits),
            channel=fields.get("channel") or GLOBAL,
            user_id=fields["user_id"],
            run=self.importing.context.run,
            details=details,
        )


def _fields_of(kind: Kind[Any], record: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in kind.columns}


def _need_same(kind: Kind[Any], there: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Raise Conflict if the record with this id, or in this place, has other content."""
    for name in (*kind.text[:1], *required_references(kind)):
        if there.get(name) != wanted[name]:
            raise Conflict(
                message(
                    "The desk has it as “{title}”; it was left as it is.",
                    title=shortened(str(there.get(kind.title) or there["id"])),
                ),
                details={"id": there["id"], "expected": wanted[name], "found": there.get(name)},
            )
