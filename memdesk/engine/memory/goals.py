"""Goals: added, updated, completed and reopened, with deadlines, parents and obstacles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.goal_moves import GoalMoves, carry, own, refs, taken_up, unmoved
from memdesk.engine.wording import tidied
from memdesk.model.change import Change
from memdesk.model.entity import BLOCKED_BY
from memdesk.model.errors import BadAsk, Conflict
from memdesk.model.goal import ACTIVE, BLOCKED, GOAL, OPEN, STATUSES, Goal
from memdesk.model.goals import CompleteGoal, GoalChanged, NewGoal, ReopenGoal, UpdateGoal
from memdesk.model.instant import optional_instant
from memdesk.model.turn import CONVERSATION
from memdesk.store import goals, records
from memdesk.store.connection import Connection

DESCRIPTION_CHARACTERS = 2_000
RESULT_CHARACTERS = 10_000
PRIORITIES = range(1, 6)
BLOCKERS_AT_ONCE = 50


def add(engine: Engine, ask: NewGoal, *, author: str) -> GoalChanged:
    """Add a goal. It is active, or blocked while a goal that it waits for is open.

    Raises BadAsk for a value out of range, NotFound for an unknown parent, blocker or conversation, Conflict
    if goal_id belongs to another goal."""
    description = tidied(ask.description, "A goal", DESCRIPTION_CHARACTERS)
    _check_priority(ask.priority)
    if len(ask.blocked_by) > BLOCKERS_AT_ONCE:
        raise BadAsk(f"A goal of {len(ask.blocked_by)} blockers; {BLOCKERS_AT_ONCE} at most.")
    channel = ensure_channel(engine, ask.user_id, ask.channel, author=author)

    def verb(db: Connection) -> tuple[Change | None, GoalChanged]:
        known: Goal | None = None if ask.goal_id is None else records.get(db, GOAL, ask.goal_id)
        if known is not None:
            return None, _same(known, ask.user_id, description)
        draft = Draft(
            engine=engine, db=db, user_id=ask.user_id, channel=channel, agent_id=ask.agent_id, at=engine.clock()
        )  # fmt: skip
        id, status = _bear(draft, ask, description)
        change = GoalMoves(draft=draft).change(f"Goal: {description}", author, ask.retry_key, op="learn")
        return change, unmoved(id, status)

    return carry(engine, ask, verb, author=author)


def update(engine: Engine, ask: UpdateGoal, *, author: str) -> GoalChanged:
    """Change a goal's description, priority, deadline or parent. Raises NotFound, BadAsk, Conflict if it
    would become its own subgoal."""
    after = _wanted(ask)

    def verb(db: Connection) -> tuple[Change | None, GoalChanged]:
        goal, moves = taken_up(engine, db, ask)
        if ask.parent_id is not None:
            parent = own(db, ask.parent_id, ask.user_id)
            if goal.id in goals.above(db, parent.id):
                raise Conflict("A goal cannot be a part of itself.", next="Take its parent away first.")
        now = moves.move(goal, **after)
        change = moves.change(f"Goal changed: {now.description}", author, ask.retry_key)
        return change, unmoved(goal.id, goal.status)

    return carry(engine, ask, verb, author=author)


def complete(engine: Engine, ask: CompleteGoal, *, author: str) -> GoalChanged:
    """Set a goal's outcome: completed or abandoned, which ends it, or blocked for the reason in `result`.

    Its subgoals stay open, unless `with_subgoals` ends them alike; goals that waited only for ended ones are
    active again. Raises NotFound for a goal of another user or channel."""
    _check_end(ask)
    ends = ask.status not in OPEN

    def verb(db: Connection) -> tuple[Change | None, GoalChanged]:
        goal, moves = taken_up(engine, db, ask)
        result = ask.result.strip() or (goal.result if goal.status == ask.status else "")
        below = goals.open_below(db, goal.id) if ends else []
        if (goal.status, goal.result) != (ask.status, result):
            moves.move(goal, status=ask.status, result=result, completed_at=moves.draft.at if ends else None)
        for each in below if ask.with_subgoals else ():
            moves.move(each, status=ask.status, completed_at=moves.draft.at)
        freed = moves.settle_around()
        change = moves.change(f"Goal {ask.status}: {goal.description}", author, ask.retry_key)
        left = () if ask.with_subgoals else refs(below)
        return change, replace(unmoved(goal.id, ask.status), freed=freed, still_open=left)

    return carry(engine, ask, verb, author=author)


def reopen(engine: Engine, ask: ReopenGoal, *, author: str) -> GoalChanged:
    """Make an ended goal active again, without its result. It is blocked while a goal that it waits for is
    open."""

    def verb(db: Connection) -> tuple[Change | None, GoalChanged]:
        goal, moves = taken_up(engine, db, ask)
        moves.move(goal, status=ACTIVE, result="", completed_at=None)
        now = moves.settle(goal)
        moves.settle_around()
        change = moves.change(f"Goal reopened: {goal.description}", author, ask.retry_key)
        return change, unmoved(goal.id, now.status)

    return carry(engine, ask, verb, author=author)


def _bear(draft: Draft, ask: NewGoal, description: str) -> tuple[str, str]:
    """Draft a new goal and the goals it waits for; return (id, status)."""
    _check_place(draft.db, ask)
    blockers = [own(draft.db, id, ask.user_id) for id in dict.fromkeys(ask.blocked_by)]
    status = BLOCKED if any(each.status in OPEN for each in blockers) else ACTIVE
    id = draft.bear(
        GOAL, id=ask.goal_id, channel=draft.channel, agent_id=ask.agent_id, description=description, status=status,
        priority=ask.priority, parent_id=ask.parent_id, conversation_id=ask.conversation_id,
        deadline=optional_instant(ask.deadline), completed_at=None, result="", created_at=draft.at,
    )  # fmt: skip
    for each in blockers:
        draft.relation(id, each.id, BLOCKED_BY, confidence=1.0, source_turn_id=None)
    return id, status


def _check_end(ask: CompleteGoal) -> None:
    ends = [name for name in STATUSES if name != ACTIVE]
    if ask.status not in ends:
        raise BadAsk(f"status should be one of {', '.join(ends)}.", next="Reopen a goal to make it active.")
    if len(ask.result) > RESULT_CHARACTERS:
        raise BadAsk(f"A result of {len(ask.result):,} characters; {RESULT_CHARACTERS:,} at most.")
    if ask.with_subgoals and ask.status in OPEN:
        raise BadAsk(
            "Subgoals end with their goal; a blocked goal has not ended.", next="Leave with_subgoals out."
        )


def _check_priority(priority: int) -> None:
    if priority not in PRIORITIES:
        raise BadAsk(f"priority lies between {PRIORITIES[0]}, the least, and {PRIORITIES[-1]}.")


def _check_place(db: Connection, ask: NewGoal) -> None:
    """Check that a goal's parent and conversation exist and belong to its user. Raises NotFound."""
    if ask.parent_id is not None:
        own(db, ask.parent_id, ask.user_id)
    if ask.conversation_id is not None:
        records.own(db, CONVERSATION, ask.conversation_id, ask.user_id)


def _same(known: Goal, user_id: str, description: str) -> GoalChanged:
    if (known.user_id, known.description, known.retired_at) != (user_id, description, None):
        raise Conflict(f"The id {known.id} is taken.", next="Use another goal_id, or leave it out.")
    return unmoved(known.id, known.status)


def _wanted(ask: UpdateGoal) -> dict[str, Any]:
    """Return the fields that an update names. Raises BadAsk."""
    after: dict[str, Any] = {}
    if ask.description is not None:
        after["description"] = tidied(ask.description, "A goal", DESCRIPTION_CHARACTERS)
    if ask.priority is not None:
        _check_priority(ask.priority)
        after["priority"] = ask.priority
    if ask.deadline is not None or ask.no_deadline:
        after["deadline"] = None if ask.no_deadline else optional_instant(ask.deadline)
    if ask.parent_id is not None or ask.no_parent:
        after["parent_id"] = None if ask.no_parent else ask.parent_id
    if not after:
        raise BadAsk(
            "Nothing to change was named.", next="Give a description, a priority, a deadline or a parent."
        )
    return after
