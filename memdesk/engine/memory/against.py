"""Facts that duplicate or contradict a given fact: found for a person to decide, never decided here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memdesk.engine.engine import Engine
from memdesk.engine.extraction.gate import RELATED_COSINE, Claimed, Duplicate, Flag, Held, Rules, judge
from memdesk.model.fact import Fact
from memdesk.store import records, search, semantic
from memdesk.store.connection import Connection
from memdesk.store.search import Scope

NEAR = 20
OF_ONE_SUBJECT = 50
"""Most facts about the same entities that a fact is compared with, the newest; in addition to the nearest in
meaning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """Result of comparing a fact with others. same: facts with the same claim in other words. contrary:
    (fact, reason for the contradiction)."""

    same: tuple[Fact, ...] = ()
    contrary: tuple[tuple[Fact, str], ...] = ()


def against(engine: Engine, db: Connection, fact: Fact, channel: str) -> Against:
    """Compare a fact with the current facts of a channel. The fact, its original and its copies are left out."""
    cosines = _near(engine, db, fact, channel)
    near: list[Fact] = [record for _, record in records.by_seq(db, cosines).values()]
    about = semantic.facts_about(db, fact.user_id, channel, semantic.subjects_of(db, fact.id), OF_ONE_SUBJECT)
    others = {each.id: each for each in (*near, *about) if not kin(fact, each)}.values()
    return compared(engine, fact, ((each, cosines.get(each.seq)) for each in others))


def compared(engine: Engine, fact: Fact, others: Iterable[tuple[Fact, float | None]]) -> Against:
    """Compare a fact with others, given as (fact, cosine or None if unknown)."""
    rules = Rules(duplicate_cosine=engine.settings.duplicate_cosine, contradictions="flag_review")
    told = Claimed(claim=fact.claim, confidence=fact.confidence, temporal=fact.temporal)
    same: list[Fact] = []
    contrary: list[tuple[Fact, str]] = []
    for other, cosine in others:
        match judge(told, [_held(other, cosine)], rules):
            case Duplicate():
                same.append(other)
            case Flag(reason=reason):
                contrary.append((other, reason))
    return Against(same=tuple(same), contrary=tuple(contrary))


def _held(fact: Fact, cosine: float | None) -> Held:
    return Held(
        id=fact.id, claim=fact.claim, confidence=fact.confidence, temporal=fact.temporal, cosine=cosine
    )


def _near(engine: Engine, db: Connection, fact: Fact, channel: str) -> dict[int, float]:
    """Return the cosines of the nearest facts of a channel by search number; empty while the fact has no
    vector.

    The fact's vector is read, not computed: this runs while a change is decided, and a model may be slow."""
    vector = search.vector_of(db, fact.seq, engine.embedder.name)
    if vector is None:
        return {}
    scope = Scope(user_id=fact.user_id, channels=(channel,), kinds=("fact",))
    found = search.by_vector(db, vector, scope, engine.embedder.name)[:NEAR]
    return {seq: cosine for seq, cosine in found if cosine >= RELATED_COSINE}


def kin(fact: Fact, other: Fact) -> bool:
    """Return True if two facts are the same, or one is the promoted copy of the other."""
    return other.id == fact.id or fact.promoted_from == other.id or other.promoted_from == fact.id
