"""Reads for the table: one window of records of a kind, filtered and sorted in SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.model.fact import FACT
from memdesk.model.kind import Kind
from memdesk.store.browsing import current, in_scope
from memdesk.store.connection import Connection, marks
from memdesk.store.proposing import quarantined
from memdesk.store.records import columns_of, read_all
from memdesk.store.tagging import TAGGED, tag_name

_RETIRED = "retired_at IS NOT NULL"
_CURRENT = current(FACT.table)
_STATES: dict[str, dict[str, str]] = {
    "fact": {
        "current": _CURRENT,
        "past": f"{_CURRENT} AND temporal = 'past'",
        "retired": f"{_RETIRED} OR superseded_by IS NOT NULL",
        "quarantined": quarantined("facts.id"),
        "pinned": "pinned AND retired_at IS NULL",
    },
    "entity": {
        "current": "retired_at IS NULL",
        "retired": _RETIRED,
        "quarantined": quarantined("entities.id"),
        "pinned": "pinned AND retired_at IS NULL",
    },
    "goal": {
        "current": "status IN ('active', 'blocked') AND retired_at IS NULL",
        "past": "status IN ('completed', 'abandoned') AND retired_at IS NULL",
        "retired": _RETIRED,
    },
    "strategy": {
        "current": "retired_at IS NULL",
        "retired": _RETIRED,
        "quarantined": quarantined("strategies.id"),
        "pinned": "pinned AND retired_at IS NULL",
    },
}
for _status in ("active", "blocked", "completed", "abandoned"):
    _STATES["goal"][_status] = f"status = '{_status}' AND retired_at IS NULL"
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
_TITLES = {"fact": "claim", "entity": "name", "goal": "description", "strategy": "description"}
_CATEGORIES = {"fact": "category", "entity": "type"}
_SORTS: dict[str, dict[str, str]] = {
    "fact": {
        "category": "category", "source": "source", "confidence": _CONFIDENCE,
        "salience": _SALIENCE.format(table="facts"), "recalled": "ifnull(access_count, 0)",
    },
    "entity": {
        "category": "type", "salience": _SALIENCE.format(table="entities"),
        "recalled": "ifnull(access_count, 0)",
    },
    "goal": {"priority": "priority", "state": "status"},
    "strategy": {},
}  # fmt: skip
STATES = {kind: (*states, "all") for kind, states in _STATES.items()}
SORTS = {kind: ("created", "title", "channel", *sorts) for kind, sorts in _SORTS.items()}
"""Possible states and sort orders of each kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Request for rows of one kind. Times in UTC microseconds; numbers: the settings for decay."""

    kind: Kind
    user_id: str
    channels: Sequence[str]
    agents: Sequence[str]
    categories: Sequence[str]
    sources: Sequence[str]
    tags: Sequence[str]
    text: str
    state: str
    confidence_from: float | None
    confidence_below: float | None
    since: int | None
    until: int | None
    sort: str
    descending: bool
    upto: int
    numbers: Mapping[str, float]


def newest(db: Connection, kind: Kind) -> int:
    """Return the search number of the newest record of a kind; 0 if there is none."""
    return int(db.value(f"SELECT ifnull(max(seq), 0) FROM {kind.table}"))


def window(db: Connection, asked: Asked, first: int, limit: int) -> tuple[int, list[Any]]:
    """Return (total count, the records of rows `first` on), in the requested order."""
    db.raw.create_function("raised", 2, pow, deterministic=True)
    table, (where, params) = asked.kind.table, _where(db, asked)
    used = " LEFT JOIN usage USING (seq)" if asked.kind.fades else ""
    counted = used if "usage" in where or "last_accessed" in where else ""
    total = int(db.value(f"SELECT count(*) FROM {table}{counted} WHERE {where}", params))
    columns = columns_of(asked.kind, qualified=True)
    way = "DESC" if asked.descending else "ASC"
    # In the order they came they need no sorting; an index of anything else would only bring them out of it.
    walked = f"{table} NOT INDEXED" if asked.sort == "created" else table
    rows = db.rows(
        # The window is found by its numbers first, so that sorting carries no texts along.
        f"WITH page AS MATERIALIZED (SELECT {table}.seq, {_order(asked)} AS place FROM {walked}{used} WHERE {where} "
        f"ORDER BY place {way}, {table}.seq {way} LIMIT :limit OFFSET :first) "
        f"SELECT {columns} FROM page JOIN {table} USING (seq) ORDER BY page.place {way}, page.seq {way}",
        params | {"limit": limit, "first": first},
    )  # fmt: skip
    return total, read_all(db, asked.kind, rows)


def counted(db: Connection, kind: Kind, user_id: str, column: str) -> dict[str, int]:
    """Return the number of a user's records of each category, type or source, the most frequent first."""
    return dict(
        db.rows(
            f"SELECT {column}, count(*) FROM {kind.table} WHERE user_id = ? GROUP BY 1 ORDER BY 2 DESC, 1",
            (user_id,),
        )
    )


def category_column(kind: Kind) -> str | None:
    """Return the column with the category or type of a record of this kind, None if it has none."""
    return _CATEGORIES.get(kind.name)


def _order(asked: Asked) -> str:
    name, table = asked.kind.name, asked.kind.table
    plain = {"created": f"{table}.seq", "title": f"lower({_TITLES[name]})", "channel": "channel"}
    return plain.get(asked.sort) or _SORTS[name][asked.sort]


def _where(db: Connection, asked: Asked) -> tuple[str, dict[str, Any]]:
    """Return the condition and its parameters, all by name."""
    kind = asked.kind
    scope, values = in_scope(db, kind.table, asked.user_id, asked.channels)
    params: dict[str, Any] = {**asked.numbers, "upto": asked.upto}
    parts = [_named(scope, "scope", values, params), f"{kind.table}.seq <= :upto"]
    if asked.state != "all":
        parts.append(f"({_STATES[kind.name][asked.state]})")
    for column, chosen in (
        ("agent_id", asked.agents),
        (_CATEGORIES.get(kind.name, "NULL"), asked.categories),
        ("source" if kind.name == "fact" else "NULL", asked.sources),
    ):
        if chosen:
            parts.append(_named(f"{column} IN ({marks(chosen)})", column, chosen, params))
    if asked.tags:
        inside = TAGGED.format(marks(asked.tags))
        named = [asked.user_id, *map(tag_name, asked.tags)]
        parts.append(_named(f"id IN (SELECT record_id FROM tags WHERE {inside})", "tag", named, params))
    if asked.text:
        parts.append(
            _named(f"instr(lower({_TITLES[kind.name]}), lower(?)) > 0", "text", [asked.text], params)
        )
    for condition, value in (
        ("created_at >= ?", asked.since), ("created_at < ?", asked.until),
        (f"{_CONFIDENCE} >= ?", asked.confidence_from), (f"{_CONFIDENCE} < ?", asked.confidence_below),
    ):  # fmt: skip
        if value is not None:
            parts.append(_named(condition, f"bound{len(parts)}_", [value], params))
    return " AND ".join(parts), params


def _named(sql: str, name: str, values: Sequence[Any], params: dict[str, Any]) -> str:
    """Return the condition with its question marks replaced by names, and add their values to the parameters."""
    for place, value in enumerate(values):
        sql = sql.replace("?", f":{name}{place}", 1)
        params[f"{name}{place}"] = value
    return sql
