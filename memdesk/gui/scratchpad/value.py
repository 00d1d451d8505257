"""The value of a key: read by the call that its sort has, written as it was, and put into words and back."""

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
"""Turns or thoughts of one place."""


async def read(session: Session, place: HeldPlace, row: HeldKey) -> str:
    """What a key holds, whole and in words. Looking lets nothing live on."""
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
    """A context value or a note as it stands now."""
    if place.session_id is not None:
        ask = AskNote(session_id=place.session_id, user_id=place.user_id, key=row.name)
        return await session.call(working.READ_NOTE, ask)
    return await session.call(working.GET, AskValue(**_where(place), key=row.name))


async def write(session: Session, place: HeldPlace, row: HeldKey, value: Any) -> int | None:
    """Put a value in the place of another, to live as long as that did. Returns 0: no entry of the journal is made."""
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
    """A value as a person reads and types it: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def understood(text: str, was: Any) -> Any:
    """What a person typed, in the kind of value that was there: text where that was text, else JSON.

    Raises ValueError for what is no JSON.
    """
    return text if isinstance(was, str) else json.loads(text)


def _where(place: HeldPlace) -> dict[str, Any]:
    return {"user_id": place.user_id, "channel": place.channel, "conversation_id": place.conversation_id}
