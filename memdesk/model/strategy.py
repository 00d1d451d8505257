"""Strategies, which are sequences of tools that worked, their outcomes, and the requests and answers about them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.kind import Kind
from memdesk.model.message import Message
from memdesk.model.names import FilledName, Name
from memdesk.model.trust import BEFORE


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
