"""AgentX's base retriever: each kind is scored by its own formula over its own similarities. Pure sums."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from memdesk.engine.recall.fusion import Scored
from memdesk.engine.recall.line import Item
from memdesk.engine.recall.timeliness import recency

ALL_EQUAL = 0.5
"""Stretched value of every similarity in a list if they do not differ."""
ACTIVE = 1.2
"""Factor for memories of the channel asked in, unless it is `_global`."""
LISTS = {
    "turn": "episodic",
    "fact": "facts",
    "entity": "entities",
    "alias": "entities",
    "strategy": "procedural",
}
"""Weight name of each kind; kinds that AgentX does not know (passages, goals) use that of facts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """Parameters of the base scores.

    weights: by AgentX's names. now: UTC microseconds. depth: how many of each list count (AgentX: twice the
    limit). active:
    True if the channel asked in is a project's."""

    weights: Mapping[str, float]
    half_life_hours: float
    now: int
    depth: int
    active: bool


def base_scores(
    items: Sequence[Item],
    similarities: Mapping[int, float],
    truths: Mapping[int, float],
    formula: Formula,
    *,
    also: Container[int] = (),
) -> list[Scored]:
    """Return scores, best first: the similarity of each list's nearest items, stretched from 0 to 1 and
    weighted.

    A turn adds recency; the score of a fact is multiplied by its confidence, salience and truth, that of an
    entity by its salience, that of a strategy by its success rate. truths: by search number. also: items that
    count although they are not among the nearest."""
    scored: list[Scored] = []
    for name in sorted({_list_of(item) for item in items}):
        near = _nearest([item for item in items if _list_of(item) == name], similarities, formula.depth, also)
        stretched = _stretched([similarities[item.seq] for item in near])
        for item, similarity in zip(near, stretched, strict=True):
            worth = item.confidence * item.salience * truths[item.seq]
            scored.append(_scored(item, formula.weights[name] * similarity * worth, formula))
    return sorted(scored, key=lambda each: (-each.score, each.seq))


def _list_of(item: Item) -> str:
    return LISTS.get(item.kind, "facts")


def _nearest(
    items: Sequence[Item], similarities: Mapping[int, float], depth: int, also: Container[int]
) -> list[Item]:
    listed = [item for item in items if item.seq in similarities]
    listed.sort(key=lambda item: (-similarities[item.seq], item.seq))
    return listed[:depth] + [item for item in listed[depth:] if item.seq in also]


def _stretched(values: Sequence[float]) -> list[float]:
    """Return the values scaled from the lowest, 0, to the highest, 1; ALL_EQUAL if they do not differ."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    return [(value - low) / (high - low) if high > low else ALL_EQUAL for value in values]


def _scored(item: Item, meaning: float, formula: Formula) -> Scored:
    parts = {"meaning": meaning}
    if item.kind == "turn":
        parts["recency"] = formula.weights["recency"] * recency(item.at, formula.now, formula.half_life_hours)
    if item.here and formula.active:
        parts["here"] = sum(parts.values()) * (ACTIVE - 1)
    return Scored(seq=item.seq, score=sum(parts.values()), parts=tuple(parts.items()))
