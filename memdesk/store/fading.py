"""Memories that fade, with their present salience: counted, filtered and sorted by SQLite.

All salience decays at one rate, so the order of two memories does not change until one is used: the table `fading`
keeps, of every current memory that is not pinned, the moment at which its salience would have been 1 (`full_at`, UTC
microseconds), and its index gives pages and counts without a look at the others. `rank` keeps it in step with
records and use; another decay_per_day ranks all memory again."""

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
from memdesk.store.browsing import current, in_scope
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
RANKED = frozenset(("fades", "salience"))
"""Orders that `fading` keeps."""
LEVELS = frozenset(("", "fading", "ahead", "below"))
"""Filters, "" for none, that are ranges of it."""
_NEVER = 1e300
"""Value of `full_at` for memory that never fades, in the order `fades`."""
_LAST = "(last_accessed >= salience_at)"
_SINCE = f"CASE WHEN {_LAST} THEN last_accessed ELSE salience_at END"


def _value(kind: Kind[Any]) -> str:
    """Return the SQL expression of the salience that a memory had at `_SINCE`."""
    return f"CASE WHEN {_LAST} THEN usage.salience ELSE {kind.table}.salience END"


def _full_at(value: str, since: str, decay: str) -> str:
    """Return the SQL expression of the moment at which a salience of `value` at `since` would have been 1."""
    return f"{since} - {DAY}.0 * ln(max({value}, {sys.float_info.min})) / ln({decay})"


def expected(kind: Kind[Any]) -> str:
    """Return a query of the rows that `fading` should have of a kind; a further condition may follow."""
    return (
        f"SELECT {kind.table}.seq AS seq, user_id, '{kind.name}' AS kind, channel, "
        f"{_full_at(_value(kind), _SINCE, 'ranked_decay')} AS full_at "
        f"FROM upkeep, {kind.table} LEFT JOIN usage USING (seq) "
        f"WHERE ranked_decay IS NOT NULL AND pinned = 0 AND {current(kind.table)}"
    )


def use_decay(db: Connection, decay_per_day: float) -> None:
    """Rank by this decay from now on. Ranks all memory again if it is another than before."""
    decay = decay_per_day if 0 < decay_per_day < 1 else None
    if db.value("SELECT ranked_decay FROM upkeep") == decay:
        return
    provide_functions(db)
    db.run("UPDATE upkeep SET ranked_decay = ?", (decay,))
    db.run("DELETE FROM fading")
    for kind in KINDS:
        db.run(f"INSERT INTO fading {expected(kind)}")


def follow(
    db: Connection, kind: Kind[Any], was: Mapping[str, Any] | None, now: Mapping[str, Any] | None
) -> None:
    """Rank a record by its new fields, where they differ from the old ones; None if there is none."""
    old, new = _ranked_by(was), _ranked_by(now)
    if old == new:
        return
    if old is not None and was is not None:
        db.send("DELETE FROM fading WHERE seq = ?", (was["seq"],))
    if new is not None and now is not None:
        db.send(f"INSERT INTO fading {expected(kind)} AND {kind.table}.seq = ?", (now["seq"],))


def _ranked_by(fields: Mapping[str, Any] | None) -> tuple[Any, ...] | None:
    """Return what the rank of a record depends on; None if it has none."""
    if fields is None or any(fields.get(name) for name in ("retired_at", "superseded_by", "pinned")):
        return None
    return tuple(fields[name] for name in ("user_id", "channel", "salience", "salience_at"))


def follow_use(db: Connection, seqs: Sequence[int]) -> None:
    """Rank memories again whose use has changed."""
    for chunk in chunks(seqs):
        db.send(f"DELETE FROM fading WHERE seq IN ({marks(chunk)})", chunk)
        for kind in KINDS:
            db.send(
                f"INSERT INTO fading {expected(kind)} AND {kind.table}.seq IN ({marks(chunk)})",
                chunk,
            )


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

    def statement(
        self, db: Connection, *, narrow: str = "", seqs: Sequence[int] = ()
    ) -> tuple[str, dict[str, Any]]:
        """Return a query of seq, title, channel, pinned, recalled, created_at, now and fades, and its parameters.

        narrow: a further condition, with {table}; seqs: those it names as `:seqs`."""
        params: dict[str, Any] = {
            "moment": self.moment,
            "decay": self.decay_per_day,
            "below": self.fade_below,
            "days_ahead": self.days_ahead,
            "seqs": json.dumps(list(seqs)),
        }
        never = self.decay_per_day >= 1 or self.fade_below <= 0
        days = f"(full_at - :moment) / {DAY}.0 + ln(:below) / ln(:decay)"
        fades = "CAST(NULL AS REAL)" if never else f"CASE WHEN NOT pinned THEN {days} END"
        parts = [self._part(db, kind, params, narrow) for kind in self.kinds]
        return f"SELECT *, {fades} AS fades FROM ({' UNION ALL '.join(parts)})", params

    def _part(self, db: Connection, kind: Kind[Any], params: dict[str, Any], narrow: str) -> str:
        narrowed = f" AND {narrow.format(table=kind.table)}" * bool(narrow)
        where = f"{self._where(db, kind.table, params)}{narrowed} AND {current(kind.table)}"
        walked = f" INDEXED BY {kind.table}_pinned" if narrow == "pinned" else " NOT INDEXED" * bool(narrow)
        # What was set at a later moment fades from that moment on.
        since = f"min({_SINCE}, :moment)"
        full_at = "0" if self.decay_per_day >= 1 else _full_at(_value(kind), since, ":decay")
        return (
            f"SELECT {kind.table}.seq AS seq, {kind.title} AS title, channel, pinned, created_at, "
            f"ifnull(access_count, 0) AS recalled, CASE WHEN pinned THEN {_value(kind)} "
            f"ELSE {_value(kind)} * pow(:decay, (:moment - {since}) / {DAY}.0) END AS now, {full_at} AS full_at "
            f"FROM {kind.table}{walked} LEFT JOIN usage USING (seq) WHERE {where}"
        )

    def _where(self, db: Connection, table: str, params: dict[str, Any]) -> str:
        """Return the condition for a table's rows of this scope, and add its parameters."""
        where, values = in_scope(db, table, self.user_id, self.channels)
        for number, value in enumerate(values):
            where = where.replace("?", f":{table}{number}", 1)
            params[f"{table}{number}"] = value
        return where

    def is_ranked(self, db: Connection) -> bool:
        """Return True if `fading` has these memories in the order in which they fade: by this decay, and none was set
        at a later moment than this one, from which alone it fades."""
        if self.fade_below <= 0 or db.value("SELECT ranked_decay FROM upkeep") != self.decay_per_day:
            return False
        later = "SELECT 1 FROM usage WHERE last_accessed > :moment"
        for kind in KINDS:
            # Channel by channel, which an index answers at once.
            later += (
                f" UNION ALL SELECT 1 FROM channels CROSS JOIN {kind.table} INDEXED BY {kind.table}_set "
                f"ON {kind.table}.user_id = channels.user_id AND {kind.table}.channel = channels.name "
                f"WHERE channels.user_id = :user_id AND salience_at > :moment AND {kind.table}.{current(kind.table)}"
            )
        return db.value(f"{later} LIMIT 1", {"moment": self.moment, "user_id": self.user_id}) is None

    def reaches(self, salience: float) -> float:
        """Return the `full_at` of a memory that has this salience now."""
        return self.moment - DAY * math.log(salience) / math.log(self.decay_per_day)

    def fades_in(self, days: float) -> float:
        """Return the `full_at` of a memory that has faded after so many days."""
        return self.reaches(self.fade_below) + days * DAY

    def levels(
        self, db: Connection, *, sort: str, only: str = "", pinned: bool = True, bound: str = ""
    ) -> tuple[str, dict[str, Any]]:
        """Return a query of seq and level, by which an order of RANKED sorts, and its parameters.

        pinned: with pinned memory; in the order `salience` its level is the one at which others have its salience now.
        bound: further condition, on {level}."""
        params: dict[str, Any] = {"moment": self.moment, "decay": self.decay_per_day}
        legs = []
        if sort == "newest":
            for kind in self.kinds:
                where = f"{self._where(db, kind.table, params)} AND {current(kind.table)}"
                level = bound.format(level="created_at")
                legs.append(
                    f"SELECT {kind.table}.seq AS seq, created_at AS level FROM {kind.table} "
                    f"WHERE {where}{level}"
                )
            return " UNION ALL ".join(legs), params
        where = self._where(db, "fading", params) + bound.format(level="full_at")
        if len(self.kinds) == 1:
            where += f" AND kind = '{self.kinds[0].name}'"
        for number, limit in enumerate(self._limits(only)):
            where += f" AND full_at {'<=' if number else '>='} :limit{number}"
            params[f"limit{number}"] = limit
        legs.append(f"SELECT seq, full_at AS level FROM fading WHERE {where}")
        for kind in self.kinds if pinned and only in ("", "below") else ():
            value = _value(kind)
            level = _full_at(value, ":moment", ":decay") if sort == "salience" else repr(_NEVER)
            below = f" AND {value} < {BELOW}" * (only == "below")
            legs.append(
                f"SELECT {kind.table}.seq, {level} FROM {kind.table} INDEXED BY {kind.table}_pinned "
                "LEFT JOIN usage USING (seq) "
                f"WHERE {self._where(db, kind.table, params)} AND pinned AND {current(kind.table)}{below}"
                f"{bound.format(level=level)}"
            )
        return " UNION ALL ".join(legs), params

    def _limits(self, only: str) -> tuple[float, ...]:
        """Return the lowest and the highest `full_at` that pass a filter; nothing if all do."""
        match only:
            case "fading":
                return self.fades_in(0), self.fades_in(FADING_WITHIN_DAYS)
            case "ahead":
                return self.fades_in(0), self.fades_in(self.days_ahead)
            case "below":
                return -math.inf, math.nextafter(self.reaches(BELOW), -math.inf)
            case _:
                return ()


def counts(db: Connection, scope: FadingScope, *, only: str) -> dict[str, int]:
    """Return how many memories there are, as `all`, how many pass each filter, and how many have faded of those that
    pass the filter `only`, "" for none, as `faded`."""
    names = ("all", "faded", *FILTERS)
    if not scope.kinds:
        return dict.fromkeys(names, 0)
    provide_functions(db)
    if scope.is_ranked(db):
        return _counted(db, scope, only)
    cells, params = scope.statement(db)
    conditions = (f"{FILTERS.get(only, 'true')} AND fades < 0", *FILTERS.values())
    sums = ", ".join(f"count(*) FILTER (WHERE {condition})" for condition in conditions)
    row = db.row(f"SELECT count(*), {sums} FROM ({cells})", params)
    assert row is not None
    return dict(zip(names, row, strict=True))


def _counted(db: Connection, scope: FadingScope, only: str) -> dict[str, int]:
    """Return the same by the index of `fading`, each part of which is counted once."""
    levels, params = scope.levels(
        db, sort="fades", pinned=False, bound=" AND {level} >= :start AND {level} < :end"
    )
    faded, low = scope.fades_in(0), scope.reaches(BELOW)
    week, ahead = (
        math.nextafter(scope.fades_in(days), math.inf) for days in (FADING_WITHIN_DAYS, scope.days_ahead)
    )
    under, count, start = {}, 0, -math.inf
    for end in sorted({faded, low, week, ahead, math.inf}):
        count += int(db.value(f"SELECT count(*) FROM ({levels})", {**params, "start": start, "end": end}))
        under[end], start = count, end
    cells, params = scope.statement(db, narrow=_NARROW["pinned"])
    pinned, pinned_low = _pair(
        db, f"SELECT count(*), count(*) FILTER (WHERE now < {BELOW}) FROM ({cells})", params
    )
    cells, params = scope.statement(db, narrow=_NARROW["recalled"])
    recalled, recalled_faded = _pair(
        db, f"SELECT count(*), count(*) FILTER (WHERE fades < 0) FROM ({cells})", params
    )
    return {
        "all": under[math.inf] + pinned,
        "faded": {"": under[faded], "below": under[min(faded, low)], "recalled": recalled_faded}.get(only, 0),
        "recalled": recalled,
        "fading": under[week] - under[faded],
        "ahead": under[ahead] - under[faded],
        "below": under[low] + pinned_low,
        "pinned": pinned,
    }


def _pair(db: Connection, sql: str, params: dict[str, Any]) -> tuple[int, int]:
    ((first, second),) = db.rows(sql, params)
    return int(first), int(second)


def place_of(db: Connection, scope: FadingScope, seq: int, *, sort: str, only: str) -> int | None:
    """Return the place of a memory in the list that `page` returns parts of; None if it is not in the list."""
    if not scope.kinds:
        return None
    provide_functions(db)
    if _is_ranked(db, scope, sort, only):
        return _Ranked(db, scope, sort, only).place_of(seq)
    cells, params = scope.statement(db, narrow=_NARROW.get(only, ""))
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
    provide_functions(db)
    window = {"limit": limit, "first": first}
    if _is_ranked(db, scope, sort, only):
        seqs = _Ranked(db, scope, sort, only).page(first, limit)
        cells, params = scope.statement(db, narrow=_NARROW["page"], seqs=seqs)
        place = {seq: number for number, seq in enumerate(seqs)}
        rows = db.rows(f"SELECT {_COLUMNS} FROM ({cells})", params)
        rows.sort(key=lambda row: place[row[0]])
    else:
        cells, params = scope.statement(db, narrow=_NARROW.get(only, ""))
        rows = db.rows(
            f"SELECT {_COLUMNS} FROM ({cells}) WHERE {FILTERS.get(only, 'true')} "
            f"ORDER BY {ORDERS[sort]}, seq LIMIT :limit OFFSET :first",
            params | window,
        )
    return [
        Fading(seq=seq, title=title, channel=channel, pinned=bool(pinned), now=now, recalled=recalled)
        for seq, title, channel, pinned, now, recalled in rows
    ]


_COLUMNS = "seq, title, channel, pinned, now, recalled"
_NARROW = {
    "recalled": f"{{table}}.seq IN (SELECT seq FROM usage WHERE access_count >= {RECALLED_FROM})",
    "pinned": "pinned",
    "page": "{table}.seq IN (SELECT CAST(value AS INTEGER) FROM json_each(:seqs))",
}
"""Conditions by which an index finds what passes a filter, or is on a page."""


def _is_ranked(db: Connection, scope: FadingScope, sort: str, only: str) -> bool:
    """Return True if an index has the list in its order."""
    if sort == "newest":
        return not only
    return sort in RANKED and only in LEVELS and scope.is_ranked(db)


class _Ranked:
    """List that an index has in its order, of which a page is read: by the levels of its ends, and those of one level
    by title."""

    def __init__(self, db: Connection, scope: FadingScope, sort: str, only: str) -> None:
        self._db, self._scope, self._sort, self._only = db, scope, sort, only
        self._way, self._before = ("ASC", "<") if sort == "fades" else ("DESC", ">")

    def page(self, first: int, limit: int) -> list[int]:
        """Return the search numbers of the memories from `first` on."""
        start = self._level_at(first)
        if start is None:
            return []
        skipped = first - self._count_before(start)
        end = self._level_at(skipped + limit - 1, start)
        if end is None:
            end = math.inf if self._way == "ASC" else -math.inf
        low, high = sorted((start, end))
        levels, params = self._levels(" AND {level} >= :low AND {level} <= :high")
        rows = self._db.rows(
            f"SELECT seq, {self._title()} FROM ({levels}) AS ranked "
            f"ORDER BY level {self._way}, title, seq LIMIT :limit OFFSET :skipped",
            {
                **params,
                "low": low,
                "high": high,
                "limit": limit,
                "skipped": skipped,
            },
        )
        return [seq for seq, _ in rows]

    def place_of(self, seq: int) -> int | None:
        """Return the place of a memory in the list; None if it is not in it."""
        levels, params = self._levels(" AND seq = :sought")
        own = self._db.row(
            f"SELECT level, {self._title()} FROM ({levels}) AS ranked",
            {**params, "sought": seq},
        )
        if own is None:
            return None
        level, title = own
        levels, params = self._levels(" AND {level} = :level")
        ties = self._db.value(
            f"SELECT count(*) FROM (SELECT seq, {self._title()} FROM ({levels}) AS ranked) "
            "WHERE title < :title OR title = :title AND seq < :sought",
            {**params, "level": level, "title": title, "sought": seq},
        )
        return self._count_before(level) + int(ties)

    def _levels(self, bound: str = "") -> tuple[str, dict[str, Any]]:
        return self._scope.levels(self._db, sort=self._sort, only=self._only, bound=bound)

    def _title(self) -> str:
        """Return the SQL expression of a title."""
        of_kinds = (
            f"(SELECT {kind.title} FROM {kind.table} WHERE {kind.table}.seq = ranked.seq)"
            for kind in self._scope.kinds
        )
        return f"coalesce({', '.join(of_kinds)}, '') AS title"

    def _level_at(self, place: int, start: float | None = None) -> float | None:
        """Return the level at a place of the list, or of its part from the level `start` on; None after its end."""
        onward = ">=" if self._way == "ASC" else "<="
        levels, params = self._levels(f" AND {{level}} {onward} :start" * (start is not None))
        row = self._db.row(
            f"{levels} ORDER BY level {self._way} LIMIT 1 OFFSET :place",
            {**params, "place": place, "start": start},
        )
        return None if row is None else row[1]

    def _count_before(self, level: float) -> int:
        levels, params = self._levels(f" AND {{level}} {self._before} :level")
        return int(
            self._db.value(
                f"SELECT count(*) FROM ({levels})",
                {**params, "level": level},
            )
        )


def provide_functions(db: Connection) -> None:
    """Provide lower case of every script, and the mathematics that some builds of SQLite lack."""
    db.provide("lowered", 1, str.lower)
    db.provide("pow", 2, math.pow, built_in=True)
    db.provide("ln", 1, math.log, built_in=True)
