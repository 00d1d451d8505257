"""Reads for moving memory: the records of a channel, their counterparts in another, and combined use
statistics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memdesk.model.entity import RELATION, Relation
from memdesk.model.kind import Kind
from memdesk.model.kinds import KINDS
from memdesk.store import fading, run_context
from memdesk.store.connection import Connection
from memdesk.store.records import many

SCOPED: tuple[Kind[Any], ...] = tuple(kind for kind in KINDS if "channel" in kind.columns)
"""Kinds with a channel. Conversations come first: turns that still arrive follow them."""


def ids_in(db: Connection, kind: Kind[Any], user_id: str, channel: str, limit: int = -1) -> list[str]:
    """Return the ids of every record of a kind in a channel, retired ones too, oldest first."""
    rows = db.rows(
        f"SELECT id FROM {kind.table} WHERE user_id = ? AND channel = ? ORDER BY seq LIMIT ?",
        (user_id, channel, limit),
    )
    return [row[0] for row in rows]


def left_in(db: Connection, user_id: str, channel: str, limit: int) -> list[tuple[Kind[Any], Any]]:
    """Return the records of any kind that are still in a channel, `limit` at most."""
    found: list[tuple[Kind[Any], Any]] = []
    for kind in SCOPED:
        ids = ids_in(db, kind, user_id, channel, limit - len(found))
        found.extend((kind, record) for record in many(db, kind, "id", ids))
        if len(found) >= limit:
            break
    return found


def twins(db: Connection, user_id: str, channel: str, other: str) -> list[tuple[str, str]]:
    """Return (id in `channel`, id in `other`) of current facts with the same claim, and of entities with the
    same name."""
    facts = db.rows(
        "SELECT here.id, there.id FROM searchable AS a JOIN searchable AS b ON b.claim_hash = a.claim_hash "
        "AND b.user_id = a.user_id AND b.channel = ? JOIN facts AS here ON here.seq = a.seq "
        "JOIN facts AS there ON there.seq = b.seq "
        "WHERE a.user_id = ? AND a.channel = ? AND a.kind = 'fact' ORDER BY here.seq",
        (other, user_id, channel),
    )
    entities = db.rows(
        "SELECT here.id, there.id FROM entities AS here JOIN entities AS there ON there.user_id = here.user_id "
        "AND there.name = here.name COLLATE NOCASE AND there.channel = ? AND there.retired_at IS NULL "
        "WHERE here.user_id = ? AND here.channel = ? AND here.retired_at IS NULL UNION "
        "SELECT here.id, aliases.entity_id FROM entities AS here JOIN aliases ON aliases.user_id = here.user_id "
        "AND aliases.name = here.name COLLATE NOCASE AND aliases.channel = ? AND aliases.retired_at IS NULL "
        "WHERE here.user_id = ? AND here.channel = ? AND here.retired_at IS NULL",
        (other, user_id, channel, other, user_id, channel),
    )
    return [*facts, *entities]


def keyed_alike(db: Connection, user_id: str, channel: str, other: str) -> list[tuple[str, str]]:
    """Return (id in `channel`, id in `other`) of current facts that one agent stores under the same key."""
    return db.rows(
        "SELECT here.id, there.id FROM facts AS here JOIN facts AS there ON there.user_id = here.user_id "
        "AND there.channel = ? AND there.key = here.key AND there.agent_id IS here.agent_id "
        "AND there.retired_at IS NULL AND there.superseded_by IS NULL "
        "WHERE here.user_id = ? AND here.channel = ? AND here.key IS NOT NULL "
        "AND here.retired_at IS NULL AND here.superseded_by IS NULL ORDER BY here.seq",
        (other, user_id, channel),
    )


def run_that_moved(db: Connection, record_id: str) -> str | None:
    """Return the run of the latest change in effect that edited a record, None if it was in no run."""
    found: str | None = db.value(
        "SELECT run FROM edits JOIN changes ON changes.id = edits.change WHERE record = ? AND undone_by IS NULL "
        "ORDER BY edits.change DESC LIMIT 1",
        (record_id,),
    )
    return found


def relations_at(db: Connection, id: str) -> Iterator[tuple[Relation, str]]:
    """Yield current relations from or to a record, each with the column that names it, oldest first for each
    column."""
    for end in ("source_id", "target_id"):
        found = many(db, RELATION, end, [id])
        yield from ((relation, end) for relation in sorted(found, key=_seq) if relation.retired_at is None)


def join_use(db: Connection, from_seq: int, into_seq: int) -> None:
    """Add the use statistics of one memory to those of another, but in a rehearsal. Call inside a verb, on the
    writer's connection.

    Use is separate from the records and not journalled: undoing a merge keeps the sum."""
    if run_context.is_rehearsal():
        return
    db.run(
        "INSERT INTO usage (seq, access_count, last_accessed, salience) "
        "SELECT ?, access_count, last_accessed, salience FROM usage WHERE seq = ? "
        "ON CONFLICT (seq) DO UPDATE SET access_count = usage.access_count + excluded.access_count, "
        "last_accessed = max(usage.last_accessed, excluded.last_accessed), "
        "salience = max(usage.salience, excluded.salience)",
        (into_seq, from_seq),
    )
    fading.follow_use(db, [into_seq])


def temporal_before(db: Connection, fact_id: str) -> tuple[bool, str | None]:
    """Return (whether the change that superseded a fact also changed its `temporal`, the value before)."""
    row = db.row(
        "SELECT before -> 'temporal' IS NOT NULL, before ->> 'temporal' FROM edits WHERE record = ? "
        "AND after ->> 'superseded_by' IS NOT NULL AND before IS NOT NULL ORDER BY change DESC LIMIT 1",
        (fact_id,),
    )
    return (False, None) if row is None else (bool(row[0]), row[1])


def _seq(record: Any) -> int:
    return int(record.seq)
