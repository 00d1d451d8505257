"""The audit timeline as read: rows, counts over time, and one event whole."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import zip_longest
from operator import add
from typing import Any

OPERATIONS = ("recall", "store", "learn", "update", "promote", "retire", "delete", "undo", "redo", "import")
"""Every word an event may carry, in the order the histogram stacks them.

`store` is a turn; `learn` a fact, an entity or a relation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """One line of the timeline. `author` is `agent:NAME`, `person:NAME` or `job:NAME`. `took_us` in microseconds."""

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
    """Rows `first` to `first + len(rows)` of `total`, newest first.

    unsearched: of a question with words, how many events of the asked time were not looked at, because what they say is
    still being indexed; neither the rows nor the total know of them.
    """

    first: int
    total: int
    rows: tuple[EventRow, ...]
    unsearched: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """Counts per bucket: counts[bucket][n] belongs to operations[n]. Totals cover the whole asked range.

    below: where a limit left older events out, the number that all of them are below; the same question with it as
    `before` goes on, in the same buckets.
    """

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
        """Both together: the answer to a question, and to the same one going on below it."""
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
    """One field of one record, before and after, as text. None: it was not there."""

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
    """One event whole. `moves` holds at most the first 200 field moves of `total_moves`.

    details: what the verb wanted remembered, such as the thresholds a promotion was judged by.
    if_undone: what taking it back would do, in a sentence; empty when it cannot be taken back.
    earlier: older events of the same memory, newest first. returned: what a recall gave back. run_changes: how many
    changes its run made, 0 where it belongs to none.
    """

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
    """What the change feed tells: enough for a view to know whether it is concerned."""

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
    """Working memory was written, used by an agent, forgotten, or ran out.

    It has no journal, so this has no number and is not told again. moves: how often it moved since the service started.
    """

    moves: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AskHistory:
    """A window of the timeline, newest first. Empty tuples mean all; `record` keeps only what touched that id.

    text: only titles that have each of its words, whatever the case and the accents; the last may be the beginning of a
    word. Chinese is found by any of its characters in a row.
    conversation_id, session_id: only what was said, learned and recalled in it. run: only one run's changes, such as an
    import's. before: only events with a smaller number, so that a walk from page to page meets each of them once.
    count: whether to count them all; without it, `total` knows no more than what was read.
    """

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
    """Counts per bucket. Without a range: from the first event to now. Filters as in the timeline.

    conversation_id, session_id: only what was said, learned and recalled in it. run: only one run's changes.
    before: only events with a smaller number. limit: count so many of the newest and say where the rest begins; holds
    for questions with words, a memory, a conversation, a session or a run, as others are counted at once. 0: all.
    """

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
    """Everybody something is remembered of, by name."""

    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskEvent:
    id: int
