"""Removal from recall and return to it: demote, forget, restore. Each takes a reason, and none of them
deletes anything."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.curate import RETIRABLE
from memdesk.engine.memory.goal_moves import taken_out
from memdesk.engine.memory.joining import MERGED_INTO
from memdesk.engine.memory.questions import settled
from memdesk.engine.wording import shortened
from memdesk.engine.workspace import lines_follow
from memdesk.model.change import Applied, Change, Edit
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import Curated, Demote, Forget, Restore
from memdesk.model.entity import ENTITY, RELATION, Alias, Entity, Relation
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.fact import FACT, Fact
from memdesk.model.goal import GOAL
from memdesk.model.kind import Kind
from memdesk.model.proposal import QUARANTINE
from memdesk.store import moving, records, semantic
from memdesk.store.connection import Connection

FORGOTTEN_SALIENCE = 0.05
FORGOTTEN_SHARE = 0.3
LEAST_CONFIDENCE = 0.05
"""Lowest confidence of a forgotten fact (AgentX: confidence max(0.05, 0.3 × confidence), salience 0.05,
past)."""


def demote(engine: Engine, ask: Demote, *, author: str) -> Curated:
    """Retire the copy that a promotion made; it still names its original, which stays as it is.

    Raises BadAsk for a fact that is not a promoted copy, Conflict if it is retired already."""

    def verb(db: Connection) -> tuple[Change | None, Fact]:
        fact: Fact = records.need(db, FACT, ask.fact_id)
        if fact.channel != GLOBAL or fact.promoted_from is None:
            raise BadAsk("Only a fact that was promoted to _global is demoted.", next="Retire it instead.")
        if fact.retired_at is not None:
            raise Conflict(f"“{shortened(fact.claim)}” is retired already.")
        edit = records.moved(FACT, fact, retired_at=engine.clock())
        title = f"Demoted: {fact.claim}"
        return _change(
            "retire", title, FACT, fact, author, (edit,), ask.reason, fact=fact.promoted_from
        ), fact

    applied, fact = engine.store.decide(verb)
    return _curated(engine, applied, fact.id, fact.claim)


def forget(engine: Engine, ask: Forget, *, author: str) -> Curated:
    """Mark a fact as past with low salience and confidence, which removes it from recall; it is kept for
    lineage.

    The lines it is read from are removed from their files. Raises Conflict if it is forgotten or retired
    already; StorageFailed."""

    def verb(db: Connection) -> tuple[Change | None, Fact]:
        fact: Fact = records.need(db, FACT, ask.fact_id)
        if fact.retired_at is not None or fact.superseded_by is not None:
            raise Conflict(f"“{shortened(fact.claim)}” is out of recall already.")
        if fact.temporal == "past" and fact.salience <= FORGOTTEN_SALIENCE:
            raise Conflict(f"“{shortened(fact.claim)}” is forgotten already.")
        edit = records.moved(
            FACT, fact, confidence=max(LEAST_CONFIDENCE, round(fact.confidence * FORGOTTEN_SHARE, 3)),
            temporal="past", salience=FORGOTTEN_SALIENCE, salience_at=engine.clock(), pinned=0,
        )  # fmt: skip
        return _change("update", f"Forgot: {fact.claim}", FACT, fact, author, (edit,), ask.reason), fact

    about = (ask.fact_id,)
    applied, fact = lines_follow.decide(engine, verb, about, forgotten=about)
    return _curated(engine, applied, fact.id, fact.claim)


def restore(engine: Engine, ask: Restore, *, author: str) -> Curated:
    """Return a retired or superseded memory to recall, and the lines of a fact to their files.

    This answers the question about a quarantined memory.

    Raises BadAsk for a kind that is not retired by hand, Conflict if it is not retired, or if another memory
    has the same claim, key or name; StorageFailed."""

    def verb(db: Connection) -> tuple[Change | None, tuple[str, str]]:
        kind, record = records.any_record(db, ask.id)
        if kind.name not in RETIRABLE:
            raise BadAsk(f"A {kind.label.lower()} is not restored on its own.", next="Take its change back.")
        title = shortened(str(getattr(record, kind.title)))
        if record.retired_at is None and getattr(record, "superseded_by", None) is None:
            raise Conflict(f"“{title}” is not retired.")
        refuse_doubles(db, record)
        edits = taken_out(engine, db, record) if kind is GOAL else (_back(db, kind, record),)
        edits = (*edits, *settled(db, QUARANTINE, record.id, None, "release", at=engine.clock()))
        change = _change("update", f"Restored: {title}", kind, record, author, edits, ask.reason)
        return change, (record.id, title)

    applied, (id, title) = lines_follow.decide(engine, verb, (ask.id,))
    return _curated(engine, applied, id, title)


def _back(db: Connection, kind: Kind, record: Any) -> Edit:
    """Return the edit that restores a record; a superseded fact gets its earlier time back."""
    after: dict[str, Any] = {"retired_at": None}
    if kind is FACT and record.superseded_by is not None:
        moved, temporal = moving.temporal_before(db, record.id)
        after |= {"superseded_by": None} | ({"temporal": temporal} if moved else {})
    if kind is ENTITY:
        properties = json.loads(record.properties)
        if properties.pop(MERGED_INTO, None) is not None:
            after["properties"] = json.dumps(properties, ensure_ascii=False)
    return records.moved(kind, record, **after)


def refuse_doubles(db: Connection, record: Any, leaving: Collection[str] = ()) -> None:
    """Raise Conflict if another current memory has the same claim, key, name or ends. leaving: ids that do
    not count."""
    holder = _holder(db, record)
    if holder is None or holder.id == record.id or holder.id in leaving:
        return
    kind, _ = records.any_record(db, holder.id)
    raise Conflict(
        f"Its place is taken by {holder.id}: “{shortened(str(getattr(holder, kind.title)))}”.",
        next="Retire that one first, or take back what replaced this.",
        details={"id": holder.id},
    )


def _holder(db: Connection, record: Any) -> Any:
    """Return the current memory with the same claim, key, name or ends as this one, None if there is none."""
    match record:
        case Fact():
            same = semantic.fact_claiming(db, record.user_id, record.channel, record.claim)
            key = record.key
            if same is not None or key is None:
                return same
            return semantic.fact_keyed(db, record.user_id, record.channel, record.agent_id, key)
        case Entity() | Alias():
            return semantic.entity_named(db, record.user_id, (record.channel,), record.name)
        case Relation():
            ends = {name: getattr(record, name) for name in ("source_id", "target_id", "type")}
            return next(iter(records.find(db, RELATION, **ends, retired_at=None, limit=1)), None)
        case _:
            return None


def _change(
    op: str, title: str, kind: Kind, record: Any, author: str, edits: tuple[Edit, ...], reason: str, **details: Any
) -> Change:  # fmt: skip
    if reason:
        details["reason"] = reason
    return Change(
        op=op, layer=kind.layer, title=shortened(title, 120), author=author, edits=edits, channel=record.channel,
        user_id=record.user_id, details=details,
    )  # fmt: skip


def _curated(engine: Engine, applied: Applied | None, id: str, title: str) -> Curated:
    assert applied is not None
    return Curated(id=id, change=applied.id, title=title, files=lines_follow.paths(engine, applied))
