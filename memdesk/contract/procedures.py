"""Procedures: tool calls as they happened, and strategies with how they turned out."""

from __future__ import annotations

from typing import Any

from memdesk.contract.endpoint import Endpoint
from memdesk.model.procedures import (
    AskStrategy,
    AskToolCall,
    AskToolStats,
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
STRATEGIES = Endpoint("procedures.strategies", "GET", ListStrategies, StrategiesPage, "List strategies")
STRATEGY = Endpoint("procedures.strategy", "GET", AskStrategy, StrategyView, "One strategy with its outcomes")

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    RECORD_INVOCATION,
    RECORD_INVOCATIONS,
    INVOCATIONS,
    INVOCATION,
    TOOL_STATS,
    LEARN_STRATEGY,
    FIND_STRATEGIES,
    REINFORCE_STRATEGY,
    STRATEGIES,
    STRATEGY,
)
