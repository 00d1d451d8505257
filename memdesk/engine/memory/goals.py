"""Goals: added, updated, completed and reopened, with deadlines, parents and obstacles. Goals that wait for
others are updated in the same change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.quarantine import door_of_text
from memdesk.engine.memory.rows import row_of
from memdesk.engine.wording import shortened, tidied, titled
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.entity import BLOCKED_BY, RELATION, Relation
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.goal import (
    ACTIVE,
    BLOCKED,
    GOAL,
    OPEN,
    STATUSES,
    BlockGoal,
    CompleteGoal,
    Goal,
    GoalChanged,
    GoalRef,
    NewGoal,
    ReopenGoal,
    UpdateGoal,
)
from memdesk.model.instant import optional_instant
from memdesk.model.message import Message, message
from memdesk.model.turn import CONVERSATION
from memdesk.store import goals, records, semantic
from memdesk.store.bookkeeping import answered, misused
from memdesk.store.connection import Connection

Verb = Callable[[Connection], tuple[Change | None, GoalChanged]]
Move = UpdateGoal | CompleteGoal | ReopenGoal | BlockGoal
Ask = NewGoal | Move
LIST_THEM = message("See goals.list for what there is.")


@dataclass(slots=True, kw_only=True)
class GoalMoves:
    """Edits of goals by one operation, in addition to the new records in `draft`.

    A goal that waits for an open goal is blocked; when the last of those ends it is active again, unless its
    `result` gives another reason for being blocked."""

    draft: Draft
    was: dict[str, Goal] = field(default_factory=dict)
    now: dict[str, Goal] = field(default_factory=dict)
    relations: list[tuple[Relation, dict[str, Any]]] = field(default_factory=list)
    waits: dict[str, list[Goal]] = field(default_factory=dict)

    def move(self, goal: Goal, **fields: Any) -> Goal:
        """Draft new values of a goal's fields; return the goal as it will be."""
        self.was.setdefault(goal.id, goal)
        self.now[goal.id] = replace(self.now.get(goal.id, goal), **fields)
        return self.now[goal.id]

    def wait(self, goal: Goal, blocker: Goal) -> None:
        """Draft that a goal waits for another."""
        self.draft.relation(goal.id, blocker.id, BLOCKED_BY, confidence=1.0, source_turn_id=None)
        self._blockers(goal.id).append(blocker)

    def wait_no_more(self, goal: Goal, blocker_id: str) -> None:
        """Draft that a goal no longer waits for another."""
        found = records.find(
            self.draft.db, RELATION, source_id=goal.id, target_id=blocker_id, type=BLOCKED_BY, retired_at=None
        )
        self.draft.edits.extend(
            records.update_edit(RELATION, each, retired_at=self.draft.at) for each in found
        )
        self.waits[goal.id] = [each for each in self._blockers(goal.id) if each.id != blocker_id]

    def settle(self, goal: Goal) -> Goal:
        """Draft a goal's status, active or blocked, from the goals it waits for; return the goal as it will be."""
        now = self.now.get(goal.id, goal)
        waits = any(_is_open(self.now.get(each.id, each)) for each in self._blockers(goal.id))
        if waits and now.status == ACTIVE:
            return self.move(goal, status=BLOCKED)
        if not waits and now.status == BLOCKED and not now.result:
            return self.move(goal, status=ACTIVE)
        return now

    def settle_around(self) -> tuple[GoalRef, ...]:
        """Update the goals that wait for a goal this change ends or reopens; return those it makes active."""
        turned = [id for id, goal in self.now.items() if _is_open(goal) != _is_open(self.was[id])]
        waiting = {each.id: each for id in turned for each in goals.blocked_by(self.draft.db, id)}
        settled = [self.settle(goal) for id, goal in waiting.items() if id not in turned]
        return refs(goal for goal in settled if goal.status == ACTIVE and waiting[goal.id].status == BLOCKED)

    def change(self, title: Message, author: str, key: str | None, *, op: str = "update") -> Change | None:
        """Return the change with all edits, None if there are none. Raises BadAsk if they are too many for one."""
        edits = self.edits()
        if not edits:
            return None
        return Change.about(
            self.draft, op, titled(title, 120), author=author, edits=edits, layer=GOAL.layer, key=key
        )

    def edits(self) -> tuple[Edit, ...]:
        """Return all edits. Raises BadAsk if they are too many for one change."""
        edits = [*self.draft.edits]
        for id, goal in self.now.items():
            after = {name: getattr(goal, name) for name in GOAL.columns}
            was = {name: getattr(self.was[id], name) for name in GOAL.columns}
            if moved := {name: value for name, value in after.items() if was[name] != value}:
                edits.append(records.update_edit(GOAL, self.was[id], **moved))
        if len(edits) > EDITS_AT_MOST:
            raise BadAsk(
                message(
                    "This would move {count} goals at once; {most} at most.",
                    count=len(edits),
                    most=EDITS_AT_MOST,
                ),
                next=message("End the subgoals first, branch by branch."),
            )
        return tuple(edits)

    def _blockers(self, id: str) -> list[Goal]:
        if id not in self.waits:
            self.waits[id] = goals.blockers(self.draft.db, id, retired=True)
        return self.waits[id]


def _is_open(goal: Goal) -> bool:
    """Return True if a goal can block another."""
    return goal.status in OPEN and goal.retired_at is None


def own_goal(db: Connection, goal_id: str, user_id: str, channel: str | None = None) -> Goal:
    """Return a goal of this user and, if given, this channel. Raises NotFound for any other."""
    goal = records.get(db, GOAL, goal_id)
    if goal is None or goal.user_id != user_id or goal.retired_at is not None:
        raise NotFound(message("There is no goal {goal_id}.", goal_id=goal_id), next=LIST_THEM)
    if channel is not None and goal.channel not in semantic.channels_read(
        db, user_id, " ".join(channel.split())
    ):
        raise NotFound(
            message("There is no goal {goal_id} in channel {channel}.", goal_id=goal_id, channel=channel),
            next=LIST_THEM,
        )
    return goal


def refs(found: Iterable[Goal]) -> tuple[GoalRef, ...]:
    """Return goals as one-line references."""
    return tuple(row_of(GoalRef, goal) for goal in found)


def unchanged_answer(id: str, status: str) -> GoalChanged:
    """Return the answer for a goal before any change is made."""
    return GoalChanged(id=id, status=status, change=None, repeated=True)


def start_moves(engine: Engine, db: Connection, ask: Move) -> tuple[Goal, GoalMoves]:
    """Return the goal of a request, and the moves to draft its edits in. Raises NotFound for another user's
    or channel's goal."""
    goal = own_goal(db, ask.goal_id, ask.user_id, ask.channel)
    return goal, _moves(engine, db, goal)


def retire_edits(engine: Engine, db: Connection, goal: Goal) -> tuple[Edit, ...]:
    """Return the edits that retire a goal: goals that waited only for it become active."""
    moves = _moves(engine, db, goal)
    moves.move(goal, retired_at=moves.draft.at)
    moves.settle_around()
    return moves.edits()


def restore_edits(engine: Engine, db: Connection, goal: Goal) -> tuple[Edit, ...]:
    """Return the edits that restore a retired goal, with its waiting relations as before."""
    moves = _moves(engine, db, goal)
    moves.move(goal, retired_at=None)
    moves.settle(goal)
    moves.settle_around()
    return moves.edits()


def _moves(engine: Engine, db: Connection, goal: Goal) -> GoalMoves:
    draft = Draft.of(engine, db, goal, goal.channel)
    return GoalMoves(draft=draft)


def apply_goal_change(engine: Engine, ask: Ask, verb: Verb, *, author: str) -> GoalChanged:
    """Run an operation and apply its change; a retry key used before returns the earlier result. Raises
    Conflict for a key of another call."""

    def judged(db: Connection) -> tuple[Change | None, GoalChanged]:
        before = answered(db, ask.user_id, author, ask.retry_key)
        return verb(db) if before is None else (None, _again(db, ask.goal_id, *before))

    applied, answer = engine.store.decide(judged)
    return answer if applied is None else replace(answer, change=applied.id, repeated=False)


def _again(db: Connection, goal_id: str | None, change: int, edits: Sequence[Edit]) -> GoalChanged:
    moved = [edit.id for edit in edits]
    id = goal_id or next(iter(moved), "")
    goal = records.get(db, GOAL, id)
    if goal is None or id not in moved:
        raise misused(change)
    return GoalChanged(id=id, status=goal.status, change=change, repeated=True)


def block(engine: Engine, ask: BlockGoal, *, author: str) -> GoalChanged:
    """Make a goal wait until another has ended. Raises NotFound, BadAsk for the goal itself, Conflict if the
    other waits for this one, directly or not."""
    if ask.goal_id == ask.blocker_id:
        raise BadAsk(message("A goal cannot wait for itself."))

    def verb(db: Connection) -> tuple[Change | None, GoalChanged]:
        goal, moves = start_moves(engine, db, ask)
        blocker = own_goal(db, ask.blocker_id, ask.user_id)
        if goal.id in goals.obstacles(db, blocker.id):
            raise Conflict(
                message("{blocker} waits for this goal.", blocker=_named(blocker)),
                next=message("Unblock that first."),
            )
        moves.wait(goal, blocker)
        return _settled(
            moves,
            goal,
            message("{goal} waits for {blocker}", goal=_named(goal), blocker=_named(blocker)),
            author,
            ask.retry_key,
        )

    return apply_goal_change(engine, ask, verb, author=author)


def unblock(engine: Engine, ask: BlockGoal, *, author: str) -> GoalChanged:
    """Make a goal no longer wait for another, even if that one is retired or missing. Raises NotFound."""

    def verb(db: Connection) -> tuple[Change | None, GoalChanged]:
        goal, moves = start_moves(engine, db, ask)
        blocker = records.get(db, GOAL, ask.blocker_id)
        moves.wait_no_more(goal, ask.blocker_id)
        what = message("what it waited for") if blocker is None else _named(blocker)
        return _settled(
            moves,
            goal,
            message("{goal} waits no longer for {what}", goal=_named(goal), what=what),
            author,
            ask.retry_key,
        )

    return apply_goal_change(engine, ask, verb, author=author)


def _settled(
    moves: GoalMoves, goal: Goal, title: Message, author: str, key: str | None
) -> tuple[Change | None, GoalChanged]:
    """Return the change and its result; no change if no relation changed, and then no status changes either."""
    if not moves.draft.edits:
        return None, unchanged_answer(goal.id, goal.status)
    now = moves.settle(goal)
    return moves.change(title, author, key), unchanged_answer(goal.id, now.status)


def _named(goal: Goal) -> str:
    return f"“{shortened(goal.description, 50)}”"


DESCRIPTION_CHARACTERS = 2_000
RESULT_CHARACTERS = 10_000
PRIORITIES = range(1, 6)
BLOCKERS_AT_ONCE = 50


def add(engine: Engine, ask: NewGoal, *, author: str) -> GoalChanged:
    """Add a goal. It is active, or blocked while a goal that it waits for is open.

    Raises BadAsk for a value out of range, NotFound for an unknown parent, blocker or conversation, Conflict
    if goal_id belongs to another goal."""
    description = tidied(ask.description, message("A goal"), DESCRIPTION_CHARACTERS)
    _check_priority(ask.priority)
    if len(ask.blocked_by) > BLOCKERS_AT_ONCE:
        raise BadAsk(
            message(
                "A goal of {count} blockers; {most} at most.",
                count=len(ask.blocked_by),
                most=BLOCKERS_AT_ONCE,
            )
        )
    channel = ensure_channel(engine, ask.user_id, ask.channel, author=author)

    def verb(db: Connection) -> tuple[Change | None, GoalChanged]:
        known: Goal | None = None if ask.goal_id is None else records.get(db, GOAL, ask.goal_id)
        if known is not None:
            return None, _same(known, ask.user_id, description)
        draft = Draft.of(engine, db, ask, channel, door=door_of_text(f"{description}", author))
        id, status = _draft_goal(draft, ask, description)
        change = GoalMoves(draft=draft).change(
            message("Goal: {description}", description=description), author, ask.retry_key, op="learn"
        )
        return change, unchanged_answer(id, status)

    return apply_goal_change(engine, ask, verb, author=author)


def update(engine: Engine, ask: UpdateGoal, *, author: str) -> GoalChanged:
    """Change a goal's description, priority, deadline or parent. Raises NotFound, BadAsk, Conflict if it
    would become its own subgoal."""
    after = _wanted(ask)

    def verb(db: Connection) -> tuple[Change | None, GoalChanged]:
        goal, moves = start_moves(engine, db, ask)
        if ask.parent_id is not None:
            parent = own_goal(db, ask.parent_id, ask.user_id)
            if goal.id in goals.above(db, parent.id):
                raise Conflict(
                    message("A goal cannot be a part of itself."), next=message("Take its parent away first.")
                )
        now = moves.move(goal, **after)
        change = moves.change(
            message("Goal changed: {description}", description=now.description), author, ask.retry_key
        )
        return change, unchanged_answer(goal.id, goal.status)

    return apply_goal_change(engine, ask, verb, author=author)


def complete(engine: Engine, ask: CompleteGoal, *, author: str) -> GoalChanged:
    """Set a goal's outcome: completed or abandoned, which ends it, or blocked for the reason in `result`.

    Its subgoals stay open, unless `with_subgoals` ends them alike; goals that waited only for ended ones are
    active again. Raises NotFound for a goal of another user or channel."""
    _check_end(ask)
    ends = ask.status not in OPEN

    def verb(db: Connection) -> tuple[Change | None, GoalChanged]:
        goal, moves = start_moves(engine, db, ask)
        result = ask.result.strip() or (goal.result if goal.status == ask.status else "")
        below = goals.open_below(db, goal.id) if ends else []
        if (goal.status, goal.result) != (ask.status, result):
            moves.move(goal, status=ask.status, result=result, completed_at=moves.draft.at if ends else None)
        for each in below if ask.with_subgoals else ():
            moves.move(each, status=ask.status, completed_at=moves.draft.at)
        freed = moves.settle_around()
        change = moves.change(
            message("Goal {status}: {description}", status=ask.status, description=goal.description),
            author,
            ask.retry_key,
        )
        left = () if ask.with_subgoals else refs(below)
        return change, replace(unchanged_answer(goal.id, ask.status), freed=freed, still_open=left)

    return apply_goal_change(engine, ask, verb, author=author)


def reopen(engine: Engine, ask: ReopenGoal, *, author: str) -> GoalChanged:
    """Make an ended goal active again, without its result. It is blocked while a goal that it waits for is open."""

    def verb(db: Connection) -> tuple[Change | None, GoalChanged]:
        goal, moves = start_moves(engine, db, ask)
        moves.move(goal, status=ACTIVE, result="", completed_at=None)
        now = moves.settle(goal)
        moves.settle_around()
        change = moves.change(
            message("Goal reopened: {description}", description=goal.description), author, ask.retry_key
        )
        return change, unchanged_answer(goal.id, now.status)

    return apply_goal_change(engine, ask, verb, author=author)


def _draft_goal(draft: Draft, ask: NewGoal, description: str) -> tuple[str, str]:
    """Draft a new goal and the goals it waits for; return (id, status)."""
    _check_place(draft.db, ask)
    blockers = [own_goal(draft.db, id, ask.user_id) for id in dict.fromkeys(ask.blocked_by)]
    status = BLOCKED if any(each.status in OPEN for each in blockers) else ACTIVE
    id = draft.create(
        GOAL,
        id=ask.goal_id,
        channel=draft.channel,
        agent_id=ask.agent_id,
        description=description,
        status=status,
        priority=ask.priority,
        parent_id=ask.parent_id,
        conversation_id=ask.conversation_id,
        deadline=optional_instant(ask.deadline),
        completed_at=None,
        result="",
        created_at=draft.at,
    )
    for each in blockers:
        draft.relation(id, each.id, BLOCKED_BY, confidence=1.0, source_turn_id=None)
    return id, status


def _check_end(ask: CompleteGoal) -> None:
    ends = [name for name in STATUSES if name != ACTIVE]
    if ask.status not in ends:
        raise BadAsk(
            message("status should be one of {ends}.", ends=", ".join(ends)),
            next=message("Reopen a goal to make it active."),
        )
    if len(ask.result) > RESULT_CHARACTERS:
        raise BadAsk(
            message(
                "A result of {count} characters; {most} at most.",
                count=f"{len(ask.result):,}",
                most=f"{RESULT_CHARACTERS:,}",
            )
        )
    if ask.with_subgoals and ask.status in OPEN:
        raise BadAsk(
            message("Subgoals end with their goal; a blocked goal has not ended."),
            next=message("Leave with_subgoals out."),
        )


def _check_priority(priority: int) -> None:
    if priority not in PRIORITIES:
        raise BadAsk(
            message(
                "priority lies between {lowest}, the least, and {highest}.",
                lowest=PRIORITIES[0],
                highest=PRIORITIES[-1],
            )
        )


def _check_place(db: Connection, ask: NewGoal) -> None:
    """Check that a goal's parent and conversation exist and belong to its user. Raises NotFound."""
    if ask.parent_id is not None:
        own_goal(db, ask.parent_id, ask.user_id)
    if ask.conversation_id is not None:
        records.need_owned(db, CONVERSATION, ask.conversation_id, ask.user_id)


def _same(known: Goal, user_id: str, description: str) -> GoalChanged:
    if (known.user_id, known.description, known.retired_at) != (user_id, description, None):
        raise Conflict(
            message("The id {asked} is taken.", asked=known.id),
            next=message("Use another goal_id, or leave it out."),
        )
    return unchanged_answer(known.id, known.status)


def _wanted(ask: UpdateGoal) -> dict[str, Any]:
    """Return the fields that an update names. Raises BadAsk."""
    after: dict[str, Any] = {}
    if ask.description is not None:
        after["description"] = tidied(ask.description, message("A goal"), DESCRIPTION_CHARACTERS)
    if ask.priority is not None:
        _check_priority(ask.priority)
        after["priority"] = ask.priority
    if ask.deadline is not None or ask.no_deadline:
        after["deadline"] = None if ask.no_deadline else optional_instant(ask.deadline)
    if ask.parent_id is not None or ask.no_parent:
        after["parent_id"] = None if ask.no_parent else ask.parent_id
    if not after:
        raise BadAsk(
            message("Nothing to change was named."),
            next=message("Give a description, a priority, a deadline or a parent."),
        )
    return after
