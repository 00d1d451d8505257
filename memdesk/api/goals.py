"""Goals: the goals of agents, with their priorities, deadlines and parts. Every change can be undone."""

from __future__ import annotations

from typing import Any

from memdesk.api.endpoint import Endpoint
from memdesk.model.goal import (
    AskGoal,
    BlockGoal,
    CompleteGoal,
    GoalChanged,
    GoalsPage,
    GoalView,
    ListGoals,
    NewGoal,
    ReopenGoal,
    UpdateGoal,
)

ADD = Endpoint("goals.add", "POST", NewGoal, GoalChanged, "Set a goal")
GET = Endpoint("goals.get", "GET", AskGoal, GoalView, "One goal with its parent, parts and obstacles")
LIST = Endpoint("goals.list", "GET", ListGoals, GoalsPage, "Goals by priority, then by deadline")
UPDATE = Endpoint("goals.update", "POST", UpdateGoal, GoalChanged, "Change what a goal says")
COMPLETE = Endpoint("goals.complete", "POST", CompleteGoal, GoalChanged, "Say what became of a goal")
REOPEN = Endpoint("goals.reopen", "POST", ReopenGoal, GoalChanged, "Take a goal up again")
BLOCK_BY = Endpoint("goals.block_by", "POST", BlockGoal, GoalChanged, "Let a goal wait for another")
UNBLOCK = Endpoint("goals.unblock", "POST", BlockGoal, GoalChanged, "Let a goal wait no longer for another")

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (ADD, GET, LIST, UPDATE, COMPLETE, REOPEN, BLOCK_BY, UNBLOCK)
