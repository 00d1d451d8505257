"""Order of facts that contradict each other: the newer first, while a person is asked which of the two is true."""

from __future__ import annotations

from dataclasses import replace

from memdesk.engine.recall.candidates import Pool
from memdesk.engine.recall.ranking import Ranking, add
from memdesk.store import proposing
from memdesk.store.connection import Connection

NAME = "newer"
"""Part of the score that puts a fact before the one it contradicts."""
AHEAD = 1e-6


def newer_first(db: Connection, pool: Pool, ranking: Ranking, most: int) -> Ranking:
    """Return the ranking with every newer fact before the older one that it contradicts, by an open question.

    most: how many of the best memories are looked at."""
    best = [each for each in ranking.scored[:most] if ranking.items[each.seq].kind == "fact"]
    seqs = {pool.sources[each.seq].id: each.seq for each in best}
    scores = {each.seq: each for each in ranking.scored}
    moved = False
    for newer, older in proposing.contradictions_among(db, sorted(seqs)):
        if older not in seqs:
            continue
        ahead, behind = scores[seqs[newer]], scores[seqs[older]]
        if ahead.score <= behind.score:
            scores[seqs[newer]] = add(ahead, NAME, behind.score - ahead.score + AHEAD)
            moved = True
    if not moved:
        return ranking
    return replace(ranking, scored=sorted(scores.values(), key=lambda each: -each.score))
