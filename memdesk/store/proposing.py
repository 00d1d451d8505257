"""Reads of the review queue: open questions, and earlier ones."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.model.curation import TAKEN_OUT
from memdesk.model.fact import claim_hash
from memdesk.model.review import FADING, PROPOSAL, QUARANTINE, SECRET, Proposal
from memdesk.store.connection import Connection, conditions
from memdesk.store.records import columns_of, read_all

_COLUMNS = columns_of(PROPOSAL)
_PAIR = "((subject_id = ? AND other_id IS ?) OR (other_id IS ? AND subject_id = ?))"
_CURRENT = (
    "NOT EXISTS (SELECT 1 FROM facts WHERE id IN (subject_id, other_id) "
    "AND (facts.retired_at IS NOT NULL OR superseded_by IS NOT NULL)) "
    "AND NOT EXISTS (SELECT 1 FROM entities WHERE id IN (subject_id, other_id) AND entities.retired_at IS NOT NULL)"
)
"""Condition that leaves out questions about memory that was retired or superseded since; they return when it
does."""
_WAITS = f"(type IN ('{QUARANTINE}', '{SECRET}', '{FADING}') OR {_CURRENT})"
LATER = "later"
"""State of open questions that are put off until a future time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Filter of questions. state: one of STATES, LATER or all. types, channels: empty for all.

    now: UTC microseconds; without it, questions put off count as open like the rest. before: only those with
    a lower number."""

    user_id: str
    state: str
    now: int | None = None
    types: Sequence[str] = ()
    channels: Sequence[str] = ()
    before: int | None = None


def was_proposed(db: Connection, type: str, subject_id: str, other_id: str | None) -> bool:
    """Return True if this was ever proposed, in either order, so that no question is asked twice."""
    return bool(
        db.value(
            f"SELECT 1 FROM proposals WHERE type = ? AND retired_at IS NULL AND {_PAIR}",
            (type, subject_id, other_id, subject_id, other_id),
        )
    )


def is_open(db: Connection, user_id: str, type: str) -> bool:
    """Return True if a question of this type waits for an answer of this user."""
    return bool(
        db.value(
            "SELECT 1 FROM proposals WHERE user_id = ? AND type = ? AND status = 'open' AND retired_at IS NULL",
            (user_id, type),
        )
    )


def kept(db: Connection, *, since: int) -> set[str]:
    """Return the ids of faded memory that people decided to keep since a time."""
    rows = db.rows(
        "SELECT each.value FROM proposals, json_each(details, '$.ids') AS each WHERE proposals.type = ? "
        "AND decision = 'keep' AND decided_at >= ? AND retired_at IS NULL",
        (FADING, since),
    )
    return {id for (id,) in rows}


def proposals_about(db: Connection, type: str, subject_id: str, other_id: str | None) -> list[Proposal]:
    """Return every question of a type about one memory or a pair, in either order, oldest first."""
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM proposals WHERE type = ? AND retired_at IS NULL AND {_PAIR} ORDER BY seq",
        (type, subject_id, other_id, subject_id, other_id),
    )
    return read_all(db, PROPOSAL, rows)


def open_of_type(db: Connection, user_id: str, type: str) -> list[Proposal]:
    """Return the open questions of a type, oldest first."""
    sql = f"SELECT {_COLUMNS} FROM proposals WHERE user_id = ? AND status = 'open' AND type = ? AND retired_at IS NULL"
    return read_all(db, PROPOSAL, db.rows(f"{sql} ORDER BY seq", (user_id, type)))


def open_about(db: Connection, ids: Sequence[str]) -> list[Proposal]:
    """Return the open questions about these records, on either side."""
    found: dict[str, Proposal] = {}
    for side in ("subject_id", "other_id"):
        rows = db.rows(
            f"SELECT {columns_of(PROPOSAL, qualified=True)} FROM json_each(?) AS asked CROSS JOIN proposals "
            f"ON {side} = value AND status = 'open' AND proposals.retired_at IS NULL",
            (json.dumps(ids),),
        )
        found |= {each.id: each for each in read_all(db, PROPOSAL, rows)}
    return list(found.values())


def quarantined(id: str) -> str:
    """Return the SQL condition that a record is quarantined. id: the SQL expression of its id."""
    return (
        f"{id} IN (SELECT subject_id FROM proposals WHERE type = '{QUARANTINE}' AND status = 'open' "
        "AND retired_at IS NULL)"
    )


def quarantined_among(db: Connection, ids: Sequence[str]) -> set[str]:
    """Return those of these records that are quarantined."""
    # CROSS JOIN keeps SQLite to the order written: from those few to their questions, not through all that wait.
    rows = db.rows(
        "SELECT DISTINCT value FROM json_each(?) AS asked CROSS JOIN proposals ON subject_id = value "
        f"AND proposals.type = '{QUARANTINE}' AND status = 'open' AND proposals.retired_at IS NULL",
        (json.dumps(ids),),
    )
    return {id for (id,) in rows}


def answered_among(db: Connection, ids: Sequence[str]) -> dict[str, list[str]]:
    """Return the answered questions about these records, on either side, by the record's id."""
    found: dict[str, list[str]] = {}
    for side in ("subject_id", "other_id"):
        rows = db.rows(
            f"SELECT value, proposals.id FROM json_each(?) AS asked CROSS JOIN proposals ON {side} = value "
            "AND status != 'open'",
            (json.dumps(ids),),
        )
        for id, question in rows:
            found.setdefault(id, []).append(question)
    return found


def contradictions_among(db: Connection, ids: Sequence[str]) -> list[tuple[str, str]]:
    """Return the open contradictions whose newer fact is one of these, as (newer, older), oldest first."""
    rows = db.rows(
        "SELECT subject_id, other_id FROM json_each(?) AS asked CROSS JOIN proposals ON subject_id = value "
        "AND proposals.type = 'contradiction' AND status = 'open' AND proposals.retired_at IS NULL "
        "AND other_id IS NOT NULL ORDER BY proposals.seq",
        (json.dumps(ids),),
    )
    return [(newer, older) for newer, older in rows]


def contradicted_among(db: Connection, ids: Sequence[str]) -> dict[str, str]:
    """Return the newest open contradiction of each of these facts that has one, on either side, by the fact's id."""
    found: dict[str, str] = {}
    for side in ("subject_id", "other_id"):
        # CROSS JOIN keeps SQLite to the order written: from those few to their questions, not through all that wait.
        rows = db.rows(
            f"SELECT value, proposals.id FROM json_each(?) AS asked CROSS JOIN proposals ON {side} = value "
            "AND proposals.type = 'contradiction' AND status = 'open' AND proposals.retired_at IS NULL "
            f"AND {_CURRENT} ORDER BY proposals.seq",
            (json.dumps(ids),),
        )
        found |= dict(rows)
    return found


def quarantined_fact(db: Connection, user_id: str, channel: str, claim: str) -> str | None:
    """Return the id of a quarantined fact with this claim in this channel, None if there is none. A fact that was
    taken out for good counts as one."""
    found: str | None = db.value(
        "SELECT facts.id FROM past_claims JOIN facts USING (seq) WHERE claim_hash = ? AND user_id = ? AND channel = ? "
        "AND EXISTS (SELECT 1 FROM proposals WHERE subject_id = facts.id "
        f"AND type = '{QUARANTINE}' AND (status = 'open' OR decision = '{TAKEN_OUT}') AND retired_at IS NULL) "
        "AND facts.retired_at IS NOT NULL ORDER BY seq LIMIT 1",
        (claim_hash(claim), user_id, channel),
    )
    return found


def latest(db: Connection) -> int:
    """Return the number of the newest question, 0 if there is none."""
    return int(db.value("SELECT ifnull(max(seq), 0) FROM proposals"))


def asked_since(db: Connection, seq: int) -> list[Proposal]:
    """Return every open question with a higher number, oldest first."""
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM proposals WHERE seq > ? AND status = 'open' AND retired_at IS NULL ORDER BY seq",
        (seq,),
    )
    return read_all(db, PROPOSAL, rows)


def questions(db: Connection, wanted: Wanted, limit: int) -> list[Proposal]:
    """Return questions of the queue, newest first, `limit` at most."""
    where, params = _condition(wanted)
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM proposals WHERE {where} ORDER BY seq DESC LIMIT ?", (*params, limit)
    )
    return read_all(db, PROPOSAL, rows)


def counted(db: Connection, wanted: Wanted) -> dict[tuple[str, str], int]:
    """Return the number of questions by (type, channel)."""
    where, params = _condition(wanted)
    rows = db.rows(
        f"SELECT type, channel, count(*) FROM proposals WHERE {where} GROUP BY type, channel ORDER BY type, channel",
        params,
    )
    return {(type, channel): number for type, channel, number in rows}


def _condition(wanted: Wanted) -> tuple[str, list[Any]]:
    compared: dict[str, Any] = {
        "user_id = ? AND retired_at IS NULL": wanted.user_id,
        "seq < ?": wanted.before,
    }
    is_open = wanted.state in ("open", LATER)
    if is_open:
        compared["later_until > ?" if wanted.state == LATER else "ifnull(later_until, 0) <= ?"] = wanted.now
    elif wanted.state != "all":
        compared["status = ?"] = wanted.state
    where, params = conditions(compared, {"type": wanted.types, "channel": wanted.channels})
    return (f"{where} AND status = 'open' AND {_WAITS}" if is_open else where), params
