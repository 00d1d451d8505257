"""The audit log: daily segments in the database, written with the change or recall they describe, and
dropped by the day.

It is separate from the journal, which is never off: levels decide how much of it is written. Rows are
AgentX's memory_audit_log. A row's id begins with its day, so that ids order all segments and each names
its own."""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from memdesk.model.change import Change, Edit
from memdesk.model.errors import MemDeskError
from memdesk.model.history import Asker
from memdesk.model.instant import DAY
from memdesk.model.message import kept_message
from memdesk.model.settings import DEFAULTS, Settings
from memdesk.store import digests
from memdesk.store.connection import Connection, Row, conditions, marks
from memdesk.store.guarding import guarded_message

_EPOCH = date(1970, 1, 1).toordinal()
_SEGMENT = re.compile(r"audit_\d{8}")
_ROWS = 2**32
"""Ids per day: an id is day × 2³² plus a counter, so that ids order rows across segments and identify their
segment."""
_TYPES = {
    "timestamp": "INTEGER NOT NULL",
    "operation": "TEXT NOT NULL",
    "memory_type": "TEXT NOT NULL",
    "author": "TEXT NOT NULL",
    "user_id": "TEXT",
    "session_id": "TEXT",
    "conversation_id": "TEXT",
    "source_channel": "TEXT",
    "target_channels": "TEXT",
    "query_text": "TEXT",
    "result_count": "INTEGER",
    "latency_us": "INTEGER",
    "success": "INTEGER NOT NULL",
    "error_message": "TEXT",
    "promoted_from_channel": "TEXT",
    "promotion_confidence": "REAL",
    "promotion_access_count": "INTEGER",
    "promotion_conversation_count": "INTEGER",
    "config_snapshot": "INTEGER NOT NULL",
    "event": "INTEGER",
    "metadata": "TEXT",
}
COLUMNS = tuple(_TYPES)
"""Columns of a row, after its id."""
_OF_ROW = (int, *({"TEXT": str, "INTEGER": int, "REAL": float}[type.split()[0]] for type in _TYPES.values()))
"""Types of a row's id and columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilter:
    """Filter of audit rows. Times in UTC microseconds, [since, until); empty tuples and None mean all."""

    before: int | None = None
    since: int | None = None
    until: int | None = None
    columns: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    """(column, allowed values) pairs; no list of values is empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Closed day: its rows, the journal's last change by its end with that change's hash, and when it was
    dropped."""

    day: int
    rows: int
    last_change: int
    hash: bytes
    dropped_at: int | None


def day_of(when: date) -> int:
    """Return days since 1970 (UTC)."""
    return when.toordinal() - _EPOCH


def date_of(day: int) -> date:
    return date.fromordinal(day + _EPOCH)


def days(db: Connection) -> list[int]:
    """Return the days that have a segment, newest first."""
    return sorted((_day_named(name) for name in db.tables() if _SEGMENT.fullmatch(name)), reverse=True)


def newest(db: Connection) -> int:
    """Return the day of the newest segment, -1 if there is none."""
    return max(days(db), default=-1)


def create(db: Connection, day: int) -> None:
    """Create the segment of a day, with digests of its rows, if it is missing."""
    lay_out(db, day)
    digests.install_digest(db, table_of(day))


def lay_out(db: Connection, day: int) -> None:
    """Create the tables of a day's segment."""
    name = table_of(day)
    columns = ", ".join(f"{column} {type}" for column, type in _TYPES.items())
    db.run(f"CREATE TABLE IF NOT EXISTS {name} (id INTEGER PRIMARY KEY, {columns}, digest BLOB) STRICT")
    for column in ("session_id", "conversation_id"):
        db.run(f"CREATE INDEX IF NOT EXISTS {name}_{column} ON {name} ({column}) WHERE {column} IS NOT NULL")
    db.wall(name)


@functools.lru_cache(maxsize=4)
def insert_into(day: int) -> str:
    """Return the statement that inserts a row, given its id, COLUMNS and its digest."""
    return f"INSERT INTO {table_of(day)} (id, {', '.join(COLUMNS)}, digest) VALUES (?, {marks(COLUMNS)}, ?)"


def next_id(db: Connection, day: int) -> int:
    """Return the id of the next row of a day's segment."""
    found: int = db.value(_next_id(day))
    return found


def _next_id(day: int) -> str:
    return f"SELECT ifnull(max(id) + 1, {day * _ROWS}) FROM {table_of(day)}"


def page(db: Connection, wanted: AuditFilter, limit: int) -> list[Row]:
    """Return rows (id, then COLUMNS) newest first. Segments are read one after the other, until the limit is
    reached."""
    found: list[Row] = []
    for day in days(db):
        if _beyond(day, wanted) or len(found) >= limit:
            continue
        where, params = _condition(wanted)
        found += db.rows(
            f"SELECT id, {','.join(COLUMNS)} FROM {table_of(day)} WHERE {where} ORDER BY id DESC LIMIT ?",
            (*params, limit - len(found)),
        )
    return found


def counted(db: Connection, day: int) -> int:
    """Return the number of rows of a segment."""
    return int(db.value(f"SELECT count(*) FROM {table_of(day)}"))


def checkpoints(db: Connection) -> list[Checkpoint]:
    """Return every closed day, newest first."""
    rows = db.rows(
        "SELECT segment, rows, last_change, hash, dropped_at FROM audit_checkpoints ORDER BY segment DESC"
    )
    return [
        Checkpoint(day=_day_named(name), rows=count, last_change=last, hash=hash, dropped_at=dropped)
        for name, count, last, hash, dropped in rows
    ]


def close(db: Connection, day: int, at: int) -> None:
    """Write a segment's checkpoint, after which no row is added to it."""
    last, hash = db.row(
        "SELECT id, hash FROM changes WHERE at < ? ORDER BY id DESC LIMIT 1", ((day + 1) * DAY,)
    ) or (0, b"")
    db.run(
        "INSERT INTO audit_checkpoints (segment, rows, last_change, hash, closed_at, dropped_at) "
        "VALUES (?,?,?,?,?,NULL) ON CONFLICT (segment) DO UPDATE SET rows = excluded.rows, "
        "last_change = excluded.last_change, hash = excluded.hash, closed_at = excluded.closed_at, dropped_at = NULL",
        (table_of(day), counted(db, day), last, hash, at),
    )


def drop(db: Connection, day: int, at: int) -> None:
    """Drop a closed segment with all its rows; its checkpoint stays."""
    db.run(f"DROP TABLE {table_of(day)}")
    db.run("DELETE FROM digested WHERE name = ?", (table_of(day),))
    db.run("UPDATE audit_checkpoints SET dropped_at = ? WHERE segment = ?", (at, table_of(day)))


def forget(db: Connection, user_id: str) -> int:
    """Erase a user's rows from every segment, and refusals without a user; return how many there were."""
    return sum(
        db.run(
            f"DELETE FROM {table_of(day)} WHERE user_id = ? OR (user_id IS NULL AND error_message IS NOT NULL)",
            (user_id,),
        )
        for day in days(db)
    )


def configs(db: Connection, numbers: Sequence[int]) -> dict[int, str]:
    """Return snapshots of the settings, JSON as text, by their number."""
    return dict(db.rows(f"SELECT id, snapshot FROM audit_configs WHERE id IN ({marks(numbers)})", numbers))


def table_of(day: int) -> str:
    """Return the table name of a day's segment."""
    return f"audit_{date_of(day):%Y%m%d}"


def _day_named(name: str) -> int:
    return day_of(date.fromisoformat(name.removeprefix("audit_")))


def _beyond(day: int, wanted: AuditFilter) -> bool:
    """Return True if a day cannot have a requested row. A day may have later times if a clock was set back."""
    if wanted.before is not None and day > wanted.before // _ROWS:
        return True
    return wanted.since is not None and (day + 1) * DAY <= wanted.since


def _condition(wanted: AuditFilter) -> tuple[str, list[Any]]:
    bounds = {"id < ?": wanted.before, "timestamp >= ?": wanted.since, "timestamp < ?": wanted.until}
    where, params = conditions(bounds, dict(wanted.columns))
    return where or "true", params


_PRIVATE = ("person", "model_url")
"""Settings that identify a person or a location, and do not influence memory."""
_asker: ContextVar[Asker | None] = ContextVar("asker", default=None)


@contextmanager
def asked_by(asker: Asker) -> Iterator[None]:
    """Record `asker` as the caller of all work queued for the writer thread within the block."""
    token = _asker.set(asker)
    try:
        yield
    finally:
        _asker.reset(token)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Logging policy. sample_rate: the share of reads. snapshot: the present settings as JSON."""

    level: str
    sample_rate: float
    snapshot: str

    @property
    def writes(self) -> bool:
        return self.level != "off"

    @property
    def verbose(self) -> bool:
        return self.level == "verbose"

    def samples(self, number: int) -> bool:
        """Return True if this read is logged. Its number decides, spread by Knuth's multiplicative hash."""
        kept = number * 2_654_435_761 % 2**32 < self.sample_rate * 2**32
        return self.level in ("reads", "verbose") and kept


def policy_of(settings: Settings) -> Policy:
    decisive = {name: value for name, value in asdict(settings).items() if name not in _PRIVATE}
    return Policy(
        level=settings.audit_level, sample_rate=settings.audit_sample_rate, snapshot=json.dumps(decisive)
    )


class AuditLog:
    """Writer of the audit log. Owned by the writer thread; rows share the transaction of the change or recall
    they describe."""

    def __init__(self, db: Connection) -> None:
        self.db = db
        self.policy = policy_of(DEFAULTS)
        self.forget()

    def forget(self) -> None:
        """Clear the cached segment and settings number: a rolled-back transaction may have created them."""
        self._day: int | None = None
        self._next = 0
        self._config: tuple[str, int] = ("", 0)

    def following(self, at: int) -> str:
        """Return the SQL expression of the next row's number; of NULL where the next row may need another segment."""
        return "NULL" if self._day is None or at // DAY > self._day else f"({_next_id(self._day)})"

    def follow_others(self, number: int | None) -> None:
        """Number the next row after those that other engines have written. number: the value of `following`."""
        if number is None:
            self._day = None
        else:
            self._next = number

    def wrote(self, change: Change, number: int, edits: Sequence[Edit], *, at: int, took_us: int) -> None:
        """Log a change that was applied."""
        if not self.policy.writes:
            return
        self._insert(
            at,
            operation=change.op,
            event=number,
            success=1,
            result_count=len(edits),
            latency_us=took_us,
            metadata=_payload(change, edits) if self.policy.verbose else None,
            **self._of_change(change, edits),
            **_promotion(change),
        )

    def refused(self, error: MemDeskError, change: Change | None, *, at: int) -> None:
        """Log a refused write: the change that met a conflict, or the call that was refused before it made a
        change."""
        asker = _asker.get()
        if not self.policy.writes or (change is None and asker is None):
            return
        says = guarded_message(self.db.guard, error.says)
        row: dict[str, Any] = {
            "success": 0,
            "error_message": says,
            "metadata": {"code": error.code} | kept_message(says),
        }
        if change is not None:
            row |= {"operation": change.op} | self._of_change(change, change.edits)
        elif asker is not None:
            row |= _of_call(asker)
        self._insert(at, **row)

    def recalled(self, number: int, *, at: int, crossed: int, trace: dict[str, Any], **row: Any) -> None:
        """Log an answered recall. crossed: its hits from other channels; a recall with some is logged at every level
        but off. row: its values by column; trace: additional data for the level verbose."""
        if self.policy.samples(number) or (crossed and self.policy.writes):
            verbose = self.policy.verbose
            metadata = {"crossed": crossed} if crossed or verbose else None
            if metadata is not None and verbose:
                metadata |= trace
            self._insert(
                at,
                operation="retrieve",
                memory_type="episodic",
                event=number,
                success=1,
                metadata=metadata,
                **row,
            )

    def worked(self, operation: str, *, at: int, results: int | None = None) -> None:
        """Log an operation on working memory that a caller requested. Only the level verbose logs it, without
        values."""
        asker = _asker.get()
        if self.policy.verbose and asker is not None:
            row = _of_call(asker) | {"operation": operation, "memory_type": "working"}
            self._insert(at, success=1, result_count=results, metadata={"call": asker.call}, **row)

    def _of_change(self, change: Change, edits: Sequence[Edit]) -> dict[str, Any]:
        return {
            "memory_type": change.layer,
            "author": change.author,
            "user_id": change.user_id,
            "source_channel": change.channel,
            "conversation_id": self._conversation(edits),
        }

    def _conversation(self, edits: Sequence[Edit]) -> str | None:
        """Return the conversation of the first record of a change that has one, directly or by its source
        turn."""
        for edit in edits:
            if edit.kind == "conversation":
                return edit.id
            fields = edit.after or edit.before or {}
            if "conversation_id" in fields:
                return fields["conversation_id"]  # type: ignore[no-any-return]
            if turn := fields.get("source_turn_id"):
                return self.db.value("SELECT conversation_id FROM turns WHERE id = ?", (turn,))  # type: ignore[no-any-return]
        return None

    def _insert(self, at: int, **row: Any) -> None:
        asker = _asker.get()
        if asker is not None:
            row["session_id"] = row.get("session_id") or asker.session_id
        if row.get("metadata") is not None:
            row["metadata"] = json.dumps(row["metadata"], ensure_ascii=False, separators=(",", ":"))
        row |= {"timestamp": at, "config_snapshot": self._settings()}
        day = self._segment(at)
        values = [self._next, *(row.get(name) for name in COLUMNS)]
        digest = None if self.db.row_digests else digests.digest_of_new(table_of(day), values, _OF_ROW)
        self.db.send(insert_into(day), [*values, digest])
        self._next += 1

    def _segment(self, at: int) -> int:
        """Return the day to write to, and create its segment if missing. After a clock is set back, the
        newest one is used."""
        today = at // DAY
        day = self._day
        if day is None or today > day:
            with self.db.as_owner():
                day = newest(self.db) if day is None else day
                if today > day:
                    create(self.db, today)
                    day = today
                self._day, self._next = day, next_id(self.db, day)
        return day

    def _settings(self) -> int:
        """Return the number of the stored snapshot of the present settings; each distinct snapshot is stored
        once."""
        snapshot = self.policy.snapshot
        if self._config[0] is not snapshot:
            name = hashlib.blake2b(snapshot.encode(), digest_size=16).hexdigest()
            self.db.send(
                "INSERT INTO audit_configs (hash, snapshot) VALUES (?,?) ON CONFLICT DO NOTHING",
                (name, snapshot),
            )
            number = self.db.value("SELECT id FROM audit_configs WHERE hash = ?", (name,))
            self._config = (snapshot, number)
        return self._config[1]


def _payload(change: Change, edits: Sequence[Edit]) -> dict[str, Any]:
    return {"details": change.details, "edits": [(e.kind, e.id, e.before, e.after) for e in edits]}


def _of_call(asker: Asker) -> dict[str, Any]:
    """Return the columns for a call that made no change: its operation is the first word of its verb."""
    verb = asker.call.rpartition(".")[2]
    return {
        "operation": verb.partition("_")[0],
        "memory_type": "",
        "author": asker.author,
        "user_id": asker.user_id,
        "source_channel": asker.channel,
        "conversation_id": asker.conversation_id,
    }


def _promotion(change: Change) -> dict[str, Any]:
    """Return the columns for the thresholds of a promotion, from the details of its change."""
    met = change.details.get("thresholds")
    if change.op != "promote" or not isinstance(met, dict):
        return {}
    found = {name: each.get("found") for name, each in met.items()}
    return {
        "promoted_from_channel": change.details.get("from"),
        "promotion_confidence": found.get("confidence"),
        "promotion_access_count": found.get("recalled"),
        "promotion_conversation_count": found.get("conversations"),
        "target_channels": json.dumps([change.channel], ensure_ascii=False),
    }
