"""Curation by a person: edit, pin, rescue, retire, demote, forget, restore. Each is one change with a
reason; an edit checks the claim the person saw."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory import line_links
from memdesk.engine.memory.believe import ask_about
from memdesk.engine.memory.claims import tidied_category
from memdesk.engine.memory.draft import CLAIM_CHARACTERS, Draft, approval
from memdesk.engine.memory.duplicates import closing_edits
from memdesk.engine.memory.goals import restore_edits, retire_edits
from memdesk.engine.memory.merge import MERGED_INTO
from memdesk.engine.memory.rows import salience_now
from memdesk.engine.memory.scope import holder, relink
from memdesk.engine.wording import relation_title, shortened, tidied, titled
from memdesk.model.change import Applied, Change, Edit
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import Curated, Demote, EditFact, Forget, Pin, Rescue, Restore, Retire, Trust
from memdesk.model.entity import ENTITY, RELATION, Relation
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.fact import FACT, TEMPORAL, Fact
from memdesk.model.goal import GOAL
from memdesk.model.kind import Kind
from memdesk.model.kinds import with_act
from memdesk.model.message import Message, message, verbatim
from memdesk.model.review import QUARANTINE
from memdesk.model.strategy import STRATEGY
from memdesk.model.trust import APPROVED, is_trusted, of_record
from memdesk.store import moving, recalls, records, semantic
from memdesk.store.connection import Connection

RETIRABLE = with_act("retire")
TRUSTABLE = with_act("trust")


def edit_fact(engine: Engine, ask: EditFact, *, author: str) -> Curated:
    """Correct a fact, its links to the entities that its claim names, and the line it is read from.

    Raises Conflict if its claim differs from the one the person saw, or another fact has the same claim;
    NotFound, BadAsk, StorageFailed."""
    after = _corrections(ask)

    def verb(db: Connection) -> tuple[Change | None, Fact]:
        fact = records.need(db, FACT, ask.fact_id)
        if ask.was is not None and fact.claim != ask.was:
            raise Conflict(
                message("The claim changed while you were editing it."),
                details={"expected": ask.was, "found": fact.claim},
            )
        twin = semantic.fact_claiming(db, fact.user_id, fact.channel, after.get("claim", fact.claim))
        if twin is not None and twin.id != fact.id:
            raise Conflict(
                message("Fact {id} claims that already.", id=twin.id),
                next=message("Retire one of the two instead."),
            )
        title = after.get("claim", fact.claim)
        edits = (
            records.update_edit(FACT, fact, **after, **approval(fact, author, edited="claim" in after)),
            *_followed(engine, db, fact, after, author),
        )
        return _change("update", FACT, fact, title, author, edits), fact

    applied, fact = engine.decide(verb, (ask.fact_id,))
    return _curated(engine, applied, fact.id, after.get("claim", fact.claim))


def retire(engine: Engine, ask: Retire, *, author: str) -> Curated:
    """Hide a memory from recall; the lines a fact is read from are removed from their files.

    It stays in the history and undo restores it. Raises NotFound, BadAsk, Conflict, StorageFailed."""

    def change(db: Connection, kind: Kind[Any], record: Any) -> tuple[Edit, ...]:
        if kind.name not in RETIRABLE:
            raise BadAsk(message("A {label} cannot be retired on its own.", label=kind.label.lower()))
        if record.retired_at is not None:
            raise Conflict(message("“{claim}” is retired already.", claim=_title(kind, record)))
        if kind is GOAL:
            return retire_edits(engine, db, record)
        return (records.update_edit(kind, record, retired_at=engine.clock()),)

    return _one_move(engine, ask.id, "retire", author, change, details=_because(ask.reason))


def pin(engine: Engine, ask: Pin, *, author: str) -> Curated:
    """Keep a memory from fading, or let it fade again from its present salience.

    A strategy does not fade; its pin keeps jobs from changing it."""

    def change(db: Connection, kind: Kind[Any], record: Any) -> tuple[Edit, ...]:
        if kind is not STRATEGY:
            _need_fading(kind)
        if bool(record.pinned) == ask.pinned:
            raise Conflict(
                message("“{kind}” is pinned already.", kind=_title(kind, record))
                if ask.pinned
                else message("“{kind}” is not pinned already.", kind=_title(kind, record))
            )
        if not kind.fades:
            return (records.update_edit(kind, record, pinned=int(ask.pinned)),)
        use = recalls.uses(db, [record.seq]).get(record.seq)
        worth = salience_now(engine, record, use)
        now = {"pinned": int(ask.pinned), "salience": worth, "salience_at": engine.clock()}
        return (records.update_edit(kind, record, **now),)

    return _one_move(engine, ask.id, "update", author, change, wording=_pinned if ask.pinned else _unpinned)


def rescue(engine: Engine, ask: Rescue, *, author: str) -> Curated:
    """Set a fading memory's salience to the rescue value, as of now."""

    def change(db: Connection, kind: Kind[Any], record: Any) -> tuple[Edit, ...]:
        _need_fading(kind)
        strong = {"salience": engine.settings.rescue_salience, "salience_at": engine.clock()}
        return (records.update_edit(kind, record, **strong),)

    return _one_move(
        engine, ask.id, "update", author, change, wording=lambda what: message("{what}, rescued", what=what)
    )


def make_past(engine: Engine, id: str, *, author: str) -> Curated:
    """Mark a fact as no longer true; its words, trust and confidence stay. Raises BadAsk for another memory, Conflict
    if it is past already."""

    def change(db: Connection, kind: Kind[Any], record: Any) -> tuple[Edit, ...]:
        if kind is not FACT:
            raise BadAsk(message("Only facts are true for a time."))
        if record.temporal == "past":
            raise Conflict(message("“{claim}” is past already.", claim=_title(kind, record)))
        return (records.update_edit(FACT, record, temporal="past"),)

    return _one_move(
        engine, id, "update", author, change, wording=lambda what: message("{what}, now past", what=what)
    )


def trust(engine: Engine, ask: Trust, *, author: str) -> Curated:
    """Trust a memory as what a person said: agents get it as plain text. Raises BadAsk, Conflict if it is
    trusted already."""

    def change(db: Connection, kind: Kind[Any], record: Any) -> tuple[Edit, ...]:
        if kind.name not in TRUSTABLE:
            raise BadAsk(
                message("A {label} is not told to agents, so it needs no trust.", label=kind.label.lower())
            )
        if is_trusted(of_record(record)[1]):
            raise Conflict(message("“{kind}” is trusted already.", kind=_title(kind, record)))
        return (records.update_edit(kind, record, trust=APPROVED),)

    return _one_move(
        engine, ask.id, "update", author, change, wording=lambda what: message("{what}, trusted", what=what)
    )


def put_fields_back(engine: Engine, id: str, fields: dict[str, Any], *, author: str) -> Curated:
    """Set fields of a memory to what they were at an earlier moment. Raises NotFound, Conflict."""

    def change(db: Connection, kind: Kind[Any], record: Any) -> tuple[Edit, ...]:
        return (records.update_edit(kind, record, **fields),)

    return _one_move(engine, id, "update", author, change)


def _pinned(what: str) -> Message:
    return message("{what}, pinned", what=what)


def _unpinned(what: str) -> Message:
    return message("{what}, unpinned", what=what)


def _one_move(
    engine: Engine,
    id: str,
    op: str,
    author: str,
    move: Any,
    *,
    wording: Callable[[str], Message] = verbatim,
    details: dict[str, Any] | None = None,
) -> Curated:
    def verb(db: Connection) -> tuple[Change | None, str]:
        kind, record = records.any_record(db, id)
        title = relation_sentence(db, record) if kind is RELATION else _title(kind, record)
        title = title if wording is verbatim else wording(title.rstrip(".。"))
        return _change(op, kind, record, title, author, move(db, kind, record), details), title

    applied, title = engine.decide(verb, (id,))
    return _curated(engine, applied, id, title)


def _change(
    op: str,
    kind: Kind[Any],
    record: Any,
    title: Message,
    author: str,
    edits: tuple[Edit, ...],
    details: dict[str, Any] | None = None,
) -> Change:
    return Change(
        op=op,
        layer=kind.layer,
        title=titled(title, 120),
        author=author,
        edits=edits,
        channel=getattr(record, "channel", GLOBAL),
        user_id=record.user_id,
        details=details or {},
    )


def _curated(engine: Engine, applied: Applied | None, id: str, title: str) -> Curated:
    assert applied is not None
    return Curated(id=id, change=applied.id, title=verbatim(title), files=line_links.paths(engine, applied))


def _followed(
    engine: Engine, db: Connection, fact: Fact, after: dict[str, Any], author: str
) -> Sequence[Edit]:
    """Return what follows from a changed claim: other links to entities, and questions about facts that it repeats or
    contradicts."""
    if "claim" not in after:
        return ()
    draft = Draft.of(engine, db, fact, fact.channel)
    relink(draft, fact, after["claim"])
    if fact.retired_at is None and fact.superseded_by is None:
        ask_about(draft, fact, after["claim"], author=author)
    return draft.edits


def _corrections(ask: EditFact) -> dict[str, Any]:
    after: dict[str, Any] = {}
    if ask.claim is not None:
        after["claim"] = tidied(ask.claim, message("A claim"), CLAIM_CHARACTERS)
    if ask.category is not None:
        after["category"] = tidied_category(ask.category)
    if ask.confidence is not None:
        if not 0 <= ask.confidence <= 1:
            raise BadAsk(message("confidence lies between 0 and 1."))
        after["confidence"] = ask.confidence
    if ask.temporal is not None:
        if ask.temporal not in TEMPORAL:
            raise BadAsk(message("temporal should be one of {temporal}.", temporal=", ".join(TEMPORAL)))
        after["temporal"] = ask.temporal
    if not after:
        raise BadAsk(
            message("Nothing to correct was named."),
            next=message("Give a claim, a category, a confidence or a time."),
        )
    return after


def _need_fading(kind: Kind[Any]) -> None:
    if not kind.fades:
        raise BadAsk(
            message("A {label} does not fade; only facts and entities do.", label=kind.label.lower())
        )


def _title(kind: Kind[Any], record: Any) -> Message:
    return verbatim(shortened(str(getattr(record, kind.title))))


def relation_sentence(db: Connection, relation: Relation) -> Message:
    """Return a relation with the titles of its two ends."""
    ends = records.by_ids(db, (relation.source_id, relation.target_id))
    titles = {id: shortened(str(getattr(record, kind.title)), 50) for id, (kind, record) in ends.items()}
    source, target = (titles.get(id, id) for id in (relation.source_id, relation.target_id))
    return relation_title(source, target, relation.type)


FORGOTTEN_SALIENCE = 0.05
FORGOTTEN_SHARE = 0.3
LEAST_CONFIDENCE = 0.05
"""Lowest confidence of a forgotten fact (AgentX: confidence max(0.05, 0.3 × confidence), salience 0.05, past)."""


def demote(engine: Engine, ask: Demote, *, author: str) -> Curated:
    """Retire the copy that a promotion made; it still names its original, which stays as it is.

    Raises BadAsk for a fact that is not a promoted copy, Conflict if it is retired already."""

    def verb(db: Connection) -> tuple[Change | None, Fact]:
        fact = records.need(db, FACT, ask.fact_id)
        if fact.channel != GLOBAL or fact.promoted_from is None:
            raise BadAsk(
                message("Only a fact that was promoted to _global is demoted."),
                next=message("Retire it instead."),
            )
        if fact.retired_at is not None:
            raise Conflict(message("“{claim}” is retired already.", claim=shortened(fact.claim)))
        edit = records.update_edit(FACT, fact, retired_at=engine.clock())
        title = message("Demoted: {claim}", claim=fact.claim)
        details = {"fact": fact.promoted_from} | _because(ask.reason)
        return _change("retire", FACT, fact, title, author, (edit,), details), fact

    applied, fact = engine.store.decide(verb)
    return _curated(engine, applied, fact.id, fact.claim)


def forget(engine: Engine, ask: Forget, *, author: str) -> Curated:
    """Mark a fact as past with low salience and confidence, which removes it from recall; it is kept for
    lineage.

    The lines it is read from are removed from their files. Raises Conflict if it is forgotten or retired
    already; StorageFailed."""

    def verb(db: Connection) -> tuple[Change | None, Fact]:
        fact = records.need(db, FACT, ask.fact_id)
        if fact.retired_at is not None or fact.superseded_by is not None:
            raise Conflict(message("“{claim}” is out of recall already.", claim=shortened(fact.claim)))
        if fact.temporal == "past" and fact.salience <= FORGOTTEN_SALIENCE:
            raise Conflict(message("“{claim}” is forgotten already.", claim=shortened(fact.claim)))
        edit = records.update_edit(
            FACT,
            fact,
            confidence=max(LEAST_CONFIDENCE, round(fact.confidence * FORGOTTEN_SHARE, 3)),
            temporal="past",
            salience=FORGOTTEN_SALIENCE,
            salience_at=engine.clock(),
            pinned=0,
        )
        title = message("Forgot: {claim}", claim=fact.claim)
        return _change("update", FACT, fact, title, author, (edit,), _because(ask.reason)), fact

    about = (ask.fact_id,)
    applied, fact = engine.decide(verb, about, forgotten=about)
    return _curated(engine, applied, fact.id, fact.claim)


def restore(engine: Engine, ask: Restore, *, author: str) -> Curated:
    """Return a retired or superseded memory to recall, and the lines of a fact to their files.

    This answers the question about a quarantined memory.

    Raises BadAsk for a kind that is not retired by hand, Conflict if it is not retired, or if another memory
    has the same claim, key or name; StorageFailed."""

    def verb(db: Connection) -> tuple[Change | None, tuple[str, str]]:
        kind, record = records.any_record(db, ask.id)
        if kind.name not in RETIRABLE:
            raise BadAsk(
                message("A {label} is not restored on its own.", label=kind.label.lower()),
                next=message("Take its change back."),
            )
        title = shortened(str(getattr(record, kind.title)))
        if record.retired_at is None and getattr(record, "superseded_by", None) is None:
            raise Conflict(message("“{title}” is not retired.", title=title))
        refuse_duplicates(db, record)
        edits = restore_edits(engine, db, record) if kind is GOAL else (_back(db, kind, record),)
        released = closing_edits(db, QUARANTINE, record.id, None, "release", at=engine.clock())
        if released and (approved := approval(record, author)):
            released = [*released, records.update_edit(kind, record, **approved)]
        edits = (*edits, *released)
        said = message("Restored: {kind}", kind=title)
        change = _change("update", kind, record, said, author, edits, _because(ask.reason))
        return change, (record.id, title)

    applied, (id, title) = engine.decide(verb, (ask.id,))
    return _curated(engine, applied, id, title)


def _back(db: Connection, kind: Kind[Any], record: Any) -> Edit:
    """Return the edit that restores a record; a superseded fact gets its earlier time back."""
    after: dict[str, Any] = {"retired_at": None}
    if kind is FACT and record.superseded_by is not None:
        moved, temporal = moving.temporal_before(db, record.id)
        after |= {"superseded_by": None} | ({"temporal": temporal} if moved else {})
    if kind is ENTITY:
        properties = json.loads(record.properties)
        if properties.pop(MERGED_INTO, None) is not None:
            after["properties"] = json.dumps(properties, ensure_ascii=False)
    return records.update_edit(kind, record, **after)


def refuse_duplicates(db: Connection, record: Any, leaving: Collection[str] = ()) -> None:
    """Raise Conflict if another current memory has the same claim, key, name or ends. leaving: ids that do
    not count."""
    there = holder(db, record, getattr(record, "channel", GLOBAL))
    if there is None or there.id == record.id or there.id in leaving:
        return
    kind, _ = records.any_record(db, there.id)
    raise Conflict(
        message(
            "Its place is taken by {id}: “{holder}”.",
            id=there.id,
            holder=shortened(str(getattr(there, kind.title))),
        ),
        next=message("Retire that one first, or take back what replaced this."),
        details={"id": there.id},
    )


def _because(reason: str) -> dict[str, Any]:
    return {"reason": reason} if reason else {}
