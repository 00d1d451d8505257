"""What is asked of goals, and how they are shown: with what they are part of and what stands in their way."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import GLOBAL, LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGoal:
    """A goal to reach. goal_id is the caller's own id: the same id with the same description is a no-op.

    priority: 1 (least) to 5. parent_id: the goal it is a part of. blocked_by: goals that must end first.
    retry_key: the caller's id of this call, for retries.
    """

    description: str
    priority: int = 3
    channel: str = GLOBAL
    user_id: str = LOCAL_USER
    agent_id: str | None = None
    goal_id: str | None = None
    parent_id: str | None = None
    conversation_id: str | None = None
    deadline: datetime | None = None
    blocked_by: tuple[str, ...] = ()
    retry_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskGoal:
    """One goal of this user. channel: where it must be; left out, in any of theirs."""

    goal_id: str
    user_id: str = LOCAL_USER
    channel: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListGoals:
    """Goals by priority, then by deadline. Empty tuples and None mean all.

    statuses: active, completed, abandoned, blocked. due_before: those whose deadline lies before.
    """

    user_id: str = LOCAL_USER
    statuses: tuple[str, ...] = ("active",)
    channels: tuple[str, ...] = ()
    conversation_id: str | None = None
    parent_id: str | None = None
    due_before: datetime | None = None
    first: int = 0
    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateGoal:
    """What is to change of a goal; what is left out stays. channel: where it must be; left out, in any.

    no_deadline, no_parent: take them away. priority: 1 (least) to 5. retry_key: the caller's id of this call.
    """

    goal_id: str
    user_id: str = LOCAL_USER
    channel: str | None = None
    description: str | None = None
    priority: int | None = None
    deadline: datetime | None = None
    no_deadline: bool = False
    parent_id: str | None = None
    no_parent: bool = False
    retry_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompleteGoal:
    """What became of a goal: completed, abandoned, or blocked by what `result` says.

    channel: where it must be; left out, in any. with_subgoals: its open parts end with it; otherwise they stay open.
    retry_key: the caller's id of this call, for retries.
    """

    goal_id: str
    status: str = "completed"
    result: str = ""
    user_id: str = LOCAL_USER
    channel: str | None = None
    with_subgoals: bool = False
    retry_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenGoal:
    """Take a goal up again, without the result it had. channel: where it must be; left out, in any.

    retry_key: the caller's id of this call, for retries.
    """

    goal_id: str
    user_id: str = LOCAL_USER
    channel: str | None = None
    retry_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockGoal:
    """`goal_id` waits until `blocker_id` has ended, or no longer waits for it.

    channel: where the goal that waits must be; left out, in any. retry_key: the caller's id of this call, for retries.
    """

    goal_id: str
    blocker_id: str
    user_id: str = LOCAL_USER
    channel: str | None = None
    retry_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalRef:
    """A goal in one line."""

    id: str
    description: str
    status: str
    channel: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalChanged:
    """What became of a goal. `repeated`: it was so already, or this call was answered before.

    freed: goals that had waited and are active by this. still_open: parts of an ended goal that are not ended.
    """

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
    """Rows `first` to `first + len(rows)` of `total`."""

    first: int
    total: int
    rows: tuple[GoalRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalView:
    """One goal whole. waits_for: goals in its way; holds_up: goals it is in the way of; ended ones are shown too."""

    goal: GoalRow
    parent: GoalRef | None
    subgoals: tuple[GoalRef, ...]
    waits_for: tuple[GoalRef, ...]
    holds_up: tuple[GoalRef, ...]
