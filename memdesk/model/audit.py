"""The audit log as read: one row an operation, the segments it lies in, and what walking the journal's chain found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

LEVELS = ("off", "writes", "reads", "verbose")
"""AgentX's levels. writes: what changed memory or tried to; reads: recalls too; verbose: with payloads and traces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Who asked for what is under way, as far as the door knows. call: the endpoint, such as `memory.learn_fact`."""

    call: str
    author: str
    user_id: str | None = None
    channel: str | None = None
    conversation_id: str | None = None
    session_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """One row of the audit log: AgentX's memory_audit_log, and who did it.

    event: the number of the change or recall that it tells of, None for one that was refused. title, records: what that
    event says and the first twenty ids it touched. memory_type: episodic, semantic, procedural, working, workspace; ""
    where a call was refused before it came so far. result_count: records moved or hits returned. config_snapshot: a
    key of the page's `configs`.
    """

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

    since and until: times, [since, until). success: only what went well, or only what was refused.
    """

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
    """next: the `after` that asks for the rows after these, None at the end. configs: the settings by their number."""

    rows: tuple[AuditRow, ...]
    next: int | None
    configs: dict[int, dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One UTC day of the audit log. closed: no row is added any more; dropped_at: when retention took its rows.

    rows: as they are, or were when it was closed. last_change and hash: the journal's last change of that day and its
    link of the chain, in hexadecimal; None while the day is open.
    """

    day: date
    rows: int
    closed: bool
    dropped_at: datetime | None = None
    last_change: int | None = None
    hash: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentList:
    """Newest first. level and retention_days: the settings that decide what comes in and how long it stays."""

    rows: tuple[Segment, ...]
    level: str
    retention_days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """Where the journal is not what was written. what: payload, link, missing, checkpoint or mark."""

    change: int
    what: str
    says: str


FINDINGS_AT_MOST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that is not as it was written. part: pages, rows, indexes or files; table: where it lies.

    id: the memory concerned, "" for none. harmless: memory is whole, as where a file was edited since.
    """

    part: str
    says: str
    next: str
    table: str = ""
    id: str = ""
    harmless: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """How the desk stands: its journal's hash chain, and its pages, rows, indexes and files.

    changes: how many were walked, of which `holding` are as they were written. erased: those of them of which an
    erasure left only the link. first_break: None when the chain is whole. last_change: the newest one, whose `hash`
    (hexadecimal) vouches for all before it: note it elsewhere to know it again. rows: how many were read and compared.
    findings: what else is wrong, the first FINDINGS_AT_MOST of `found`.
    """

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
        """Tell whether everything is as it was written."""
        return self.first_break is None and all(each.harmless for each in self.findings)

    @classmethod
    def in_result(cls, result: Mapping[str, Any]) -> Verification:
        """As it stands in the result of the job that walked the chain."""
        found = dict(result)
        broken = found.pop("first_break")
        findings = tuple(Finding(**each) for each in found.pop("findings", ()))
        return cls(first_break=None if broken is None else Break(**broken), findings=findings, **found)
