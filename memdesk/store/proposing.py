"""Reads of the review queue: what waits for a person, and what was asked before."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.model.fact import claim_hash
from memdesk.model.proposal import PROPOSAL, QUARANTINE, Proposal
from memdesk.store.connection import Connection, marks
from memdesk.store.records import columns_of, read_all

_COLUMNS = columns_of(PROPOSAL)
_PAIR = "((subject_id = ? AND other_id IS ?) OR (other_id IS ? AND subject_id = ?))"
_CURRENT = (
    "NOT EXISTS (SELECT 1 FROM facts WHERE id IN (subject_id, other_id) "
    "AND (facts.retired_at IS NOT NULL OR superseded_by IS NOT NULL)) "
    "AND NOT EXISTS (SELECT 1 FROM entities WHERE id IN (subject_id, other_id) AND entities.retired_at IS NOT NULL)"
)
"""A question about memory that has left meanwhile answers itself; it waits again when that comes back."""
_WAITS = f"(type = '{QUARANTINE}' OR {_CURRENT})"
LATER = "later"
"""Open, and put off until a time to come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which questions are asked for. state: one of STATES, LATER or all. types, channels: empty for all.

    now: UTC microseconds; without it, what was put off is open like the rest. before: only those with a lower
    number."""

    user_id: str
    state: str
    now: int | None = None
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
    return read_all(db, PROPOSAL, rows)


def quarantined(id: str) -> str:
    """The SQL condition that a record is held out of recall. id: the expression for its id."""
    return (
        f"{id} IN (SELECT subject_id FROM proposals WHERE type = '{QUARANTINE}' AND status = 'open' "
        "AND retired_at IS NULL)"
    )


def held_out(db: Connection, ids: Sequence[str]) -> set[str]:
    """Those of these records that are held out of recall."""
    # CROSS JOIN keeps SQLite to the order written: from those few to their questions, not through all that wait.
    rows = db.rows(
        "SELECT DISTINCT value FROM json_each(?) AS asked CROSS JOIN proposals ON subject_id = value "
        f"AND proposals.type = '{QUARANTINE}' AND status = 'open' AND proposals.retired_at IS NULL",
        (json.dumps(ids),),
    )
    return {id for (id,) in rows}


def fact_held_out(db: Connection, user_id: str, channel: str, claim: str) -> str | None:
    """The id of a fact with this claim that is held out of recall in this channel, None where there is none."""
    found: str | None = db.value(
        "SELECT facts.id FROM past_claims JOIN facts USING (seq) WHERE claim_hash = ? AND user_id = ? AND channel = ? "
        "AND EXISTS (SELECT 1 FROM proposals WHERE subject_id = facts.id "
        f"AND type = '{QUARANTINE}' AND status = 'open' AND retired_at IS NULL) ORDER BY seq LIMIT 1",
        (claim_hash(claim), user_id, channel),
    )
    return found


def latest(db: Connection) -> int:
    """The number of the youngest question, 0 where there is none."""
    return int(db.value("SELECT ifnull(max(seq), 0) FROM proposals"))


def asked_since(db: Connection, seq: int) -> list[Proposal]:
    """Every open question younger than a number, oldest first."""
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM proposals WHERE seq > ? AND status = 'open' AND retired_at IS NULL ORDER BY seq",
        (seq,),
    )
    return read_all(db, PROPOSAL, rows)


def questions(db: Connection, wanted: Wanted, limit: int) -> list[Proposal]:
    """Questions of the queue, newest first, `limit` at most."""
    where, params = _condition(wanted)
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM proposals WHERE {where} ORDER BY seq DESC LIMIT ?", (*params, limit)
    )
    return read_all(db, PROPOSAL, rows)


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
    if wanted.state in ("open", LATER):
        where += ["status = 'open'", _WAITS]
        if wanted.now is not None:
            where.append("later_until > ?" if wanted.state == LATER else "ifnull(later_until, 0) <= ?")
            params.append(wanted.now)
    elif wanted.state != "all":
        where.append("status = ?")
        params.append(wanted.state)
    for column, values in (("type", wanted.types), ("channel", wanted.channels)):
        if values:
            where.append(f"{column} IN ({marks(values)})")
            params.extend(values)
    if wanted.before is not None:
        where.append("seq < ?")
        params.append(wanted.before)
    return " AND ".join(where), params
