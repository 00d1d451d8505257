"""Reads for finding faults: current memories in order, their other names and use, and the similarity of two."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from memdesk.model.entity import ENTITY, Entity
from memdesk.model.fact import FACT, Fact
from memdesk.model.kind import Kind
from memdesk.store.browsing import current, in_scope
from memdesk.store.connection import Connection, marks
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


def _scope(user_id: str, channels: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    narrowed = f" AND channel IN ({marks(channels)})" if channels else ""
    return f"user_id = ? AND {current(FACT.table)}{narrowed}", (user_id, *channels)


def count(db: Connection, user_id: str, channels: Sequence[str]) -> int:
    """Count the current facts of a user; channels: empty for all."""
    where, params = _scope(user_id, channels)
    return int(db.value(f"SELECT count(*) FROM facts WHERE {where}", params))


def facts_after(db: Connection, user_id: str, channels: Sequence[str], seq: int, limit: int) -> list[Fact]:
    """Return the next current facts after a search number, in order."""
    where, params = _scope(user_id, channels)
    rows = db.rows(
        f"SELECT {columns_of(FACT)} FROM facts WHERE seq > ? AND {where} ORDER BY seq LIMIT ?",
        (seq, *params, limit),
    )
    return read_all(db, FACT, rows)


def unused_among(db: Connection, seqs: Sequence[int], before: int) -> list[int]:
    """Return those of these facts that were learned before a time and that no recall ever returned."""
    rows = db.rows(
        "SELECT facts.seq FROM json_each(?) AS asked CROSS JOIN facts ON facts.seq = asked.value "
        "LEFT JOIN usage ON usage.seq = facts.seq WHERE created_at < ? AND ifnull(access_count, 0) = 0",
        (json.dumps(list(seqs)), before),
    )
    return [seq for (seq,) in rows]


def source_is_gone(db: Connection, turn_id: str) -> bool:
    """Return True if the turn that a fact was read from is retired or deleted."""
    return db.value("SELECT 1 FROM turns WHERE id = ? AND retired_at IS NULL", (turn_id,)) is None


def asked_since(db: Connection, author: str, at: int) -> int:
    """Count the questions that a job asked since a time."""
    return int(
        db.value(
            "SELECT count(*) FROM proposals WHERE created_at >= ? AND details ->> 'by' = ?", (at, author)
        )
    )
