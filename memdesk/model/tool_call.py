"""Tool calls, as they happened, and the requests and answers about them: lists, figures of use and failure."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.kind import Kind
from memdesk.model.names import FilledName, Name
from memdesk.model.trust import BEFORE


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """Call of a tool. `tool_input` and `tool_output` are JSON as text; `latency_ms` in milliseconds.

    success: 1, 0, or None if unknown. task_type: its purpose, "" if not given."""

    seq: int
    id: str
    user_id: str
    channel: str
    agent_id: str | None
    conversation_id: str | None
    turn_id: str | None
    tool_name: str
    task_type: str
    tool_input: str
    tool_output: str | None
    success: int | None
    latency_ms: int | None
    error_message: str
    created_at: int
    retired_at: int | None = None
    origin: str = ""
    trust: float = BEFORE


TOOL_CALL = Kind(
    name="tool_call",
    prefix="x",
    table="tool_calls",
    record=ToolCall,
    label="Tool call",
    layer="procedural",
    title="tool_name",
    subject_rank=6,
    references=(("conversation_id", "conversation"), ("turn_id", "turn")),
    timeline=True,
    acts=("retire",),
    labels={
        "task_type": "asked for",
        "tool_input": "input",
        "tool_output": "output",
        "success": "ended",
        "latency_ms": "took",
        "error_message": "error",
    },
)


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
