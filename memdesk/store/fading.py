"""Memories that fade, with their present salience: counted, filtered and sorted by SQLite.

All salience decays at one rate, so the order of two memories stays until one is used: the table `fading` keeps, of
every current memory that is not pinned, the moment at which its salience would have been 1 (`full_at`, UTC
microseconds), and its index gives pages and counts without a look at the others. `follow` and `follow_use` keep it in
step; another decay_per_day ranks all memory again."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.model.entity import ENTITY
from memdesk.model.fact import FACT
from memdesk.model.instant import DAY
from memdesk.model.kind import Kind
from memdesk.store.browsing import current, in_scope, named
from memdesk.store.connection import Connection, marks
from memdesk.store.records import chunks

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
_NARROW = {"recalled": f"{{table}}.seq IN (SELECT seq FROM usage WHERE access_count >= {RECALLED_FROM})"}
_NARROW["pinned"] = "pinned"
"""Conditions by which an index finds what passes a filter."""
_NEWEST = (
    "{table}.created_at >= (SELECT min(created_at) FROM (SELECT created_at FROM {table} INDEXED BY {table}_time "
    "WHERE {where} AND {current} ORDER BY created_at DESC LIMIT :last))"
)
_HEADS = {"recalled": "{table}.seq IN (SELECT seq FROM usage WHERE access_count > 0)", "newest": _NEWEST}
"""Conditions by which an index finds the first memories of an order, up to the place `:last` if there are as many."""
HEAD = 2_000
"""Place up to which they are used: from the middle on, to look each memory up takes longer than to read all."""
_ON_PAGE = "{table}.seq IN (SELECT CAST(value AS INTEGER) FROM json_each(:seqs))"
_SOONEST = "fades IS NULL, fades"
ORDERS = {
    "fades": f"{_SOONEST}, title",
    "salience": "now DESC, title",
    "recalled": "recalled DESC, title",
    "newest": "created_at DESC, title",
    "name": "lowered(title), title",
    "channel": f"channel, {_SOONEST}, title",
}
KINDS = (ENTITY, FACT)
_NEVER = 1e300
"""Rank of memory that never fades, in the order `fades`."""
_LAST = "(last_accessed >= salience_at)"
_SINCE = f"CASE WHEN {_LAST} THEN last_accessed ELSE salience_at END"
Query = tuple[str, dict[str, Any]]


def _value(kind: Kind[Any]) -> str:
    """Return the SQL expression of the salience that a memory had at `_SINCE`."""
    return f"CASE WHEN {_LAST} THEN usage.salience ELSE {kind.table}.salience END"


def _full_at(value: str, since: str, decay: str) -> str:
    return f"{since} - {DAY}.0 * ln(max({value}, {sys.float_info.min})) / ln({decay})"


def expected(kind: Kind[Any]) -> str:
    """Return a query of the rows that `fading` should have of a kind; a further condition may follow."""
    return (
        f"SELECT {kind.table}.seq AS seq, user_id, '{kind.name}' AS kind, channel, "
        f"{_full_at(_value(kind), _SINCE, 'ranked_decay')} AS full_at "
        f"FROM {kind.table} LEFT JOIN usage USING (seq) CROSS JOIN upkeep "
        f"WHERE ranked_decay IS NOT NULL AND NOT pinned AND {current(kind.table)}"
    )


def use_decay(db: Connection, decay_per_day: float) -> None:
    """Rank by this decay from now on. Ranks all memory again if it is another than before."""
    decay = decay_per_day if 0 < decay_per_day < 1 else None
    if db.value("SELECT ranked_decay FROM upkeep") != decay:
        forget(db)
        db.run("UPDATE upkeep SET ranked_decay = ?", (decay,))
        for kind in KINDS:
            db.run(f"INSERT INTO fading {expected(kind)}")


def forget(db: Connection) -> None:
    """Forget all ranks until the desk is opened again."""
    db.run("UPDATE upkeep SET ranked_decay = NULL")
    db.run("DELETE FROM fading")


def follow(
    db: Connection, kind: Kind[Any], was: Mapping[str, Any] | None, now: Mapping[str, Any] | None
) -> None:
    """Rank a record by its new fields, where they differ from the old ones; None if there is none."""
    old, new = _ranked_by(was), _ranked_by(now)
    if old != new and old:
        db.send("DELETE FROM fading WHERE seq = ?", old[:1])
    if old != new and new:
        db.send(f"INSERT INTO fading {expected(kind)} AND {kind.table}.seq = ?", new[:1])


def _ranked_by(fields: Mapping[str, Any] | None) -> tuple[Any, ...]:
    """Return what the rank of a record depends on, its search number first; nothing if it has no rank."""
    if fields is None or any(fields.get(name) for name in ("retired_at", "superseded_by", "pinned")):
        return ()
    return tuple(fields[name] for name in ("seq", "user_id", "channel", "salience", "salience_at"))


def follow_use(db: Connection, seqs: Sequence[int]) -> None:
    """Rank memories again whose use has changed."""
    for chunk in chunks(seqs):
        db.send(f"DELETE FROM fading WHERE seq IN ({marks(chunk)})", chunk)
        for kind in KINDS:
            db.send(f"INSERT INTO fading {expected(kind)} AND {kind.table}.seq IN ({marks(chunk)})", chunk)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fading:
    """Current record that fades. now: its present salience."""

    seq: int
    pinned: bool
    now: float
    recalled: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FadingScope:
    """Memories to look at, and the rules by which they fade, as in `engine/salience.py`. moment: UTC microseconds.

    days_ahead: of the filter `ahead`. sort, only: order of ORDERS, and filter, "" for none."""

    kinds: tuple[Kind[Any], ...]
    user_id: str
    channels: tuple[str, ...]
    moment: int
    decay_per_day: float
    fade_below: float
    days_ahead: int
    sort: str
    only: str

    @property
    def way(self) -> tuple[str, str, str]:
        """Direction of a list by rank; signs of the ranks before one, and from one on."""
        return ("DESC", ">", "<=") if self.sort == "salience" else ("ASC", "<", ">=")

    def statement(
        self, db: Connection, narrow: str = "", seqs: Sequence[int] = (), *, last: int = 0
    ) -> Query:
        """Return a query of seq, title, channel, pinned, recalled, created_at, now and fades.

        narrow: a further condition, with {table}; seqs, last: what it names as `:seqs` and `:last`."""
        params: dict[str, Any] = {
            "moment": self.moment,
            "decay": self.decay_per_day,
            "below": self.fade_below,
            "days_ahead": self.days_ahead,
            "seqs": json.dumps(list(seqs)),
            "last": last,
        }
        never = self.decay_per_day >= 1 or self.fade_below <= 0
        days = f"(full_at - :moment) / {DAY}.0 + ln(:below) / ln(:decay)"
        fades = "CAST(NULL AS REAL)" if never else f"CASE WHEN NOT pinned THEN {days} END"
        parts = [self._part(db, kind, params, narrow) for kind in self.kinds]
        return f"SELECT *, {fades} AS fades FROM ({' UNION ALL '.join(parts)})", params

    def _part(self, db: Connection, kind: Kind[Any], params: dict[str, Any], narrow: str) -> str:
        where, is_current = self._where(db, kind.table, params), current(kind.table)
        narrowed = narrow.format(table=kind.table, where=where, current=is_current) + " AND " * bool(narrow)
        indexes = {
            "": "",
            "pinned": f" INDEXED BY {kind.table}_pinned",
            _NEWEST: f" INDEXED BY {kind.table}_time",
        }
        walked = indexes.get(narrow, " NOT INDEXED")
        # What was set at a later moment fades from that moment on.
        since = f"min({_SINCE}, :moment)"
        full_at = "0" if self.decay_per_day >= 1 else _full_at(_value(kind), since, ":decay")
        return (
            f"SELECT {kind.table}.seq AS seq, {kind.title} AS title, channel, pinned, created_at, "
            f"ifnull(access_count, 0) AS recalled, CASE WHEN pinned THEN {_value(kind)} "
            f"ELSE {_value(kind)} * pow(:decay, (:moment - {since}) / {DAY}.0) END AS now, {full_at} AS full_at "
            f"FROM {kind.table}{walked} LEFT JOIN usage USING (seq) "
            f"WHERE {where} AND {narrowed}{is_current}"
        )

    def _where(self, db: Connection, table: str, params: dict[str, Any]) -> str:
        """Return the condition for a table's rows of this scope, and add its parameters."""
        where, values = in_scope(db, table, self.user_id, self.channels)
        return named(where, table, values, params)

    def is_ranked(self, db: Connection) -> bool:
        """Return True if `fading` has these memories in the order in which they fade: by this decay, and none was set
        at a later moment than this one, from which alone it fades."""
        if self.fade_below <= 0 or db.value("SELECT ranked_decay FROM upkeep") != self.decay_per_day:
            return False
        # Channel by channel, which an index answers at once.
        later = " UNION ALL ".join(
            f"SELECT 1 FROM channels CROSS JOIN {kind.table} INDEXED BY {kind.table}_set "
            f"ON {kind.table}.user_id = channels.user_id AND {kind.table}.channel = channels.name "
            f"WHERE channels.user_id = :user_id AND salience_at > :moment AND {kind.table}.{current(kind.table)}"
            for kind in KINDS
        )
        return not db.rows(
            f"SELECT 1 FROM usage WHERE last_accessed > :moment UNION ALL {later} LIMIT 1",
            {"moment": self.moment, "user_id": self.user_id},
        )

    def rank_of(self, salience: float, days: float = 0) -> float:
        """Return the `full_at` of a memory that has this salience after so many days."""
        return self.moment - DAY * math.log(salience) / math.log(self.decay_per_day) + days * DAY

    def ranks(self, db: Connection, bound: str = "", *, counting: bool = False, **values: Any) -> Query:
        """Return a query of seq and rank, by which the orders `fades` and `salience` sort.

        bound: further condition, on {rank}, with `values`. counting: all memory but the pinned, whose rank in the order
        `salience` is that of others which have its salience now."""
        only = "" if counting else self.only
        params: dict[str, Any] = {"moment": self.moment, "decay": self.decay_per_day, **values}
        params["low"], params["high"] = self._limits()[only]
        kinds = f" AND kind = '{self.kinds[0].name}'" * (len(self.kinds) == 1)
        legs = [
            f"SELECT seq, full_at AS rank FROM fading WHERE {self._where(db, 'fading', params)}{kinds}"
            f"{' AND full_at >= :low AND full_at <= :high' * bool(only)}{bound.format(rank='full_at')}"
        ]
        for kind in self.kinds if not counting and only in ("", "below") else ():
            value = _value(kind)
            rank = _full_at(value, ":moment", ":decay") if self.sort == "salience" else repr(_NEVER)
            below = f" AND {value} < {BELOW}" * (only == "below")
            legs.append(
                f"SELECT {kind.table}.seq, {rank} FROM {kind.table} INDEXED BY {kind.table}_pinned "
                f"LEFT JOIN usage USING (seq) WHERE {self._where(db, kind.table, params)} AND pinned "
                f"AND {current(kind.table)}{below}{bound.format(rank=rank)}"
            )
        return " UNION ALL ".join(legs), params

    def _limits(self) -> dict[str, tuple[float, float]]:
        """Return the lowest and the highest `full_at` that pass each filter which is a range of it, "" for none."""
        faded = self.rank_of(self.fade_below)
        return {
            "": (-math.inf, math.inf),
            "fading": (faded, self.rank_of(self.fade_below, FADING_WITHIN_DAYS)),
            "ahead": (faded, self.rank_of(self.fade_below, self.days_ahead)),
            "below": (-math.inf, math.nextafter(self.rank_of(BELOW), -math.inf)),
        }

    def counted(self, db: Connection) -> dict[str, int]:
        """Return the counts of `counts` by the index of `fading`, each part of which is read once."""
        limits = self._limits()
        # Up to this rank memory has faded; one that has the rank of a limit has not.
        faded, low = math.nextafter(limits["fading"][0], -math.inf), limits["below"][1]
        under, count, start = {}, 0, -math.inf
        for end in sorted({faded, *(high for _, high in limits.values())}):
            part = " AND {rank} > :start AND {rank} <= :end"
            count += _count(db, self.ranks(db, part, counting=True, start=start, end=end))
            under[end], start = count, end
        sums = f"count(*), count(*) FILTER (WHERE now < {BELOW}), count(*) FILTER (WHERE fades < 0)"
        (pinned, pinned_low, _), (recalled, _, recalled_faded) = (
            db.rows(f"SELECT {sums} FROM ({cells})", params)[0]
            for cells, params in (self.statement(db, _NARROW[name]) for name in ("pinned", "recalled"))
        )
        of_range = {"": under[faded], "below": under[min(faded, low)], "recalled": recalled_faded}
        return {
            "all": under[math.inf] + pinned,
            "faded": of_range.get(self.only, 0),
            "recalled": recalled,
            "fading": under[limits["fading"][1]] - under[faded],
            "ahead": under[limits["ahead"][1]] - under[faded],
            "below": under[low] + pinned_low,
            "pinned": pinned,
        }


def counts(db: Connection, scope: FadingScope) -> dict[str, int]:
    """Return how many memories there are, as `all`, how many pass each filter, and how many have faded of those that
    pass the filter of the scope, as `faded`."""
    names = ("all", "faded", *FILTERS)
    if not scope.kinds:
        return dict.fromkeys(names, 0)
    provide_functions(db)
    if scope.is_ranked(db):
        return scope.counted(db)
    cells, params = scope.statement(db)
    conditions = (f"{FILTERS.get(scope.only, 'true')} AND fades < 0", *FILTERS.values())
    sums = ", ".join(f"count(*) FILTER (WHERE {condition})" for condition in conditions)
    row = db.row(f"SELECT count(*), {sums} FROM ({cells})", params)
    assert row is not None
    return dict(zip(names, row, strict=True))


def place_of(db: Connection, scope: FadingScope, seq: int) -> int | None:
    """Return the place of a memory in the list that `page` returns parts of; None if it is not in the list."""
    if not scope.kinds:
        return None
    provide_functions(db)
    if _has_ranks(db, scope):
        return _ranked_place(db, scope, seq)
    cells, params = scope.statement(db, _NARROW.get(scope.only, ""))
    place: int | None = db.value(
        f"SELECT place FROM (SELECT seq, row_number() OVER (ORDER BY {ORDERS[scope.sort]}, seq) - 1 AS place "
        f"FROM ({cells}) WHERE {FILTERS.get(scope.only, 'true')}) WHERE seq = :sought",
        {**params, "sought": seq},
    )
    return place


def page(db: Connection, scope: FadingScope, first: int, limit: int) -> Sequence[Fading]:
    """Return memories from `first` on in the order of the scope."""
    if not scope.kinds:
        return []
    provide_functions(db)
    if _has_ranks(db, scope):
        on_page = scope.statement(db, _ON_PAGE, _ranked_page(db, scope, first, limit))
        return _listed(db, scope, on_page, 0, limit)
    head = _HEADS.get(scope.sort, "") if not scope.only and first + limit <= HEAD else ""
    found = _listed(db, scope, scope.statement(db, head, last=first + limit), first, limit) if head else ()
    if len(found) < limit:
        found = _listed(db, scope, scope.statement(db, _NARROW.get(scope.only, "")), first, limit)
    return found


def _listed(db: Connection, scope: FadingScope, query: Query, first: int, limit: int) -> Sequence[Fading]:
    """Return the memories of a query from `first` on in the order of the scope."""
    cells, params = query
    rows = db.rows(
        f"SELECT seq, pinned, now, recalled FROM ({cells}) WHERE {FILTERS.get(scope.only, 'true')} "
        f"ORDER BY {ORDERS[scope.sort]}, seq LIMIT :limit OFFSET :first",
        params | {"limit": limit, "first": first},
    )
    return [
        Fading(seq=seq, pinned=bool(pinned), now=now, recalled=recalled)
        for seq, pinned, now, recalled in rows
    ]


def _has_ranks(db: Connection, scope: FadingScope) -> bool:
    """Return True if the index of `fading` has a list in its order."""
    return scope.sort in ("fades", "salience") and scope.only not in _NARROW and scope.is_ranked(db)


def _ranked_page(db: Connection, scope: FadingScope, first: int, limit: int) -> list[int]:
    """Return the search numbers of a page, which is read by the ranks of its ends; those of one rank are in the order
    of their titles."""
    way, _, onward = scope.way
    start = _rank_at(db, scope, first)
    if start is None:
        return []
    skipped = first - _count_before(db, scope, start)
    end = _rank_at(db, scope, skipped + limit - 1, f" AND {{rank}} {onward} :start", start=start)
    bound = f" AND {{rank}} {onward} :start" + f" AND :end {onward} {{rank}}" * (end is not None)
    ranks, params = scope.ranks(db, bound, start=start, end=end, limit=limit, skipped=skipped)
    rows = db.rows(
        f"SELECT seq, {_title(scope)} FROM ({ranks}) AS ranked "
        f"ORDER BY rank {way}, title, seq LIMIT :limit OFFSET :skipped",
        params,
    )
    return [seq for seq, _ in rows]


def _ranked_place(db: Connection, scope: FadingScope, seq: int) -> int | None:
    ranks, params = scope.ranks(db, " AND seq = :sought", sought=seq)
    own = db.row(f"SELECT rank, {_title(scope)} FROM ({ranks}) AS ranked", params)
    if own is None:
        return None
    rank, title = own
    ranks, params = scope.ranks(db, " AND {rank} = :own", own=rank, title=title, sought=seq)
    tied = f"SELECT seq, {_title(scope)} FROM ({ranks}) AS ranked"
    return _count_before(db, scope, rank) + _count(
        db, (f"SELECT 1 FROM ({tied}) WHERE title < :title OR title = :title AND seq < :sought", params)
    )


def _rank_at(db: Connection, scope: FadingScope, place: int, bound: str = "", **values: Any) -> float | None:
    """Return the rank at a place of a list, of the part of it within `bound`; None after its end."""
    ranks, params = scope.ranks(db, bound, place=place, **values)
    row = db.row(f"{ranks} ORDER BY rank {scope.way[0]} LIMIT 1 OFFSET :place", params)
    return None if row is None else float(row[1])


def _count_before(db: Connection, scope: FadingScope, rank: float) -> int:
    return _count(db, scope.ranks(db, f" AND {{rank}} {scope.way[1]} :own", own=rank))


def _count(db: Connection, query: Query) -> int:
    return int(db.value(f"SELECT count(*) FROM ({query[0]})", query[1]))


def _title(scope: FadingScope) -> str:
    titles = (f"(SELECT {kind.title} FROM {kind.table} WHERE seq = ranked.seq)" for kind in scope.kinds)
    return f"coalesce({', '.join(titles)}, '') AS title"


def provide_functions(db: Connection) -> None:
    """Provide lower case of every script, and the mathematics that some builds of SQLite lack."""
    db.provide("lowered", 1, str.lower)
    db.provide("pow", 2, math.pow, built_in=True)
    db.provide("ln", 1, math.log, built_in=True)
