"""Stages of a recall, run in order and kept in full, so that the result can be explained afterwards."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, replace

from memdesk.engine.engine import Engine
from memdesk.engine.recall.asked import Asked
from memdesk.engine.recall.choosing import CUTS, Choice, choose
from memdesk.engine.recall.layer import Looked, look
from memdesk.engine.recall.narrowing import Away, admitted, narrow
from memdesk.engine.recall.pool import Pool, gather
from memdesk.engine.recall.ranking import Ranking, rank
from memdesk.engine.recall.rerank import rerank
from memdesk.engine.recall.tiers import rank_by_tiers
from memdesk.store import recalling
from memdesk.store.connection import Connection

NOTHING_THEN = "Nothing to the point was told in the time that the query names, so all times were searched."


@dataclass(frozen=True, slots=True, kw_only=True)
class Journey:
    """Results of every stage. asked: the query as the techniques changed it. away: reason of each removal by
    a filter.

    base_ms: duration of gathering by words and vectors."""

    asked: Asked
    looked: Looked
    pool: Pool
    away: dict[int, Away]
    ranking: Ranking
    choice: Choice
    base_ms: float


def travel(engine: Engine, db: Connection, asked: Asked, *, everything: bool = False) -> Journey:
    """Run the stages of a recall: look, gather, narrow, rank and choose.

    everything: rank all memories found, not only those that can be returned. If the query itself names a
    time, and no relevant memory is from it, the search is repeated for all times."""
    looked = look(engine, db, asked)
    journey = _travel(engine, db, looked, looked.asked, everything)
    if not looked.asked.read or journey.choice.kept:
        return journey
    journey = _travel(engine, db, looked, replace(looked.asked, read=()), everything)
    journey.pool.notices.append(NOTHING_THEN)
    return journey


def _travel(engine: Engine, db: Connection, looked: Looked, asked: Asked, everything: bool) -> Journey:
    due = recalling.within(db, asked.scope, admitted(db, asked))
    also = (*recalling.within(db, asked.scope, looked.seqs), *due)
    started = time.perf_counter()
    pool = gather(engine, db, asked.text, asked.scope, active=asked.active, also=also)
    base_ms = (time.perf_counter() - started) * 1e3
    away = narrow(engine, db, pool, asked)
    most = len(pool.items) if everything else 3 * asked.limit + 30
    if asked.query.tiers:
        ranking = rank_by_tiers(engine, db, pool, asked, looked.finds)
    else:
        ranking = rank(engine, pool, asked, looked.finds, most=most, due=due)
    ranking = rerank(engine, ranking, asked)
    choice = choose(pool, ranking, asked)
    while bad := pool.sources.damaged(_shown(choice)):
        ranking = replace(ranking, scored=[each for each in ranking.scored if each.seq not in bad])
        choice = choose(pool, ranking, asked)
    return Journey(
        asked=asked, looked=looked, pool=pool, away=away, ranking=ranking, choice=choice, base_ms=base_ms
    )


def _shown(choice: Choice) -> list[int]:
    return [each.seq for each in (*choice.kept, *(left.scored for left in choice.left[:CUTS]))]


def counts(journey: Journey) -> dict[str, int]:
    """Return the number of memories left after each stage that removes some. Each name of an entity counts
    separately."""
    away = Counter(each.by for each in journey.away.values())
    left = Counter(each.by for each in journey.choice.left)
    after = {"scope": journey.pool.size, "search": len(journey.pool.items) + away.total()}
    after["time"] = after["search"] - away["time"]
    after["filters"] = after["time"] - away["filters"]
    after["ranking"] = len(journey.ranking.scored)
    # An entity found by two of its names is one from here on, without a word of what was left.
    after["duplicate"] = len(journey.choice.kept) + left.total() - left["duplicate"]
    after["floor"] = after["duplicate"] - left["floor"]
    after["diversity"] = after["floor"] - left["diversity"]
    after["budget"] = len(journey.choice.kept)
    return after
