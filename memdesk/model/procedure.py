"""Procedural memory: tool calls as they happened, and strategies with their outcomes."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.kind import Kind
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """Sequence of tools that has worked for a task. `context_pattern` describes its use case.

    tool_sequence: names of tools in order, a JSON list as text (USES_TOOL)."""

    seq: int
    id: str
    user_id: str
    channel: str
    agent_id: str | None
    description: str
    context_pattern: str
    tool_sequence: str
    pinned: int
    created_at: int
    retired_at: int | None = None
    origin: str = ""
    trust: float = BEFORE


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Use of a strategy and its success (SUCCEEDED_IN its conversation).

    It is a separate record, not a counter in the strategy, so that reinforcement never blocks an undo."""

    seq: int
    id: str
    user_id: str
    channel: str
    strategy_id: str
    conversation_id: str | None
    success: int
    created_at: int
    retired_at: int | None = None


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
STRATEGY = Kind(
    name="strategy",
    prefix="s",
    table="strategies",
    record=Strategy,
    label="Strategy",
    layer="procedural",
    title="description",
    subject_rank=4,
    text=("description", "context_pattern"),
    searched=True,
    timeline=True,
    tabled=True,
    acts=("pin", "trust", "quarantine", "retire", "restore", "move", "tag"),
    panel="procedures",
    icon="tools",
    heading="Goals and strategies",
    shape="event",
    none_yet=("No strategy yet.", "A job learns them from work that went well."),
    labels={"context_pattern": "when to use it", "tool_sequence": "tools"},
)
OUTCOME = Kind(
    name="outcome",
    prefix="o",
    table="outcomes",
    record=Outcome,
    label="Outcome",
    layer="procedural",
    title="strategy_id",
    subject_rank=7,
    references=(("strategy_id", "strategy"), ("conversation_id", "conversation")),
    owner="strategy",
)
