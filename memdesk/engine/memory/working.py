"""Working memory (AgentX): the values, thoughts and goal of the current session, per user, channel and conversation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.ephemeral import (
    LIMIT_AT_MOST,
    check_value,
    checked_name,
    life,
    place_lookup,
    push,
    read,
    spot,
    turns_of,
    value_of,
    write,
    written_answer,
)
from memdesk.engine.wording import check_limit, shortened
from memdesk.files.reading import MEGABYTE
from memdesk.model import working as model
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.goal import GOAL, Goal
from memdesk.model.instant import SECOND, optional_datetime, to_datetime
from memdesk.model.message import message
from memdesk.model.session import SESSION, Session
from memdesk.model.turn import CONVERSATION, Conversation
from memdesk.model.working import (
    CONTEXT,
    THOUGHTS,
    TURNS,
    ActiveGoal,
    AskHeld,
    AskPlaces,
    AskRecent,
    AskValue,
    ExtendLife,
    ForgetKey,
    Forgotten,
    GoalAtHand,
    HeldKey,
    HeldKeys,
    HeldPlace,
    HeldPlaces,
    PushThought,
    SetActiveGoal,
    SetValue,
    Thought,
    Thoughts,
    WorkingContext,
    WorkingPlace,
    WorkingSize,
    WorkingValue,
    is_held,
    is_reserved,
    session_key,
)
from memdesk.store import records, working
from memdesk.store.connection import Connection
from memdesk.store.working import Kept, Place


def set_value(engine: Engine, ask: SetValue) -> model.Kept:
    """Set a context value. Raises BadAsk for a bad name, a value that is not JSON or too large, or a lifetime
    out of range."""
    name, ttl_s = (
        checked_name(ask.key, message("A key")),
        life(ask.ttl_seconds, engine.settings.working_ttl_seconds),
    )
    check_value(ask.value, message("The value of “{name}”", name=name))

    def work(db: Connection, at: int) -> Kept:
        where = spot(db, ask)
        return working.put(db, where.key(CONTEXT + name), ask.value, at=at, ttl_s=ttl_s, place=where.place)

    return written_answer(write(engine, work))


def get_value(engine: Engine, ask: AskValue, *, author: str) -> WorkingValue:
    """Return a context value; `found` is false if there is none, or none any more."""
    name = checked_name(ask.key, message("A key"))
    return value_of(name, read(engine, place_lookup(ask, CONTEXT + name), author=author))


def delete_value(engine: Engine, ask: AskValue) -> Forgotten:
    """Delete a context value."""
    name = checked_name(ask.key, message("A key"))
    gone = write(engine, lambda db, _: working.delete(db, spot(db, ask).key(CONTEXT + name)))
    return Forgotten(keys=int(gone))


def clear_session(engine: Engine, ask: WorkingPlace) -> Forgotten:
    """Delete all working memory of a conversation. Stored turns stay stored."""
    return Forgotten(keys=write(engine, lambda db, _: working.clear(db, spot(db, ask).key())))


def context(engine: Engine, ask: AskRecent, *, author: str) -> WorkingContext:
    """Return all working memory of a conversation, except turns and thoughts past `limit`."""
    check_limit(ask.limit, LIMIT_AT_MOST)
    with engine.store.reading() as db:
        start = spot(db, ask).key()
    held = read(engine, lambda db, at: working.entries_under(db, start, at=at), author=author)
    by_name = {kept.key.removeprefix(start): kept for kept in held}
    turns = [by_name[TURNS]] if TURNS in by_name else []
    return WorkingContext(
        turns=turns_of(engine, turns, ask.user_id)[: ask.limit],
        thoughts=_thoughts(by_name.get(THOUGHTS))[: ask.limit],
        goal=_goal(engine, by_name.get(model.GOAL), ask.user_id),
        values={
            name.removeprefix(CONTEXT): kept.value
            for name, kept in by_name.items()
            if name.startswith(CONTEXT)
        },
    )


def set_active_goal(engine: Engine, ask: SetActiveGoal) -> GoalAtHand:
    """Set the goal being worked on. Raises NotFound if there is neither a description nor a stored goal."""
    with engine.store.reading() as db:
        known = _stored_goal(db, ask.goal_id, ask.user_id)
    description = ask.description.strip() or (known.description if known else "")
    if not description:
        raise NotFound(
            message("There is no goal {goal_id}.", goal_id=ask.goal_id),
            next=message("Give a description, or add the goal first."),
        )
    goal = {"goal_id": ask.goal_id, "description": description}
    check_value(goal, message("A goal"))

    def work(db: Connection, at: int) -> Kept:
        where, ttl_s = spot(db, ask), engine.settings.working_ttl_seconds
        return working.put(
            db, where.key(model.GOAL), {**goal, "since": at}, at=at, ttl_s=ttl_s, place=where.place
        )

    return GoalAtHand(goal=_goal(engine, write(engine, work), ask.user_id))


def active_goal(engine: Engine, ask: WorkingPlace, *, author: str) -> GoalAtHand:
    """Return the goal being worked on, with the status of the stored goal of that id."""
    held = read(engine, place_lookup(ask, model.GOAL), author=author)
    return GoalAtHand(goal=_goal(engine, held[0] if held else None, ask.user_id))


def push_thought(engine: Engine, ask: PushThought) -> model.Kept:
    """Add a thought. Raises BadAsk if it is empty or too large."""
    if not ask.thought.strip():
        raise BadAsk(message("The thought is empty."), next=message("Say something."))
    check_value(ask.thought, message("A thought"))

    def work(db: Connection, at: int) -> Kept:
        return push(engine, db, spot(db, ask), THOUGHTS, ({"text": ask.thought, "at": at},), at)

    return written_answer(write(engine, work))


def thoughts(engine: Engine, ask: AskRecent, *, author: str) -> Thoughts:
    """Return the latest thoughts, newest first."""
    check_limit(ask.limit, LIMIT_AT_MOST)
    held = read(engine, place_lookup(ask, THOUGHTS), author=author)
    return Thoughts(thoughts=_thoughts(held[0] if held else None)[: ask.limit])


def size(engine: Engine) -> WorkingSize:
    """Return the size of working memory, and how many keys expired or were evicted."""
    with engine.store.reading() as db:
        held = working.size(db)
    return WorkingSize(
        keys=held.keys,
        bytes=held.bytes,
        limit_bytes=engine.settings.working_megabytes * MEGABYTE,
        expired=held.expired,
        evicted=held.evicted,
        used_at=optional_datetime(held.touched_at),
    )


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
        goal_id=said["goal_id"],
        description=said["description"],
        since=to_datetime(said["since"]),
        status=None if known is None else known.status,
    )


def _stored_goal(db: Connection, id: str, user_id: str) -> Goal | None:
    goal = records.get(db, GOAL, id)
    return goal if goal is not None and goal.user_id == user_id and goal.retired_at is None else None


LISTS = (TURNS, THOUGHTS)


def places(engine: Engine, ask: AskPlaces) -> HeldPlaces:
    """List the conversations and sessions that have working memory now."""
    check_limit(ask.limit, LIMIT_AT_MOST)
    with engine.store.reading() as db:
        found = working.places(db, at=engine.clock(), limit=ask.limit)
        known = _known(db, [place for place, *_ in found])
    return HeldPlaces(places=tuple(_place(place, known, *counts) for place, *counts in found))


def list_keys(engine: Engine, ask: AskHeld) -> HeldKeys:
    """List every live key of one conversation or session, with the beginning of its value and its lifetime."""
    at = engine.clock()
    with engine.store.reading() as db:
        start = _start(db, ask)
        found = working.entries_under(db, start, at=at)
    return HeldKeys(
        at=to_datetime(at),
        rows=tuple(_row(engine, ask, kept, kept.key.removeprefix(start)) for kept in found),
    )


def extend(engine: Engine, ask: ExtendLife) -> model.Kept:
    """Restart a key's lifetime, or set another. Raises NotFound for a key that is gone, BadAsk."""
    wanted_s = None if ask.ttl_seconds is None else life(ask.ttl_seconds, 0)

    def work(db: Connection, at: int) -> Kept:
        kept = _need(db, ask.key, at)
        if wanted_s is not None:
            working.set_lifetime(db, kept.key, at=at, ttl_s=wanted_s)
        else:
            working.touch(db, [kept.key], at=at)
        return _need(db, ask.key, at)

    return written_answer(write(engine, work))


def forget(engine: Engine, ask: ForgetKey) -> Forgotten:
    """Delete one key for good. Stored turns stay stored. Raises NotFound for a key that is gone."""

    def work(db: Connection, at: int) -> bool:
        return working.delete(db, _need(db, ask.key, at).key)

    return Forgotten(keys=int(write(engine, work)))


def _known(db: Connection, places: Sequence[Place]) -> dict[str, Conversation | Session]:
    """Return the conversations and sessions of these places, by their ids."""
    talks = sorted({place.conversation_id for place in places if place.conversation_id})
    sessions = sorted({place.session_id for place in places if place.session_id})
    found: list[Conversation | Session] = [
        *records.many(db, CONVERSATION, "id", talks),
        *records.many(db, SESSION, "id", sessions),
    ]
    return {each.id: each for each in found}


def _place(
    place: Place, known: dict[str, Conversation | Session], keys: int, bytes_: int, used_at: int
) -> HeldPlace:
    whose = known.get(place.session_id or place.conversation_id or "")
    own = whose if whose is not None and whose.user_id == place.user_id else None
    return HeldPlace(
        user_id=place.user_id,
        channel=place.channel,
        conversation_id=place.conversation_id,
        session_id=place.session_id,
        title=own.title if own else "",
        agent_id=own.agent_id if own else None,
        keys=keys,
        bytes=bytes_,
        used_at=to_datetime(used_at),
    )


def _start(db: Connection, ask: AskHeld) -> str:
    """Return the prefix of all keys of a place."""
    if ask.session_id is not None:
        return session_key(ask.user_id, ask.session_id)
    place = WorkingPlace(user_id=ask.user_id, channel=ask.channel, conversation_id=ask.conversation_id)
    return spot(db, place).key()


def _need(db: Connection, key: str, at: int) -> Kept:
    kept = working.get(db, key, at=at) if is_held(key) else None
    if kept is None:
        raise NotFound(
            message("This is no longer held."), next=message("It expired, or somebody forgot it; look again.")
        )
    return kept


def _row(engine: Engine, ask: AskHeld, kept: Kept, ending: str) -> HeldKey:
    is_note = ask.session_id is not None
    sort, name = ("note", ending) if is_note else _sort(ending)
    ttl = None if kept.expires_at is None else round((kept.expires_at - kept.touched_at) / SECOND)
    return HeldKey(
        key=kept.key,
        sort=sort,
        name=name,
        begins=shortened(_words(engine, ask, sort, kept)),
        items=len(kept.value) if sort in LISTS else None,
        bytes=kept.bytes,
        reserved=is_note and is_reserved(name),
        created_at=to_datetime(kept.created_at),
        used_at=to_datetime(kept.touched_at),
        ttl_seconds=ttl,
        expires_at=optional_datetime(kept.expires_at),
    )


def _sort(ending: str) -> tuple[str, str]:
    return ("value", ending.removeprefix(CONTEXT)) if ending.startswith(CONTEXT) else (ending, "")


def _words(engine: Engine, ask: AskHeld, sort: str, kept: Kept) -> str:
    """Return the value of a key as text: of turns and thoughts the latest."""
    value: Any = kept.value
    match sort:
        case "turns":
            latest = replace(kept, value=value[:1])
            return "".join(turn.content for turn in turns_of(engine, [latest], ask.user_id))
        case "thoughts":
            return str(value[0]["text"]) if value else ""
        case "goal":
            return str(value["description"])
        case _:
            return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
