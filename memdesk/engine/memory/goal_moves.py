"""Goals edited together in one change: each record once, and the status of waiting goals is updated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.draft import Draft
from memdesk.engine.wording import shortened
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.entity import BLOCKED_BY, RELATION, Relation
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.goal import ACTIVE, BLOCKED, GOAL, OPEN, Goal
from memdesk.model.goals import (
    BlockGoal,
    CompleteGoal,
    GoalChanged,
    GoalRef,
    NewGoal,
    ReopenGoal,
    UpdateGoal,
)
from memdesk.store import goals, records, semantic
from memdesk.store.connection import Connection
from memdesk.store.retries import answered, misused

Verb = Callable[[Connection], tuple[Change | None, GoalChanged]]
Move = UpdateGoal | CompleteGoal | ReopenGoal | BlockGoal
Ask = NewGoal | Move
LIST_THEM = "See goals.list for what there is."


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
        self.draft.edits.extend(records.moved(RELATION, each, retired_at=self.draft.at) for each in found)
        self.waits[goal.id] = [each for each in self._blockers(goal.id) if each.id != blocker_id]

    def settle(self, goal: Goal) -> Goal:
        """Draft a goal's status, active or blocked, from the goals it waits for; return the goal as it will
        be."""
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

    def change(self, title: str, author: str, key: str | None, *, op: str = "update") -> Change | None:
        """Return the change with all edits, None if there are none. Raises BadAsk if they are too many for
        one."""
        edits = self.edits()
        if not edits:
            return None
        return Change(
            op=op, layer=GOAL.layer, title=shortened(title, 120), author=author, edits=edits,
            channel=self.draft.channel, user_id=self.draft.user_id, key=key,
        )  # fmt: skip

    def edits(self) -> tuple[Edit, ...]:
        """Return all edits. Raises BadAsk if they are too many for one change."""
        edits = [*self.draft.edits]
        for id, goal in self.now.items():
            after = {name: getattr(goal, name) for name in GOAL.columns}
            was = {name: getattr(self.was[id], name) for name in GOAL.columns}
            if moved := {name: value for name, value in after.items() if was[name] != value}:
                edits.append(records.moved(GOAL, self.was[id], **moved))
        if len(edits) > EDITS_AT_MOST:
            raise BadAsk(
                f"This would move {len(edits)} goals at once; {EDITS_AT_MOST} at most.",
                next="End the subgoals first, branch by branch.",
            )
        return tuple(edits)

    def _blockers(self, id: str) -> list[Goal]:
        if id not in self.waits:
            self.waits[id] = goals.blockers(self.draft.db, id, retired=True)
        return self.waits[id]


def _is_open(goal: Goal) -> bool:
    """Return True if a goal can block another."""
    return goal.status in OPEN and goal.retired_at is None


def own(db: Connection, goal_id: str, user_id: str, channel: str | None = None) -> Goal:
    """Return a goal of this user and, if given, this channel. Raises NotFound for any other."""
    goal: Goal | None = records.get(db, GOAL, goal_id)
    if goal is None or goal.user_id != user_id or goal.retired_at is not None:
        raise NotFound(f"There is no goal {goal_id}.", next=LIST_THEM)
    if channel is not None and goal.channel not in semantic.channels_read(
        db, user_id, " ".join(channel.split())
    ):
        raise NotFound(f"There is no goal {goal_id} in channel {channel}.", next=LIST_THEM)
    return goal


def refs(found: Iterable[Goal]) -> tuple[GoalRef, ...]:
    """Return goals as one-line references."""
    return tuple(
        GoalRef(id=goal.id, description=goal.description, status=goal.status, channel=goal.channel)
        for goal in found
    )


def unmoved(id: str, status: str) -> GoalChanged:
    """Return the answer for a goal before any change is made."""
    return GoalChanged(id=id, status=status, change=None, repeated=True)


def taken_up(engine: Engine, db: Connection, ask: Move) -> tuple[Goal, GoalMoves]:
    """Return the goal of a request, and the moves to draft its edits in. Raises NotFound for another user's
    or channel's goal."""
    goal = own(db, ask.goal_id, ask.user_id, ask.channel)
    return goal, _moves(engine, db, goal)


def put_away(engine: Engine, db: Connection, goal: Goal) -> tuple[Edit, ...]:
    """Return the edits that retire a goal: goals that waited only for it become active."""
    moves = _moves(engine, db, goal)
    moves.move(goal, retired_at=moves.draft.at)
    moves.settle_around()
    return moves.edits()


def taken_out(engine: Engine, db: Connection, goal: Goal) -> tuple[Edit, ...]:
    """Return the edits that restore a retired goal, with its waiting relations as before."""
    moves = _moves(engine, db, goal)
    moves.move(goal, retired_at=None)
    moves.settle(goal)
    moves.settle_around()
    return moves.edits()


def _moves(engine: Engine, db: Connection, goal: Goal) -> GoalMoves:
    draft = Draft(
        engine=engine, db=db, user_id=goal.user_id, channel=goal.channel, agent_id=goal.agent_id, at=engine.clock()
    )  # fmt: skip
    return GoalMoves(draft=draft)


def carry(engine: Engine, ask: Ask, verb: Verb, *, author: str) -> GoalChanged:
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
    goal: Goal | None = records.get(db, GOAL, id)
    if goal is None or id not in moved:
        raise misused(change)
    return GoalChanged(id=id, status=goal.status, change=change, repeated=True)
