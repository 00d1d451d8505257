"""Procedures: recorded tool calls, and strategies with their outcomes."""

from __future__ import annotations

from memdesk.api.endpoint import Get, Post
from memdesk.model.curation import Curated
from memdesk.model.procedures import (
    AskStrategy,
    AskToolCall,
    AskToolDays,
    AskToolSpread,
    AskToolStats,
    EditStrategy,
    FindStrategies,
    FoundStrategies,
    LearnedStrategy,
    ListStrategies,
    ListToolCalls,
    NewStrategy,
    NewToolCall,
    NewToolCalls,
    RecordedToolCall,
    RecordedToolCalls,
    Reinforced,
    ReinforceStrategy,
    StrategiesPage,
    StrategyView,
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
)
RECORD_INVOCATIONS = Post(
    "procedures.record_invocations",
    NewToolCalls,
    RecordedToolCalls,
    "Record up to 400 tool calls at once",
    "memory.procedures:record_invocations",
)
INVOCATIONS = Get(
    "procedures.invocations",
    ListToolCalls,
    ToolCallsPage,
    "List tool calls, newest first",
    "browsing.tool_use:tool_calls",
)
INVOCATION = Get(
    "procedures.invocation", AskToolCall, ToolCallView, "One tool call whole", "browsing.tool_use:tool_call"
)
TOOL_STATS = Get(
    "procedures.tool_stats",
    AskToolStats,
    ToolStatsList,
    "How tools have done, by type of task",
    "browsing.tool_use:tool_stats",
)
TOOL_SPREAD = Get(
    "procedures.tool_spread",
    AskToolSpread,
    ToolSpreadList,
    "How long tools take, and what failed last",
    "browsing.tool_use:tool_spread",
)
TOOL_DAYS = Get(
    "procedures.tool_days",
    AskToolDays,
    ToolDays,
    "The use of a tool day by day",
    "browsing.tool_use:tool_days",
)
LEARN_STRATEGY = Post(
    "procedures.learn_strategy",
    NewStrategy,
    LearnedStrategy,
    "Learn a strategy",
    "memory.procedures:learn_strategy",
)
FIND_STRATEGIES = Post(
    "procedures.find_strategies",
    FindStrategies,
    FoundStrategies,
    "Strategies for a task, those that worked first",
    "recall.fitting_strategies:find_strategies",
    reads=True,
)
REINFORCE_STRATEGY = Post(
    "procedures.reinforce_strategy",
    ReinforceStrategy,
    Reinforced,
    "Say that a strategy worked, or did not",
    "memory.procedures:reinforce_strategy",
)
EDIT_STRATEGY = Post(
    "procedures.edit_strategy",
    EditStrategy,
    Curated,
    "Correct a strategy",
    "memory.procedures:edit_strategy",
    owner=True,
)
STRATEGIES = Get(
    "procedures.strategies", ListStrategies, StrategiesPage, "List strategies", "browsing.tool_use:strategies"
)
STRATEGY = Get(
    "procedures.strategy",
    AskStrategy,
    StrategyView,
    "One strategy with its outcomes",
    "browsing.tool_use:strategy",
)
