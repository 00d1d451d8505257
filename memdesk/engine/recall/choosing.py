"""Choice of the ranked memories to return: each once, above the floor, spread over conversations, up to the
limit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from memdesk.engine.recall.asked import Asked
from memdesk.engine.recall.fusion import Scored
from memdesk.engine.recall.pool import Pool
from memdesk.engine.recall.ranking import Ranking
from memdesk.engine.recall.sources import PassageSource
from memdesk.model.fact import Fact

CUTS = 10
"""Most memories reported as left out, the best first."""
COMPARABLE = 0.9
"""Share of a turn's score that a memory of another conversation needs to come before it, if the turn's
conversation has had its turns. From 0.85 to 0.95 this gains half a point on LoCoMo; placing such turns
after all others would cost four."""

BESIDE_BETTER = 0.2
"""Share of the floor that a memory needs if another hit reaches the floor: answers are often related to a
query only through their neighbours. Requiring the full floor of each hit would cost three points on
LoCoMo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """Ranked memory that is not returned. by: duplicate, floor, diversity or limit."""

    scored: Scored
    by: str
    says: str


@dataclass(slots=True, kw_only=True)
class Choice:
    """Result of choosing. kept: memories to return, in order. left: the rest, best score first."""

    kept: list[Scored] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)


def choose(pool: Pool, ranking: Ranking, asked: Asked) -> Choice:
    """Return the best `limit` memories of a ranking by the rules of the query, and the memories left out."""
    choice = Choice()
    alone = _one_of_each(pool, ranking, choice)
    relevant = list(_over_floor(pool, alone, ranking, asked, choice))
    ordered = spread(relevant, lambda scored: _conversation(ranking, scored), asked.per_conversation)
    choice.kept = ordered[: asked.limit]
    kept = {scored.seq for scored in choice.kept}
    best = {scored.seq for scored in relevant[: asked.limit]}
    for scored in relevant:
        if scored.seq not in kept:
            choice.left.append(_crowded(scored, asked) if scored.seq in best else _too_low(scored, asked))
    choice.left.sort(key=lambda left: -left.scored.score)
    return choice


def spread(
    ranked: Sequence[Scored], conversation_of: Callable[[Scored], str | None], most: int
) -> list[Scored]:
    """Return the ranked memories, with the surplus turns of a conversation after comparable memories of
    others.

    A turn is surplus if its conversation already has `most` before it; it moves only behind memories with at
    least COMPARABLE of its score. most: 0 for any number."""
    if most == 0:
        return list(ranked)
    had: Counter[str] = Counter()
    worth: list[tuple[float, Scored]] = []
    for scored in ranked:
        conversation = conversation_of(scored)
        crowded = conversation is not None and had[conversation] >= most
        worth.append((scored.score * (COMPARABLE if crowded else 1.0), scored))
        if conversation is not None:
            had[conversation] += 1
    return [scored for _, scored in sorted(worth, key=lambda pair: -pair[0])]


def same_memory(seq: int, source: Any) -> tuple[str, ...]:
    """Return ids that equal memories share: a promoted fact also has the id of its original."""
    match source:
        case Fact(promoted_from=str(original)):
            return (source.id, original)
        case PassageSource():
            return (f"passage {seq}",)
        case _:
            return (source.id,)


def _one_of_each(pool: Pool, ranking: Ranking, choice: Choice) -> list[Scored]:
    """Return the ranking without repeats, best first: an entity once for all its names, a promoted fact or
    its original."""
    seen: set[str] = set()
    alone = []
    for scored in ranking.scored:
        if ranking.items[scored.seq].kind == "turn":
            alone.append(scored)
            continue
        source = pool.sources[scored.seq]
        names = same_memory(scored.seq, source)
        if not seen.intersection(names):
            alone.append(scored)
        elif source.id not in seen:
            says = "Its original or its promoted copy comes back instead."
            choice.left.append(Left(scored=scored, by="duplicate", says=says))
        seen.update(names)
    return alone


def _over_floor(
    pool: Pool, ranked: Sequence[Scored], ranking: Ranking, asked: Asked, choice: Choice
) -> Iterator[Scored]:
    """Yield the memories that are relevant enough: none if even the best `limit` are under the floor.

    If one of them reaches it, BESIDE_BETTER of the floor is enough for the others."""
    enough = any(_ratio(pool, ranking, scored, asked.floor) >= 1 for scored in ranked[: asked.limit])
    least = BESIDE_BETTER if enough else 1.0
    for scored in ranked:
        if _ratio(pool, ranking, scored, asked.floor) >= least:
            yield scored
        else:
            relevance = ranking.relevances.get(scored.seq, 0.0)
            says = f"Its relevance {relevance:.2f} is under {asked.floor * least:.2f}."
            choice.left.append(Left(scored=scored, by="floor", says=says))


def _ratio(pool: Pool, ranking: Ranking, scored: Scored, floor: float) -> float:
    """Return relevance divided by the floor. A memory without a vector is judged by its words alone, by half
    the floor."""
    needed = floor if scored.seq in pool.cosines else floor / 2
    return ranking.relevances.get(scored.seq, 0.0) / needed if needed else 1.0


def _conversation(ranking: Ranking, scored: Scored) -> str | None:
    return ranking.items[scored.seq].conversation


def _crowded(scored: Scored, asked: Asked) -> Left:
    says = f"{asked.per_conversation} turns of its conversation come back already, and others had their turn."
    return Left(scored=scored, by="diversity", says=says)


def _too_low(scored: Scored, asked: Asked) -> Left:
    return Left(scored=scored, by="limit", says=f"{asked.limit} memories rank before it.")
