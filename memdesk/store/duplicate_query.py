"""Reads for finding possible duplicates: current memories, their other names, and the similarity of two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from memdesk.model.entity import ENTITY, Entity
from memdesk.model.fact import FACT, Fact
from memdesk.model.kind import Kind
from memdesk.store.browsing import current, in_scope
from memdesk.store.connection import Connection
from memdesk.store.records import columns_of, read_all


def newest_entities(db: Connection, user_id: str, channels: Sequence[str], limit: int) -> list[Entity]:
    """Return current entities of a user, newest first."""
    return _newest(db, ENTITY, user_id, channels, limit)


def newest_facts(db: Connection, user_id: str, channels: Sequence[str], limit: int) -> list[Fact]:
    """Return current facts of a user, newest first."""
    return _newest(db, FACT, user_id, channels, limit)


def _newest(db: Connection, kind: Kind[Any], user_id: str, channels: Sequence[str], limit: int) -> list[Any]:
    where, params = in_scope(db, kind.table, user_id, channels)
    rows = db.rows(
        f"SELECT {columns_of(kind)} FROM {kind.table} WHERE {where} AND {current(kind.table)} "
        "ORDER BY seq DESC LIMIT ?",
        (*params, limit),
    )
    return read_all(db, kind, rows)


def aliases_by_entity(db: Connection, user_id: str) -> dict[str, list[str]]:
    """Return the other names of every entity of a user that has any."""
    found: dict[str, list[str]] = {}
    for entity, name in db.rows(
        "SELECT entity_id, name FROM aliases WHERE user_id = ? AND retired_at IS NULL ORDER BY seq",
        (user_id,),
    ):
        found.setdefault(entity, []).append(name)
    return found


def cosine_between(db: Connection, seq: int, other: int) -> float | None:
    """Return the cosine of two memories whose vectors come from one model; None if one has none yet."""
    rows = db.rows(
        "SELECT vector, model FROM searchable JOIN embeddings ON embeddings.id = embedding WHERE seq IN (?, ?)",
        (seq, other),
    )
    # Two memories with one text share one vector, and come as two rows all the same.
    if len(rows) < 2 or rows[0][1] != rows[1][1]:
        return None
    here, there = (np.frombuffer(row[0], np.float32) for row in rows)
    return float(here @ there)
