"""Goals: the goals of agents, with their priorities, deadlines and parts. Every change can be undone."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
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
from memdesk.model.team import AGENT, READER

ADD = Post(
    "goals.add",
    NewGoal,
    GoalChanged,
    "Set a goal",
    "memory.goals:add",
    role=AGENT,
    face=Face(
        "goals add",
        positional=("description",),
        joined="description",
        options={"goal_id": "id"},
        help={"blocked_by": "a goal that must end first"},
        line="Set {id}, {status}.",
    ),
)
GET = Get(
    "goals.get",
    AskGoal,
    GoalView,
    "One goal with its parent, parts and obstacles",
    "browsing.details:get_goal",
    role=READER,
)
LIST = Get(
    "goals.list",
    ListGoals,
    GoalsPage,
    "Goals by priority, then by deadline",
    "browsing.details:list_goals",
    role=READER,
    face=Face(
        "goals list",
        about="List goals by priority, then by deadline.",
        help={
            "statuses": "only goals of this status",
            "conversation_id": "only goals of this conversation",
            "parent_id": "only the parts of this goal",
            "due_before": "only goals with an earlier deadline",
        },
        choices={"statuses": ("active", "completed", "abandoned", "blocked")},
        columns="ID {id} | P {priority} | STATUS {status} | DUE {deadline} | CHANNEL {channel}"
        " | AGENT {agent_id} | GOAL {description}",
        noun="goal",
    ),
)
UPDATE = Post(
    "goals.update", UpdateGoal, GoalChanged, "Change what a goal says", "memory.goals:update", role=AGENT
)
COMPLETE = Post(
    "goals.complete",
    CompleteGoal,
    GoalChanged,
    "Say what became of a goal",
    "memory.goals:complete",
    role=AGENT,
    face=Face(
        "goals complete",
        about="End a goal, or mark it as blocked.",
        positional=("goal_id",),
        help={"status": "what became of it (default: completed)"},
        choices={"status": ("completed", "abandoned", "blocked")},
        line="{id} is {status}.",
    ),
)
REOPEN = Post(
    "goals.reopen",
    ReopenGoal,
    GoalChanged,
    "Take a goal up again",
    "memory.goals:reopen",
    role=AGENT,
    face=Face("goals reopen", positional=("goal_id",), line="{id} is {status}."),
)
BLOCK_BY = Post(
    "goals.block_by", BlockGoal, GoalChanged, "Let a goal wait for another", "memory.goals:block", role=AGENT
)
UNBLOCK = Post(
    "goals.unblock",
    BlockGoal,
    GoalChanged,
    "Let a goal wait no longer for another",
    "memory.goals:unblock",
    role=AGENT,
)
