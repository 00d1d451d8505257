"""The pool a recall ranks: what holds the query's words, what lies near its meaning, and the turns around both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np

from memdesk.engine.engine import Engine
from memdesk.engine.recall.evidence import POSTING_MAX, Posting, posting, strongest
from memdesk.engine.recall.line import RADIUS, Item
from memdesk.engine.recall.rows import salience_now
from memdesk.engine.recall.words import named, subject, terms
from memdesk.model.document import DOCUMENT, Document
from memdesk.model.entity import ALIAS, ENTITY, Alias, Entity
from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.fact import FACT
from memdesk.model.goal import GOAL
from memdesk.model.instant import optional_instant
from memdesk.model.procedure import STRATEGY
from memdesk.store import recalls, records, search
from memdesk.store.connection import Connection
from memdesk.store.search import Scope, Vector

POOL = 200
"""Memories taken by their words: twice as many rank no better on LoCoMo."""
NEAR = 640
"""Memories taken by their meaning: as many as one channel and `_global` give at most, however many are searched."""
UNTRIED = 0.5
"""The success rate of a strategy that nobody has tried (AgentX)."""


@dataclass(slots=True, kw_only=True)
class Pool:
    """What may be returned. `sources` holds by search number what an item stands for: the entity, for an alias.

    size: how many memories were searched. cosines: for every item that has a vector; empty when vectors are off.
    """

    items: list[Item] = field(default_factory=list)
    sources: dict[int, Any] = field(default_factory=dict)
    postings: list[Posting] = field(default_factory=list)
    cosines: dict[int, float] = field(default_factory=dict)
    speakers: frozenset[str] = frozenset()
    size: int = 0
    notices: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageSource:
    """A passage of a document, with the document."""

    document: Document
    heading: str
    first_line: int
    last_line: int
    text: str


def gather(
    engine: Engine,
    db: Connection,
    text: str,
    scope: Scope,
    *,
    active: str | None,
    typing: bool = False,
    also: Sequence[int] = (),
) -> Pool:
    """Everything within the scope that the query's words or meaning reach.

    active: the channel asked in. typing: the last word may be a beginning. also: memories of the scope that something
    else found, by search number.
    """
    pool = Pool()
    pool.size, newest = search.size_of(db, scope)
    asked_for = terms(text)
    lists = [
        search.postings(db, term, scope, POSTING_MAX, beginning=typing and number == len(asked_for))
        for number, term in enumerate(asked_for, start=1)
    ]
    pool.postings = [posting(seqs, newest=newest, rows=pool.size) for seqs in lists]
    best = strongest(pool.postings, rows=pool.size, limit=POOL)
    kinds = records.by_kind(db, best)
    _add_turns(db, pool, kinds.get("turn", []), active)
    asked = set(best)
    pool.speakers = named(text, {item.speaker for item in pool.items if item.seq in asked and item.speaker})
    vector = _vector(engine, db, subject(text, pool.speakers), pool)
    near = (
        []
        if vector is None
        else [seq for seq, _ in search.by_vector(db, vector, scope, engine.embedder.name)[:NEAR]]
    )
    fresh = [seq for seq in dict.fromkeys((*near, *also)) if seq not in asked]
    more = records.by_kind(db, fresh)
    _add_turns(db, pool, [seq for seq in more.get("turn", []) if seq not in pool.sources], active)
    for kind in (FACT, ENTITY):
        found = records.many(db, kind, "seq", [*kinds.get(kind.name, []), *more.get(kind.name, [])])
        _add_semantic(engine, db, pool, found, active)
    for kind in (STRATEGY, GOAL):
        found = records.many(db, kind, "seq", [*kinds.get(kind.name, []), *more.get(kind.name, [])])
        _add_plans(db, pool, kind.name, found, active)
    _add_aliases(db, pool, [*kinds.get("alias", []), *more.get("alias", [])], active)
    known = {seq for part in (kinds, more) for seqs in part.values() for seq in seqs}
    _add_passages(db, pool, [seq for seq in (*best, *fresh) if seq not in known], active)
    if vector is not None:
        pool.cosines = search.cosines(db, vector, [item.seq for item in pool.items], engine.embedder.name)
    return pool


def within(pool: Pool, since: datetime | None, until: datetime | None) -> Pool:
    """The pool without what lies outside the asked time."""
    low = optional_instant(since)
    high = optional_instant(until)
    pool.items = [
        item for item in pool.items if (low is None or low <= item.at) and (high is None or item.at < high)
    ]
    return pool


def _vector(engine: Engine, db: Connection, text: str, pool: Pool) -> Vector | None:
    if not db.vectors:
        pool.notices.append("This SQLite cannot search vectors, so words alone answered.")
        return None
    try:
        vector: Vector = engine.embedder.embed([text])[0]
    except EmbedderUnavailable as error:
        pool.notices.append(f"{error.says} Words alone answered.")
        return None
    return vector if np.any(vector) else None


def _add_turns(db: Connection, pool: Pool, seqs: Sequence[int], active: str | None) -> None:
    for turn in search.turns_around(db, seqs, RADIUS):
        if turn.seq in pool.sources:
            continue
        pool.sources[turn.seq] = turn
        pool.items.append(
            Item(
                seq=turn.seq, kind="turn", text=turn.content, at=turn.created_at, conversation=turn.conversation_id,
                index=turn.turn_index, speaker=turn.speaker, here=_here(turn.channel, active),
            )
        )  # fmt: skip


def _add_semantic(
    engine: Engine, db: Connection, pool: Pool, found: Sequence[Any], active: str | None
) -> None:
    used = recalls.uses(db, [record.seq for record in found])
    for record in found:
        pool.sources[record.seq] = record
        is_fact = hasattr(record, "claim")
        pool.items.append(
            Item(
                seq=record.seq, kind="fact" if is_fact else "entity", at=record.created_at,
                text=record.claim if is_fact else f"{record.name} {record.description}",
                confidence=record.confidence if is_fact else 1.0,
                salience=salience_now(engine, record, used.get(record.seq)), here=_here(record.channel, active),
            )
        )  # fmt: skip


def _add_plans(db: Connection, pool: Pool, kind: str, found: Sequence[Any], active: str | None) -> None:
    """Strategies and goals. A strategy is as sure as it has succeeded."""
    rates = recalls.success_rates(db, [record.id for record in found])
    for record in found:
        pool.sources[record.seq] = record
        more = record.context_pattern if kind == STRATEGY.name else record.result
        pool.items.append(
            Item(
                seq=record.seq, kind=kind, text=f"{record.description} {more}", at=record.created_at,
                confidence=rates.get(record.id, UNTRIED) if kind == STRATEGY.name else 1.0,
                here=_here(record.channel, active),
            )
        )  # fmt: skip


def _add_aliases(db: Connection, pool: Pool, seqs: Sequence[int], active: str | None) -> None:
    aliases: list[Alias] = records.many(db, ALIAS, "seq", seqs)
    entities: dict[str, Entity] = {
        each.id: each
        for each in records.many(db, ENTITY, "id", sorted({alias.entity_id for alias in aliases}))
        if each.retired_at is None
    }
    for alias in aliases:
        if alias.entity_id in entities:
            here = _here(alias.channel, active)
            pool.sources[alias.seq] = entities[alias.entity_id]
            pool.items.append(
                Item(seq=alias.seq, kind="alias", text=alias.name, at=alias.created_at, here=here)
            )


def _add_passages(db: Connection, pool: Pool, seqs: Sequence[int], active: str | None) -> None:
    found = search.passages_at(db, seqs)
    documents = {
        doc.id: doc for doc in records.many(db, DOCUMENT, "id", sorted({row[0] for row in found.values()}))
    }
    for seq, (document_id, heading, first, last, text) in found.items():
        document = documents[document_id]
        pool.sources[seq] = PassageSource(
            document=document, heading=heading, first_line=first, last_line=last, text=text
        )
        here = _here(document.channel, active)
        pool.items.append(Item(seq=seq, kind="passage", text=text, at=document.updated_at, here=here))


def _here(channel: str, active: str | None) -> bool:
    return active is None or channel == active
