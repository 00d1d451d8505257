"""Goals for display: a page of goals, and one goal with its related goals. Reading changes nothing."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.engine.memory.goal_moves import own, refs
from memdesk.model.errors import BadAsk
from memdesk.model.goal import GOAL, OPEN, STATUSES, Goal
from memdesk.model.goals import AskGoal, GoalRow, GoalsPage, GoalView, ListGoals
from memdesk.model.instant import optional_datetime, optional_instant, to_datetime
from memdesk.store import goals, records, semantic
from memdesk.store.goals import GoalFilter

ROWS_AT_MOST = 1000


def listed(engine: Engine, ask: ListGoals) -> GoalsPage:
    """Return goals by priority, then by deadline. A passed deadline is shown and changes nothing."""
    if ask.first < 0 or not 1 <= ask.limit <= ROWS_AT_MOST:
        raise BadAsk(f"first counts from 0 and limit lies between 1 and {ROWS_AT_MOST}.")
    if strange := [name for name in ask.statuses if name not in STATUSES]:
        raise BadAsk(f"“{strange[0]}” is no status; there are {', '.join(STATUSES)}.")
    now = engine.clock()
    with engine.store.reading() as db:
        channels = [
            name
            for each in ask.channels
            for name in semantic.channels_read(db, ask.user_id, " ".join(each.split()))
        ]
        wanted = GoalFilter(
            user_id=ask.user_id, statuses=ask.statuses, channels=tuple(channels),
            conversation_id=ask.conversation_id, parent_id=ask.parent_id, due_before=optional_instant(ask.due_before),
        )  # fmt: skip
        total, found = goals.listed(db, wanted, first=ask.first, limit=ask.limit)
    return GoalsPage(first=ask.first, total=total, rows=tuple(row(goal, now) for goal in found))


def get(engine: Engine, ask: AskGoal) -> GoalView:
    """Return a goal with its parent, its subgoals and its obstacles. Raises NotFound for a goal of another
    user or channel."""
    now = engine.clock()
    with engine.store.reading() as db:
        goal = own(db, ask.goal_id, ask.user_id, ask.channel)
        parent: Goal | None = None if goal.parent_id is None else records.get(db, GOAL, goal.parent_id)
        return GoalView(
            goal=row(goal, now), parent=None if parent is None or parent.retired_at else refs([parent])[0],
            subgoals=refs(goals.subgoals(db, goal.id)), waits_for=refs(goals.blockers(db, goal.id)),
            holds_up=refs(goals.blocked_by(db, goal.id)),
        )  # fmt: skip


def row(goal: Goal, now: int) -> GoalRow:
    """Return a goal as a list row at this instant."""
    return GoalRow(
        id=goal.id, description=goal.description, status=goal.status, priority=goal.priority, channel=goal.channel,
        user_id=goal.user_id, agent_id=goal.agent_id, conversation_id=goal.conversation_id, parent_id=goal.parent_id,
        deadline=optional_datetime(goal.deadline), created_at=to_datetime(goal.created_at),
        overdue=goal.deadline is not None and goal.deadline < now and goal.status in OPEN,
        completed_at=optional_datetime(goal.completed_at), result=goal.result,
    )  # fmt: skip
