"""Procedural memory: tool calls as they happened, and strategies with how they turned out."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.kind import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One invocation of a tool. `tool_input` and `tool_output` are JSON as text; `latency_ms` in milliseconds.

    success: 1, 0, or None where nobody can tell. task_type: what it was called for, "" when not said.
    """

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """A way of doing something that has worked. `context_pattern` says when to use it.

    tool_sequence: names of tools in order, a JSON list as text (USES_TOOL).
    """

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One use of a strategy and whether it succeeded (SUCCEEDED_IN its conversation).

    A row of its own and not a counter in the strategy, so that no reinforcement stands in the way of an undo.
    """

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
)
