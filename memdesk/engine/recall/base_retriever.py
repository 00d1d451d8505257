"""AgentX's base retriever: each kind by its own formula over its own similarities. Pure sums."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from memdesk.engine.recall.fusion import Scored
from memdesk.engine.recall.line import Item
from memdesk.engine.recall.timeliness import recency

ALL_EQUAL = 0.5
"""What every similarity of a list is worth when they do not differ."""
ACTIVE = 1.2
"""What the channel asked in multiplies, unless it is `_global`."""
LISTS = {
    "turn": "episodic",
    "fact": "facts",
    "entity": "entities",
    "alias": "entities",
    "strategy": "procedural",
}
"""The weight that a kind goes by; what AgentX does not know (passages, goals) goes by the facts'."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """weights: by AgentX's names. now: UTC microseconds. depth: how many of each list count (AgentX: twice the limit).

    active: whether the channel asked in is a project's.
    """

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
    """Best first: the weighted similarity of each list's nearest, stretched from 0 to 1 within the list.

    A turn adds recency; a fact is worth its confidence, salience and truth, an entity its salience, a strategy its
    success. truths: by search number. also: what counts though it is not among the nearest.
    """
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
    """Values of a list from its least, 0, to its greatest, 1."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    return [(value - low) / (high - low) if high > low else ALL_EQUAL for value in values]


def _scored(item: Item, meaning: float, formula: Formula) -> Scored:
    parts = {"meaning": meaning}
    if item.kind == "turn":
        parts["recency"] = formula.weights["recency"] * recency(item.at, formula.now, formula.half_life_hours)
    if item.here and formula.active:
        parts["here"] = sum(parts.values()) * (ACTIVE - 1)
    return Scored(seq=item.seq, score=sum(parts.values()), parts=tuple(parts.items()))
