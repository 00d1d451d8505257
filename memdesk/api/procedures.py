"""Procedures: recorded tool calls, and strategies with their outcomes."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
from memdesk.model.curation import Curated
from memdesk.model.strategy import (
    AskStrategy,
    EditStrategy,
    FindStrategies,
    FoundStrategies,
    LearnedStrategy,
    ListStrategies,
    NewStrategy,
    Reinforced,
    ReinforceStrategy,
    StrategiesPage,
    StrategyView,
)
from memdesk.model.team import AGENT, CURATOR, READER
from memdesk.model.tool_call import (
    AskToolCall,
    AskToolDays,
    AskToolSpread,
    AskToolStats,
    ListToolCalls,
    NewToolCall,
    NewToolCalls,
    RecordedToolCall,
    RecordedToolCalls,
    ToolCallsPage,
    ToolCallView,
    ToolDays,
    ToolSpreadList,
    ToolStatsList,
)

RECORD_INVOCATION = Post(
    "procedures.record_invocation",
    NewToolCall,
    RecordedToolCall,
    "Record one tool call",
    "memory.procedures:record_invocation",
    role=AGENT,
)
RECORD_INVOCATIONS = Post(
    "procedures.record_invocations",
    NewToolCalls,
    RecordedToolCalls,
    "Record up to 400 tool calls at once",
    "memory.procedures:record_invocations",
    role=AGENT,
)
INVOCATIONS = Get(
    "procedures.invocations",
    ListToolCalls,
    ToolCallsPage,
    "List tool calls, newest first",
    "browsing.tool_use:tool_calls",
    role=READER,
    face=Face(
        "tool-calls",
        about="List the tool calls of agents, newest first.",
        positional=("tool_name",),
        left_out=("after", "success"),
        help={"tool_name": "only of this tool", "task_type": "only in tasks of this type"},
        columns="TIME {timestamp} | ID {id} | TOOL {tool_name} | MS {latency_ms} | CHANNEL {channel}"
        " | FAILED {error_message}",
        none="No tool call was recorded.",
    ),
)
INVOCATION = Get(
    "procedures.invocation",
    AskToolCall,
    ToolCallView,
    "One tool call whole",
    "browsing.tool_use:tool_call",
    role=READER,
)
TOOL_STATS = Get(
    "procedures.tool_stats",
    AskToolStats,
    ToolStatsList,
    "How tools have done, by type of task",
    "browsing.tool_use:tool_stats",
    role=READER,
)
TOOL_SPREAD = Get(
    "procedures.tool_spread",
    AskToolSpread,
    ToolSpreadList,
    "How long tools take, and what failed last",
    "browsing.tool_use:tool_spread",
    role=READER,
)
TOOL_DAYS = Get(
    "procedures.tool_days",
    AskToolDays,
    ToolDays,
    "The use of a tool day by day",
    "browsing.tool_use:tool_days",
    role=READER,
)
LEARN_STRATEGY = Post(
    "procedures.learn_strategy",
    NewStrategy,
    LearnedStrategy,
    "Learn a strategy",
    "memory.procedures:learn_strategy",
    role=AGENT,
)
FIND_STRATEGIES = Post(
    "procedures.find_strategies",
    FindStrategies,
    FoundStrategies,
    "Strategies for a task, those that worked first",
    "recall.fitting_strategies:find_strategies",
    role=READER,
    reads=True,
    face=Face(
        "strategies find",
        about="Find the strategies that fit a task, those that worked first.",
        positional=("task_description",),
        joined="task_description",
        options={"task_description": "task", "proven": "untried"},
        left_out=("agent_id", "conversation_id"),
        help={"task_description": "what is to be done", "proven": "also those that have not succeeded yet"},
        columns="ID {strategy.id} | FITS {similarity:.2f} | WORKED {strategy.success_rate:.0%}"
        " | CHANNEL {strategy.channel} | STRATEGY {strategy.description}",
        none="No strategy fits.",
    ),
)
REINFORCE_STRATEGY = Post(
    "procedures.reinforce_strategy",
    ReinforceStrategy,
    Reinforced,
    "Say that a strategy worked, or did not",
    "memory.procedures:reinforce_strategy",
    role=AGENT,
)
EDIT_STRATEGY = Post(
    "procedures.edit_strategy",
    EditStrategy,
    Curated,
    "Correct a strategy",
    "memory.procedures:edit_strategy",
    role=CURATOR,
)
STRATEGIES = Get(
    "procedures.strategies",
    ListStrategies,
    StrategiesPage,
    "List strategies",
    "browsing.tool_use:strategies",
    role=READER,
    face=Face(
        "strategies list",
        about="List strategies, newest first.",
        left_out=("after",),
        help={
            "text": "only those that contain it",
            "tool_name": "only those that use this tool",
            "state": "which (default: current)",
        },
        choices={"state": ("current", "retired", "all")},
        columns="ID {id} | WORKED {success_rate:.0%} | TIMES {success_count} | FAILED {failure_count}"
        " | CHANNEL {channel} | STRATEGY {description}{pinned:? (pinned)}{retired_at:? (retired)}",
        none="There is no such strategy.",
    ),
)
STRATEGY = Get(
    "procedures.strategy",
    AskStrategy,
    StrategyView,
    "One strategy with its outcomes",
    "browsing.tool_use:strategy",
    role=READER,
)
