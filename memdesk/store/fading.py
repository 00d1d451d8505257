"""Memories that fade, with their present salience: counted, filtered and sorted by SQLite, so that a page of a large
desk is not waited for."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.model.instant import DAY
from memdesk.model.kind import Kind
from memdesk.store.browsing import current, in_scope
from memdesk.store.connection import Connection

RECALLED_FROM = 5
FADING_WITHIN_DAYS = 7
BELOW = 0.30
FILTERS = {
    "recalled": f"recalled >= {RECALLED_FROM}",
    "fading": f"fades BETWEEN 0 AND {FADING_WITHIN_DAYS}",
    "ahead": "fades BETWEEN 0 AND :days_ahead",
    "below": f"now < {BELOW}",
    "pinned": "pinned",
}
"""Conditions by the names of the filters. `fades`: days until it has faded, null if it never will."""
_SOONEST = "fades IS NULL, fades"
ORDERS = {
    "fades": f"{_SOONEST}, title",
    "salience": "now DESC, title",
    "recalled": "recalled DESC, title",
    "newest": "created_at DESC, title",
    "name": "lowered(title), title",
    "channel": f"channel, {_SOONEST}, title",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fading:
    """Current record that fades. now: its present salience."""

    seq: int
    title: str
    channel: str
    pinned: bool
    now: float
    recalled: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FadingScope:
    """Memories to look at, and the rules by which they fade, as in `engine/salience.py`. moment: UTC microseconds.

    days_ahead: of the filter `ahead`."""

    kinds: tuple[Kind[Any], ...]
    user_id: str
    channels: tuple[str, ...]
    moment: int
    decay_per_day: float
    fade_below: float
    days_ahead: int

    def statement(self, db: Connection) -> tuple[str, dict[str, Any]]:
        """Return a query of seq, title, channel, pinned, recalled, created_at, now and fades, and its parameters."""
        params: dict[str, Any] = {
            "moment": self.moment,
            "decay": self.decay_per_day,
            "below": self.fade_below,
            "least": sys.float_info.min,
            "days_ahead": self.days_ahead,
        }
        never = self.decay_per_day >= 1 or self.fade_below <= 0
        fades = (
            "NULL" if never else "CASE WHEN NOT pinned THEN ln(:below / max(now, :least)) / ln(:decay) END"
        )
        parts = [self._part(db, kind, params) for kind in self.kinds]
        return f"SELECT *, {fades} AS fades FROM ({' UNION ALL '.join(parts)})", params

    def _part(self, db: Connection, kind: Kind[Any], params: dict[str, Any]) -> str:
        where, values = in_scope(db, kind.table, self.user_id, self.channels)
        for number, value in enumerate(values):
            where = where.replace("?", f":{kind.name}{number}", 1)
            params[f"{kind.name}{number}"] = value
        last = "(last_accessed >= salience_at)"
        value = f"CASE WHEN {last} THEN usage.salience ELSE {kind.table}.salience END"
        elapsed = f"max(0, :moment - CASE WHEN {last} THEN last_accessed ELSE salience_at END)"
        return (
            f"SELECT {kind.table}.seq AS seq, {kind.title} AS title, channel, pinned, created_at, "
            f"ifnull(access_count, 0) AS recalled, CASE WHEN pinned THEN {value} "
            f"ELSE {value} * pow(:decay, {elapsed} / {float(DAY)}) END AS now "
            f"FROM {kind.table} LEFT JOIN usage USING (seq) WHERE {where} AND {current(kind.table)}"
        )


def counts(db: Connection, scope: FadingScope, *, only: str) -> dict[str, int]:
    """Return how many memories there are, as `all`, how many pass each filter, and how many have faded of those that
    pass the filter `only`, "" for none, as `faded`."""
    names = ("all", "faded", *FILTERS)
    if not scope.kinds:
        return dict.fromkeys(names, 0)
    _provide_functions(db)
    cells, params = scope.statement(db)
    conditions = (f"{FILTERS.get(only, 'true')} AND fades < 0", *FILTERS.values())
    sums = ", ".join(f"count(*) FILTER (WHERE {condition})" for condition in conditions)
    row = db.row(f"SELECT count(*), {sums} FROM ({cells})", params)
    assert row is not None
    return dict(zip(names, row, strict=True))


def place_of(db: Connection, scope: FadingScope, seq: int, *, sort: str, only: str) -> int | None:
    """Return the place of a memory in the list that `page` returns parts of; None if it is not in the list."""
    if not scope.kinds:
        return None
    _provide_functions(db)
    cells, params = scope.statement(db)
    place: int | None = db.value(
        f"SELECT place FROM (SELECT seq, row_number() OVER (ORDER BY {ORDERS[sort]}, seq) - 1 AS place FROM ({cells}) "
        f"WHERE {FILTERS.get(only, 'true')}) WHERE seq = :sought",
        {**params, "sought": seq},
    )
    return place


def page(
    db: Connection, scope: FadingScope, *, sort: str, only: str, first: int, limit: int
) -> Sequence[Fading]:
    """Return memories from `first` on in this order of ORDERS. only: name of a filter, "" for none."""
    if not scope.kinds:
        return []
    _provide_functions(db)
    cells, params = scope.statement(db)
    rows = db.rows(
        f"SELECT seq, title, channel, pinned, now, recalled FROM ({cells}) WHERE {FILTERS.get(only, 'true')} "
        f"ORDER BY {ORDERS[sort]}, seq LIMIT :limit OFFSET :first",
        {**params, "limit": limit, "first": first},
    )
    return [
        Fading(seq=seq, title=title, channel=channel, pinned=bool(pinned), now=now, recalled=recalled)
        for seq, title, channel, pinned, now, recalled in rows
    ]


def _provide_functions(db: Connection) -> None:
    """Provide lower case of every script, and the mathematics that some builds of SQLite lack."""
    db.provide("lowered", 1, str.lower)
    db.provide("pow", 2, math.pow, built_in=True)
    db.provide("ln", 1, math.log, built_in=True)
