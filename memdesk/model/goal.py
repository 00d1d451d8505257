"""Goals: an agent's aim, its priority, deadline, state and result."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.kind import Kind
from memdesk.model.names import FilledName, Name
from memdesk.model.trust import BEFORE

ACTIVE, BLOCKED = "active", "blocked"
STATUSES = (ACTIVE, BLOCKED, "completed", "abandoned")
OPEN = (ACTIVE, BLOCKED)
"""Statuses of a goal that has not ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """Goal of an agent. `priority` is 1 (least) to 5; `parent_id` names the goal it is a part of
    (SUBGOAL_OF).

    A goal that blocks it is the target of a relation BLOCKED_BY. `completed_at` and `result` are set when it
    ends."""

    seq: int
    id: str
    user_id: str
    channel: str
    agent_id: str | None
    description: str
    status: str
    priority: int
    parent_id: str | None
    conversation_id: str | None
    deadline: int | None
    completed_at: int | None
    result: str
    created_at: int
    retired_at: int | None = None
    origin: str = ""
    trust: float = BEFORE


GOAL = Kind(
    name="goal",
    prefix="g",
    table="goals",
    record=Goal,
    label="Goal",
    layer="working",
    title="description",
    subject_rank=3,
    text=("description", "result"),
    references=(("parent_id", "goal"), ("conversation_id", "conversation")),
    statuses=STATUSES,
    open_statuses=OPEN,
    searched=True,
    timeline=True,
    tabled=True,
    acts=("trust", "retire", "restore", "move", "tag"),
    panel="goals",
    icon="goals",
    heading="Goals and strategies",
    shape="decision",
    none_yet=("No goal yet.", "Agents set them as they plan."),
    labels={"completed_at": "ended"},
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGoal:
    """A goal to reach. goal_id is the caller's own id: the same id with the same description is a no-op.

    priority: 1 (least) to 5. parent_id: the goal it is a part of. blocked_by: goals that must end first.
    retry_key: the caller's id of this call, for retries.
    """

    description: str
    priority: int = 3
    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER
    agent_id: FilledName | None = None
    goal_id: Name | None = None
    parent_id: Name | None = None
    conversation_id: Name | None = None
    deadline: datetime | None = None
    blocked_by: tuple[Name, ...] = ()
    retry_key: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskGoal:
    """Request for one goal of this user. channel: where it must be; left out, any of the user's."""

    goal_id: Name
    user_id: FilledName = LOCAL_USER
    channel: FilledName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListGoals:
    """Goals by priority, then by deadline. Empty tuples and None mean all.

    statuses: active, completed, abandoned, blocked. due_before: those with an earlier deadline."""

    user_id: FilledName = LOCAL_USER
    statuses: tuple[Name, ...] = ("active",)
    channels: tuple[Name, ...] = ()
    conversation_id: Name | None = None
    parent_id: Name | None = None
    due_before: datetime | None = None
    first: int = 0
    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateGoal:
    """Request to change a goal; fields left out stay unchanged. channel: where it must be; left out, in any.

    no_deadline, no_parent: remove them. priority: 1 (least) to 5. retry_key: the caller's id of this call."""

    goal_id: Name
    user_id: FilledName = LOCAL_USER
    channel: FilledName | None = None
    description: str | None = None
    priority: int | None = None
    deadline: datetime | None = None
    no_deadline: bool = False
    parent_id: Name | None = None
    no_parent: bool = False
    retry_key: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompleteGoal:
    """Request to end or block a goal: completed, abandoned, or blocked by the obstacle that `result`
    describes.

    channel: where it must be; left out, in any. with_subgoals: its open parts end with it; otherwise they
    stay open. retry_key: the caller's id of this call, for retries."""

    goal_id: Name
    status: Name = "completed"
    result: str = ""
    user_id: FilledName = LOCAL_USER
    channel: FilledName | None = None
    with_subgoals: bool = False
    retry_key: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenGoal:
    """Request to make a goal active again and clear its result. channel: where it must be; left out, in any.

    retry_key: the caller's id of this call, for retries."""

    goal_id: Name
    user_id: FilledName = LOCAL_USER
    channel: FilledName | None = None
    retry_key: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockGoal:
    """Request to make `goal_id` wait until `blocker_id` has ended, or to stop it waiting.

    channel: where the goal that waits must be; left out, in any. retry_key: the caller's id of this call, for
    retries."""

    goal_id: Name
    blocker_id: Name
    user_id: FilledName = LOCAL_USER
    channel: FilledName | None = None
    retry_key: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalRef:
    """Reference to a goal, for one line."""

    id: str
    description: str
    status: str
    channel: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalChanged:
    """Result of a change to a goal. `repeated`: nothing had to change, or this call was answered before.

    freed: goals that were waiting and became active by this. still_open: parts of an ended goal that are not
    ended."""

    id: str
    status: str
    change: int | None
    repeated: bool
    freed: tuple[GoalRef, ...] = ()
    still_open: tuple[GoalRef, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalRow:
    """A goal as a list shows it. overdue: its deadline has passed and it is still open."""

    id: str
    description: str
    status: str
    priority: int
    channel: str
    user_id: str
    agent_id: str | None
    conversation_id: str | None
    parent_id: str | None
    deadline: datetime | None
    overdue: bool
    created_at: datetime
    completed_at: datetime | None
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalsPage:
    """Page of goals: rows `first` to `first + len(rows)` of `total`."""

    first: int
    total: int
    rows: tuple[GoalRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalView:
    """Goal in full. waits_for: goals that block it; holds_up: goals that it blocks; ended ones are included."""

    goal: GoalRow
    parent: GoalRef | None
    subgoals: tuple[GoalRef, ...]
    waits_for: tuple[GoalRef, ...]
    holds_up: tuple[GoalRef, ...]
