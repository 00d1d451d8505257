"""What each picture of `pictures.py` shows: every panel with something chosen in it, and the states worth a look.

A panel without a pose of its own is entered by keyboard, which chooses its first row."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import Any

from memdesk.api import goals, memory, team, working
from memdesk.client.client import Client
from memdesk.files.places import Desk
from memdesk.gui.panels import PANELS
from memdesk.gui.panels.scratchpad_panel import ScratchpadPanel
from memdesk.gui.session import Session
from memdesk.gui.window import Window
from memdesk.model.browse import ListFacts
from memdesk.model.channel import GLOBAL
from memdesk.model.goal import ListGoals
from memdesk.model.graph import AskGraph
from memdesk.model.status import Nothing
from memdesk.model.team import AGENT, CURATOR, OWNER, READER, Invite
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

Pose = Callable[[Window], Awaitable[None]]
QUESTION = "where are we moving"
PATIENCE_S = 20.0
REST_S = ContextVar("REST_S", default=0.3)
"""Time without work after which a window is at rest."""
MEMBERS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Ana", CURATOR, ("family", "lisbon-move")),
    ("Harbour bot", AGENT, ("tidepool", "harbor-web")),
    (
        "Maximiliane von Hohenstein-Wagner",
        READER,
        ("family", "homelab", "lisbon-move", "harbor-web", "tidepool"),
    ),
    ("Mara", OWNER, ()),
)
"""Name, role and channels."""
RESTING = frozenset({"ServiceConnection._listen", "Event.wait"})
"""Tasks that a window has with nothing to do: it listens, or waits to look whether the service is back."""


def poses(*, on_sample: bool = True) -> dict[str, Pose]:
    """Every pose by its name: the panels in the rail's order, then the states of the frame.

    on_sample: with those that need what the sample desk has, and write to it."""
    own = {**POSES, **(SAMPLE_POSES if on_sample else {})}
    panels = {panel.name: own.get(panel.name) or partial(entered, name=panel.name) for panel in PANELS}
    return {**panels, **STATES, **(SAMPLE_STATES if on_sample else {})}


async def still() -> None:
    """Wait until everything that was asked has been answered and shown for REST_S. Raises TimeoutError."""
    deadline = time.monotonic() + PATIENCE_S
    since = time.monotonic()
    while time.monotonic() - since < REST_S.get():
        if time.monotonic() > deadline:
            raise TimeoutError(f"The window did not come to rest: {asyncio.all_tasks()}")
        await asyncio.sleep(0.02)
        if any(task is not asyncio.current_task() and not rests(task) for task in asyncio.all_tasks()):
            since = time.monotonic()


def rests(task: asyncio.Task[object]) -> bool:
    """Whether a task is one that never ends by itself."""
    return getattr(task.get_coro(), "__qualname__", "") in RESTING


async def at_first(window: Window) -> None:
    """As a window is between two poses: nothing chosen lies open."""
    window.search.close_palette()
    window.help.close_help()
    if window.tour.isVisible():
        window.tour.end()
    if window.body.inspector_open:
        window.toggle_inspector()
    await still()


async def entered(window: Window, name: str) -> None:
    """A panel as Ctrl and its number opens it."""
    window.enter_panel(name)
    await still()


async def shown(window: Window) -> None:
    """Today, where an empty desk begins, nothing chosen."""
    window.open_panel("review")
    await still()


async def desk_alone(window: Window) -> None:
    """The window once its service has ended."""
    window.open_panel("facts")
    while not window.session.is_away:
        await asyncio.sleep(0.1)


async def _graph(window: Window) -> None:
    found = await window.session.call(memory.GRAPH, AskGraph())
    if not found.suggestions:
        await entered(window, "graph")
        return
    window.go("graph", found.suggestions[0].id)
    await still()
    window.inspector.show_memory(found.suggestions[0].id)


async def _lab(window: Window) -> None:
    window.open_panel("lab").search(QUESTION)
    await still()
    window.enter_panel("lab")


async def _scratchpad(window: Window) -> None:
    talk = await write_working_memory(window.session)
    panel = window.open_panel("scratchpad")
    assert isinstance(panel, ScratchpadPanel)
    await still()
    panel.select(talk)
    await still()
    panel.keys.choose([key.sort for key in panel.keys.listed()].index("thoughts"))
    panel.keys.setFocus()


async def _members(window: Window) -> None:
    """Several people and agents with tokens; invited once."""
    session = window.session
    if not (await session.call(team.LIST, Nothing())).rows:
        for name, role, channels in MEMBERS:
            await session.call(team.INVITE, Invite(name=name, role=role, only_channels=channels))
    await entered(window, "members")


async def _palette(window: Window) -> None:
    await shown(window)
    window.open_search()
    window.search.field.setText("lisbon")


async def _commands(window: Window) -> None:
    window.open_search()
    window.search.field.setText(">")


async def _help(window: Window) -> None:
    window.enter_panel("salience")
    await still()
    window.help.open("salience")


async def _tour(window: Window) -> None:
    window.tour.begin()
    for _ in range(2):
        window.tour.next.click()


async def _promotion(window: Window) -> None:
    """The form that copies a project's fact to `_global`."""
    window.open_panel("facts")
    found = await window.session.call(memory.FACTS, ListFacts(text="Postgres"))
    window.inspector.show_memory(next(row.id for row in found.rows if row.channel != GLOBAL))
    await still()
    window.inspector.press("promote")


POSES: Mapping[str, Pose] = {"graph": _graph, "lab": _lab}
SAMPLE_POSES: Mapping[str, Pose] = {"scratchpad": _scratchpad, "members": _members}
STATES: Mapping[str, Pose] = {"help": _help, "tour": _tour, "search": _palette, "commands": _commands}
SAMPLE_STATES: Mapping[str, Pose] = {"promotion": _promotion}


IRIS, FORGE = "Iris", "Forge"
MOVE, TIDEPOOL = "lisbon-move", "tidepool"
MORNING = "forge-2026-11-22"


async def write_working_memory(session: Session) -> str:
    """Write the working memory of two agents in the middle of a morning into the sample desk of a window, as their own
    clients do: it expires, so no sample desk can hold it ready. Returns the conversation's id."""
    assert session.status is not None
    desk = Desk(Path(session.status.desk))
    recent = ListConversations(channels=(MOVE,), limit=1)
    talk = (await session.call(memory.CONVERSATIONS, recent)).rows[0].id
    open_goals = (await session.call(goals.LIST, ListGoals(channels=(MOVE,)))).rows
    async with Client(desk, agent=IRIS) as iris, Client(desk, agent=FORGE) as forge:
        await _write_as_iris(iris, talk, open_goals[0].id if open_goals else "sign-the-lease")
        await _write_as_forge(forge)
    return talk


async def _write_as_iris(client: Client, talk: str, goal: str) -> None:
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


async def _write_as_forge(client: Client) -> None:
    for key, value in (
        ("plan", "1. Snapshot db-1\n2. Move the events table\n3. Compare the counts\n4. Tell Mara"),
        (FACTS, "db-1 has 52 % of its volume free\nThe snapshot took 11 minutes"),
        ("subagent_result::counts", "Both sides hold 18,204,771 events; the sums of their ids agree."),
    ):
        await client.call(working.WRITE_NOTE, WriteNote(session_id=MORNING, key=key, value=value))
    await client.call(working.CLEAR_SESSION, WorkingPlace(channel=TIDEPOOL))
    for thought in ("The copy runs at 40 MB/s.", "Wait for the lag to fall under a second before step 3."):
        await client.call(working.PUSH_THOUGHT, PushThought(thought=thought, channel=TIDEPOOL))
