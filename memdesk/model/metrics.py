"""Metrics: what AgentX asks to be watched, as numbers without a word of memory in them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySize:
    """How much there is. records: rows of every kind, retired ones too. Sizes in bytes."""

    records: dict[str, int]
    database_bytes: int
    wal_bytes: int
    working_keys: int
    working_bytes: int
    working_expired: int
    working_evicted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """One technique of recall, or `recall` for the whole, since the service started. Percentiles in milliseconds.

    runs: how often it looked; aside: how often it could not; found and added: memories, and those nothing else found.
    """

    runs: int
    aside: int
    found: int
    added: int
    p50_ms: float
    p95_ms: float
    p99_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheUse:
    """rate: hits among all that was asked, 0 to 1; None before anything was."""

    hits: int
    misses: int
    rate: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationLag:
    """From a conversation's last turn to its consolidation, in seconds, over the newest `measured` conversations.

    waiting: conversations with turns not yet read; oldest_waiting_s: how long the oldest such turn has waited.
    """

    measured: int
    p50_s: float
    p95_s: float
    p99_s: float
    waiting: int
    oldest_waiting_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DecayDay:
    """What the job decay counted on one UTC day: entities and facts that lost strength, and entities it retired."""

    day: date
    faded_entities: int
    faded_facts: int
    retired: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JobUse:
    """Runs of one job by how they ended (dry ones aside), and its latest run: when it ended and what it took."""

    runs: dict[str, int]
    last_finished: datetime | None
    last_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteUse:
    """The write door since the service started. groups: commits; pieces: writes they carried; refused by error code."""

    groups: int
    pieces: int
    per_group: float
    refused: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """Everything as of now. events: how many the timeline has, by operation.

    errors: answers that were errors since the service started, by code.
    """

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
