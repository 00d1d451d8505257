"""Reads for browsing by a person: lists of facts, neighbourhoods, rows of the heatmap, counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.model.channel import CHANNEL, Channel
from memdesk.model.fact import FACT, Fact
from memdesk.model.kind import Kind
from memdesk.model.turn import TURN, Turn
from memdesk.store.connection import Connection, marks
from memdesk.store.records import chunks, columns_of, find, read_all
from memdesk.store.tagging import TAGGED, tag_name

_STATES = {
    "current": "retired_at IS NULL AND superseded_by IS NULL",
    "retired": "(retired_at IS NOT NULL OR superseded_by IS NOT NULL)",
    "all": "1",
}
STATES = tuple(_STATES)


def list_facts(
    db: Connection, *, user_id: str, channels: Sequence[str], categories: Sequence[str], text: str, state: str,
    first: int, limit: int, tags: Sequence[str] = (),
) -> tuple[int, list[Fact]]:  # fmt: skip
    """Return (total count, rows `first` on), newest first. tags: facts that have any of them."""
    where, params = in_scope(db, "facts", user_id, channels)
    where += f" AND {_STATES[state]}"
    if categories:
        where += f" AND category IN ({marks(categories)})"
        params.extend(categories)
    if tags:
        where += f" AND id IN (SELECT record_id FROM tags WHERE {TAGGED.format(marks(tags))})"
        params.extend((user_id, *map(tag_name, tags)))
    if text:
        where += " AND instr(lower(claim), lower(?)) > 0"
        params.append(text)
    total = db.value(f"SELECT count(*) FROM facts WHERE {where}", params)
    # In the order they came they need no sorting; an index of a user's facts would only bring them out of it.
    walked = "facts" if channels or tags else "facts NOT INDEXED"
    rows = db.rows(
        f"SELECT {columns_of(FACT)} FROM {walked} WHERE {where} ORDER BY seq DESC LIMIT ? OFFSET ?",
        (*params, limit, first),
    )
    return int(total), read_all(db, FACT, rows)


def in_scope(db: Connection, table: str, user_id: str, channels: Sequence[str]) -> tuple[str, list[Any]]:
    """Return the condition for a user's memory in these channels and its parameters; without channels, in all
    unarchived ones."""
    if channels:
        return f"{table}.user_id = ? AND {table}.channel IN ({marks(channels)})", [user_id, *channels]
    archived = [
        row[0]
        for row in db.rows(
            "SELECT name FROM channels WHERE user_id = ? AND retired_at IS NOT NULL", (user_id,)
        )
    ]
    # Without archived channels the plain condition lets SQLite count from an index alone.
    if not archived:
        return f"{table}.user_id = ?", [user_id]
    return f"{table}.user_id = ? AND {table}.channel NOT IN ({marks(archived)})", [user_id, *archived]


def relations_of(db: Connection, ids: Sequence[str], limit: int) -> list[tuple[str, str, str, float]]:
    """Return (source, target, type, confidence) of current relations from or to these records, without
    DERIVED_FROM."""
    found: set[tuple[str, str, str, float]] = set()
    for chunk in chunks(list(ids)):
        for end in ("source_id", "target_id"):
            rows = db.rows(
                f"SELECT source_id, target_id, type, confidence FROM relations WHERE {end} IN ({marks(chunk)}) "
                "AND retired_at IS NULL AND type != 'DERIVED_FROM' LIMIT ?",
                (*chunk, limit),
            )
            found.update((source, target, kind, confidence) for source, target, kind, confidence in rows)
    return sorted(found)


def lineage_of(db: Connection, fact_ids: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return (source, target, type) of promotions and supersessions of these facts. The newer fact is the
    source."""
    found: set[tuple[str, str, str]] = set()
    for chunk in chunks(list(fact_ids)):
        inside = marks(chunk)
        rows = db.rows(
            "SELECT id, promoted_from, 'PROMOTED_FROM' FROM facts "
            f"WHERE promoted_from IS NOT NULL AND (id IN ({inside}) OR promoted_from IN ({inside})) "
            "UNION SELECT superseded_by, id, 'SUPERSEDES' FROM facts "
            f"WHERE superseded_by IS NOT NULL AND (id IN ({inside}) OR superseded_by IN ({inside}))",
            (*chunk, *chunk, *chunk, *chunk),
        )
        found.update((source, target, type) for source, target, type in rows)
    return sorted(found)


def most_used(db: Connection, kind: Kind, user_id: str, channels: Sequence[str], limit: int) -> list[Any]:
    """Return current records of a kind, most recalled first, then newest."""
    where, params = in_scope(db, kind.table, user_id, channels)
    columns = columns_of(kind, qualified=True)
    rows = db.rows(
        f"SELECT {columns} FROM {kind.table} LEFT JOIN usage USING (seq) WHERE {where} AND retired_at IS NULL "
        f"ORDER BY ifnull(access_count, 0) DESC, {kind.table}.seq DESC LIMIT ?",
        (*params, limit),
    )
    return read_all(db, kind, rows)


def most_connected(db: Connection, user_id: str, channels: Sequence[str], limit: int) -> list[str]:
    """Return the ids of the entities with the most incoming current relations, most first."""
    where, params = in_scope(db, "entities", user_id, channels)
    rows = db.rows(
        "SELECT entities.id FROM entities JOIN relations ON relations.target_id = entities.id "
        f"AND relations.retired_at IS NULL WHERE {where} AND entities.retired_at IS NULL GROUP BY entities.id "
        "ORDER BY count(*) DESC, entities.seq LIMIT ?",
        (*params, limit),
    )
    return [row[0] for row in rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fading:
    """Values from which the salience of a current record is computed. last: (salience, time) as of the last
    recall."""

    seq: int
    title: str
    channel: str
    pinned: bool
    salience: float
    salience_at: int
    created_at: int
    recalled: int
    last: tuple[float, int] | None


def fading_records(db: Connection, kind: Kind, user_id: str, channels: Sequence[str]) -> list[Fading]:
    """Return every current record of a kind that fades."""
    where, params = in_scope(db, kind.table, user_id, channels)
    rows = db.rows(
        f"SELECT {kind.table}.seq, {kind.title}, pinned, {kind.table}.salience, salience_at, created_at, "
        f"ifnull(access_count, 0), usage.salience, last_accessed, channel FROM {kind.table} "
        "LEFT JOIN usage USING (seq) "
        f"WHERE {where} AND {current(kind.table)}",
        params,
    )
    return [
        Fading(
            seq=row[0], title=row[1], pinned=bool(row[2]), salience=row[3], salience_at=row[4], created_at=row[5],
            recalled=row[6], last=None if row[8] is None else (row[7], row[8]), channel=row[9],
        )
        for row in rows
    ]  # fmt: skip


def turns_of(db: Connection, conversation_id: str, first: int, limit: int) -> list[Turn]:
    """Return current turns of a conversation in order, by position."""
    rows = db.rows(
        f"SELECT {columns_of(TURN)} FROM turns WHERE conversation_id = ? "
        "AND retired_at IS NULL ORDER BY turn_index LIMIT ? OFFSET ?",
        (conversation_id, limit, first),
    )
    return read_all(db, TURN, rows)


def count_turns(db: Connection, conversation_id: str) -> int:
    found: int = db.value(
        "SELECT count(*) FROM turns WHERE conversation_id = ? AND retired_at IS NULL", (conversation_id,)
    )
    return found


def counts(db: Connection) -> dict[str, int]:
    """Return counts of current records by table, and of memories that wait for a vector (`unembedded`)."""
    found = {
        table: int(db.value(f"SELECT count(*) FROM {table} WHERE {current(table)}"))
        for table in ("facts", "entities", "turns", "conversations", "documents")
    }
    return found | {"unembedded": int(db.value("SELECT count(*) FROM searchable WHERE embedding IS NULL"))}


def current(table: str) -> str:
    """Return the condition for current records: not retired and, for facts, not superseded."""
    return _STATES["current"] if table == FACT.table else "retired_at IS NULL"


def channel_counts(db: Connection) -> list[tuple[str, int, int, int, int]]:
    """Return (name, number, facts, entities, turns) of every channel, `_global` first."""
    by_table: dict[str, dict[str, int]] = {
        table: dict(db.rows(f"SELECT channel, count(*) FROM {table} WHERE {current(table)} GROUP BY channel"))
        for table in ("facts", "entities", "turns")
    }
    rows = db.rows(
        "SELECT name, min(number) FROM channels WHERE retired_at IS NULL GROUP BY name ORDER BY min(number), name"
    )
    facts, entities, turns = by_table.values()
    return [
        (name, number, facts.get(name, 0), entities.get(name, 0), turns.get(name, 0)) for name, number in rows
    ]


def channels_of_user(db: Connection, user_id: str, *, archived: bool) -> list[Channel]:
    """Return a user's channels by number, with archived ones if requested; channels merged into others are
    left out."""
    found: list[Channel] = find(db, CHANNEL, user_id=user_id)
    kept = (
        channel for channel in found if channel.retired_at is None or (archived and channel.moved_to is None)
    )
    return sorted(kept, key=lambda channel: (channel.number, channel.seq))


def counts_by_channel(db: Connection, user_id: str) -> dict[str, dict[str, int]]:
    """Return the number of current records of a user, by channel and table."""
    found: dict[str, dict[str, int]] = {}
    for table in ("conversations", "turns", "facts", "entities", "goals", "strategies"):
        for channel, number in db.rows(
            f"SELECT channel, count(*) FROM {table} WHERE user_id = ? AND {current(table)} GROUP BY channel",
            (user_id,),
        ):
            found.setdefault(channel, {})[table] = number
    return found


def agents(db: Connection) -> list[str]:
    """Return the names of all agents with a workspace, a conversation or a fact, in order of their first
    record.

    That order never changes, so an agent keeps its mark when another is added."""
    rows = db.rows(
        "SELECT agent_id, min(seq) FROM workspaces GROUP BY 1 UNION ALL "
        "SELECT agent_id, min(seq) FROM conversations GROUP BY 1 UNION ALL "
        "SELECT agent_id, min(seq) FROM facts GROUP BY 1 ORDER BY 2"
    )
    return list(dict.fromkeys(row[0] for row in rows if row[0]))


def sources_of(db: Connection, fact_id: str) -> list[str]:
    """Return the ids of the turns a fact was derived from."""
    rows = db.rows(
        "SELECT target_id FROM relations WHERE source_id = ? AND type = 'DERIVED_FROM' AND retired_at IS NULL",
        (fact_id,),
    )
    return [row[0] for row in rows]
