"""Working memory (AgentX): the values, thoughts and goal of the current session, per user, channel and
conversation."""

from __future__ import annotations

from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.ephemeral import MEGABYTE, check_value, checked_name, life, read, value_of, write
from memdesk.engine.memory.working_turns import check_limit, named, push, shown, spot, turns_of
from memdesk.model import working as model
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.goal import GOAL, Goal
from memdesk.model.instant import optional_datetime, to_datetime
from memdesk.model.working import (
    CONTEXT,
    THOUGHTS,
    TURNS,
    ActiveGoal,
    AskRecent,
    AskValue,
    Forgotten,
    GoalAtHand,
    PushThought,
    SetActiveGoal,
    SetValue,
    Thought,
    Thoughts,
    WorkingContext,
    WorkingPlace,
    WorkingSize,
    WorkingValue,
)
from memdesk.store import records, working
from memdesk.store.connection import Connection
from memdesk.store.working import Kept


def set_value(engine: Engine, ask: SetValue) -> model.Kept:
    """Set a context value. Raises BadAsk for a bad name, a value that is not JSON or too large, or a lifetime
    out of range."""
    name, ttl_s = checked_name(ask.key, "A key"), life(ask.ttl_seconds, engine.settings.working_ttl_seconds)
    check_value(ask.value, f"The value of “{name}”")

    def work(db: Connection, at: int) -> Kept:
        where = spot(db, ask)
        return working.put(db, where.key(CONTEXT + name), ask.value, at=at, ttl_s=ttl_s, place=where.place)

    return shown(write(engine, work))


def get_value(engine: Engine, ask: AskValue, *, author: str) -> WorkingValue:
    """Return a context value; `found` is false if there is none, or none any more."""
    name = checked_name(ask.key, "A key")
    return value_of(name, read(engine, named(ask, CONTEXT + name), author=author))


def delete_value(engine: Engine, ask: AskValue) -> Forgotten:
    """Delete a context value."""
    name = checked_name(ask.key, "A key")
    gone = write(engine, lambda db, _: working.delete(db, spot(db, ask).key(CONTEXT + name)))
    return Forgotten(keys=int(gone))


def clear_session(engine: Engine, ask: WorkingPlace) -> Forgotten:
    """Delete all working memory of a conversation. Stored turns stay stored."""
    return Forgotten(keys=write(engine, lambda db, _: working.clear(db, spot(db, ask).key())))


def context(engine: Engine, ask: AskRecent, *, author: str) -> WorkingContext:
    """Return all working memory of a conversation, except turns and thoughts past `limit`."""
    check_limit(ask.limit)
    with engine.store.reading() as db:
        start = spot(db, ask).key()
    held = read(engine, lambda db, at: working.under(db, start, at=at), author=author)
    by_name = {kept.key.removeprefix(start): kept for kept in held}
    turns = [by_name[TURNS]] if TURNS in by_name else []
    return WorkingContext(
        turns=turns_of(engine, turns, ask.user_id)[: ask.limit], thoughts=_thoughts(by_name.get(THOUGHTS))[: ask.limit],
        goal=_goal(engine, by_name.get(model.GOAL), ask.user_id),
        values={
            name.removeprefix(CONTEXT): kept.value for name, kept in by_name.items() if name.startswith(CONTEXT)
        },
    )  # fmt: skip


def set_active_goal(engine: Engine, ask: SetActiveGoal) -> GoalAtHand:
    """Set the goal being worked on. Raises NotFound if there is neither a description nor a stored goal."""
    with engine.store.reading() as db:
        known = _stored_goal(db, ask.goal_id, ask.user_id)
    description = ask.description.strip() or (known.description if known else "")
    if not description:
        raise NotFound(f"There is no goal {ask.goal_id}.", next="Give a description, or add the goal first.")
    goal = {"goal_id": ask.goal_id, "description": description}
    check_value(goal, "A goal")

    def work(db: Connection, at: int) -> Kept:
        where, ttl_s = spot(db, ask), engine.settings.working_ttl_seconds
        return working.put(
            db, where.key(model.GOAL), {**goal, "since": at}, at=at, ttl_s=ttl_s, place=where.place
        )

    return GoalAtHand(goal=_goal(engine, write(engine, work), ask.user_id))


def active_goal(engine: Engine, ask: WorkingPlace, *, author: str) -> GoalAtHand:
    """Return the goal being worked on, with the status of the stored goal of that id."""
    held = read(engine, named(ask, model.GOAL), author=author)
    return GoalAtHand(goal=_goal(engine, held[0] if held else None, ask.user_id))


def push_thought(engine: Engine, ask: PushThought) -> model.Kept:
    """Add a thought. Raises BadAsk if it is empty or too large."""
    if not ask.thought.strip():
        raise BadAsk("The thought is empty.", next="Say something.")
    check_value(ask.thought, "A thought")

    def work(db: Connection, at: int) -> Kept:
        return push(engine, db, spot(db, ask), THOUGHTS, ({"text": ask.thought, "at": at},), at)

    return shown(write(engine, work))


def thoughts(engine: Engine, ask: AskRecent, *, author: str) -> Thoughts:
    """Return the latest thoughts, newest first."""
    check_limit(ask.limit)
    held = read(engine, named(ask, THOUGHTS), author=author)
    return Thoughts(thoughts=_thoughts(held[0] if held else None)[: ask.limit])


def size(engine: Engine) -> WorkingSize:
    """Return the size of working memory, and how many keys expired or were evicted."""
    with engine.store.reading() as db:
        held = working.size(db)
    return WorkingSize(
        keys=held.keys, bytes=held.bytes, limit_bytes=engine.settings.working_megabytes * MEGABYTE,
        expired=held.expired, evicted=held.evicted, used_at=optional_datetime(held.touched_at),
    )  # fmt: skip


def _thoughts(held: Kept | None) -> tuple[Thought, ...]:
    noted: list[dict[str, Any]] = [] if held is None else held.value
    return tuple(Thought(text=each["text"], at=to_datetime(each["at"])) for each in noted)


def _goal(engine: Engine, held: Kept | None, user_id: str) -> ActiveGoal | None:
    if held is None:
        return None
    said = held.value
    with engine.store.reading() as db:
        known = _stored_goal(db, said["goal_id"], user_id)
    return ActiveGoal(
        goal_id=said["goal_id"], description=said["description"], since=to_datetime(said["since"]),
        status=None if known is None else known.status,
    )  # fmt: skip


def _stored_goal(db: Connection, id: str, user_id: str) -> Goal | None:
    goal: Goal | None = records.get(db, GOAL, id)
    return goal if goal is not None and goal.user_id == user_id and goal.retired_at is None else None
