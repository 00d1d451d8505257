"""Lineage of memories downwards: from a source to everything that was stored from it or derived from it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from memdesk.model.context import COMPACTION
from memdesk.model.fact import FACT, Fact
from memdesk.model.message import message
from memdesk.model.session import SESSION
from memdesk.store import records
from memdesk.store.connection import Connection, marks
from memdesk.store.records import chunks

QUOTES_IT = message("Has words of it")
"""Reason of a memory that repeats words of a turn."""
_WITH_AGENT = ("turns", "facts", "entities", "goals", "strategies", "tool_calls")
_OF_CONVERSATION = ("turns", "goals", "tool_calls", "outcomes", "compactions")
_TOOL_ROLES = "('tool', 'function')"


def of_conversations(db: Connection, ids: Iterable[str]) -> Iterator[str]:
    """Yield the ids of what was stored in these conversations, and their own."""
    wanted = sorted(set(ids))
    for chunk in chunks(wanted):
        for table in _OF_CONVERSATION:
            yield from _ids(db, f"SELECT id FROM {table} WHERE conversation_id IN ({marks(chunk)})", chunk)
        yield from _ids(db, f"SELECT id FROM conversations WHERE id IN ({marks(chunk)})", chunk)


def conversations_of_session(db: Connection, user_id: str, session_id: str) -> set[str]:
    """Return the ids of the conversations that a session has had."""
    found = {
        each.conversation_id for each in records.find(db, COMPACTION, user_id=user_id, session_id=session_id)
    }
    for before, after in db.rows("SELECT before, after FROM edits WHERE record = ?", (session_id,)):
        for fields in (before, after):
            if fields is not None and (id := json.loads(fields).get("conversation_id")):
                found.add(id)
    session = records.get(db, SESSION, session_id)
    return found if session is None else found | {session.conversation_id}


def by_author(db: Connection, user_id: str, author: str) -> Iterator[str]:
    """Yield the ids of the records that an author created."""
    yield from _ids(
        db,
        "SELECT record FROM changes JOIN edits ON change = changes.id WHERE author = ? AND user_id = ? "
        "AND before IS NULL",
        (author, user_id),
    )


def with_agent(db: Connection, user_id: str, agent_id: str) -> Iterator[str]:
    """Yield the ids of the records that belong to an agent."""
    for table in _WITH_AGENT:
        yield from _ids(db, f"SELECT id FROM {table} WHERE user_id = ? AND agent_id = ?", (user_id, agent_id))


def by_run(db: Connection, run: str) -> Iterator[str]:
    """Yield the ids of the records that a run created."""
    yield from _ids(
        db,
        "SELECT record FROM changes JOIN edits ON change = changes.id WHERE run = ? AND before IS NULL",
        (run,),
    )


def of_tool(db: Connection, user_id: str, tool: str) -> Iterator[str]:
    """Yield the ids of a tool's calls and of the turns with its output."""
    calls = "SELECT id FROM tool_calls WHERE user_id = ? AND tool_name = ?"
    yield from _ids(db, calls, (user_id, tool))
    yield from _ids(
        db,
        "SELECT turns.id FROM tool_calls JOIN turns ON turns.id = turn_id WHERE tool_calls.user_id = ? "
        f"AND tool_name = ? AND role IN {_TOOL_ROLES}",
        (user_id, tool),
    )
    yield from _ids(
        db,
        f"SELECT id FROM turns WHERE user_id = ? AND role IN {_TOOL_ROLES} AND (speaker = ? "
        "OR ? IN (metadata ->> '$.tool', metadata ->> '$.tool_name', "
        "metadata ->> '$.name'))",
        (user_id, tool, tool),
    )


def derived(db: Connection, ids: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield (id, reason) of the records that were derived from these: read from them, promoted from them, or
    attached to them."""
    for chunk in chunks(sorted(set(ids))):
        some = marks(chunk)
        for sql, why in (
            (
                f"SELECT source_id FROM relations WHERE target_id IN ({some}) AND type = 'QUOTES' "
                "AND retired_at IS NULL",
                QUOTES_IT,
            ),
            (f"SELECT id FROM facts WHERE source_turn_id IN ({some})", message("Read from a turn of it")),
            (
                f"SELECT source_id FROM relations WHERE target_id IN ({some}) AND type = 'DERIVED_FROM' "
                "AND retired_at IS NULL",
                message("Read from it"),
            ),
            (f"SELECT id FROM relations WHERE source_turn_id IN ({some})", message("Read from a turn of it")),
            (
                f"SELECT id FROM relations WHERE source_id IN ({some})",
                message("Relation of a memory that goes"),
            ),
            (
                f"SELECT id FROM relations WHERE target_id IN ({some})",
                message("Relation of a memory that goes"),
            ),
            (f"SELECT id FROM facts WHERE promoted_from IN ({some})", message("Promoted copy")),
            (f"SELECT id FROM tool_calls WHERE turn_id IN ({some})", message("Tool call of a turn of it")),
            (
                f"SELECT id FROM aliases WHERE entity_id IN ({some})",
                message("Other name of an entity that goes"),
            ),
            (f"SELECT id FROM tags WHERE record_id IN ({some})", message("Tag of a memory that goes")),
            (
                f"SELECT id FROM outcomes WHERE strategy_id IN ({some})",
                message("Use of a strategy that goes"),
            ),
            (
                f"SELECT id FROM proposals WHERE subject_id IN ({some}) AND status = 'open'",
                message("Question about a memory that goes"),
            ),
            (
                f"SELECT id FROM proposals WHERE other_id IN ({some}) AND status = 'open'",
                message("Question about a memory that goes"),
            ),
            (
                "SELECT compactions.id FROM turns JOIN compactions USING (conversation_id) "
                f"WHERE turns.id IN ({some}) AND turn_index BETWEEN first_index AND last_index",
                message("Summary that covers a turn of it"),
            ),
        ):
            for id in _ids(db, sql, chunk):
                yield id, why


def other_sources(db: Connection, fact_id: str) -> set[str]:
    """Return the ids of the turns and files that a fact was read from."""
    return set(
        _ids(
            db,
            "SELECT target_id FROM relations WHERE source_id = ? AND type = 'DERIVED_FROM' AND retired_at IS NULL",
            (fact_id,),
        )
    )


def lone_entities(db: Connection, gone: set[str]) -> Iterator[str]:
    """Yield the entities that were created together with memories that go and have relations to nothing else."""
    sql = (
        "SELECT entities.id FROM relations JOIN entities ON entities.id IN (source_id, target_id) "
        "WHERE relations.id IN (*) AND entities.retired_at IS NULL AND NOT pinned"
    )
    ends: set[str] = {id for (id,) in records.rows_among(db, sql, sorted(gone))}
    for id in sorted(ends - gone):
        ties = _ids(
            db, "SELECT id FROM relations WHERE ? IN (source_id, target_id) AND retired_at IS NULL", (id,)
        )
        if not set(ties) - gone and _born_with(db, id, gone):
            yield id


def _born_with(db: Connection, id: str, gone: set[str]) -> bool:
    """Return True if the change that created a record created one of these as well."""
    rows = db.rows(
        "SELECT other.record FROM edits AS own JOIN edits AS other USING (change) "
        "WHERE own.record = ? AND own.before IS NULL AND other.before IS NULL AND other.record != own.record",
        (id,),
    )
    return any(row[0] in gone for row in rows)


def superseded_by_these(db: Connection, ids: Iterable[str]) -> list[tuple[Fact, dict[str, Any] | None]]:
    """Return the facts that gave way to these, each with its fields from before; None for another wording, which was
    superseded from birth."""
    found: list[tuple[Fact, dict[str, Any] | None]] = []
    for fact in records.many(db, FACT, "superseded_by", sorted(set(ids))):
        before = db.value(
            "SELECT before FROM edits WHERE record = ? AND after ->> '$.superseded_by' = ? "
            "ORDER BY change DESC LIMIT 1",
            (fact.id, fact.superseded_by),
        )
        found.append((fact, None if before is None else json.loads(before)))
    return found


def _ids(db: Connection, sql: str, params: Any) -> list[str]:
    return [row[0] for row in db.rows(sql, params)]
