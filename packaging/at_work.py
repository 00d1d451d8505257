"""Working memory as two agents leave it in the middle of a morning: it expires, so no sample desk can hold it ready."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memdesk.api import goals, memory, working
from memdesk.client.client import Client
from memdesk.files.places import Desk
from memdesk.gui.session import Session
from memdesk.model.goal import ListGoals
from memdesk.model.timeline import ListConversations
from memdesk.model.working import (
    FACTS,
    AddTurn,
    PushThought,
    SetActiveGoal,
    SetValue,
    WorkingPlace,
    WriteNote,
)

IRIS, FORGE = "Iris", "Forge"
MOVE, TIDEPOOL = "lisbon-move", "tidepool"
MORNING = "forge-2026-11-22"


async def write(session: Session) -> str:
    """Write it into the sample desk of a window, as the agents' own clients do. Returns the conversation's id."""
    assert session.status is not None
    desk = Desk(Path(session.status.desk))
    recent = ListConversations(channels=(MOVE,), limit=1)
    talk = (await session.call(memory.CONVERSATIONS, recent)).rows[0].id
    open_goals = (await session.call(goals.LIST, ListGoals(channels=(MOVE,)))).rows
    async with Client(desk, agent=IRIS) as iris, Client(desk, agent=FORGE) as forge:
        await _iris(iris, talk, open_goals[0].id if open_goals else "sign-the-lease")
        await _forge(forge)
    return talk


async def _iris(client: Client, talk: str, goal: str) -> None:
    here = WorkingPlace(channel=MOVE, conversation_id=talk)
    place: dict[str, Any] = {"channel": here.channel, "conversation_id": here.conversation_id}
    await client.call(working.CLEAR_SESSION, here)
    for speaker, role, said in (
        ("Mara", "user", "Has Ana answered about the keys?"),
        (IRIS, "assistant", "At 9:10: one signed line is enough for her, she wants the date in words."),
        ("Mara", "user", "Then write it in both languages."),
    ):
        await client.call(working.ADD_TURN, AddTurn(content=said, role=role, speaker=speaker, **place))
    await client.call(
        working.SET_ACTIVE_GOAL, SetActiveGoal(goal_id=goal, description="Sign the lease in Graça", **place)
    )
    for thought in (
        "The draft says 1 January; the keys come on 15 December.",
        "Nothing insures the flat between the two dates.",
        "Ask Ana for the line before asking the insurer.",
    ):
        await client.call(working.PUSH_THOUGHT, PushThought(thought=thought, **place))
    for key, value, seconds in (
        (
            "keys_line",
            {
                "pt": "As chaves são entregues a quinze de dezembro.",
                "en": "The keys are handed over on the fifteenth of December.",
            },
            None,
        ),
        ("waits_for", "Ana’s answer to the line about the keys", 7200),
        ("draft_read_until", 9, 280),
    ):
        await client.call(working.SET, SetValue(key=key, value=value, ttl_seconds=seconds, **place))


async def _forge(client: Client) -> None:
    for key, value in (
        ("plan", "1. Snapshot db-1\n2. Move the events table\n3. Compare the counts\n4. Tell Mara"),
        (FACTS, "db-1 has 52 % of its volume free\nThe snapshot took 11 minutes"),
        ("subagent_result::counts", "Both sides hold 18,204,771 events; the sums of their ids agree."),
    ):
        await client.call(working.WRITE_NOTE, WriteNote(session_id=MORNING, key=key, value=value))
    await client.call(working.CLEAR_SESSION, WorkingPlace(channel=TIDEPOOL))
    for thought in ("The copy runs at 40 MB/s.", "Wait for the lag to fall under a second before step 3."):
        await client.call(working.PUSH_THOUGHT, PushThought(thought=thought, channel=TIDEPOOL))
