"""Keyset paging through records in order. A page begins after the last row seen, so that every page costs the
same, and concurrent writes do not shift it."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from memdesk.model.kind import Kind
from memdesk.model.kinds import BY_NAME, TIMELINE
from memdesk.model.procedure import TOOL_CALL
from memdesk.model.turn import CONVERSATION, TURN
from memdesk.store.connection import Connection
from memdesk.store.records import columns_of, read_all

Place = tuple[int, int]
"""Position of a row in a walk: (its time or place in order, its search number)."""
_BY_TIME = {name: f"{BY_NAME[name].table}_time" for name in TIMELINE}
_BY_CHANNEL = _BY_TIME | {kind.name: f"{kind.table}_channel" for kind in (TURN, CONVERSATION, TOOL_CALL)}
"""Indexes are named because the planner would prefer a channel's index to a time's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """Request for one page of records: user, channels (empty for all), start position, order and limit.

    since, until: bounds of `column`, which orders the walk; [since, until). where, params: a further
    condition, beginning with AND. index: the index to use if that condition is narrower than the time, "" for
    SQLite's choice."""

    user_id: str
    channels: tuple[str, ...] = ()
    since: int | None = None
    until: int | None = None
    after: Place | None = None
    oldest_first: bool = False
    limit: int = 100
    column: str = "created_at"
    where: str = ""
    params: tuple[Any, ...] = ()
    index: str | None = None


def walk(db: Connection, kind: Kind[Any], asked: Walk) -> list[Any]:
    """Return records of a kind in order. Each channel is a range of an index; the pages of several are
    merged."""
    if not asked.channels:
        return _page(db, kind, asked, _index(_BY_TIME, kind, asked))
    index = _index(_BY_CHANNEL, kind, asked)
    pages = [
        _page(db, kind, _narrowed(asked, " AND channel = ?", channel), index)
        for channel in dict.fromkeys(asked.channels)
    ]
    merged = heapq.merge(
        *pages, key=lambda each: (getattr(each, asked.column), each.seq), reverse=not asked.oldest_first
    )
    return list(islice(merged, asked.limit))


def _index(indexes: dict[str, str], kind: Kind[Any], asked: Walk) -> str:
    return indexes.get(kind.name, "") if asked.index is None else asked.index


def _page(db: Connection, kind: Kind[Any], asked: Walk, index: str) -> list[Any]:
    """Return the rows with the start's own time, then later ones: SQLite can seek to each, but not to the
    pair of both."""
    if asked.after is None:
        return _rows(db, kind, asked, index)
    at, seq = asked.after
    beside = replace(_narrowed(asked, f" AND {asked.column} = ?", at), since=None, until=None)
    beside = _narrowed(beside, f" AND seq {'>' if asked.oldest_first else '<'} ?", seq)
    found = _rows(db, kind, beside, index)
    past = _narrowed(asked, f" AND {asked.column} {'>' if asked.oldest_first else '<'} ?", at)
    return found + _rows(db, kind, replace(past, limit=asked.limit - len(found)), index)


def _rows(db: Connection, kind: Kind[Any], asked: Walk, index: str) -> list[Any]:
    for sign, bound in ((">=", asked.since), ("<", asked.until)):
        if bound is not None:
            asked = _narrowed(asked, f" AND {asked.column} {sign} ?", bound)
    order = "ASC" if asked.oldest_first else "DESC"
    sql = (
        f"SELECT {columns_of(kind)} FROM {kind.table}{f' INDEXED BY {index}' if index else ''} "
        f"WHERE user_id = ?{asked.where} ORDER BY {asked.column} {order}, seq {order} LIMIT ?"
    )
    limit = asked.limit
    while True:
        rows = db.rows(sql, (asked.user_id, *asked.params, limit))
        found = read_all(db, kind, rows)
        # A page that is short for a damaged row would look like the last one.
        if len(rows) < limit or len(found) >= asked.limit:
            return found
        limit += asked.limit - len(found)


def _narrowed(asked: Walk, where: str, value: Any) -> Walk:
    return replace(asked, where=asked.where + where, params=(*asked.params, value))
