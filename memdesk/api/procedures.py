"""Procedures: recorded tool calls, and strategies with their outcomes."""

from __future__ import annotations

from typing import Any

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
    "procedures.record_invocation", "POST", NewToolCall, RecordedToolCall, "Record one tool call"
)
RECORD_INVOCATIONS = Endpoint(
    "procedures.record_invocations",
    "POST",
    NewToolCalls,
    RecordedToolCalls,
    "Record up to 400 tool calls at once",
)
INVOCATIONS = Endpoint(
    "procedures.invocations", "GET", ListToolCalls, ToolCallsPage, "List tool calls, newest first"
)
INVOCATION = Endpoint("procedures.invocation", "GET", AskToolCall, ToolCallView, "One tool call whole")
TOOL_STATS = Endpoint(
    "procedures.tool_stats", "GET", AskToolStats, ToolStatsList, "How tools have done, by type of task"
)
TOOL_SPREAD = Endpoint(
    "procedures.tool_spread",
    "GET",
    AskToolSpread,
    ToolSpreadList,
    "How long tools take, and what failed last",
)
TOOL_DAYS = Endpoint("procedures.tool_days", "GET", AskToolDays, ToolDays, "The use of a tool day by day")
LEARN_STRATEGY = Endpoint(
    "procedures.learn_strategy", "POST", NewStrategy, LearnedStrategy, "Learn a strategy"
)
FIND_STRATEGIES = Endpoint(
    "procedures.find_strategies",
    "POST",
    FindStrategies,
    FoundStrategies,
    "Strategies for a task, those that worked first",
)
REINFORCE_STRATEGY = Endpoint(
    "procedures.reinforce_strategy",
    "POST",
    ReinforceStrategy,
    Reinforced,
    "Say that a strategy worked, or did not",
)
EDIT_STRATEGY = Endpoint(
    "procedures.edit_strategy", "POST", EditStrategy, Curated, "Correct a strategy", owner=True
)
STRATEGIES = Endpoint("procedures.strategies", "GET", ListStrategies, StrategiesPage, "List strategies")
STRATEGY = Endpoint("procedures.strategy", "GET", AskStrategy, StrategyView, "One strategy with its outcomes")

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    RECORD_INVOCATION,
    RECORD_INVOCATIONS,
    INVOCATIONS,
    INVOCATION,
    TOOL_STATS,
    TOOL_SPREAD,
    TOOL_DAYS,
    LEARN_STRATEGY,
    FIND_STRATEGIES,
    REINFORCE_STRATEGY,
    EDIT_STRATEGY,
    STRATEGIES,
    STRATEGY,
)
