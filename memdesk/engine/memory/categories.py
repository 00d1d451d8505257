"""Category of a fact that is stored without one: that of the facts nearest to it in meaning."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from memdesk.engine.engine import Engine
from memdesk.engine.wording import tidied
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.fact import CATEGORIES
from memdesk.model.message import message
from memdesk.store import recalls
from memdesk.store.search import Vector

CATEGORY_CHARACTERS = 60


def meaning(engine: Engine, texts: Sequence[str]) -> Vector | None:
    """Return the unit vector of the texts' summed vectors; None if no text has a known word."""
    total = engine.embedder.embed(list(texts)).sum(axis=0)
    length = float(np.linalg.norm(total))
    return None if length == 0 else np.asarray(total / length, np.float32)


def likeness(cosine: float) -> float:
    """Return 1 / (1 + L2 distance) of two unit vectors with this cosine: 1 if equal, 0.41 if orthogonal."""
    return 1 / (1 + math.sqrt(max(0.0, 2 - 2 * cosine)))


def tidied_category(name: str) -> str:
    """Return the name of a category as it is stored: in lower case, its words with single spaces. Raises BadAsk."""
    return tidied(name, message("A category"), CATEGORY_CHARACTERS).lower()


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
    with engine.store.reading(together=False) as db:
        centres = recalls.centroids(db, user_id, tuple(dict.fromkeys((channel, GLOBAL))))
    near = nearest_categories(centres, vector, 1)
    return near[0] if near and likeness(float(centres[near[0]] @ vector)) > ALIKE else CATEGORIES[0]


def nearest_categories(centres: Centroids, vector: Vector, most: int) -> Sequence[str]:
    """Return at most `most` categories, by the nearness of their centres to a unit vector, nearest first."""
    return sorted(centres, key=lambda name: (-float(centres[name] @ vector), name))[:most]
