"""The audit log as read: one row per operation, its daily segments, and the result of verifying the journal's
hash chain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

LEVELS = ("off", "writes", "reads", "verbose")
"""AgentX's levels. writes: changes of memory, also refused ones. reads: recalls too. verbose: with payloads
and traces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Caller of the request being served, as far as the service knows it. call: the endpoint, such as
    `memory.learn_fact`."""

    call: str
    author: str
    user_id: str | None = None
    channel: str | None = None
    conversation_id: str | None = None
    session_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """Row of the audit log: the columns of AgentX's memory_audit_log, and the author.

    event: the number of the change or recall that the row describes, None for one that was refused. title,
    records: the title of that event and the first twenty ids it touched. memory_type: episodic, semantic,
    procedural, working, workspace; "" where a call was refused before its memory type was known.
    result_count: records moved or hits returned. config_snapshot: a key of the page's `configs`."""

    id: int
    timestamp: datetime
    operation: str
    memory_type: str
    author: str
    user_id: str | None
    session_id: str | None
    conversation_id: str | None
    source_channel: str | None
    target_channels: tuple[str, ...]
    query_text: str | None
    result_count: int | None
    latency_ms: float | None
    success: bool
    error_message: str | None
    promoted_from_channel: str | None
    promotion_confidence: float | None
    promotion_access_count: int | None
    promotion_conversation_count: int | None
    config_snapshot: int
    event: int | None
    title: str = ""
    records: tuple[str, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskAudit:
    """Rows of the audit log, newest first. after: the `next` of the page before; empty filters mean all.

    since and until: times, [since, until). success: True for successful operations only, False for refused
    ones only."""

    after: int | None = None
    limit: int = 100
    operations: tuple[str, ...] = ()
    memory_types: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    user_id: str | None = None
    session_id: str | None = None
    conversation_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    success: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """Page of audit rows.

    next: the `after` that asks for the rows after these, None at the end. configs: the settings by their
    number."""

    rows: tuple[AuditRow, ...]
    next: int | None
    configs: dict[int, dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """Segment of the audit log: one UTC day. closed: no row is added any more; dropped_at: when retention
    dropped its rows.

    rows: their number now, or when the day was closed. last_change and hash: the journal's last change of
    that day and its chain hash, in hexadecimal; None while the day is open."""

    day: date
    rows: int
    closed: bool
    dropped_at: datetime | None = None
    last_change: int | None = None
    hash: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentList:
    """Segments, newest first. level and retention_days: the settings that decide which operations are logged
    and for how long."""

    rows: tuple[Segment, ...]
    level: str
    retention_days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """First point at which the journal differs from its written state. what: payload, link, missing,
    checkpoint or mark."""

    change: int
    what: str
    says: str


FINDINGS_AT_MOST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Stored data that differs from its written state. part: pages, rows, indexes or files; table: the table
    it is in.

    id: the memory concerned, "" for none. harmless: no memory is lost, for example when a file was edited
    since."""

    part: str
    says: str
    next: str
    table: str = ""
    id: str = ""
    harmless: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """Result of verifying a desk: its journal's hash chain, and its pages, rows, indexes and files.

    changes: how many were checked, of which `holding` are as they were written. erased: how many of them an
    erasure reduced to their hash. first_break: None when the chain is intact. last_change: the newest change;
    its `hash` (hexadecimal) covers all changes before it, so a copy noted elsewhere proves that they are
    unchanged. rows: how many were read and compared. findings: other problems, the first FINDINGS_AT_MOST of
    `found`."""

    changes: int
    holding: int
    erased: int
    last_change: int
    hash: str
    first_break: Break | None
    took_ms: float
    rows: int = 0
    found: int = 0
    findings: tuple[Finding, ...] = ()

    @property
    def whole(self) -> bool:
        """Return True if the chain is intact and every finding is harmless."""
        return self.first_break is None and all(each.harmless for each in self.findings)

    @classmethod
    def in_result(cls, result: Mapping[str, Any]) -> Verification:
        """Build a verification from the result of the job that verified the chain."""
        found = dict(result)
        broken = found.pop("first_break")
        findings = tuple(Finding(**each) for each in found.pop("findings", ()))
        return cls(first_break=None if broken is None else Break(**broken), findings=findings, **found)
