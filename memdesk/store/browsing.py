"""Reads for browsing by a person: lists of facts, neighbourhoods, rows of the heatmap, counts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from memdesk.model.browse import ListFacts
from memdesk.model.channel import CHANNEL, Channel
from memdesk.model.fact import FACT, Fact
from memdesk.model.instant import optional_instant
from memdesk.model.kind import Kind, R
from memdesk.model.status import ChannelRow
from memdesk.model.timeline import AskTable
from memdesk.model.turn import TURN, Turn
from memdesk.store.connection import Connection, marks
from memdesk.store.proposing import quarantined
from memdesk.store.records import chunks, columns_of, find, read_all
from memdesk.store.semantic import TAGGED, tag_name
from memdesk.store.words import CJK

_CJK_CHARACTER = re.compile(f"[{CJK}]")
FACT_STATES = ("current", "retired", "all")


def list_facts(db: Connection, wanted: ListFacts) -> tuple[int, list[Fact]]:
    """Return (total count, rows `first` on), newest first."""
    where, params = in_scope(db, "facts", wanted.user_id, wanted.channels)
    where += f" AND ({_in_state(FACT, wanted.state)})"
    if wanted.categories:
        where += f" AND category IN ({marks(wanted.categories)})"
        params.extend(wanted.categories)
    if wanted.tags:
        where += f" AND id IN (SELECT record_id FROM tags WHERE {TAGGED.format(marks(wanted.tags))})"
        params.extend((wanted.user_id, *map(tag_name, wanted.tags)))
    if text := wanted.text.strip():
        where += " AND instr(lower(claim), lower(?)) > 0"
        params.append(text)
    total = db.value(f"SELECT count(*) FROM facts WHERE {where}", params)
    # In the order they came they need no sorting; an index of a user's facts would only bring them out of it.
    walked = "facts" if wanted.channels or wanted.tags else "facts NOT INDEXED"
    rows = db.rows(
        f"SELECT {columns_of(FACT)} FROM {walked} WHERE {where} ORDER BY seq DESC LIMIT ? OFFSET ?",
        (*params, wanted.limit, wanted.first),
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


def relations_of(db: Connection, ids: Sequence[str], limit: int) -> list[tuple[str, str, str, float, str]]:
    """Return (source, target, type, confidence, id) of current relations from or to these records, without those to
    the turns and files that a memory comes from."""
    found: set[tuple[str, str, str, float, str]] = set()
    for chunk in chunks(list(ids)):
        for end in ("source_id", "target_id"):
            rows = db.rows(
                f"SELECT source_id, target_id, type, confidence, id FROM relations WHERE {end} IN ({marks(chunk)}) "
                "AND retired_at IS NULL AND type NOT IN ('DERIVED_FROM', 'QUOTES') LIMIT ?",
                (*chunk, limit),
            )
            found.update((source, target, type, sure, id) for source, target, type, sure, id in rows)
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


def most_used(
    db: Connection, kind: Kind[Any], user_id: str, channels: Sequence[str], limit: int
) -> list[Any]:
    """Return current records of a kind, most recalled first, then newest."""
    where, params = in_scope(db, kind.table, user_id, channels)
    columns = columns_of(kind, qualified=True)
    rows = db.rows(
        f"SELECT {columns} FROM {kind.table} LEFT JOIN usage USING (seq) WHERE {where} AND retired_at IS NULL "
        f"ORDER BY ifnull(access_count, 0) DESC, {kind.table}.seq DESC LIMIT ?",
        (*params, limit),
    )
    return read_all(db, kind, rows)


def newest_records(
    db: Connection, kind: Kind[R], user_id: str, channels: Sequence[str], limit: int
) -> list[R]:
    """Return current records of a kind, newest first."""
    where, params = in_scope(db, kind.table, user_id, channels)
    rows = db.rows(
        f"SELECT {columns_of(kind)} FROM {kind.table} WHERE {where} AND {current(kind.table)} "
        "ORDER BY seq DESC LIMIT ?",
        (*params, limit),
    )
    return read_all(db, kind, rows)


def newest_texts(
    db: Connection, kind: Kind[Any], user_id: str, channels: Sequence[str], limit: int
) -> list[tuple[int, str]]:
    """Return (seq, title) of current records of a kind, newest first, unchecked: whoever shows one reads it whole."""
    where, params = in_scope(db, kind.table, user_id, channels)
    return [
        (row[0], row[1])
        for row in db.rows(
            # By an index of users SQLite would look up and sort every record before the first.
            f"SELECT seq, {kind.title} FROM {kind.table} NOT INDEXED WHERE {where} AND {current(kind.table)} "
            "ORDER BY seq DESC LIMIT ?",
            (*params, limit),
        )
    ]


def most_connected(db: Connection, user_id: str, channels: Sequence[str], limit: int) -> list[str]:
    """Return the ids of the entities with the most incoming current relations, most first."""
    where, params = in_scope(db, "entities", user_id, channels)
    rows = db.rows(
        "SELECT entities.id FROM entities JOIN relations ON relations.target_id = entities.id "
        f"AND relations.retired_at IS NULL WHERE {where} AND entities.retired_at IS NULL GROUP BY entities.seq "
        "ORDER BY count(*) DESC, entities.seq LIMIT ?",
        (*params, limit),
    )
    return [row[0] for row in rows]


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


class Scope(NamedTuple):
    """Users and channels whose records are counted; empty for all."""

    users: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()

    def where(self, table: str, channel: str = "channel") -> str:
        """Return the condition for current records of a table in the scope. channel: the column with its name."""
        given = (("user_id", self.users), (channel, self.channels))
        return " AND ".join((current(table), *(f"{name} IN ({marks(few)})" for name, few in given if few)))

    @property
    def params(self) -> tuple[str, ...]:
        return self.users + self.channels


EVERYTHING = Scope()


def counts(db: Connection, scope: Scope = EVERYTHING) -> dict[str, int]:
    """Return counts of current records by table, and of memories that wait for a vector (`unembedded`); these are
    counted for the entire desk only, else 0."""
    found = {
        table: int(db.value(f"SELECT count(*) FROM {table} WHERE {scope.where(table)}", scope.params))
        for table in ("facts", "entities", "turns", "conversations", "documents")
    }
    waiting = "SELECT count(*) FROM searchable WHERE embedding IS NULL"
    return found | {"unembedded": int(db.value(waiting)) if scope == EVERYTHING else 0}


def has_records(db: Connection) -> bool:
    """Return True if the desk has any memory, retired or not."""
    return bool(db.value("SELECT EXISTS (SELECT 1 FROM records)"))


def current(table: str) -> str:
    """Return the condition for current records: not retired and, for facts, not superseded."""
    return "retired_at IS NULL" + " AND superseded_by IS NULL" * (table == FACT.table)


def channel_rows(db: Connection, scope: Scope = EVERYTHING) -> tuple[ChannelRow, ...]:
    """Return every channel in the scope with its counts, `_global` first."""
    by_table: dict[str, dict[str, int]] = {
        table: dict(
            db.rows(
                # By user first, as the indexes are ordered.
                "SELECT channel, sum(n) FROM (SELECT channel, count(*) AS n "
                f"FROM {table} WHERE {scope.where(table)} GROUP BY user_id, channel) AS counted GROUP BY channel",
                scope.params,
            )
        )
        for table in ("facts", "entities", "turns")
    }
    rows = db.rows(
        f"SELECT name, min(number) FROM channels WHERE {scope.where('channels', 'name')} "
        "GROUP BY name ORDER BY min(number), name",
        scope.params,
    )
    return tuple(
        ChannelRow(
            name=name, number=number, **{table: found.get(name, 0) for table, found in by_table.items()}
        )
        for name, number in rows
    )


def channels_of_user(db: Connection, user_id: str, *, archived: bool) -> list[Channel]:
    """Return a user's channels by number, with archived ones if requested; channels merged into others are
    left out."""
    found = find(db, CHANNEL, user_id=user_id)
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
        # Each step finds the next name in the index: a desk has many facts and few agents.
        "WITH RECURSIVE named (name) AS (SELECT min(agent_id) FROM facts UNION ALL "
        "SELECT (SELECT min(agent_id) FROM facts WHERE agent_id > name) FROM named WHERE name IS NOT NULL) "
        "SELECT agent_id, min(seq) FROM workspaces GROUP BY 1 UNION ALL "
        "SELECT agent_id, min(seq) FROM conversations GROUP BY 1 UNION ALL "
        "SELECT name, (SELECT min(seq) FROM facts WHERE agent_id = name) FROM named ORDER BY 2"
    )
    return list(dict.fromkeys(row[0] for row in rows if row[0]))


def sources_of(db: Connection, fact_id: str) -> list[str]:
    """Return the ids of the turns a fact was derived from."""
    rows = db.rows(
        "SELECT target_id FROM relations WHERE source_id = ? AND type = 'DERIVED_FROM' AND retired_at IS NULL",
        (fact_id,),
    )
    return [row[0] for row in rows]


def _in_state(kind: Kind[Any], state: str) -> str:
    """Return the condition for records of a kind in one of its states."""
    match state:
        case "all":
            return "true"
        case "current" if kind.statuses:
            return f"{_has_status(kind.open_statuses)} AND retired_at IS NULL"
        case "current":
            return current(kind.table)
        case "past" if kind.statuses:
            return f"NOT {_has_status(kind.open_statuses)} AND retired_at IS NULL"
        case "past":
            return f"{current(kind.table)} AND temporal = 'past'"
        case "retired":
            superseded = " OR superseded_by IS NOT NULL" * ("superseded_by" in kind.columns)
            return f"retired_at IS NOT NULL{superseded}"
        case "quarantined":
            return quarantined(f"{kind.table}.id")
        case "pinned":
            return "pinned AND retired_at IS NULL"
        case _:
            return f"{_has_status((state,))} AND retired_at IS NULL"


def _has_status(statuses: Sequence[str]) -> str:
    # Not bound as parameters, which the callers number and name differently: statuses are constants of a kind.
    return f"status IN ({', '.join(repr(each) for each in statuses)})"


_NOW = "max(0, :now - {since})"
_USED = "(last_accessed IS NOT NULL AND last_accessed >= salience_at)"
_SALIENCE = (
    f"iif({_USED}, usage.salience, {{table}}.salience) * iif(pinned, 1.0, "
    f"raised(:decay_per_day, {_NOW.format(since=f'iif({_USED}, last_accessed, salience_at)')} / 86400000000.0))"
)
_CONFIRMED = "max(created_at, salience_at, ifnull(last_accessed, 0))"
_CONFIDENCE = (
    "iif(pinned OR source != 'extraction' OR confidence >= :inferred_below, confidence, "
    f"confidence * raised(:decay_per_week, {_NOW.format(since=_CONFIRMED)} / 604800000000))"
)
"""Confidence and salience are computed as engine.salience does for one record; a test compares the two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Request for rows of one kind. upto: the newest search number. numbers: the settings for decay."""

    kind: Kind[Any]
    ask: AskTable
    upto: int
    numbers: Mapping[str, float]


def newest(db: Connection, kind: Kind[Any]) -> int:
    """Return the search number of the newest record of a kind; 0 if there is none."""
    return int(db.value(f"SELECT ifnull(max(seq), 0) FROM {kind.table}"))


def window(db: Connection, asked: Asked, first: int, limit: int) -> tuple[int, list[Any]]:
    """Return (total count, the records of rows `first` on), in the requested order."""
    db.provide("raised", 2, pow)
    table, (where, params) = asked.kind.table, _where(db, asked)
    used = " LEFT JOIN usage USING (seq)" if asked.kind.fades else ""
    counted = used if "usage" in where or "last_accessed" in where else ""
    if asked.ask.about:
        where += f" AND {_about(db, asked, f'FROM {table}{counted} WHERE {where}', params)}"
    total = int(db.value(f"SELECT count(*) FROM {table}{counted} WHERE {where}", params))
    columns = columns_of(asked.kind, qualified=True)
    way = "DESC" if asked.ask.descending else "ASC"
    # In the order they came they need no sorting; an index of anything else would only bring them out of it.
    walked = f"{table} NOT INDEXED" if asked.ask.sort == "created" else table
    rows = db.rows(
        # The window is found by its numbers first, so that sorting carries no texts along.
        f"WITH page AS MATERIALIZED (SELECT {table}.seq, {_order(asked)} AS place FROM {walked}{used} WHERE {where} "
        f"ORDER BY place {way}, {table}.seq {way} LIMIT :limit OFFSET :first) "
        f"SELECT {columns} FROM page JOIN {table} USING (seq) ORDER BY page.place {way}, page.seq {way}",
        params | {"limit": limit, "first": first},
    )
    return total, read_all(db, asked.kind, rows)


def counted(db: Connection, kind: Kind[Any], user_id: str, column: str) -> dict[str, int]:
    """Return the number of a user's records of each category, type or source, the most frequent first."""
    return dict(
        db.rows(
            f"SELECT {column}, count(*) FROM {kind.table} WHERE user_id = ? GROUP BY 1 ORDER BY 2 DESC, 1",
            (user_id,),
        )
    )


def _order(asked: Asked) -> str:
    kind, table = asked.kind, asked.kind.table
    computed = {
        "created": f"{table}.seq",
        "title": f"lower({kind.title})",
        "category": kind.category,
        "confidence": _CONFIDENCE,
        "salience": _SALIENCE.format(table=table),
        "recalled": "ifnull(access_count, 0)",
        "state": "status",
    }
    return computed.get(asked.ask.sort, asked.ask.sort)


_LINKED = (
    "SELECT source_id FROM relations WHERE type = 'ABOUT' AND retired_at IS NULL AND target_id IN ("
    "SELECT id FROM entities INDEXED BY entities_name "
    "WHERE user_id = :whose AND name = :about COLLATE NOCASE AND retired_at IS NULL UNION ALL "
    "SELECT entity_id FROM aliases INDEXED BY aliases_name "
    "WHERE user_id = :whose AND name = :about COLLATE NOCASE AND retired_at IS NULL)"
)
"""Ids of the facts that are linked to an entity of this name or other name."""


def _about(db: Connection, asked: Asked, rows: str, params: dict[str, Any]) -> str:
    """Return the condition for what is about something, and add its values. rows: FROM and WHERE of the other
    conditions."""
    table, pattern = asked.kind.table, _pattern_of(asked.ask.about)
    titles = db.each(f"SELECT {table}.seq, {asked.kind.title} {rows}", params)
    named = json.dumps([seq for seq, title in titles if pattern.search(title)])
    params |= {"named": named, "about": asked.ask.about, "whose": asked.ask.user_id}
    linked = f" OR id IN ({_LINKED})" if asked.kind is FACT else ""
    return f"({table}.seq IN (SELECT CAST(value AS INTEGER) FROM json_each(:named)){linked})"


@lru_cache(maxsize=16)
def _pattern_of(words: str) -> re.Pattern[str]:
    """Return the pattern of complete words in this order; Chinese and Japanese have no limits of words."""
    inner = r"\s+".join(map(re.escape, words.split()))
    first, last = (
        "" if _CJK_CHARACTER.match(each) or not each.isalnum() else r"\b" for each in (words[0], words[-1])
    )
    return re.compile(first + inner + last, re.IGNORECASE)


def _where(db: Connection, asked: Asked) -> tuple[str, dict[str, Any]]:
    """Return the condition and its parameters, all by name."""
    kind, ask = asked.kind, asked.ask
    scope, values = in_scope(db, kind.table, ask.user_id, ask.channels)
    params: dict[str, Any] = {**asked.numbers, "upto": asked.upto}
    parts = [named(scope, "scope", values, params), f"{kind.table}.seq <= :upto"]
    if ask.state != "all":
        parts.append(f"({_in_state(kind, ask.state)})")
    for column, chosen in (
        ("agent_id", ask.agents),
        (kind.category or "NULL", ask.categories),
        ("source" if "source" in kind.columns else "NULL", ask.sources),
    ):
        if chosen:
            parts.append(named(f"{column} IN ({marks(chosen)})", column, chosen, params))
    if ask.tags:
        inside = TAGGED.format(marks(ask.tags))
        tags = [ask.user_id, *map(tag_name, ask.tags)]
        parts.append(named(f"id IN (SELECT record_id FROM tags WHERE {inside})", "tag", tags, params))
    if ask.text:
        parts.append(named(f"instr(lower({kind.title}), lower(?)) > 0", "text", [ask.text], params))
    for condition, value in (
        ("created_at >= ?", optional_instant(ask.since)),
        ("created_at < ?", optional_instant(ask.until)),
        (f"{_CONFIDENCE} >= ?", ask.confidence_from),
        (f"{_CONFIDENCE} < ?", ask.confidence_below),
    ):
        if value is not None:
            parts.append(named(condition, f"bound{len(parts)}_", [value], params))
    return " AND ".join(parts), params


def named(sql: str, name: str, values: Sequence[Any], params: dict[str, Any]) -> str:
    """Return the condition with its question marks replaced by names, and add their values to the parameters."""
    for place, value in enumerate(values):
        sql = sql.replace("?", f":{name}{place}", 1)
        params[f"{name}{place}"] = value
    return sql
