"""Working memory and scratchpads for a person: every key of a conversation or session, extended or deleted
one by one.

A person's reading extends no lifetime, and a deletion is final: working memory has no journal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.ephemeral import life, write
from memdesk.engine.memory.working_turns import check_limit, shown, spot, turns_of
from memdesk.engine.wording import shortened
from memdesk.model import working as model
from memdesk.model.errors import NotFound
from memdesk.model.instant import SECOND, optional_datetime, to_datetime
from memdesk.model.scratchpad import is_reserved
from memdesk.model.session import SESSION, Session
from memdesk.model.turn import CONVERSATION, Conversation
from memdesk.model.working import (
    CONTEXT,
    THOUGHTS,
    TURNS,
    AskHeld,
    AskPlaces,
    ExtendLife,
    ForgetKey,
    Forgotten,
    HeldKey,
    HeldKeys,
    HeldPlace,
    HeldPlaces,
    WorkingPlace,
    is_held,
    session_key,
)
from memdesk.store import records, working
from memdesk.store.connection import Connection
from memdesk.store.working import Kept, Place

LISTS = (TURNS, THOUGHTS)


def places(engine: Engine, ask: AskPlaces) -> HeldPlaces:
    """List the conversations and sessions that have working memory now."""
    check_limit(ask.limit)
    with engine.store.reading() as db:
        found = working.places(db, at=engine.clock(), limit=ask.limit)
        known = _known(db, [place for place, *_ in found])
    return HeldPlaces(places=tuple(_place(place, known, *counts) for place, *counts in found))


def held(engine: Engine, ask: AskHeld) -> HeldKeys:
    """List every live key of one conversation or session, with the beginning of its value and its lifetime."""
    at = engine.clock()
    with engine.store.reading() as db:
        start = _start(db, ask)
        found = working.under(db, start, at=at)
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
            working.live(db, kept.key, at=at, ttl_s=wanted_s)
        else:
            working.touch(db, [kept.key], at=at)
        return _need(db, ask.key, at)

    return shown(write(engine, work))


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
        user_id=place.user_id, channel=place.channel, conversation_id=place.conversation_id,
        session_id=place.session_id, title=own.title if own else "", agent_id=own.agent_id if own else None,
        keys=keys, bytes=bytes_, used_at=to_datetime(used_at),
    )  # fmt: skip


def _start(db: Connection, ask: AskHeld) -> str:
    """Return the prefix of all keys of a place."""
    if ask.session_id is not None:
        return session_key(ask.user_id, ask.session_id)
    place = WorkingPlace(user_id=ask.user_id, channel=ask.channel, conversation_id=ask.conversation_id)
    return spot(db, place).key()


def _need(db: Connection, key: str, at: int) -> Kept:
    kept = working.get(db, key, at=at) if is_held(key) else None
    if kept is None:
        raise NotFound("This is no longer held.", next="It expired, or somebody forgot it; look again.")
    return kept


def _row(engine: Engine, ask: AskHeld, kept: Kept, ending: str) -> HeldKey:
    is_note = ask.session_id is not None
    sort, name = ("note", ending) if is_note else _sort(ending)
    ttl = None if kept.expires_at is None else round((kept.expires_at - kept.touched_at) / SECOND)
    return HeldKey(
        key=kept.key, sort=sort, name=name, begins=shortened(_words(engine, ask, sort, kept)),
        items=len(kept.value) if sort in LISTS else None, bytes=kept.bytes,
        reserved=is_note and is_reserved(name), created_at=to_datetime(kept.created_at),
        used_at=to_datetime(kept.touched_at), ttl_seconds=ttl, expires_at=optional_datetime(kept.expires_at),
    )  # fmt: skip


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
