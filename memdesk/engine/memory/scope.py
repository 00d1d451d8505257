"""Moves of a memory to another channel, with its dependent records, and links between facts and entities."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.believe import written_names
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.ephemeral import follow_channel
from memdesk.engine.wording import titled
from memdesk.model.change import EDITS_AT_MOST, Applied, Change, Edit
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import TAG, Curated, Link, Move, Unlink
from memdesk.model.entity import ABOUT, ALIAS, ENTITY, RELATION, Alias, Entity, Relation
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.fact import FACT, Fact
from memdesk.model.goal import GOAL
from memdesk.model.kind import Kind, new_id
from memdesk.model.kinds import with_act
from memdesk.model.message import Message, message, verbatim
from memdesk.model.strategy import OUTCOME, STRATEGY
from memdesk.model.tool_call import TOOL_CALL
from memdesk.model.trust import of_record
from memdesk.model.turn import CONVERSATION, TURN
from memdesk.store import moving, records, semantic
from memdesk.store.connection import Connection
from memdesk.store.words import contains_name, folded

MOVABLE = with_act("move")
_BELONGINGS: dict[str, tuple[tuple[Kind[Any], str], ...]] = {
    ENTITY.name: ((ALIAS, "entity_id"), (RELATION, "source_id")),
    GOAL.name: ((RELATION, "source_id"),),
    STRATEGY.name: ((OUTCOME, "strategy_id"),),
    CONVERSATION.name: ((TURN, "conversation_id"), (TOOL_CALL, "conversation_id"), (RELATION, "source_id")),
}
"""Kinds of records that move with a memory, and the column that names it; its tags move as well."""
STEP = EDITS_AT_MOST - 20


def move(engine: Engine, ask: Move, *, author: str) -> Curated:
    """Move a memory to another channel. A long conversation takes several changes, which are one run.

    Raises NotFound, BadAsk for a kind that cannot be moved or a fact going to `_global`, Conflict if the
    memory is there already or the channel has the same claim, key or name."""
    with engine.store.reading() as db:
        kind, record = _movable(db, ask)
        title = str(getattr(record, kind.title))
        _refuse_double(db, record, " ".join(ask.channel.split()))
    channel = ensure_channel(engine, record.user_id, ask.channel, author=author)
    run = new_id("run", engine.clock())
    single = True

    def verb(db: Connection) -> tuple[Change | None, bool]:
        kind, record = _movable(db, ask)
        _refuse_double(db, record, channel)
        edits = _moves(engine, db, kind, record, channel)
        whole = len(edits) <= STEP
        if whole and kind is CONVERSATION:
            follow_channel(db, record.user_id, record.channel, channel, record.id)
        title = message("Moved to {channel}: {record}", channel=channel, record=getattr(record, kind.title))
        return Change(
            op="update",
            layer=kind.layer,
            title=titled(title, 120),
            author=author,
            edits=tuple(edits[:STEP]),
            channel=channel,
            user_id=record.user_id,
            run=None if whole and single else run,
            details={"from": record.channel, "to": channel, "reason": ask.reason},
        ), whole

    applied, whole = engine.store.decide(verb)
    while not whole:
        single = False
        applied, whole = engine.store.decide(verb)
    return _curated(applied, ask.id, title, None if single else run)


def link(engine: Engine, ask: Link, *, author: str) -> Curated:
    """Record that a fact is about an entity. Raises NotFound, Conflict if it is recorded already, or if
    either is retired."""

    def verb(db: Connection) -> tuple[Change | None, str]:
        fact, entity = _ends(db, ask)
        if fact.retired_at is not None or entity.retired_at is not None:
            raise Conflict(message("A retired memory is not linked."), next=message("Restore it first."))
        draft = Draft.of(engine, db, fact, fact.channel)
        if draft.relation(fact.id, entity.id, ABOUT, confidence=1.0, source_turn_id=None) is None:
            raise Conflict(message("The fact is about {entity} already.", entity=entity.name))
        title = message("About {entity}: {claim}", entity=entity.name, claim=fact.claim)
        return _linked(title, fact, author, draft.edits, ask.reason), fact.claim

    applied, title = engine.store.decide(verb)
    return _curated(applied, ask.fact_id, title)


def unlink(engine: Engine, ask: Unlink, *, author: str) -> Curated:
    """Remove the link from a fact to an entity. Raises NotFound if there is none."""

    def verb(db: Connection) -> tuple[Change | None, str]:
        fact, entity = _ends(db, ask)
        found = records.find(
            db, RELATION, source_id=fact.id, target_id=entity.id, type=ABOUT, retired_at=None
        )
        if not found:
            raise NotFound(message("The fact is not about {entity}.", entity=entity.name))
        edits = [records.update_edit(RELATION, each, retired_at=engine.clock()) for each in found]
        title = message("Not about {entity}: {claim}", entity=entity.name, claim=fact.claim)
        return _linked(title, fact, author, edits, ask.reason), fact.claim

    applied, title = engine.store.decide(verb)
    return _curated(applied, ask.fact_id, title)


def relink(draft: Draft, fact: Fact, claim: str) -> None:
    """Draft that a fact is about the entities that its new claim names, in place of those that only the old one named.

    What neither claim names stays, as does what a person linked by hand."""
    before, after = (folded(each).lower() for each in (fact.claim, claim))
    links = records.find(draft.db, RELATION, source_id=fact.id, type=ABOUT, retired_at=None)
    by_hand = semantic.linked_by_hand(draft.db, [link.id for link in links])
    for link in links:
        entity = records.get(draft.db, ENTITY, link.target_id)
        if entity is None or link.id in by_hand:
            continue
        names = (entity.name, *semantic.aliases_of(draft.db, entity.id))
        if _is_named(names, before) and not _is_named(names, after):
            draft.edits.append(records.update_edit(RELATION, link, retired_at=draft.at))
    for name in written_names(claim):
        entity = semantic.entity_named(draft.db, draft.user_id, (draft.channel,), name)
        # What the old claim named too is linked, or a person took the link away.
        if entity is not None and not contains_name(name, before):
            draft.relation(fact.id, entity.id, ABOUT, confidence=1.0, source_turn_id=None)


def _is_named(names: Iterable[str], plain: str) -> bool:
    return any(contains_name(name, plain) for name in names)


def _movable(db: Connection, ask: Move) -> tuple[Kind[Any], Any]:
    kind, record = records.any_record(db, ask.id)
    if kind.name not in MOVABLE:
        raise BadAsk(
            message("A {label} does not move by itself.", label=kind.label.lower()),
            next=message("These do: {movable}.", movable=", ".join(MOVABLE)),
        )
    channel = semantic.current_channel(db, record.user_id, " ".join(ask.channel.split()))
    if kind is FACT and channel == GLOBAL:
        raise BadAsk(message("A fact goes to _global by promotion, which keeps where it was learned."))
    if channel == record.channel:
        raise Conflict(message("It is in channel {channel} already.", channel=channel))
    return kind, record


def _refuse_double(db: Connection, record: Any, channel: str) -> None:
    channel = semantic.current_channel(db, record.user_id, channel)
    there = holder(db, record, channel)
    if there is not None and there.id != record.id:
        raise Conflict(
            message("Channel {channel} holds the same already, as {id}.", channel=channel, id=there.id),
            next=message("Retire one of the two instead."),
            details={"id": there.id},
        )


def holder(db: Connection, record: Any, channel: str) -> Any:
    """Return the current memory of a channel with the claim, key, name or ends of this one, None if there is none."""
    match record:
        case Fact():
            same = semantic.fact_claiming(db, record.user_id, channel, record.claim)
            key = record.key
            if same is not None or key is None:
                return same
            return semantic.fact_keyed(db, record.user_id, channel, record.agent_id, key)
        case Entity() | Alias():
            return semantic.entity_named(db, record.user_id, (channel,), record.name)
        case Relation():
            ends = {name: getattr(record, name) for name in ("source_id", "target_id", "type")}
            return next(iter(records.find(db, RELATION, **ends, retired_at=None, limit=1)), None)
        case _:
            return None


def _moves(engine: Engine, db: Connection, kind: Kind[Any], record: Any, channel: str) -> list[Edit]:
    """Return the edits of a move, the memory itself last: if the list is cut, the rest is found again by the
    next call."""
    own = [*_BELONGINGS.get(kind.name, ()), (TAG, "record_id")]
    edits = [
        records.update_edit(belonging, each, channel=channel)
        for belonging, column in own
        for each in records.many(db, belonging, column, [record.id])
        if each.channel != channel
    ]
    if kind is FACT:
        edits += _ties(engine, db, record, channel)
    return [*edits, records.update_edit(kind, record, channel=channel)]


def _ties(engine: Engine, db: Connection, fact: Fact, channel: str) -> list[Edit]:
    """Return edits that relate a moved fact to the entities of its new channel; its sources stay where they are."""
    draft = Draft.of(engine, db, fact, channel)
    for relation, end in list(moving.relations_at(db, fact.id)):
        entity = records.get(db, ENTITY, relation.target_id)
        if (
            end == "target_id"
            or relation.type != ABOUT
            or entity is None
            or entity.channel in (channel, GLOBAL)
        ):
            continue
        draft.door = of_record(entity)
        id, _ = draft.entity(entity.name, type=entity.type, description=entity.description)
        draft.relation(
            fact.id, id, ABOUT, confidence=relation.confidence, source_turn_id=relation.source_turn_id
        )
        draft.edits.append(records.update_edit(RELATION, relation, retired_at=draft.at))
    return draft.edits


def _ends(db: Connection, ask: Link | Unlink) -> tuple[Fact, Entity]:
    fact = records.need(db, FACT, ask.fact_id)
    entity = records.need(db, ENTITY, ask.entity_id)
    if fact.user_id != entity.user_id:
        raise BadAsk(message("Memories of two users are not linked."))
    return fact, entity


def _linked(title: Message, fact: Fact, author: str, edits: list[Edit], reason: str) -> Change:
    return Change.about(
        fact,
        "update",
        titled(title, 120),
        author=author,
        edits=edits,
        details={"reason": reason} if reason else {},
    )


def _curated(applied: Applied | None, id: str, title: str, run: str | None = None) -> Curated:
    assert applied is not None
    return Curated(id=id, change=applied.id, title=verbatim(title), run=run)
