"""Three tiers of facts, after OpenLegion: the nearest categories, the facts in them, then all facts.

There is no threshold: the third tier is used only if the second has fewer facts than wanted."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from memdesk.engine import salience
from memdesk.engine.engine import Engine
from memdesk.engine.recall.asked import Asked
from memdesk.engine.recall.categories import nearest_categories
from memdesk.engine.recall.fusion import Scored
from memdesk.engine.recall.pool import Pool
from memdesk.engine.recall.ranking import Ranking, add, weigh
from memdesk.engine.recall.technique import Find, likeness, meaning
from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.fact import FACT
from memdesk.model.instant import DAY
from memdesk.model.recall import Technique
from memdesk.store import recalling, recalls
from memdesk.store.connection import Connection

CATEGORIES = 3
VECTOR_SHARE = 0.7
KEYWORD_SHARE = 0.3
"""Share of the words in a score; it, CATEGORIES and VECTOR_SHARE are OpenLegion's values."""


def rank_by_tiers(
    engine: Engine, db: Connection, pool: Pool, asked: Asked, finds: Mapping[str, Find]
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
        note=f"Nearest categories: {', '.join(near)}." if near else "No category could be compared.",
    )
    return ranking


def _near_categories(engine: Engine, db: Connection, asked: Asked) -> Sequence[str]:
    """Return the categories nearest to the query, nearest first; none if there are no vectors."""
    try:
        vector = meaning(engine, [asked.text])
    except EmbedderUnavailable:
        vector = None
    if vector is None:
        return ()
    centres = recalling.centroids(db, asked.query.user_id, asked.channels)
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
