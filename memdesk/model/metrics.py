"""Metrics that AgentX asks to monitor, as numbers without any text from memory."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySize:
    """Size of the memory. records: rows of every kind, retired ones too. Sizes in bytes."""

    records: dict[str, int]
    database_bytes: int
    wal_bytes: int
    working_keys: int
    working_bytes: int
    working_expired: int
    working_evicted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Statistics of one recall technique, or of complete recalls (`recall`), since the service started.
    Percentiles in milliseconds.

    runs: how often it ran; aside: how often it was skipped or failed; found and added: memories found, and
    those that no earlier technique had found."""

    runs: int
    aside: int
    found: int
    added: int
    p50_ms: float
    p95_ms: float
    p99_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheUse:
    """Use of a cache. rate: hits among all lookups, 0 to 1; None before the first lookup."""

    hits: int
    misses: int
    rate: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationLag:
    """Time from a conversation's last turn to its consolidation, in seconds, over the newest `measured`
    conversations.

    waiting: conversations with unread turns; oldest_waiting_s: how long the oldest such turn has waited."""

    measured: int
    p50_s: float
    p95_s: float
    p99_s: float
    waiting: int
    oldest_waiting_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DecayDay:
    """Counts of the job decay on one UTC day: entities and facts that lost strength, and entities it retired."""

    day: date
    faded_entities: int
    faded_facts: int
    retired: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JobUse:
    """Runs of one job by final state (without dry runs), and its latest run: when it ended and its duration."""

    runs: dict[str, int]
    last_finished: datetime | None
    last_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteUse:
    """Use of the write queue since the service started. groups: commits; pieces: writes in them; refused by
    error code."""

    groups: int
    pieces: int
    per_group: float
    refused: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """All metrics at one moment. events: how many the timeline has, by operation.

    errors: answers that were errors since the service started, by code."""

    at: datetime
    memory: MemorySize
    recall: dict[str, Latency]
    caches: dict[str, CacheUse]
    consolidation: ConsolidationLag
    decay: tuple[DecayDay, ...]
    jobs: dict[str, JobUse]
    writes: WriteUse
    events: dict[str, int]
    errors: dict[str, int]
