"""Memory that an earlier reading of a conversation brought. Reading it again brings back nothing that was superseded,
corrected, moved or taken out since."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memdesk.engine.extraction.findings import Found, FoundFact, FoundRelation
from memdesk.engine.memory.draft import protected
from memdesk.engine.wording import tidied
from memdesk.model.entity import DERIVED_FROM, ENTITY, RELATION, Entity
from memdesk.model.fact import FACT, Fact, claim_hash
from memdesk.model.turn import Conversation, Turn
from memdesk.store import records, semantic
from memdesk.store.connection import Connection


def without_earlier(
    db: Connection, talk: Conversation, turns: Sequence[Turn], found: Found
) -> tuple[Found, int]:
    """Return what these turns bring beyond the reading before, and how many facts of it are left out."""
    known = _facts_by_turn(db, turns)
    kept = protected(db, [fact.id for facts in known.values() for fact in facts])
    facts = tuple(
        fact
        for fact in found.facts
        if not semantic.has_past_claim(db, talk.user_id, talk.channel, fact.claim)
        and not any(_came_of(fact, each, each.id in kept) for each in known[fact.utterance_id])
    )
    named = [
        *(name for each in found.entities for name in (each.name, *each.aliases)),
        *(name for each in facts for name in each.about),
        *(name for each in found.relations for name in (each.source, each.target)),
    ]
    gone = {name for name in dict.fromkeys(named) if _is_taken_out(db, talk, name)}
    left = replace(
        found,
        facts=tuple(replace(each, about=tuple(n for n in each.about if n not in gone)) for each in facts),
        entities=tuple(each for each in found.entities if each.name not in gone),
        relations=tuple(_remaining(db, talk, found.relations, gone)),
        corrections=(),
    )
    return left, len(found.facts) - len(facts)


def _facts_by_turn(db: Connection, turns: Sequence[Turn]) -> dict[str, list[Fact]]:
    """Return the facts extracted from each turn, retired and moved ones too."""
    ids = [turn.id for turn in turns]
    bonds = [each for each in records.many(db, RELATION, "target_id", ids) if each.type == DERIVED_FROM]
    facts = {fact.id: fact for fact in records.many(db, FACT, "id", [each.source_id for each in bonds])}
    found = defaultdict[str, list[Fact]](list)
    for bond in bonds:
        if bond.source_id in facts:
            found[bond.target_id].append(facts[bond.source_id])
    return found


def _came_of(found: FoundFact, known: Fact, is_kept: bool) -> bool:
    """Return True if a known fact came of this claim: it says the same, or a person has changed what it says."""
    if claim_hash(known.claim) == claim_hash(found.claim):
        return True
    return is_kept and bool(found.quote) and known.quote == found.quote


def _is_taken_out(db: Connection, talk: Conversation, name: str) -> bool:
    """Return True for a name that only retired entities of the channel have."""
    if semantic.entity_named(db, talk.user_id, (talk.channel,), name) is not None:
        return False
    found: list[Entity] = records.find(
        db, ENTITY, user_id=talk.user_id, name=tidied(name, "A name", len(name)), limit=20
    )
    return any(each.channel == talk.channel for each in found)


def _remaining(
    db: Connection, talk: Conversation, relations: Sequence[FoundRelation], gone: set[str]
) -> Iterator[FoundRelation]:
    """Yield the relations that nobody has taken out."""
    for each in relations:
        ends = [
            semantic.entity_named(db, talk.user_id, (talk.channel,), name)
            for name in (each.source, each.target)
            if name not in gone
        ]
        if len(ends) < 2:
            continue
        source, target = ends
        if source and target and _is_related(db, source.id, target.id, each.type):
            continue
        yield each


def _is_related(db: Connection, source_id: str, target_id: str, type: str) -> bool:
    """Return True if two entities are or were related."""
    return bool(records.find(db, RELATION, source_id=source_id, target_id=target_id, type=type, limit=1))
