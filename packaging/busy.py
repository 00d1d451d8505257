"""An agent that writes through the real service while pictures are made, and a watch over the window meanwhile.

.venv/bin/python packaging/busy.py DESK CHANNEL    store five turns a second and a fact every two, until killed
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QWidget

from memdesk.api import memory
from memdesk.client.client import Client
from memdesk.files.places import desk_at
from memdesk.gui.widgets import Control
from memdesk.model.remember import NewFact, NewTurn

TURNS_PER_S = 5
FACT_EVERY = 10
BEAT_MS = 5
LOOK_S = 0.05


async def write(folder: str, channel: str) -> None:
    """Write until killed."""
    async with Client(desk_at(folder), agent="Busy") as agent:
        for number in itertools.count():
            began = time.monotonic()
            turn = NewTurn(
                content=f"Sample {number} of the pressure series is stored.",
                channel=channel,
                conversation_id=f"series-{number // 60}",
                role="assistant" if number % 2 else "user",
            )
            await agent.call(memory.STORE_TURN, turn)
            if number % FACT_EVERY == 0:
                claim = f"Pressure series {number} has {number % 7 + 2} valves."
                await agent.call(memory.LEARN_FACT, NewFact(claim=claim, channel=channel))
            await asyncio.sleep(max(0.0, 1 / TURNS_PER_S - (time.monotonic() - began)))


@contextmanager
def writing(folder: str, channel: str) -> Iterator[None]:
    """Let the agent write in a process of its own."""
    process = subprocess.Popen([sys.executable, __file__, folder, channel])
    try:
        yield
    finally:
        process.terminate()
        process.wait()


class Complaints(logging.Handler):
    """Warnings of the log and exceptions that no task caught, as sentences."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.found: list[str] = []
        logging.getLogger().addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(f"log: {record.getMessage()}")

    def caught(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Handle an exception of the loop."""
        if not isinstance(context.get("exception"), asyncio.InvalidStateError):
            self.found.append(f"exception: {context['message']}: {context.get('exception')!r}")


class Watch:
    """Watch over a window: longest time its thread computed without a turn of the loop, and what moved by itself.

    blocked_ms: in processor time of the thread, so other work on the machine does not count."""

    def __init__(self, window: QWidget) -> None:
        self.window, self.blocked_ms = window, 0.0
        self._spent = time.thread_time()
        self._beat = QTimer()
        self._beat.timeout.connect(self._count)
        self._beat.start(BEAT_MS)

    def _count(self) -> None:
        spent = time.thread_time()
        self.blocked_ms = max(self.blocked_ms, 1000 * (spent - self._spent))
        self._spent = spent

    def restart(self) -> None:
        """Forget the longest time so far."""
        self._spent, self.blocked_ms = time.thread_time(), 0.0

    async def moves(self, seconds: float) -> list[str]:
        """Look for so long at what a person looks at and uses; return what jumped, as sentences."""
        found: dict[str, None] = {}
        focus, chosen = QApplication.focusWidget(), self._chosen()
        sizes: dict[QWidget, list[tuple[int, int]]] = {}
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            await asyncio.sleep(LOOK_S)
            if QApplication.focusWidget() is not focus:
                found[f"the focus went from {_named(focus)} to {_named(QApplication.focusWidget())}"] = None
                focus = QApplication.focusWidget()
            now = self._chosen()
            for view, place in chosen.items():
                if now.get(view, place) != place:
                    found[f"the chosen row of {_named(view)} moved from {place} to {now[view]}"] = None
            chosen = now
            for part in self.window.findChildren(QWidget):
                if isinstance(part, (Control, QLabel)) and part.isVisible():
                    seen = sizes.setdefault(part, [])
                    if not seen or seen[-1] != (part.x(), part.width()):
                        seen.append((part.x(), part.width()))
        for part, seen in sizes.items():
            if len(seen) > len(set(seen)):
                found[f"{_named(part)} flickers between {sorted(set(seen))}"] = None
        return list(found)

    def _chosen(self) -> dict[QWidget, tuple[str, int]]:
        """Words and place of the chosen row of each visible list."""
        found: dict[QWidget, tuple[str, int]] = {}
        for view in self.window.findChildren(QAbstractItemView):
            index = view.currentIndex()
            if view.isVisible() and index.isValid():
                at = view.viewport().mapTo(self.window, QPoint(0, view.visualRect(index).y()))
                found[view] = (str(index.data()), at.y())
        return found


def _named(widget: QWidget | None) -> str:
    return f"{type(widget).__name__} “{widget.accessibleName()[:50]}”" if widget is not None else "nothing"


if __name__ == "__main__":
    asyncio.run(write(*sys.argv[1:]))
