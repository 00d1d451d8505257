"""Category of a fact stored without one: the category whose facts are nearest to it (OpenLegion)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from memdesk.engine.engine import Engine
from memdesk.engine.recall.technique import likeness, meaning
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import EmbedderUnavailable
from memdesk.model.fact import CATEGORIES
from memdesk.store import recalling
from memdesk.store.search import Vector

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
        centres = recalling.centroids(db, user_id, tuple(dict.fromkeys((channel, GLOBAL))))
    near = nearest_categories(centres, vector, 1)
    return near[0] if near and likeness(float(centres[near[0]] @ vector)) > ALIKE else CATEGORIES[0]


def nearest_categories(centres: Centroids, vector: Vector, most: int) -> Sequence[str]:
    """Return at most `most` categories, by the nearness of their centres to a unit vector, nearest first."""
    return sorted(centres, key=lambda name: (-float(centres[name] @ vector), name))[:most]
