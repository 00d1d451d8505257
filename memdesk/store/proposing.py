"""Reads of the review queue: what waits for a person, and what was asked before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.model.proposal import PROPOSAL, Proposal
from memdesk.store.connection import Connection, marks

_COLUMNS = ",".join(PROPOSAL.columns)
_PAIR = "((subject_id = ? AND other_id IS ?) OR (other_id IS ? AND subject_id = ?))"
_CURRENT = (
    "NOT EXISTS (SELECT 1 FROM facts WHERE id IN (subject_id, other_id) "
    "AND (facts.retired_at IS NOT NULL OR superseded_by IS NOT NULL)) "
    "AND NOT EXISTS (SELECT 1 FROM entities WHERE id IN (subject_id, other_id) AND entities.retired_at IS NOT NULL)"
)
"""A question about memory that has left meanwhile answers itself; it waits again when that comes back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which questions are asked for. types, channels: empty for all. before: only those with a lower number."""

    user_id: str
    state: str
    types: Sequence[str] = ()
    channels: Sequence[str] = ()
    before: int | None = None


def asked(db: Connection, type: str, subject_id: str, other_id: str | None) -> bool:
    """Whether this was ever proposed, either way round: nothing is decided twice."""
    return bool(
        db.value(
            f"SELECT 1 FROM proposals WHERE type = ? AND retired_at IS NULL AND {_PAIR}",
            (type, subject_id, other_id, subject_id, other_id),
        )
    )


def between(db: Connection, type: str, subject_id: str, other_id: str | None) -> list[Proposal]:
    """Every question of a type about one memory or a pair, either way round, oldest first."""
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM proposals WHERE type = ? AND retired_at IS NULL AND {_PAIR} ORDER BY seq",
        (type, subject_id, other_id, subject_id, other_id),
    )
    return [_proposal(row) for row in rows]


def questions(db: Connection, wanted: Wanted, limit: int) -> list[Proposal]:
    """Questions of the queue, newest first, `limit` at most."""
    where, params = _condition(wanted)
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM proposals WHERE {where} ORDER BY seq DESC LIMIT ?", (*params, limit)
    )
    return [_proposal(row) for row in rows]


def counted(db: Connection, wanted: Wanted) -> dict[tuple[str, str], int]:
    """How many questions there are by (type, channel)."""
    where, params = _condition(wanted)
    rows = db.rows(
        f"SELECT type, channel, count(*) FROM proposals WHERE {where} GROUP BY type, channel ORDER BY type, channel",
        params,
    )
    return {(type, channel): number for type, channel, number in rows}


def _condition(wanted: Wanted) -> tuple[str, list[Any]]:
    where, params = ["user_id = ?", "retired_at IS NULL"], list[Any]((wanted.user_id,))
    if wanted.state != "all":
        where.append("status = ?")
        params.append(wanted.state)
    if wanted.state == "open":
        where.append(_CURRENT)
    for column, values in (("type", wanted.types), ("channel", wanted.channels)):
        if values:
            where.append(f"{column} IN ({marks(values)})")
            params.extend(values)
    if wanted.before is not None:
        where.append("seq < ?")
        params.append(wanted.before)
    return " AND ".join(where), params


def _proposal(row: Sequence[Any]) -> Proposal:
    return Proposal(**dict(zip(PROPOSAL.columns, row, strict=True)))
