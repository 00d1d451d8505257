"""The audit timeline as read: rows, counts over time, and one event in full."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import zip_longest
from operator import add
from typing import Any

OPERATIONS = ("recall", "store", "learn", "update", "promote", "retire", "delete", "undo", "redo", "import")
"""Operations of events, in the order in which the histogram stacks them.

`store` is a turn; `learn` a fact, an entity or a relation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """Row of the timeline. `author` is `agent:NAME`, `person:NAME` or `job:NAME`. `took_us` in microseconds."""

    id: int
    at: datetime
    op: str
    layer: str
    title: str
    author: str
    channel: str
    user_id: str
    took_us: int
    run: str | None = None
    undoes: int | None = None
    undone_by: int | None = None
    undoable: bool = False


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
            self, counts=tuple(tuple(map(add, mine, more)) for mine, more in pairs), below=older.below,
            by_operation=dict(Counter(self.by_operation) + Counter(older.by_operation)),
            by_author=dict(Counter(self.by_author) + Counter(older.by_author)),
            by_channel=dict(Counter(self.by_channel) + Counter(older.by_channel)),
            by_layer=dict(Counter(self.by_layer) + Counter(older.by_layer)),
        )  # fmt: skip


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
    details: dict[str, Any] = field(default_factory=dict)
    if_undone: str = ""
    earlier: tuple[EventRow, ...] = ()
    returned: tuple[RecordRef, ...] = ()
    run_changes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEvent:
    """Event of the change feed: enough for a view to decide whether to refresh."""

    id: int
    at: datetime
    op: str
    title: str
    author: str
    channel: str
    kinds: tuple[str, ...]
    records: tuple[str, ...]
    undoable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingMoved:
    """Notice that working memory was written, used by an agent, forgotten, or expired.

    Working memory has no journal, so the notice has no number and is not repeated. moves: how many commits
    did any of this since the service started."""

    moves: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AskHistory:
    """Window of the timeline, newest first. Empty tuples mean all; `record` keeps only events that touched
    that id.

    text: only titles that have each of its words, ignoring case and accents; the last may be the beginning of
    a word. Chinese is found by any of its characters in a row. conversation_id, session_id: only events of
    its turns, facts, compactions and recalls. run: only one run's changes, such as an import's. before: only
    events with a smaller number, so that paging returns each of them once. count: whether to count them all;
    without it, `total` counts only the events that were read."""

    first: int = 0
    limit: int = 256
    since: datetime | None = None
    until: datetime | None = None
    operations: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    text: str = ""
    record: str | None = None
    user_id: str | None = None
    conversation_id: str | None = None
    session_id: str | None = None
    run: str | None = None
    before: int | None = None
    count: bool = True


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
    operations: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    text: str = ""
    record: str | None = None
    user_id: str | None = None
    conversation_id: str | None = None
    session_id: str | None = None
    run: str | None = None
    before: int | None = None
    limit: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class UserList:
    """Names of all users with stored memory, sorted."""

    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskEvent:
    id: int
