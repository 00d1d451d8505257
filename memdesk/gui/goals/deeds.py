"""Calls for the requests of the goal forms, and the sentences reported after them."""

from __future__ import annotations

from typing import Any

from memdesk.contract import goals
from memdesk.contract.endpoint import Endpoint
from memdesk.gui.deed import named
from memdesk.gui.language import tr
from memdesk.model.goals import BlockGoal, CompleteGoal, GoalChanged, NewGoal, ReopenGoal, UpdateGoal

Change = NewGoal | UpdateGoal | CompleteGoal | ReopenGoal | BlockGoal
Call = Endpoint[Any, GoalChanged]


def deed(ask: Change, goal: str) -> tuple[Call, str]:
    """Return (the call, its sentence) for a request. goal: the previous text of the goal."""
    title = named(goal)
    match ask:
        case NewGoal():
            return goals.ADD, tr("New goal: “{title}”", title=named(ask.description))
        case UpdateGoal():
            return goals.UPDATE, tr("Edited “{title}”", title=named(ask.description or goal))
        case BlockGoal():
            return goals.BLOCK_BY, tr("“{title}” waits for another goal", title=title)
        case ReopenGoal():
            return goals.REOPEN, tr("Reopened “{title}”", title=title)
        case CompleteGoal(status="completed"):
            return goals.COMPLETE, tr("Completed “{title}”", title=title)
        case CompleteGoal(status="abandoned"):
            return goals.COMPLETE, tr("Abandoned “{title}”", title=title)
        case CompleteGoal():
            return goals.COMPLETE, tr("Blocked “{title}”", title=title)


def moved(goal: str, parent: str) -> str:
    """Return the sentence for a goal with another parent; parent: its text, empty for none."""
    if parent:
        return tr("“{goal}” is part of “{parent}” now", goal=named(goal), parent=named(parent))
    return tr("“{goal}” stands by itself now", goal=named(goal))


def freed(goal: str, blocker: str) -> str:
    """Return the sentence for a goal that no longer waits for another."""
    return tr("“{goal}” waits no longer for “{blocker}”", goal=named(goal), blocker=named(blocker))
