"""Memory in the order of time: recent turns, the turn log, conversations, the memory timeline; memories as of an
earlier moment, and their return to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memdesk.model.channel import LOCAL_USER
from memdesk.model.message import Message
from memdesk.model.names import FilledName, Name
from memdesk.model.trust import BEFORE


@dataclass(frozen=True, slots=True, kw_only=True)
class AskTable:
    """Window of the table. kind: fact, entity, goal or strategy. Empty tuples mean all.

    categories: of facts; types of entities. sources: origins of the claim (facts). tags: rows with any of
    them. text: only titles that contain it. about: only titles with these words, and facts linked to an entity of this
    name. state: current, past, retired (or superseded), quarantined,
    pinned, all; of goals also active, blocked, completed, abandoned. confidence_from, confidence_below:
    bounds of a fact's confidence now, the upper one left out. since, until: bounds of when it was learned.
    sort: created, title, category, channel, source, state, confidence, salience, recalled or priority, as the
    kind has it. descending: the highest first. upto: the `newest` of an earlier page, so that later rows do
    not shift the window."""

    kind: str = "fact"
    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    agents: tuple[Name, ...] = ()
    categories: tuple[Name, ...] = ()
    sources: tuple[str, ...] = ()
    tags: tuple[Name, ...] = ()
    text: str = ""
    about: str = ""
    state: str = "current"
    confidence_from: float | None = None
    confidence_below: float | None = None
    since: datetime | None = None
    until: datetime | None = None
    sort: str = "created"
    descending: bool = True
    upto: int | None = None
    first: int = 0
    limit: int = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """Memory as the table shows it. Columns that its kind lacks are None.

    category: of a fact; the type of an entity. state: current, past, superseded, retired or quarantined; of a
    goal its status. confidence: a fact's confidence now; of a strategy its share of successes. recalled: how
    often; of a strategy, how often used. origin, trust: the door it came through, and how far it is trusted.
    question: the open question about what contradicts a fact, "" for none."""

    id: str
    kind: str
    title: str
    category: str
    channel: str
    agent_id: str | None
    state: str
    created_at: datetime
    source: str | None = None
    confidence: float | None = None
    salience: float | None = None
    recalled: int | None = None
    priority: int | None = None
    pinned: bool = False
    promoted_from: str | None = None
    tags: tuple[str, ...] = ()
    origin: str = ""
    trust: float = BEFORE
    question: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePage:
    """Page of the table: rows `first` to `first + len(rows)` of `total`. newest: the value of `upto` that
    keeps this state.

    categories, sources: how many rows of the kind there are of each, regardless of other filters; given with
    the first window alone."""

    first: int
    total: int
    newest: int
    rows: tuple[TableRow, ...]
    categories: dict[str, int] = field(default_factory=dict)
    sources: dict[str, int] = field(default_factory=dict)


STATES = ("current", "archived", "all")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedTurn:
    """Turn with the columns of AgentX's conversation_logs. `content_hash`: SHA-256 of the content as UTF-8,
    in hex.

    The turn with the next higher turn_index of its conversation FOLLOWED it, regardless of their timestamps.
    """

    id: str
    conversation_id: str
    turn_index: int
    timestamp: datetime
    role: str
    speaker: str
    content: str
    content_hash: str
    token_count: int | None
    model: str | None
    channel: str
    agent_id: str | None
    metadata: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRecentTurns:
    """Turns of the last hours, newest first. channels: empty for all. role: only turns of it, "" for any."""

    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    hours: float = 24.0
    limit: int = 50
    role: Name = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentTurns:
    rows: tuple[LoggedTurn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskTurnLog:
    """Log of turns: by time, newest first unless oldest_first; for one conversation, in its order.

    after: the `next` of the page before. channels, role, agent_id: empty for all. since, until: only turns of
    that time, the end left out."""

    user_id: FilledName = LOCAL_USER
    conversation_id: Name | None = None
    channels: tuple[Name, ...] = ()
    role: Name = ""
    agent_id: FilledName | None = None
    since: datetime | None = None
    until: datetime | None = None
    oldest_first: bool = False
    after: Name = ""
    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLog:
    """Page of the turn log. `next` asks for the page after this one, None when this is the last."""

    rows: tuple[LoggedTurn, ...]
    next: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListConversations:
    """Conversations, the one that began last first. after: the `next` of the page before.

    text: only titles that contain it. state: current, archived, all. channels, agents: empty for all.
    agent_id: only this one."""

    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    agents: tuple[Name, ...] = ()
    agent_id: FilledName | None = None
    text: str = ""
    state: str = "current"
    since: datetime | None = None
    until: datetime | None = None
    after: Name = ""
    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationRow:
    """Conversation as listed. `turns` counts its turns; `last_turn_at` is None if it has none.

    consolidated_at: when extraction read it last; consolidated: whether it was read to its end. patterns_at:
    the moment up to which its tool calls were read for strategies."""

    id: str
    title: str
    channel: str
    agent_id: str | None
    started_at: datetime
    last_turn_at: datetime | None
    turns: int
    consolidated: bool
    consolidated_at: datetime | None
    patterns_at: datetime | None
    archived_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationsPage:
    """Page of conversations. `next` asks for the page after this one, None when this is the last."""

    rows: tuple[ConversationRow, ...]
    next: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskTimeline:
    """Memories in the order of their time, newest first. after: the `next` of the page before.

    kinds: conversation, turn, fact, entity, goal, strategy, tool_call; empty for all. state: current;
    archived, including retired and superseded memory; all. since, until: only memories of that time, the end
    left out."""

    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    kinds: tuple[Name, ...] = ()
    state: str = "current"
    since: datetime | None = None
    until: datetime | None = None
    after: Name = ""
    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineRow:
    """Memory in the timeline, with the columns of AgentX's memory_timeline.

    importance_score: salience now for kinds that fade, else 0.5. metadata: a turn's own, an entity's
    properties."""

    id: str
    memory_type: str
    layer: str
    event_time: datetime
    summary: str
    importance_score: float
    access_count: int
    last_accessed: datetime | None
    channel: str
    archived: bool
    agent_id: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelinePage:
    """Page of the timeline. `next` asks for the page after this one, None when this is the last."""

    rows: tuple[TimelineRow, ...]
    next: str | None


PUT_BACK_AT_MOST = 500
"""Memories that can be put back at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPast:
    """Request for the memories of a kind that differ between a moment and now, or a later moment.

    at: the time. before: a change, in place of a time: the moment just before it. until: the later moment that is
    compared with it; None for now. kind: fact, entity, goal, strategy, relation, trait (of the profile) or document (a
    file). channels: those a memory was or is in, empty for all. text: words of the title at either moment."""

    at: datetime | None = None
    before: int | None = None
    until: datetime | None = None
    kind: Name = "fact"
    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    text: str = ""
    limit: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryState:
    """State of a memory at one moment. title: of a fact its claim, of a file its agent and path. state: current, past,
    future, superseded or retired; of a goal its status. more: what else tells it apart: an entity's description, a
    trait's value, and the lines of a file that it has at this moment alone."""

    title: str
    channel: str
    state: str
    category: str = ""
    confidence: float | None = None
    pinned: bool = False
    more: str = ""

    def __str__(self) -> str:
        return f"{self.state}: {self.title}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDifference:
    """Memory at the moment and now, or at the later moment; None where it did not exist."""

    id: str
    then: MemoryState | None
    now: MemoryState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPage:
    """Differences, the memory changed last first. before: the first change after the moment; at: the moment.

    total: of all differences, of which rows has the first. is_cut: the moment is too far back, so the earlier
    differences are missing."""

    before: int
    at: datetime
    total: int
    rows: tuple[MemoryDifference, ...]
    is_cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PutBack:
    """Request to put memories back to what they were. before: the change before which they were so. kind: as of
    AskPast; a file is put back from its own versions."""

    ids: tuple[Name, ...]
    before: int
    kind: Name = "fact"


@dataclass(frozen=True, slots=True, kw_only=True)
class PutBackDone:
    """Result: how many memories are as they were, the last change of the run that did it, and why others are left, by
    id."""

    changed: int
    change: int | None = None
    run: str | None = None
    left: dict[str, Message] = field(default_factory=dict)
