"""HyDE: search with an answer that the language model imagines (Gao et al. 2022). Skipped without a model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from memdesk.engine.engine import Engine
from memdesk.engine.recall.query import ResolvedQuery
from memdesk.engine.wording import shortened
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import EmbedderUnavailable, ModelUnavailable
from memdesk.model.fact import CATEGORIES
from memdesk.store import recalls, search
from memdesk.store.connection import Connection
from memdesk.store.search import Vector

LISTED = 40
"""Most memories that a technique lists: after this place its share is small."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TechniqueResult:
    """Result of one technique. seqs: search numbers, best first. ties: certainty, 0 to 1, of those it vouches
    for.

    asked: the query narrowed by the technique, None if unchanged. aside: the technique could not run."""

    seqs: Sequence[int] = ()
    ties: Mapping[int, float] = field(default_factory=dict)
    asked: ResolvedQuery | None = None
    aside: bool = False
    says: str = ""


def nearest(engine: Engine, db: Connection, asked: ResolvedQuery, texts: Sequence[str]) -> list[int]:
    """Return the memories nearest to the joint meaning of these texts, best first. Raises
    EmbedderUnavailable."""
    vector = meaning(engine, texts)
    if vector is None:
        return []
    return [seq for seq, _ in search.by_vector(db, vector, asked.scope, engine.embedder.name)[:LISTED]]


def meaning(engine: Engine, texts: Sequence[str]) -> Vector | None:
    """Return the unit vector of the texts' summed vectors; None if no text has a known word."""
    total = engine.embedder.embed(list(texts)).sum(axis=0)
    length = float(np.linalg.norm(total))
    return None if length == 0 else np.asarray(total / length, np.float32)


def likeness(cosine: float) -> float:
    """Return 1 / (1 + L2 distance) of two unit vectors with this cosine: 1 if equal, 0.41 if orthogonal."""
    return 1 / (1 + math.sqrt(max(0.0, 2 - 2 * cosine)))


def without_vectors(error: EmbedderUnavailable) -> TechniqueResult:
    """Return the result of a technique of meaning if there are no vectors."""
    return TechniqueResult(aside=True, says=error.says)


ALIKE = 0.7
"""Likeness to a category's centre that a fact must exceed to join it (OpenLegion): a cosine over 0.908."""
Centroids = Mapping[str, npt.NDArray[np.float64]]
"""Centre of each category's facts, as a unit vector."""


def category_for(engine: Engine, claim: str, user_id: str, channel: str) -> str:
    """Return the category for a new claim in this channel; plain "fact" if none is near enough, or vectors
    are off."""
    try:
        vector = meaning(engine, [claim])
    except EmbedderUnavailable:
        vector = None
    if vector is None:
        return CATEGORIES[0]
    with engine.store.reading() as db:
        centres = recalls.centroids(db, user_id, tuple(dict.fromkeys((channel, GLOBAL))))
    near = nearest_categories(centres, vector, 1)
    return near[0] if near and likeness(float(centres[near[0]] @ vector)) > ALIKE else CATEGORIES[0]


def nearest_categories(centres: Centroids, vector: Vector, most: int) -> Sequence[str]:
    """Return at most `most` categories, by the nearness of their centres to a unit vector, nearest first."""
    return sorted(centres, key=lambda name: (-float(centres[name] @ vector), name))[:most]


TEMPERATURE = 0.7
TOKENS = 150
"""Most tokens of the imagined answer; it and the temperature are AgentX's values."""
_TASK = (
    "Write the passage that would answer the question, as somebody might have noted it down: two or three plain "
    "sentences in the language of the question, without preamble. Where you do not know, make up likely details."
)


def search_imagined(engine: Engine, db: Connection, asked: ResolvedQuery) -> TechniqueResult:
    """Find memories near to an imagined answer. Only its meaning is used: its details are invented."""
    if engine.language is None:
        return TechniqueResult(aside=True, says="No language model is set that could imagine an answer.")
    try:
        told = engine.language.complete(
            system=_TASK, prompt=asked.text, max_tokens=TOKENS, temperature=TEMPERATURE
        ).text.strip()
        if not told:
            return TechniqueResult(
                aside=True, says=f"The language model {engine.language.name} imagined nothing."
            )
        return TechniqueResult(
            seqs=nearest(engine, db, asked, [told]), says=f"Imagined: “{shortened(told, 160)}”"
        )
    except (ModelUnavailable, EmbedderUnavailable) as error:
        return TechniqueResult(aside=True, says=error.says)
