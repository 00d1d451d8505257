"""Reads of sessions and compactions: active compactions, archived turns, and facts derived from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.model.compaction import COMPACTION, Compaction
from memdesk.model.fact import FACT, Fact
from memdesk.model.session import SESSION, Session
from memdesk.model.turn import TURN, Turn
from memdesk.store.connection import Connection, marks
from memdesk.store.records import columns_of, read, read_all


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionFilter:
    """Filter of compactions. before: only numbers under this one. Empty and None mean all."""

    user_id: str
    conversation_id: str | None = None
    session_id: str | None = None
    channels: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    retired: bool | None = None
    before: int | None = None


def standing(db: Connection, conversation_id: str) -> list[Compaction]:
    """Return the compactions of a conversation that were not undone, newest first."""
    sql = (
        f"SELECT {columns_of(COMPACTION)} FROM compactions WHERE conversation_id = ? AND retired_at IS NULL "
        "ORDER BY seq DESC"
    )
    return _compactions(db, sql, (conversation_id,))


def compactions(db: Connection, wanted: CompactionFilter, limit: int) -> list[Compaction]:
    """Return compactions that match a filter, newest first."""
    where, params = ["user_id = ?"], list[Any]([wanted.user_id])
    for condition, value in (
        ("conversation_id = ?", wanted.conversation_id),
        ("session_id = ?", wanted.session_id),
        ("seq < ?", wanted.before),
    ):
        if value is not None:
            where.append(condition)
            params.append(value)
    for column, values in (("channel", wanted.channels), ("agent_id", wanted.agents)):
        if values:
            where.append(f"{column} IN ({marks(values)})")
            params.extend(values)
    if wanted.retired is not None:
        where.append(f"retired_at IS {'NOT ' if wanted.retired else ''}NULL")
    columns = columns_of(COMPACTION)
    sql = f"SELECT {columns} FROM compactions WHERE {' AND '.join(where)} ORDER BY seq DESC LIMIT ?"
    return _compactions(db, sql, (*params, limit))


def turns_between(
    db: Connection, conversation_id: str, first: int, last: int, *, skip: int = 0, limit: int = -1
) -> list[Turn]:
    """Return the turns of a conversation from one index to another, both included, retired ones too, in
    order."""
    rows = db.rows(
        f"SELECT {columns_of(TURN)} FROM turns WHERE conversation_id = ? AND turn_index BETWEEN ? AND ? "
        "ORDER BY turn_index LIMIT ? OFFSET ?",
        (conversation_id, first, last, limit, skip),
    )
    return read_all(db, TURN, rows)


def facts_of(
    db: Connection, conversation_id: str, first: int, last: int
) -> dict[str, tuple[Fact, list[int]]]:
    """Return current facts that were derived from these turns, with the indexes of the turns, by fact id."""
    columns = columns_of(FACT, qualified=True)
    rows = db.rows(
        f"SELECT turn_index, {columns} FROM turns JOIN relations ON target_id = turns.id AND type = 'DERIVED_FROM' "
        "AND relations.retired_at IS NULL JOIN facts ON facts.id = relations.source_id "
        "WHERE turns.conversation_id = ? AND turn_index BETWEEN ? AND ? AND facts.retired_at IS NULL "
        "AND superseded_by IS NULL ORDER BY turn_index, facts.seq",
        (conversation_id, first, last),
    )
    found: dict[str, tuple[Fact, list[int]]] = {}
    for index, *row in rows:
        if (fact := read(db, FACT, row)) is not None:
            found.setdefault(fact.id, (fact, []))[1].append(index)
    return found


def counted(db: Connection, conversation_id: str) -> tuple[int, int | None]:
    """Return (number of turns of a conversation, time of the last one)."""
    row = db.row("SELECT count(*), max(created_at) FROM turns WHERE conversation_id = ?", (conversation_id,))
    return (0, None) if row is None else (row[0], row[1])


def sessions(
    db: Connection, user_id: str, channels: Sequence[str], agent_id: str | None, limit: int
) -> list[Session]:
    """Return a user's sessions, the one whose conversation had the latest turn first."""
    where, params = ["sessions.user_id = ?", "sessions.retired_at IS NULL"], list[Any]([user_id])
    if channels:
        where.append(f"sessions.channel IN ({marks(channels)})")
        params.extend(channels)
    if agent_id is not None:
        where.append("sessions.agent_id = ?")
        params.append(agent_id)
    columns = columns_of(SESSION, qualified=True)
    rows = db.rows(
        f"SELECT {columns} FROM sessions WHERE {' AND '.join(where)} ORDER BY "
        "ifnull((SELECT max(created_at) FROM turns WHERE turns.conversation_id = sessions.conversation_id), "
        "sessions.created_at) DESC, seq DESC LIMIT ?",
        (*params, limit),
    )
    return read_all(db, SESSION, rows)


def _compactions(db: Connection, sql: str, params: Sequence[object]) -> list[Compaction]:
    return read_all(db, COMPACTION, db.rows(sql, params))
