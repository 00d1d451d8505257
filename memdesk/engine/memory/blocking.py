"""Goals that wait for other goals: a BLOCKED_BY relation names the obstacle, and the waiting goal is blocked."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.engine.memory.goal_moves import GoalMoves, carry, own, taken_up, unmoved
from memdesk.engine.wording import shortened
from memdesk.model.change import Change
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.goal import GOAL, Goal
from memdesk.model.goals import BlockGoal, GoalChanged
from memdesk.store import goals, records
from memdesk.store.connection import Connection


def block(engine: Engine, ask: BlockGoal, *, author: str) -> GoalChanged:
    """Make a goal wait until another has ended. Raises NotFound, BadAsk for the goal itself, Conflict if the
    other waits for this one, directly or not."""
    if ask.goal_id == ask.blocker_id:
        raise BadAsk("A goal cannot wait for itself.")

    def verb(db: Connection) -> tuple[Change | None, GoalChanged]:
        goal, moves = taken_up(engine, db, ask)
        blocker = own(db, ask.blocker_id, ask.user_id)
        if goal.id in goals.obstacles(db, blocker.id):
            raise Conflict(f"{_named(blocker)} waits for this goal.", next="Unblock that first.")
        moves.wait(goal, blocker)
        return _settled(moves, goal, f"{_named(goal)} waits for {_named(blocker)}", author, ask.retry_key)

    return carry(engine, ask, verb, author=author)


def unblock(engine: Engine, ask: BlockGoal, *, author: str) -> GoalChanged:
    """Make a goal no longer wait for another, even if that one is retired or missing. Raises NotFound."""

    def verb(db: Connection) -> tuple[Change | None, GoalChanged]:
        goal, moves = taken_up(engine, db, ask)
        blocker: Goal | None = records.get(db, GOAL, ask.blocker_id)
        moves.wait_no_more(goal, ask.blocker_id)
        what = "what it waited for" if blocker is None else _named(blocker)
        return _settled(moves, goal, f"{_named(goal)} waits no longer for {what}", author, ask.retry_key)

    return carry(engine, ask, verb, author=author)


def _settled(
    moves: GoalMoves, goal: Goal, title: str, author: str, key: str | None
) -> tuple[Change | None, GoalChanged]:
    """Return the change and its result; no change if no relation changed, and then no status changes either."""
    if not moves.draft.edits:
        return None, unmoved(goal.id, goal.status)
    now = moves.settle(goal)
    return moves.change(title, author, key), unmoved(goal.id, now.status)


def _named(goal: Goal) -> str:
    return f"“{shortened(goal.description, 50)}”"
