"""Shared parts of the recall layer's techniques: their result, and the search by meaning that several use."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from memdesk.engine.engine import Engine
from memdesk.engine.recall.asked import Asked
from memdesk.model.errors import EmbedderUnavailable
from memdesk.store import search
from memdesk.store.connection import Connection
from memdesk.store.search import Vector

LISTED = 40
"""Most memories that a technique lists: after this place its share is small."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """Result of one technique. seqs: search numbers, best first. ties: certainty, 0 to 1, of those it vouches
    for.

    asked: the query narrowed by the technique, None if unchanged. aside: the technique could not run."""

    seqs: Sequence[int] = ()
    ties: Mapping[int, float] = field(default_factory=dict)
    asked: Asked | None = None
    aside: bool = False
    says: str = ""


def nearest(engine: Engine, db: Connection, asked: Asked, texts: Sequence[str]) -> list[int]:
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


def without_vectors(error: EmbedderUnavailable) -> Find:
    """Return the result of a technique of meaning if there are no vectors."""
    return Find(aside=True, says=error.says)
