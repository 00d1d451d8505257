"""Reads of records by id, by column, by search number or page by page, and the edits that create and change them;
and what the database refuses of these, in plain words.

A page begins after the last row seen, so that every page costs the same, and concurrent writes do not shift it."""

from __future__ import annotations

import heapq
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, islice
from typing import Any

from memdesk.model.change import Edit
from memdesk.model.errors import Conflict, NotFound, StorageFailed
from memdesk.model.kind import Kind, R
from memdesk.model.kinds import BY_NAME, BY_RECORD, TIMELINE
from memdesk.model.message import message
from memdesk.model.tool_call import TOOL_CALL
from memdesk.model.turn import CONVERSATION, TURN
from memdesk.store import binding, digests
from memdesk.store.connection import Connection, Read, Row, marks


class Numbers:
    """Source of search numbers for any thread. The writer stores the next one with every commit that needs it to."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._lock = threading.Lock()
        self._next: int = db.value("SELECT next_seq FROM upkeep")
        self._kept = self._next
        """Stored next number: those from it on are free when the desk opens again."""

    def take(self) -> int:
        with self._lock:
            self._next += 1
            return self._next - 1

    def keep(self) -> None:
        """Store a next number in the current transaction, RESERVED ahead, if the stored one was taken since."""
        if self._next > self._kept:
            self._kept = self._next + RESERVED
            self._db.run("UPDATE upkeep SET next_seq = ? WHERE next_seq < ?", (self._kept, self._kept))

    def forget(self) -> None:
        """Forget what was stored, after a transaction that failed."""
        self._kept = 0

    def free_from(self, db: Connection) -> int:
        """Return the first number that no record has or had."""
        return int(db.value("SELECT next_seq FROM upkeep"))

    def continue_at(self, db: Connection, seq: int) -> None:
        """Store a next number, for when the desk is opened again."""
        db.run("UPDATE upkeep SET next_seq = ?", (seq,))


RESERVED = 256
"""Numbers that may be taken until the next one is stored again. An end of the service leaves as many unused."""
BATCH = 512


def get(db: Connection, kind: Kind[R], id: str) -> R | None:
    """Return the record of this kind with this id, None if there is none. Raises StorageFailed if it is
    damaged."""
    found = db.row(f"SELECT {columns_of(kind)} FROM {kind.table} WHERE id = ?", (id,))
    if found is None:
        return None
    record = read(db, kind, found)
    if record is None:
        raise damaged_error(kind, id)
    return record


def need(db: Connection, kind: Kind[R], id: str) -> R:
    """Return the record of this kind with this id. Raises NotFound, or StorageFailed if it is damaged."""
    found = get(db, kind, id)
    if found is None:
        raise NotFound(message("There is no {label} {id}.", label=kind.label.lower(), id=id))
    return found


def need_owned(db: Connection, kind: Kind[R], id: str, user_id: str) -> R:
    """Return the record of this kind with this id. Raises NotFound, also if it is another user's."""
    found = get(db, kind, id)
    if found is None or found.user_id != user_id:
        raise NotFound(message("There is no {label} {id}.", label=kind.label.lower(), id=id))
    return found


def find(db: Connection, kind: Kind[R], *, limit: int = -1, **columns: Any) -> list[R]:
    """Return records whose columns equal these values (None: is null), oldest first."""
    # Not `IS ?`, for which SQLite compiles the statement again for each value.
    tests = (f"{name} IS NULL" if value is None else f"{name} = ?" for name, value in columns.items())
    sql = f"SELECT {columns_of(kind)} FROM {kind.table} WHERE {' AND '.join(tests) or 'true'} ORDER BY seq LIMIT ?"
    return read_all(db, kind, db.rows(sql, (*(each for each in columns.values() if each is not None), limit)))


def many(db: Connection, kind: Kind[R], column: str, values: Sequence[Any]) -> list[R]:
    """Return records whose `column` is one of `values`."""
    return read_all(db, kind, _rows(db, kind, column, values))


def unchecked(db: Connection, kind: Kind[R], seqs: Sequence[int]) -> list[tuple[R, bytes | None]]:
    """Return records with the digests of their rows. The caller asks `is_sound` before it shows any of them."""
    return [(_record(kind, row[:-1]), row[-1]) for row in _rows(db, kind, "seq", seqs)]


def is_sound(db: Connection, record: Any, digest: bytes | None) -> bool:
    """Return True if a record has this digest. One that has not is reported to the connection."""
    kind = BY_RECORD[type(record)]
    if digests.holds(db, kind.table, [getattr(record, name) for name in kind.columns], digest):
        return True
    db.found_damaged(kind.name, record.seq)
    return False


def _rows(db: Connection, kind: Kind[Any], column: str, values: Sequence[Any]) -> Iterator[Row]:
    return rows_among(db, among(kind, column), values)


def among(kind: Kind[Any], column: str) -> str:
    """Return the statement that reads records by a column, for `rows_among`."""
    return f"SELECT {columns_of(kind)} FROM {kind.table} WHERE {column} IN (*)"


def kind_of(db: Connection, id: str) -> Kind[Any] | None:
    """Return the kind of the record with this id, None if there is none."""
    name = db.value("SELECT kind FROM records WHERE id = ?", (id,))
    return None if name is None else BY_NAME[name]


def any_record(db: Connection, id: str) -> tuple[Kind[Any], Any]:
    """Return the record with this id, of any kind, with its kind. Raises NotFound."""
    kind = kind_of(db, id)
    if kind is None:
        raise NotFound(message("There is no memory {id}.", id=id))
    return kind, need(db, kind, id)


def by_kind(db: Connection, seqs: Iterable[int]) -> dict[str, list[int]]:
    """Group search numbers by the name of their record's kind; numbers without a record (passages, deleted)
    are left out."""
    kinds: dict[str, list[int]] = {}
    for seq, name in rows_among(db, "SELECT seq, kind FROM records WHERE seq IN (*)", seqs):
        kinds.setdefault(name, []).append(seq)
    return kinds


def by_seq(db: Connection, seqs: Iterable[int]) -> dict[int, tuple[Kind[Any], Any]]:
    """Return records by their search number; numbers without a record are left out."""
    return {
        record.seq: (BY_NAME[name], record)
        for name, numbers in by_kind(db, seqs).items()
        for record in many(db, BY_NAME[name], "seq", numbers)
    }


def by_ids(db: Connection, ids: Iterable[str]) -> dict[str, tuple[Kind[Any], Any]]:
    """Return records of any kind by id; unknown ids are left out."""
    seqs = rows_among(db, "SELECT seq FROM records WHERE id IN (*)", dict.fromkeys(ids))
    return {record.id: (kind, record) for kind, record in by_seq(db, [seq for (seq,) in seqs]).values()}


def creation_edit(kind: Kind[R], record: R) -> Edit:
    """Return the edit that creates a record, with all its fields."""
    return Edit(kind.name, record.id, None, {name: getattr(record, name) for name in kind.columns})


def deletion_edit(kind: Kind[R], record: R) -> Edit:
    """Return the edit that deletes a record, with all its fields as its precondition."""
    return Edit(kind.name, record.id, {name: getattr(record, name) for name in kind.columns}, None)


def update_edit(kind: Kind[R], record: R, **after: Any) -> Edit:
    """Return the edit that changes these fields of a record, with their present values as its precondition."""
    return Edit(kind.name, record.id, {name: getattr(record, name) for name in after}, after)


def columns_of(kind: Kind[Any], *, qualified: bool = False) -> str:
    """Return the columns that `read` needs, as SQL: those of the record, and its digest. qualified: with the
    table's name."""
    own = f"{kind.table}." if qualified else ""
    return ", ".join(f"{own}{name}" for name in (*kind.columns, "digest"))


def read(db: Connection, kind: Kind[R], row: Sequence[Any]) -> R | None:
    """Return the record of a row of `columns_of`; None if the row is damaged, which is reported to the
    connection."""
    *values, digest = row
    if digests.holds(db, kind.table, values, digest):
        return _record(kind, values)
    db.found_damaged(kind.name, values[0])
    return None


def read_all(db: Connection, kind: Kind[R], rows: Iterable[Sequence[Any]]) -> list[R]:
    """Return the records of rows of `columns_of`, without damaged ones."""
    return [record for row in rows if (record := read(db, kind, row)) is not None]


def undamaged(db: Connection, kinds: Mapping[str, Iterable[int]]) -> set[int]:
    """Return those of these search numbers, given by kind, whose rows are undamaged."""
    return {
        record.seq for name, seqs in kinds.items() for record in many(db, BY_NAME[name], "seq", list(seqs))
    }


def damaged_error(kind: Kind[Any], id: str) -> StorageFailed:
    """Return the error for a record whose row is damaged."""
    return StorageFailed(
        message("{label} {id} is damaged on the disk, and is not shown.", label=kind.label, id=id),
        next=message("Run `memdesk verify` to see what else is, then restore a backup."),
    )


def _record(kind: Kind[R], row: Sequence[Any]) -> R:
    """Return the record of a row of its columns. Filling its slots takes a third of the time of `__init__`, and a
    recall reads hundreds."""
    record = object.__new__(kind.record)
    for fill, value in zip(_fillers(kind.record, kind.columns), row, strict=True):
        fill(record, value)
    return record


@cache
def _fillers(record: type[Any], columns: tuple[str, ...]) -> tuple[Callable[[Any, Any], None], ...]:
    return tuple(getattr(record, name).__set__ for name in columns)


def rows_among(db: Connection, sql: str, values: Iterable[Any], *more: Any) -> Iterator[Row]:
    """Yield the rows of a statement for any number of values, which its `IN (*)` names. more: its parameters after
    them."""
    wanted = list(values)
    if db.snapshot is not None and (known := db.snapshot.among.get((sql, more))) is not None:
        for value in dict.fromkeys(wanted):
            yield from known.get(value, ())
        wanted = [value for value in wanted if value not in known]
    for read in _reads_among(sql, wanted, more):
        yield from db.rows(*read)


def read_among(
    db: Connection, asked: Mapping[tuple[str, tuple[Any, ...]], Iterable[Any]], beside: Sequence[Read] = ()
) -> None:
    """Read what `rows_among` will be asked for, and other statements, in one round trip; nothing where none is a round
    trip, or what was read may change.

    asked: the values for (statement, more parameters); the first column of its rows is the value."""
    if not db.far or db.snapshot is None:
        return
    held = db.snapshot.among
    new = {
        key: [each for each in dict.fromkeys(asked[key]) if each not in held.get(key, ())] for key in asked
    }
    reads = {key: [*_reads_among(key[0], values, key[1])] for key, values in new.items()}
    db.ahead([*beside, *chain.from_iterable(reads.values())])
    for key, values in new.items():
        known = held.setdefault(key, {})
        known |= {value: [] for value in values}
        for read in reads[key]:
            for row in db.rows(*read):
                known[row[0]].append(row)


def _reads_among(sql: str, values: Sequence[Any], more: tuple[Any, ...]) -> Iterator[Read]:
    for chunk in chunks(values):
        yield sql.replace("IN (*)", f"IN ({marks(chunk)})"), (*chunk, *more)


def chunks(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield values for IN lists, each with its last one repeated up to a power of two: lists of all lengths are ten
    statements, which stay compiled."""
    for start in range(0, len(values), BATCH):
        chunk = list(values[start : start + BATCH])
        yield chunk + chunk[-1:] * ((1 << (len(chunk) - 1).bit_length()) - len(chunk))


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
        return _walked(db, kind, asked, index)
    at, seq = asked.after
    beside = replace(_narrowed(asked, f" AND {asked.column} = ?", at), since=None, until=None)
    beside = _narrowed(beside, f" AND seq {'>' if asked.oldest_first else '<'} ?", seq)
    found = _walked(db, kind, beside, index)
    past = _narrowed(asked, f" AND {asked.column} {'>' if asked.oldest_first else '<'} ?", at)
    return found + _walked(db, kind, replace(past, limit=asked.limit - len(found)), index)


def _walked(db: Connection, kind: Kind[Any], asked: Walk, index: str) -> list[Any]:
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


_JOURNALLED = re.compile(r"(?:UNIQUE|NOT NULL) constraint failed: (?:changes|edits|audit_\w+)\.")
"""Refusals of what is written with edits: their numbers are wrong, not the edits."""


@contextmanager
def refusing(db: Connection) -> Iterator[None]:
    """Raise a Conflict for what the database refuses of the edits in the block.

    A server is asked at the end, once: it tells of a refused edit with what is sent after it. Where the block raises,
    what was sent before that is asked for first, so that the error is that of the first edit that cannot be made."""
    try:
        try:
            yield
        finally:
            db.flush()
    except binding.sqlite.IntegrityError as error:
        if _JOURNALLED.match(str(error)):
            raise
        raise _refusal(str(error)) from error


def _refusal(cause: str) -> Conflict:
    if "FOREIGN KEY" in cause:
        return Conflict(
            message("Other memory depends on this: what came after it would lose its source."),
            next=message("Take back what came after it first; the audit timeline names it."),
        )
    if "UNIQUE" in cause:
        return Conflict(
            message("Something with the same name is there already ({what}).", what=cause.rpartition(": ")[2])
        )
    return Conflict(message("The store refused this change ({cause}).", cause=cause))
