"""Goals: the goals of agents, with their priorities, deadlines and parts. Every change can be undone."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint, Face
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

ADD = Endpoint(
    "goals.add",
    "POST",
    NewGoal,
    GoalChanged,
    "Set a goal",
    verb="engine.memory.goals:add",
    face=Face(
        words="goals add",
        positional=("description",),
        joined="description",
        options={"blocked_by": "blocked-by", "goal_id": "id", "retry_key": "key"},
        line="Set {id}, {status}.",
    ),
)
GET = Endpoint(
    "goals.get",
    "GET",
    AskGoal,
    GoalView,
    "One goal with its parent, parts and obstacles",
    verb="engine.browsing.details:get_goal",
)
LIST = Endpoint(
    "goals.list",
    "GET",
    ListGoals,
    GoalsPage,
    "Goals by priority, then by deadline",
    verb="engine.browsing.details:list_goals",
    face=Face(
        words="goals list",
        about="List goals by priority, then by deadline.",
        options={"statuses": "status"},
        choices={"statuses": ("active", "completed", "abandoned", "blocked")},
        columns=(
            ("ID", "{id}"),
            ("P", "{priority}"),
            ("STATUS", "{status}"),
            ("DUE", "{deadline}"),
            ("CHANNEL", "{channel}"),
            ("AGENT", "{agent_id}"),
            ("GOAL", "{description}"),
        ),
        noun="goal",
    ),
)
UPDATE = Endpoint(
    "goals.update",
    "POST",
    UpdateGoal,
    GoalChanged,
    "Change what a goal says",
    verb="engine.memory.goals:update",
)
COMPLETE = Endpoint(
    "goals.complete",
    "POST",
    CompleteGoal,
    GoalChanged,
    "Say what became of a goal",
    verb="engine.memory.goals:complete",
    face=Face(
        words="goals complete",
        about="End a goal, or mark it as blocked.",
        positional=("goal_id",),
        choices={"status": ("completed", "abandoned", "blocked")},
        options={"retry_key": "key"},
        line="{id} is {status}.",
    ),
)
REOPEN = Endpoint(
    "goals.reopen",
    "POST",
    ReopenGoal,
    GoalChanged,
    "Take a goal up again",
    verb="engine.memory.goals:reopen",
    face=Face(
        words="goals reopen", positional=("goal_id",), options={"retry_key": "key"}, line="{id} is {status}."
    ),
)
BLOCK_BY = Endpoint(
    "goals.block_by",
    "POST",
    BlockGoal,
    GoalChanged,
    "Let a goal wait for another",
    verb="engine.memory.goals:block",
)
UNBLOCK = Endpoint(
    "goals.unblock",
    "POST",
    BlockGoal,
    GoalChanged,
    "Let a goal wait no longer for another",
    verb="engine.memory.goals:unblock",
)
