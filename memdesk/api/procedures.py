"""Procedures: recorded tool calls, and strategies with their outcomes."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint
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

RECORD_INVOCATION = Endpoint(
    "procedures.record_invocation",
    "POST",
    NewToolCall,
    RecordedToolCall,
    "Record one tool call",
    verb="engine.memory.procedures:record_invocation",
)
RECORD_INVOCATIONS = Endpoint(
    "procedures.record_invocations",
    "POST",
    NewToolCalls,
    RecordedToolCalls,
    "Record up to 400 tool calls at once",
    verb="engine.memory.procedures:record_invocations",
)
INVOCATIONS = Endpoint(
    "procedures.invocations",
    "GET",
    ListToolCalls,
    ToolCallsPage,
    "List tool calls, newest first",
    verb="engine.browsing.tool_use:tool_calls",
)
INVOCATION = Endpoint(
    "procedures.invocation",
    "GET",
    AskToolCall,
    ToolCallView,
    "One tool call whole",
    verb="engine.browsing.tool_use:tool_call",
)
TOOL_STATS = Endpoint(
    "procedures.tool_stats",
    "GET",
    AskToolStats,
    ToolStatsList,
    "How tools have done, by type of task",
    verb="engine.browsing.tool_use:tool_stats",
)
TOOL_SPREAD = Endpoint(
    "procedures.tool_spread",
    "GET",
    AskToolSpread,
    ToolSpreadList,
    "How long tools take, and what failed last",
    verb="engine.browsing.tool_use:tool_spread",
)
TOOL_DAYS = Endpoint(
    "procedures.tool_days",
    "GET",
    AskToolDays,
    ToolDays,
    "The use of a tool day by day",
    verb="engine.browsing.tool_use:tool_days",
)
LEARN_STRATEGY = Endpoint(
    "procedures.learn_strategy",
    "POST",
    NewStrategy,
    LearnedStrategy,
    "Learn a strategy",
    verb="engine.memory.procedures:learn_strategy",
)
FIND_STRATEGIES = Endpoint(
    "procedures.find_strategies",
    "POST",
    FindStrategies,
    FoundStrategies,
    "Strategies for a task, those that worked first",
    verb="engine.recall.fitting_strategies:find_strategies",
    reads=True,
)
REINFORCE_STRATEGY = Endpoint(
    "procedures.reinforce_strategy",
    "POST",
    ReinforceStrategy,
    Reinforced,
    "Say that a strategy worked, or did not",
    verb="engine.memory.procedures:reinforce_strategy",
)
EDIT_STRATEGY = Endpoint(
    "procedures.edit_strategy",
    "POST",
    EditStrategy,
    Curated,
    "Correct a strategy",
    owner=True,
    verb="engine.memory.procedures:edit_strategy",
)
STRATEGIES = Endpoint(
    "procedures.strategies",
    "GET",
    ListStrategies,
    StrategiesPage,
    "List strategies",
    verb="engine.browsing.tool_use:strategies",
)
STRATEGY = Endpoint(
    "procedures.strategy",
    "GET",
    AskStrategy,
    StrategyView,
    "One strategy with its outcomes",
    verb="engine.browsing.tool_use:strategy",
)
