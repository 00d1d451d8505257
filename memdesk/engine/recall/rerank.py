"""Reranking: a model, if one is set, reads the query with each of the best memories and scores them again."""

from __future__ import annotations

import time
from dataclasses import replace

from memdesk.engine.engine import Engine
from memdesk.engine.recall.asked import Asked
from memdesk.engine.recall.ranking import Ranking, add
from memdesk.engine.recall.tiers import stretched
from memdesk.model.errors import ModelUnavailable
from memdesk.model.recall import Technique

NAME = "rerank"
JUDGED = 30
"""Memories that the reranker reads, the best first: three times the default limit of a recall."""
WEIGHT = 1.0
"""Share of the best score that the reranker's best memory gains: as much as all other signals together."""
CHARACTERS = 2000
"""Most characters of each memory; rerankers read about 500 tokens."""


def rerank(engine: Engine, ranking: Ranking, asked: Asked) -> Ranking:
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
            raise ModelUnavailable("No reranker is set.")
        judged = stretched(dict(engine.models.reranker.scores(asked.text, texts)))
    except ModelUnavailable as away:
        engine.recall_metrics.stepped_aside(NAME)
        return replace(ranking, reranked=_told(started, 0, f"{away.says} The order stays."))
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
        reranked=_told(started, len(judged), f"Judged by {engine.models.reranker.name}."),
    )


def _told(started: float, found: int, note: str) -> Technique:
    return Technique(name=NAME, took_ms=(time.perf_counter() - started) * 1e3, found=found, note=note)
