"""What the techniques of the recall layer share: what one hands back, and the search by meaning that several make."""

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
"""Memories a technique lists at most: past this place its word counts for little."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """What a technique found. seqs: search numbers, best first. ties: how surely, 0 to 1, for those it vouches for.

    asked: the query as it reads from here on, where the technique read something out of it. aside: it could not look.
    """

    seqs: Sequence[int] = ()
    ties: Mapping[int, float] = field(default_factory=dict)
    asked: Asked | None = None
    aside: bool = False
    says: str = ""


def nearest(engine: Engine, db: Connection, asked: Asked, texts: Sequence[str]) -> list[int]:
    """The memories nearest to what these texts mean together, best first. Raises EmbedderUnavailable."""
    vector = meaning(engine, texts)
    if vector is None:
        return []
    return [seq for seq, _ in search.by_vector(db, vector, asked.scope, engine.embedder.name)[:LISTED]]


def meaning(engine: Engine, texts: Sequence[str]) -> Vector | None:
    """The unit vector between those of the texts; None where none of them has a known word."""
    total = engine.embedder.embed(list(texts)).sum(axis=0)
    length = float(np.linalg.norm(total))
    return None if length == 0 else np.asarray(total / length, np.float32)


def likeness(cosine: float) -> float:
    """1 / (1 + L2 distance) of two unit vectors with this cosine: 1 for the same, 0.41 for nothing in common."""
    return 1 / (1 + math.sqrt(max(0.0, 2 - 2 * cosine)))


def without_vectors(error: EmbedderUnavailable) -> Find:
    """What a technique of meaning says where there are no vectors."""
    return Find(aside=True, says=error.says)
