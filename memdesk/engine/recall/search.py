"""Recall: answers one query with one bundle, in which each hit has its score parts and provenance."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from memdesk.engine.engine import Engine
from memdesk.engine.providers.asking import asking
from memdesk.engine.recall.asked import Asked, asked
from memdesk.engine.recall.choosing import Choice
from memdesk.engine.recall.context import context
from memdesk.engine.recall.hits import cuts_of, hits_of
from memdesk.engine.recall.journey import Journey, travel
from memdesk.engine.recall.layer import told
from memdesk.engine.recall.reinforcement import write_down
from memdesk.engine.recall_cache import Answered, Returned
from memdesk.engine.recall_metrics import BASE, RECALL
from memdesk.model.entity import Entity
from memdesk.model.instant import SECOND
from memdesk.model.recall import Bundle, Query, Technique
from memdesk.store import recalling
from memdesk.store.connection import Connection


def recall(engine: Engine, query: Query, *, author: str) -> Bundle:
    """Recall for an agent: the returned memories are reinforced, and the recall is written into the audit
    timeline.

    Raises BadAsk for an empty or too long query, an unknown kind, or a value out of range."""
    started = time.perf_counter()
    with asking(RECALL), engine.store.reading() as db:
        whole = asked(engine, db, query)
        answered, cached = _answered(engine, db, whole)
    took_s = time.perf_counter() - started
    write_down(engine, whole.query, answered, author=author, took_us=round(took_s * 1e6))
    engine.recall_metrics.ran(RECALL, took_s * 1e3, found=len(answered.bundle.hits))
    return replace(answered.bundle, took_ms=took_s * 1e3, cached=cached)


def preview(engine: Engine, query: Query) -> Bundle:
    """Return the bundle that a recall would return, for a person who tests a query.

    No memory is reinforced, and the recall is neither recorded nor cached. Raises as `recall` does."""
    started = time.perf_counter()
    with asking(RECALL), engine.store.reading() as db:
        bundle = _fresh(engine, db, asked(engine, db, query)).bundle
    return replace(bundle, took_ms=(time.perf_counter() - started) * 1e3)


def _answered(engine: Engine, db: Connection, whole: Asked) -> tuple[Answered, bool]:
    """Return the answer, and True if it came from the cache: same query, same settings, and no change since."""
    settings = engine.settings
    if not settings.recall_cache_seconds:
        return _fresh(engine, db, whole), False
    key = (repr(whole.query), settings, recalling.stamp(db))
    known = engine.answers.get(key)
    if known and 0 <= engine.clock() - known.at < settings.recall_cache_seconds * SECOND:
        return known, True
    answered = _fresh(engine, db, whole)
    engine.answers.keep(key, answered)
    return answered, False


def _fresh(engine: Engine, db: Connection, whole: Asked) -> Answered:
    journey = travel(engine, db, whole)
    engine.recall_metrics.ran(BASE, journey.base_ms, found=len(journey.pool.reached))
    return Answered(
        at=engine.clock(), bundle=_bundle(engine, db, journey), returned=_returned(journey, journey.choice)
    )


def _bundle(engine: Engine, db: Connection, journey: Journey) -> Bundle:
    pool, choice, narrowed = journey.pool, journey.choice, journey.asked
    hits = hits_of(engine, db, pool, journey.ranking, choice.kept)
    return Bundle(
        query=narrowed.query.text,
        hits=hits,
        channels=narrowed.channels,
        took_ms=0.0,
        notices=(*pool.notices, *damaged_among(db), *_nothing_relevant(journey)),
        techniques=told(engine, journey.looked, pool.reached, tuple(_ranked(journey))),
        cut=cuts_of(pool, choice.left),
        crossed=sum(hit.channel != narrowed.active for hit in hits),
        **context(engine, db, narrowed),
    )


def _ranked(journey: Journey) -> Iterator[Technique]:
    """Yield the reports of the techniques that are part of the ranking: hybrid words, the three tiers, and
    the reranker."""
    words = journey.ranking.words
    if "hybrid" in journey.asked.techniques:
        added = sum(seq not in journey.pool.cosines for seq in words)
        yield Technique(name="hybrid", took_ms=journey.ranking.words_ms, found=len(words), added=added)
    for also in (journey.ranking.tiers, journey.ranking.reranked):
        if also is not None:
            yield also


def damaged_among(db: Connection) -> tuple[str, ...]:
    """Return a sentence if this reading met damaged rows and left them out; empty otherwise."""
    count = len({(each.kind, each.seq) for each in db.left_out})
    if not count:
        return ()
    if count == 1:
        return ("One memory is damaged on the disk and left out. `memdesk verify` says which.",)
    return (f"{count} memories are damaged on the disk and left out. `memdesk verify` says which.",)


def _nothing_relevant(journey: Journey) -> tuple[str, ...]:
    """Return a sentence if all memories found are under the floor; empty otherwise."""
    under = [left for left in journey.choice.left if left.by == "floor"]
    if journey.choice.kept or not under:
        return ()
    best = max(journey.ranking.relevances.get(left.scored.seq, 0.0) for left in under)
    floor = journey.asked.floor
    return (f"Nothing relevant was found: the best has a relevance of {best:.2f}, the floor is {floor:.2f}.",)


def _returned(journey: Journey, choice: Choice) -> tuple[Returned, ...]:
    """Return the records to reinforce: the entity itself, if one of its names was found."""
    found = []
    for scored in choice.kept:
        source = journey.pool.sources[scored.seq]
        seq = source.seq if isinstance(source, Entity) else scored.seq
        found.append(Returned(seq=seq, score=scored.score, parts=scored.parts, source=source))
    return tuple(found)
