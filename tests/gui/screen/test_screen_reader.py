"""A morning by keyboard, as a screen reader reads and hears it: Today, an answer, Facts, a correction, undo."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from memdesk.api import memory, review
from memdesk.client.client import Client
from memdesk.files.places import Desk
from memdesk.model.remember import NewFact
from memdesk.model.review import CountReview, Propose
from tests.conftest import PATIENCE_S, Service, until
from tests.gui.screen.asking import claims, told
from tests.gui.screen.program import Program
from tests.gui.screen.screen import Screen, ended

READER = Path(__file__).parent / "screen_reader.py"
LIBRARY = "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"
BUS = ("dbus-daemon", "--session", "--print-address", "--nofork")
PRESSED = {"push button", "check box", "radio button", "text", "combo box", "link", "slider", "menu item"}
"""Roles of what a person presses or types into."""
NO_ROLE = {"filler", "unknown", "invalid"}
CLAIM, DOUBT = "The crane lifts 12 tonnes", "The shed key hangs at gate 3"


class Thing(NamedTuple):
    """Part of the tree. depth: 1 is the window."""

    depth: int
    role: str
    name: str
    states: list[str]

    @property
    def interactive(self) -> bool:
        return "focusable" in self.states or self.role in PRESSED


@dataclass
class Reader:
    """What a screen reader knows of the program. heard: role and name of all that got the keyboard since hears()."""

    process: subprocess.Popen[str]
    heard: list[list[str]] = field(default_factory=list)

    def ask(self, word: str) -> Any:
        assert self.process.stdin is not None and self.process.stdout is not None
        print(word, file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def tree(self) -> list[Thing]:
        read: list[Any] = until(lambda: isinstance(said := self.ask("tree"), list) and said, "the tree")
        return [Thing(*each) for each in read]

    def hears(self, role: str, name: str) -> list[str]:
        """Wait until something of that role, whose name begins so, gets the keyboard. Returns the names of all that
        got it since the last time."""

        def has() -> bool:
            self.heard += self.ask("focus")
            return any(each[0] == role and each[1].startswith(name) for each in self.heard)

        until(has, f"the keyboard at {role} “{name}”")
        names = [each[1] for each in self.heard]
        self.heard.clear()
        return names

    def reads(self, name: str) -> None:
        """Wait until something of that name is to be read."""
        until(lambda: any(name in each.name for each in self.tree()), f"“{name}” in the tree")


def without_library() -> str:
    """Why no screen reader can be had here; empty where one can."""
    if shutil.which(BUS[0]) is None:
        return "no dbus-daemon on this machine"
    done = subprocess.run([_python(), "-c", LIBRARY], capture_output=True, check=False)
    return (
        ""
        if done.returncode == 0
        else "no library of the accessibility bus (at-spi2) for the system's Python"
    )


def _python() -> str:
    """The system's own Python, for which distributions package the library."""
    return shutil.which("python3", path=os.defpath) or "python3"


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    with tempfile.TemporaryDirectory(prefix="md-") as folder:
        service = Service(Desk(Path(folder) / "desk"))
        service.start()
        asyncio.run(furnish(service.desk))
        yield service.desk
        service.stop()


async def furnish(desk: Desk) -> None:
    async with Client(desk, agent="Forge") as agent:
        await agent.call(memory.LEARN_FACT, NewFact(claim=CLAIM, channel="harbour"))
        doubt = await agent.call(memory.LEARN_FACT, NewFact(claim=DOUBT, channel="harbour"))
        await agent.call(review.PROPOSE, Propose(type="promotion", fact_id=doubt.id, reason="it holds"))


@pytest.fixture
def morning(large_screen: Screen, desk: Desk) -> Iterator[tuple[Screen, Reader]]:
    """The program as a person starts it, in a session with an accessibility bus, and a screen reader of it."""
    if lacking := without_library():
        pytest.skip(lacking)
    with ExitStack() as running:
        bus = running.enter_context(ended([*BUS], large_screen))
        assert bus.stdout is not None
        world = {
            "DBUS_SESSION_BUS_ADDRESS": bus.stdout.readline().decode().strip(),
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        }
        process = subprocess.Popen(
            [_python(), str(READER), "MemDesk"],
            env={**large_screen.environment, **world},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        running.callback(process.communicate, timeout=PATIENCE_S)
        running.callback(process.terminate)
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        program = Program(large_screen, desk, plain=True, **world)
        running.callback(program.end)
        until(lambda: large_screen.active() == program.window, "the manager to give it the keyboard")
        yield large_screen, Reader(process)


def faults(tree: list[Thing]) -> list[Thing]:
    """What a person can press or focus, and a screen reader cannot say."""
    return [each for each in tree if each.interactive and (not each.name or each.role in NO_ROLE)]


def test_a_morning_is_read_and_heard_by_a_screen_reader(morning: tuple[Screen, Reader], desk: Desk) -> None:
    screen, reader = morning

    def stop(role: str, name: str, *pieces: str) -> list[str]:
        """Be where the keyboard is heard to be, with all that is there to be pressed read well. Returns what got it
        on the way."""
        heard = reader.hears(role, name)
        for piece in pieces:
            reader.reads(piece)
        assert faults(reader.tree()) == [], name
        return heard

    def left() -> int:
        return told(desk, review.COUNT, CountReview()).total

    stop("table", "Questions", "1 thing", DOUBT, "1 Promote")
    window, *_ = (each for each in reader.tree() if each.depth == 1)
    assert window.role in ("frame", "window") and window.name.endswith("MemDesk")
    assert any(each.role == "panel" and each.name == "Today" for each in reader.tree())
    screen.press("1")
    until(lambda: not left(), "the answer to be taken")
    reader.reads("Undo")

    screen.press("ctrl+k")
    stop("text", "Search memories and commands")
    screen.type(">Facts")
    reader.reads("Open Facts")
    screen.press("Return")
    stop("table", "Facts", CLAIM)
    screen.press("slash")
    stop("text", "Filter")
    screen.type("crane")
    screen.press("Return")
    stop("table cell", CLAIM)
    screen.press("e")
    stop("text", "Claim", "Save")
    screen.press("End")
    screen.type(" at most")
    screen.press("ctrl+s")
    until(lambda: f"{CLAIM} at most" in claims(desk, "harbour"), "the correction")
    # A form that closes gives the keyboard straight back.
    assert set(stop("table", "Facts", f"{CLAIM} at most")) <= {"Claim", "Facts"}
    screen.press("ctrl+z")
    until(lambda: CLAIM in claims(desk, "harbour"), "the undo")
    reader.reads("Undone")
