"""Procedural memory in requests and answers: tool calls, strategies, and the outcomes of both."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.message import Message
from memdesk.model.names import FilledName, Name


@dataclass(frozen=True, slots=True, kw_only=True)
class NewToolCall:
    """Call of a tool to record. invocation_id is the caller's own id: the same id with the same call is a
    no-op.

    If a conversation is given, the call is in its channel; turn_id, or turn_index with conversation_id, names
    the calling turn. tool_input and tool_output are any JSON. success: left out if unknown; with an
    error_message it is a failure. task_type: the purpose of the call, such as code_review. latency_ms in
    milliseconds."""

    tool_name: Name
    tool_input: Any = field(default_factory=dict)
    tool_output: Any = None
    success: bool | None = None
    latency_ms: int | None = None
    error_message: str = ""
    task_type: Name = ""
    conversation_id: Name | None = None
    turn_id: Name | None = None
    turn_index: int | None = None
    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER
    agent_id: FilledName | None = None
    created_at: datetime | None = None
    invocation_id: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewToolCalls:
    """Up to 400 tool calls, recorded in order; all of them or none."""

    calls: tuple[NewToolCall, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedToolCall:
    """Result of recording a call. `change` is the audit entry, None when the call was recorded before
    (`repeated`)."""

    id: str
    repeated: bool
    change: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedToolCalls:
    calls: tuple[RecordedToolCall, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListToolCalls:
    """Tool calls, newest first. after: the `next` of the page before. Empty texts and lists mean all.

    success: True for successful calls only, False for failed ones only. since, until: only calls of that
    time."""

    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    tool_name: Name = ""
    task_type: Name = ""
    agent_id: FilledName | None = None
    conversation_id: Name | None = None
    success: bool | None = None
    since: datetime | None = None
    until: datetime | None = None
    after: Name = ""
    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallRow:
    """Tool call as listed: `tool_input` and `tool_output` are the beginnings of their JSON."""

    id: str
    tool_name: str
    task_type: str
    success: bool | None
    latency_ms: int | None
    error_message: str
    tool_input: str
    tool_output: str | None
    conversation_id: str | None
    turn_id: str | None
    turn_index: int | None
    channel: str
    agent_id: str | None
    timestamp: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallsPage:
    """Page of tool calls. `next` asks for the page after this one, None when this is the last."""

    rows: tuple[ToolCallRow, ...]
    next: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskToolCall:
    invocation_id: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallView:
    """Tool call in full."""

    row: ToolCallRow
    tool_input: Any
    tool_output: Any
    retired: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AskToolStats:
    """Request for success statistics of tools. task_type: only in tasks of this type; left out, in all.
    channels: empty for all."""

    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    task_type: Name | None = None
    tool_name: Name = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """Counts of a tool's calls. success_rate: of those whose outcome is known, None if there are none.

    avg_latency_ms: the mean over calls with a latency, None if there are none."""

    task_type: str
    usage_count: int
    success_count: int
    failure_count: int
    success_rate: float | None
    avg_latency_ms: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStats:
    """Statistics of one tool over all requested calls (`total`), and by type of task, most used first."""

    tool_name: str
    total: ToolUse
    by_task: tuple[ToolUse, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStatsList:
    rows: tuple[ToolStats, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskToolSpread:
    """Request for latencies and last errors of tools. Empty for all: channels, tool_name. task_type: only of
    this type."""

    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    task_type: Name | None = None
    tool_name: Name = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolError:
    """Failed call with its error message."""

    invocation_id: str
    message: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpread:
    """Latest calls of a tool, of all types of task (task_type None) or of one; at most `of_latest` were read.

    median_latency_ms, p95_latency_ms: of calls with a latency, by the nearest rank; None if there are none.
    """

    tool_name: str
    task_type: str | None
    calls: int
    median_latency_ms: int | None
    p95_latency_ms: int | None
    last_used: datetime
    last_error: ToolError | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpreadList:
    """Rows by tool name; for each tool, first all its calls, then one row per type of task."""

    of_latest: int
    rows: tuple[ToolSpread, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskToolDays:
    """Request for a tool's calls day by day. days: how many, 1 to 366, ending today; utc_offset_minutes: the
    caller's time zone."""

    tool_name: Name
    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    task_type: Name | None = None
    days: int = 30
    utc_offset_minutes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDay:
    """The calls of one day. success, failure: those whose outcome is known."""

    day: date
    usage_count: int
    success_count: int
    failure_count: int
    avg_latency_ms: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDays:
    """Every requested day, the oldest first; a day without calls counts 0."""

    rows: tuple[ToolDay, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EditStrategy:
    """Request to correct a strategy; None leaves a field unchanged.

    was: the description as the caller saw it; a different current one is a Conflict. context_pattern: its use
    case, "" for any. tool_sequence: names of tools in order."""

    strategy_id: Name
    was: str | None = None
    description: str | None = None
    context_pattern: str | None = None
    tool_sequence: tuple[Name, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewStrategy:
    """Strategy to learn, with the outcome of its first use. retry_key: the caller's id of this call, for
    retries.

    tool_sequence: names of tools in order. context_pattern: its use case. The same sequence for the same
    pattern (for the same description if there is none) is not learned twice in a channel: it gains an outcome
    instead."""

    description: str
    tool_sequence: tuple[Name, ...]
    context_pattern: str = ""
    from_conversation_id: Name | None = None
    success: bool = True
    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER
    agent_id: FilledName | None = None
    retry_key: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedStrategy:
    """Result of learning a strategy. `repeated`: the channel had this strategy already; it gained an outcome."""

    id: str
    repeated: bool
    change: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReinforceStrategy:
    """Report that a strategy was used and succeeded or failed. retry_key: the caller's id of this call, for
    retries."""

    strategy_id: Name
    success: bool
    conversation_id: Name | None = None
    user_id: FilledName = LOCAL_USER
    retry_key: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinforced:
    """Counts of the strategy after reinforcement."""

    id: str
    success_count: int
    failure_count: int
    change: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FindStrategies:
    """Strategies for a task, best first. channels: read together with `_global`; empty for all of the user's.

    proven: only those that have succeeded at least once; False includes untried ones, which count as half a
    success."""

    task_description: str
    channels: tuple[Name, ...] = ()
    user_id: FilledName = LOCAL_USER
    agent_id: FilledName | None = None
    conversation_id: Name | None = None
    limit: int = 5
    proven: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyRow:
    """Strategy as listed. success_rate: None when it was never tried. last_used: its latest outcome."""

    id: str
    description: str
    context_pattern: str
    tool_sequence: tuple[str, ...]
    channel: str
    agent_id: str | None
    success_count: int
    failure_count: int
    success_rate: float | None
    pinned: bool
    created_at: datetime
    last_used: datetime | None
    retired_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundStrategy:
    """Strategy that fits the task: `score` is its success rate times its `similarity` to the task, each 0 to
    1."""

    strategy: StrategyRow
    similarity: float
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundStrategies:
    """Strategies that were found. `notices` are sentences about problems, such as a missing embedder."""

    rows: tuple[FoundStrategy, ...]
    channels: tuple[str, ...]
    took_ms: float
    notices: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListStrategies:
    """Strategies, newest first. after: the `next` of the page before. text: only those that contain it.

    tool_name: only those that use this tool. state: current, retired, all."""

    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    text: str = ""
    tool_name: Name = ""
    state: str = "current"
    after: Name = ""
    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategiesPage:
    """Page of strategies. `next` asks for the page after this one, None when this is the last."""

    rows: tuple[StrategyRow, ...]
    next: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskStrategy:
    strategy_id: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeRow:
    """Outcome of one use of a strategy, in the given conversation if there is one."""

    id: str
    success: bool
    conversation_id: str | None
    conversation_title: str | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyView:
    """A strategy with its latest outcomes, newest first (at most 100)."""

    strategy: StrategyRow
    outcomes: tuple[OutcomeRow, ...]
