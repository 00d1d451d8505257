"""Value of a key: read with the call for its sort, written back, and converted to text and back."""

from __future__ import annotations

import json
from typing import Any

from memdesk.contract import working
from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.model.scratchpad import AskNote, WriteNote
from memdesk.model.working import (
    AskRecent,
    AskValue,
    HeldKey,
    HeldPlace,
    SetValue,
    WorkingPlace,
    WorkingValue,
)

SHOWN_AT_MOST = 200
"""Limit of turns or thoughts read from one place."""


async def read(session: Session, place: HeldPlace, row: HeldKey) -> str:
    """Return the value of a key as text. Reading does not extend its lifetime."""
    match row.sort:
        case "turns":
            turns = (
                await session.call(working.RECENT_TURNS, AskRecent(**_where(place), limit=SHOWN_AT_MOST))
            ).turns
            return "\n\n".join(f"{turn.speaker}, {times.clock(turn.at)}\n{turn.content}" for turn in turns)
        case "thoughts":
            found = (
                await session.call(working.THOUGHTS, AskRecent(**_where(place), limit=SHOWN_AT_MOST))
            ).thoughts
            return "\n\n".join(f"{times.clock(each.at)}\n{each.text}" for each in found)
        case "goal":
            goal = (await session.call(working.ACTIVE_GOAL, WorkingPlace(**_where(place)))).goal
            if goal is None:
                return ""
            since = tr("since {time}", time=times.minute(goal.since))
            return f"{goal.description}\n\n{goal.goal_id}\n{since}"
        case _:
            held = await fetch(session, place, row)
            return written(held.value) if held.found else ""


async def fetch(session: Session, place: HeldPlace, row: HeldKey) -> WorkingValue:
    """Return the current context value or note."""
    if place.session_id is not None:
        ask = AskNote(session_id=place.session_id, user_id=place.user_id, key=row.name)
        return await session.call(working.READ_NOTE, ask)
    return await session.call(working.GET, AskValue(**_where(place), key=row.name))


async def write(session: Session, place: HeldPlace, row: HeldKey, value: Any) -> int | None:
    """Replace a value, keeping its lifetime. Returns 0, because no journal entry is made."""
    if place.session_id is not None:
        note = WriteNote(
            session_id=place.session_id,
            user_id=place.user_id,
            key=row.name,
            value=value,
            ttl_seconds=row.ttl_seconds,
        )
        await session.call(working.WRITE_NOTE, note)
    else:
        ask = SetValue(**_where(place), key=row.name, value=value, ttl_seconds=row.ttl_seconds)
        await session.call(working.SET, ask)
    return 0


def written(value: Any) -> str:
    """Return a value in the form a person reads and edits: text unchanged, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def understood(text: str, was: Any) -> Any:
    """Return the typed value: as text if the old value was text, otherwise parsed as JSON.

    Raises ValueError if it is not valid JSON."""
    return text if isinstance(was, str) else json.loads(text)


def _where(place: HeldPlace) -> dict[str, Any]:
    return {"user_id": place.user_id, "channel": place.channel, "conversation_id": place.conversation_id}
