"""The audit log: daily segments in the database, written with the change or recall they describe, and dropped
by the day.

It is separate from the journal, which is never off: levels decide how much of it is written. Rows are
AgentX's memory_audit_log. A row's id begins with its day, so that ids order all segments and each names its
own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from typing import Any

from memdesk.model.audit import Asker
from memdesk.model.change import Change, Edit
from memdesk.model.errors import MemDeskError
from memdesk.model.instant import DAY
from memdesk.model.settings import DEFAULTS, Settings
from memdesk.store.connection import Connection
from memdesk.store.segments import COLUMNS, create, insert_into, newest

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
        self._config: tuple[str, int] = ("", 0)

    def wrote(self, change: Change, number: int, edits: Sequence[Edit], *, at: int, took_us: int) -> None:
        """Log a change that was applied."""
        if not self.policy.writes:
            return
        self._insert(
            at, operation=change.op, event=number, success=1, result_count=len(edits), latency_us=took_us,
            metadata=_payload(change, edits) if self.policy.verbose else None, **self._of_change(change, edits),
            **_promotion(change),
        )  # fmt: skip

    def refused(self, error: MemDeskError, change: Change | None, *, at: int) -> None:
        """Log a refused write: the change that met a conflict, or the call that was refused before it made a
        change."""
        asker = _asker.get()
        if not self.policy.writes or (change is None and asker is None):
            return
        row: dict[str, Any] = {"success": 0, "error_message": error.says, "metadata": {"code": error.code}}
        if change is not None:
            row |= {"operation": change.op} | self._of_change(change, change.edits)
        elif asker is not None:
            row |= _of_call(asker)
        self._insert(at, **row)

    def recalled(self, number: int, *, at: int, trace: dict[str, Any], **row: Any) -> None:
        """Log an answered recall. row: its values by column; trace: additional data for the level verbose."""
        if self.policy.samples(number):
            metadata = trace if self.policy.verbose else None
            self._insert(
                at, operation="retrieve", memory_type="episodic", event=number, success=1, metadata=metadata, **row
            )  # fmt: skip

    def worked(self, operation: str, *, at: int, results: int | None = None) -> None:
        """Log an operation on working memory that a caller requested. Only the level verbose logs it, without
        values."""
        asker = _asker.get()
        if self.policy.verbose and asker is not None:
            row = _of_call(asker) | {"operation": operation, "memory_type": "working"}
            self._insert(at, success=1, result_count=results, metadata={"call": asker.call}, **row)

    def _of_change(self, change: Change, edits: Sequence[Edit]) -> dict[str, Any]:
        return {
            "memory_type": change.layer, "author": change.author, "user_id": change.user_id,
            "source_channel": change.channel, "conversation_id": self._conversation(edits),
        }  # fmt: skip

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
        self.db.run(insert_into(self._segment(at)), [row.get(name) for name in COLUMNS])

    def _segment(self, at: int) -> int:
        """Return the day to write to, and create its segment if missing. After a clock is set back, the
        newest one is used."""
        today = at // DAY
        if self._day is None:
            self._day = newest(self.db)
        if today > self._day:
            create(self.db, today)
            self._day = today
        return self._day

    def _settings(self) -> int:
        """Return the number of the stored snapshot of the present settings; each distinct snapshot is stored
        once."""
        snapshot = self.policy.snapshot
        if self._config[0] is not snapshot:
            name = hashlib.blake2b(snapshot.encode(), digest_size=16).hexdigest()
            self.db.run("INSERT OR IGNORE INTO audit_configs (hash, snapshot) VALUES (?,?)", (name, snapshot))
            number = self.db.value("SELECT id FROM audit_configs WHERE hash = ?", (name,))
            self._config = (snapshot, number)
        return self._config[1]


def _payload(change: Change, edits: Sequence[Edit]) -> dict[str, Any]:
    return {"details": change.details, "edits": [(e.kind, e.id, e.before, e.after) for e in edits]}


def _of_call(asker: Asker) -> dict[str, Any]:
    """Return the columns for a call that made no change: its operation is the first word of its verb."""
    verb = asker.call.rpartition(".")[2]
    return {
        "operation": verb.partition("_")[0], "memory_type": "", "author": asker.author, "user_id": asker.user_id,
        "source_channel": asker.channel, "conversation_id": asker.conversation_id,
    }  # fmt: skip


def _promotion(change: Change) -> dict[str, Any]:
    """Return the columns for the thresholds of a promotion, from the details of its change."""
    met = change.details.get("thresholds")
    if change.op != "promote" or not isinstance(met, dict):
        return {}
    found = {name: each.get("found") for name, each in met.items()}
    return {
        "promoted_from_channel": change.details.get("from"), "promotion_confidence": found.get("confidence"),
        "promotion_access_count": found.get("recalled"), "promotion_conversation_count": found.get("conversations"),
        "target_channels": json.dumps([change.channel], ensure_ascii=False),
    }  # fmt: skip
