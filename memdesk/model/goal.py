"""Goals: an agent's aim, its priority, deadline, state and result."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.kind import Kind

ACTIVE, BLOCKED = "active", "blocked"
STATUSES = (ACTIVE, "completed", "abandoned", BLOCKED)
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
)
