"""Driver of the tasks of a person: real keys and pointer on a screen, on the sample desk, counted and timed.

.venv/bin/python -m tests.gui.screen.tasks            all of them, as a table
.venv/bin/python -m tests.gui.screen.tasks 9 12 13    these alone

The column `before` has the keys that a task took on 22 November 2026, where they were counted or it was not possible.
A task begins where the one before left the window, and the desk has what was done before. A change that a task makes is
taken back by Ctrl+Z, uncounted. Tasks that need a desk of their own come last."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from memdesk.__main__ import Program as Sample
from memdesk.api import memory, upkeep
from memdesk.api.endpoint import Endpoint
from memdesk.files.places import Desk
from memdesk.model.status import Nothing
from memdesk.model.timeline import AskTable, TableRow
from tests.conftest import Service
from tests.gui.screen.asking import told
from tests.gui.screen.program import Program
from tests.gui.screen.screen import Screen, missing, screen

PATIENCE_S, GLANCE_S = 300.0, 0.05
TABS_AT_MOST = 30
EYE_S = 0.25
"""Time that a person needs to see an answer."""
Ask, Answer = TypeVar("Ask"), TypeVar("Answer")


class Surprise(Exception):
    """Something that a person would not have expected."""


@dataclass
class Hand:
    """Hand on keyboard and pointer that counts. letters: typed as words; keys: pressed one by one."""

    program: Program
    keys: int = 0
    letters: int = 0
    clicks: int = 0

    def press(self, *keys: str) -> None:
        self.program.screen.press(*keys)
        self.keys += len(keys)

    def type(self, text: str) -> None:
        self.program.screen.type(text)
        self.letters += len(text)

    def click(self, name: str, role: str = "") -> None:
        """Click on the first thing whose name begins with these words."""
        self.wait(lambda: self._named(name, role), f"“{name}”")
        x, y, width, height = self._named(name, role)[0]
        self.program.screen.click(x + width // 2, y + height // 2)
        self.clicks += 1

    def _named(self, name: str, role: str) -> list[list[int]]:
        return [box for kind, says, *box in self.names() if says.startswith(name) and role in ("", kind)]

    def find(self, words: str) -> None:
        """Ctrl+K, words, Enter on the first line found."""
        self.press("ctrl+k")
        self.focused("Search memories and commands")
        self.type(words)
        self.press("Return")
        self.wait(lambda: self.focus() != "Search memories and commands", f"a line for “{words}”")

    def open(self, panel: str) -> None:
        """Open a panel by its name in the search."""
        self.find(f">{panel}")
        self.wait(lambda: any(role == "Grouping" and name == panel for role, name, *_ in self.names()), panel)

    def reach(self, name: str) -> None:
        """Press Tab until the thing whose name begins with these words has the keyboard."""
        for _ in range(TABS_AT_MOST):
            if self.focus().startswith(name):
                return
            self.press("Tab")
        raise Surprise(f"“{name}” is not reached; the keyboard is at “{self.focus()}”")

    def names(self) -> list[list[Any]]:
        names: list[list[Any]] = self.program.ask("names")
        return names

    def sees(self, name: str, role: str = "") -> bool:
        return bool(self.program.seen(name, role))

    def reads(self, words: str) -> bool:
        """Return True if some visible thing says these words."""
        return any(words in name for _, name, *_ in self.names())

    def focused(self, name: str) -> None:
        self.wait(lambda: name in self.program.front()["focus"], f"the keyboard at “{name}”")

    def focus(self) -> str:
        return str(self.program.front()["focus"])

    def wait(self, true: Callable[[], object], what: str) -> None:
        """Wait for the window's answer."""
        begun = time.monotonic()
        while not true():
            if time.monotonic() - begun > PATIENCE_S:
                raise Surprise(f"no {what}; the keyboard is at “{self.focus()}”")
            time.sleep(GLANCE_S)
        time.sleep(EYE_S)

    # The desk, as the service knows it.

    def told(self, endpoint: Endpoint[Ask, Answer], ask: Ask) -> Answer:
        return told(self.program.desk, endpoint, ask)

    def rows(self, text: str, **more: Any) -> tuple[TableRow, ...]:
        """Return the memories whose title contains a text, in any state."""
        return self.told(memory.TABLE, AskTable(text=text, state="all", **more)).rows

    def change(self) -> int:
        """Return the number of the last change."""
        last = self.told(upkeep.STATUS, Nothing()).last_change
        return 0 if last is None else last.id

    def take_back(self) -> None:
        """Undo the last act, uncounted. In an editor Ctrl+Z takes back the typing, so that is left first."""
        before = self.change()
        leaves = ("F6",) if self.focus().startswith("Source of") else ()
        self.program.screen.press("Escape", "Escape", *leaves, "ctrl+z")
        self.wait(lambda: self.change() > before, "the undo")


Work = Callable[[Hand], None]


@dataclass(frozen=True)
class Task:
    """Task with its number in the list of thirty. undone: whether its change is taken back after it. prepared: makes
    what its own new desk is to have, and the home around it; without it, the sample desk is used."""

    number: int
    says: str
    work: Work
    undone: bool
    prepared: Callable[[Desk], None] | None


TASKS: list[Task] = []
NOT_POSSIBLE = "–"
BEFORE = {9: "20", 10: "1", 11: "8", 12: "9", 13: "24", 30: "730"} | dict.fromkeys(
    (7, 15, 16, 17, 19, 20), NOT_POSSIBLE
)


def task(
    number: int, says: str, *, undone: bool = False, prepared: Callable[[Desk], None] | None = None
) -> Callable[[Work], Work]:
    """Add a function to the tasks."""

    def add(work: Work) -> Work:
        TASKS.append(Task(number, says, work, undone, prepared))
        return work

    return add


def measured(each: Task, program: Program) -> str:
    """Do a task. Returns its line of the table."""
    hand = Hand(program)
    program.screen.press("Escape", "Escape", "Escape")
    begun = time.monotonic()
    try:
        each.work(hand)
        outcome = "done"
    except (
        Surprise,
        AssertionError,
        ValueError,
        OSError,
    ) as wrong:  # The last two: the window gave no answer.
        ended = program.process.poll()
        outcome = f"FAILED: {wrong}" if ended is None else f"FAILED: the window ended with {ended}"
    took = time.monotonic() - begun
    counted = (hand.keys, hand.letters, hand.clicks)
    if each.undone and outcome == "done":
        try:
            hand.take_back()
        except Surprise as wrong:
            outcome = f"done, but not taken back: {wrong}"
    return (
        f"| {each.number} | {each.says} | {BEFORE.get(each.number, '')} | "
        + " | ".join(map(str, counted))
        + f" | {took:.1f} | {outcome} |"
    )


@contextmanager
def shown(made: Screen, desk: Desk) -> Iterator[Program]:
    """A desk's service and window, until the end of the block."""
    service = Service(desk)
    service.start()
    try:
        program = Program(made, desk, XDG_CONFIG_HOME=str(desk.folder.parent / "config"))
        program.is_in_front()
        yield program
        program.process.terminate()
        try:
            program.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            program.process.kill()  # It asks about a text that a task left unsaved.
    finally:
        service.stop()


def main(arguments: Sequence[str]) -> int:
    """Do the tasks, and print a line for each. Returns 1 if one failed."""
    from tests.gui.screen import task_list  # noqa: F401, PLC0415  # it adds to TASKS

    if missing():
        print(missing(), file=sys.stderr)
        return 2
    known = {str(each.number): each for each in TASKS}
    if unknown := [each for each in arguments if each not in known]:
        print(
            f"There is no task {', '.join(unknown)}; they have the numbers 1 to {len(TASKS)}.",
            file=sys.stderr,
        )
        return 2
    chosen = [known[each] for each in arguments] or TASKS
    lines: list[str] = []

    def do(each: Task, program: Program) -> None:
        lines.append(measured(each, program))
        print(lines[-1], flush=True)

    with tempfile.TemporaryDirectory(prefix="md-") as folder, screen(tray=False) as made:
        os.environ["HOME"] = folder  # A service looks there for the memory of other agents.
        print("| # | task | before | keys | letters | clicks | seconds | outcome |\n" + 8 * "|---" + "|")
        if any(each.prepared is None for each in chosen):
            sample = Desk(Path(folder) / "sample")
            Sample().play_sample(sample)
            with shown(made, sample) as program:
                for each in chosen:
                    if each.prepared is None:
                        do(each, program)
        for each in chosen:
            if each.prepared is not None:
                desk = Desk(Path(folder) / f"task-{each.number}")
                each.prepared(desk)
                with shown(made, desk) as program:
                    do(each, program)
    return int(any("FAILED" in line for line in lines))


if __name__ == "__main__":
    from tests.gui.screen import tasks

    sys.exit(tasks.main(sys.argv[1:]))
