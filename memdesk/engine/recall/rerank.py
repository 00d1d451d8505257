"""Reranking: a model, if one is set, reads the query with each of the best memories and scores them again."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from memdesk.engine import salience
from memdesk.engine.engine import Engine
from memdesk.engine.memory.categories import likeness, meaning, nearest_categories
from memdesk.engine.recall.candidates import Pool
from memdesk.engine.recall.fusion import Scored
from memdesk.engine.recall.query import ResolvedQuery
from memdesk.engine.recall.ranking import Ranking, add, weigh
from memdesk.engine.recall.techniques import TechniqueResult
from memdesk.model.errors import EmbedderUnavailable, ModelUnavailable
from memdesk.model.fact import FACT
from memdesk.model.instant import DAY
from memdesk.model.message import Message, message
from memdesk.model.recall import Technique
from memdesk.store import recalls
from memdesk.store.connection import Connection

CATEGORIES = 3
VECTOR_SHARE = 0.7
KEYWORD_SHARE = 0.3
"""Share of the words in a score; it, CATEGORIES and VECTOR_SHARE are OpenLegion's values."""


def rank_by_tiers(
    engine: Engine, db: Connection, pool: Pool, asked: ResolvedQuery, finds: Mapping[str, TechniqueResult]
) -> Ranking:
    """Rank facts of the three nearest categories first, then, if they are fewer than the limit, all others."""
    ranking = weigh(pool, asked, finds)
    started = time.perf_counter()
    near = _near_categories(engine, db, asked)
    facts = [item.seq for item in pool.items if item.kind == FACT.name]
    scored = _scored(engine, db, pool, ranking, facts)
    scoped = [each for each in scored if pool.sources[each.seq].category in near]
    flat = [each for each in scored if pool.sources[each.seq].category not in near]
    ranking.scored = scoped if len(scoped) >= asked.limit else [*scoped, *flat]
    ranking.places["categories"] = {each.seq: place for place, each in enumerate(scoped, start=1)}
    ranking.tiers = Technique(
        name="tiers",
        took_ms=(time.perf_counter() - started) * 1e3,
        found=len(scoped),
        note=message("Nearest categories: {near}.", near=", ".join(near))
        if near
        else message("No category could be compared."),
    )
    return ranking


def _near_categories(engine: Engine, db: Connection, asked: ResolvedQuery) -> Sequence[str]:
    """Return the categories nearest to the query, nearest first; none if there are no vectors."""
    try:
        vector = meaning(engine, [asked.text])
    except EmbedderUnavailable:
        vector = None
    if vector is None:
        return ()
    centres = recalls.centroids(db, asked.query.user_id, asked.channels)
    return nearest_categories(centres, vector, CATEGORIES)


def _scored(
    engine: Engine, db: Connection, pool: Pool, ranking: Ranking, facts: Sequence[int]
) -> list[Scored]:
    """Return (0.7 × likeness + 0.3 × words) × boost for each fact, best first."""
    used = recalls.uses(db, facts)
    words = stretched({seq: ranking.words[seq] for seq in facts if seq in ranking.words})
    now = engine.clock()
    scored = []
    for seq in facts:
        base = Scored(seq=seq, score=0.0, parts=())
        if seq in pool.cosines:
            base = add(base, "meaning", VECTOR_SHARE * likeness(pool.cosines[seq]))
        base = add(base, "words", KEYWORD_SHARE * words.get(seq, 0.0))
        use = used.get(seq)
        days = 0.0 if use is None else max(0, now - use.last_accessed) / DAY
        boost = salience.boost(0 if use is None else use.access_count, days)
        scored.append(add(base, "boost", base.score * (boost - 1)))
    return sorted(scored, key=lambda each: (-each.score, each.seq))


def stretched(values: Mapping[int, float]) -> dict[int, float]:
    """Return the values scaled from the lowest, 0, to the highest, 1; all 1 if they do not differ."""
    low, high = min(values.values(), default=0.0), max(values.values(), default=0.0)
    return {seq: (value - low) / (high - low) if high > low else 1.0 for seq, value in values.items()}


NAME = "rerank"
JUDGED = 30
"""Memories that the reranker reads, the best first: three times the default limit of a recall."""
WEIGHT = 1.0
"""Share of the best score that the reranker's best memory gains: as much as all other signals together."""
CHARACTERS = 2000
"""Most characters of each memory; rerankers read about 500 tokens."""


def rerank(engine: Engine, ranking: Ranking, asked: ResolvedQuery) -> Ranking:
    """Return the ranking with the reranker's scores, if the query asks for it.

    The reranker's scores are stretched from the lowest, 0, to the highest, 1, because their scale differs by
    model."""
    if NAME not in asked.techniques or not ranking.scored:
        return ranking
    started = time.perf_counter()
    best = ranking.scored[:JUDGED]
    texts = [ranking.items[each.seq].text[:CHARACTERS] for each in best]
    try:
        if engine.models.reranker is None:
            raise ModelUnavailable(message("No reranker is set."))
        judged = stretched(dict(engine.models.reranker.scores(asked.text, texts)))
    except ModelUnavailable as away:
        engine.recall_metrics.stepped_aside(NAME)
        return replace(
            ranking, reranked=_technique(started, 0, message("{says} The order stays.", says=away.says))
        )
    worth = WEIGHT * best[0].score
    # What it left unjudged gains nothing, and what it did not read stays behind what it read.
    scored = [add(each, NAME, worth * judged.get(at, 0.0)) for at, each in enumerate(best)]
    scored.sort(key=lambda each: -each.score)
    order = sorted(judged, key=lambda at: -judged[at])
    places = {best[at].seq: place for place, at in enumerate(order, start=1)}
    return replace(
        ranking,
        scored=[*scored, *ranking.scored[JUDGED:]],
        places=ranking.places | {NAME: places},
        reranked=_technique(
            started, len(judged), message("Judged by {reranker}.", reranker=engine.models.reranker.name)
        ),
    )


def _technique(started: float, found: int, note: Message) -> Technique:
    return Technique(name=NAME, took_ms=(time.perf_counter() - started) * 1e3, found=found, note=note)
