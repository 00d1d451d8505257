"""The audit timeline as read: rows, counts over time, and one event in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import zip_longest
from operator import add
from typing import Any

from memdesk.model.message import NO_MESSAGE, Details, Message
from memdesk.model.names import FilledName, Name

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
    error_message: Message | None
    promoted_from_channel: str | None
    promotion_confidence: float | None
    promotion_access_count: int | None
    promotion_conversation_count: int | None
    config_snapshot: int
    event: int | None
    title: Message = NO_MESSAGE
    records: tuple[str, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskAudit:
    """Rows of the audit log, newest first. after: the `next` of the page before; empty filters mean all.

    since and until: times, [since, until). success: True for successful operations only, False for refused
    ones only."""

    after: int | None = None
    limit: int = 100
    operations: tuple[Name, ...] = ()
    memory_types: tuple[Name, ...] = ()
    authors: tuple[Name, ...] = ()
    channels: tuple[Name, ...] = ()
    user_id: FilledName | None = None
    session_id: FilledName | None = None
    conversation_id: Name | None = None
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
    says: Message


FINDINGS_AT_MOST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Stored data that differs from its written state. part: pages, rows, indexes or files; table: the table
    it is in.

    id: the memory concerned, "" for none. harmless: no memory is lost, for example when a file was edited
    since."""

    part: str
    says: Message
    next: Message
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


OPERATIONS = ("recall", "store", "learn", "update", "promote", "retire", "delete", "undo", "redo", "import")
"""Operations of events, in the order in which the histogram stacks them.

`store` is a turn; `learn` a fact, an entity or a relation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """Row of the timeline. `author` is `agent:NAME`, `person:NAME` or `job:NAME`. `took_us` in microseconds.

    of_run: where one row was asked for each run, the number of the run's changes."""

    id: int
    at: datetime
    op: str
    layer: str
    title: Message
    author: str
    channel: str
    user_id: str
    took_us: int
    run: str | None = None
    undoes: int | None = None
    undone_by: int | None = None
    undoable: bool = False
    of_run: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPage:
    """Page of the timeline: rows `first` to `first + len(rows)` of `total`, newest first.

    unsearched: for a text query, how many events in the requested time were not searched because their titles
    are still being indexed; neither the rows nor the total include them."""

    first: int
    total: int
    rows: tuple[EventRow, ...]
    unsearched: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """Counts per bucket: counts[bucket][n] belongs to operations[n]. Totals cover the complete requested
    range.

    below: if a limit left older events out, the number that all of them are below; the same query with it as
    `before` continues, in the same buckets."""

    start: datetime
    step_s: float
    operations: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    by_operation: dict[str, int]
    by_author: dict[str, int]
    by_channel: dict[str, int]
    by_layer: dict[str, int]
    below: int | None = None

    def with_older(self, older: Histogram) -> Histogram:
        """Return the sum of this histogram and the one that continues below it."""
        pairs = zip_longest(
            self.counts, older.counts[: len(self.counts)], fillvalue=(0,) * len(self.operations)
        )
        return replace(
            self,
            counts=tuple(tuple(map(add, mine, more)) for mine, more in pairs),
            below=older.below,
            by_operation=dict(Counter(self.by_operation) + Counter(older.by_operation)),
            by_author=dict(Counter(self.by_author) + Counter(older.by_author)),
            by_channel=dict(Counter(self.by_channel) + Counter(older.by_channel)),
            by_layer=dict(Counter(self.by_layer) + Counter(older.by_layer)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldMove:
    """Change of one field of one record, before and after, as text. None: the record did not have it."""

    record: str
    kind: str
    title: str
    field: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRef:
    """Record that an event touched."""

    id: str
    kind: str
    title: str
    channel: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDetail:
    """Event in full. `moves` contains at most the first 200 field changes of `total_moves`.

    details: extra data stored by the verb, such as the thresholds a promotion was judged by. if_undone: the
    effect of undoing it, in a sentence; "" if it cannot be undone. earlier: older events of the same memory,
    newest first. returned: the memories a recall returned. run_changes: how many changes its run made, 0 if
    it belongs to none."""

    row: EventRow
    moves: tuple[FieldMove, ...]
    total_moves: int
    records: tuple[RecordRef, ...]
    details: Details = field(default_factory=dict)
    if_undone: Message = NO_MESSAGE
    earlier: tuple[EventRow, ...] = ()
    returned: tuple[RecordRef, ...] = ()
    run_changes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEvent:
    """Event of the change feed: enough for a view to decide whether to refresh."""

    id: int
    at: datetime
    op: str
    title: Message
    author: str
    channel: str
    kinds: tuple[str, ...]
    records: tuple[str, ...]
    undoable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingMoved:
    """Notice that working memory was written, used by an agent, forgotten, or expired.

    Working memory has no journal, so the notice has no number and is not repeated. moves: how many commits
    did any of this since the service started. asks: how often an act began or ceased to wait for a click in the
    window; for a member with bounds both stay 0. after: the change up to which the feed was sent."""

    moves: int
    asks: int = 0
    after: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskHistory:
    """Window of the timeline, newest first. Empty tuples mean all; `record` keeps only events that touched
    that id.

    text: only titles that have each of its words, ignoring case and accents; the last may be the beginning of
    a word. Chinese is found by any of its characters in a row. conversation_id, session_id: only events of
    its turns, facts, compactions and recalls. run: only one run's changes, such as an import's. before: only
    events with a smaller number, so that paging returns each of them once. count: whether to count them all;
    without it, `total` counts only the events that were read. by_run: one row for each run, the newest change
    by whoever began it; at most ten thousand events are read for them."""

    first: int = 0
    limit: int = 256
    since: datetime | None = None
    until: datetime | None = None
    operations: tuple[Name, ...] = ()
    layers: tuple[Name, ...] = ()
    authors: tuple[Name, ...] = ()
    channels: tuple[Name, ...] = ()
    text: str = ""
    record: Name | None = None
    user_id: FilledName | None = None
    conversation_id: Name | None = None
    session_id: FilledName | None = None
    run: str | None = None
    before: int | None = None
    count: bool = True
    by_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AskHistogram:
    """Request for counts per bucket. Without a range: from the first event to now. Filters as in the
    timeline.

    conversation_id, session_id: only events of its turns, facts, compactions and recalls. run: only one run's
    changes. before: only events with a smaller number. limit: count this many of the newest and return where
    the rest begins; used for queries with words, a memory, a conversation, a session or a run, as others are
    counted at once. 0: all."""

    bins: int = 96
    since: datetime | None = None
    until: datetime | None = None
    operations: tuple[Name, ...] = ()
    layers: tuple[Name, ...] = ()
    authors: tuple[Name, ...] = ()
    channels: tuple[Name, ...] = ()
    text: str = ""
    record: Name | None = None
    user_id: FilledName | None = None
    conversation_id: Name | None = None
    session_id: FilledName | None = None
    run: str | None = None
    before: int | None = None
    limit: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class UserList:
    """Names of all users with stored memory, sorted."""

    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskEvent:
    """Request for one event in full."""

    id: int
