"""Driving the real window: a test is one coroutine on the window's own loop; it acts, then awaits what must follow."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

import qasync
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from memdesk.client.client import Client
from memdesk.client.find import ensure_service
from memdesk.files.places import Desk
from memdesk.gui import language, look
from memdesk.gui.session import Session
from memdesk.gui.shell.body import Memo
from memdesk.gui.window import Window
from tests.conftest import PATIENCE_S

PATIENCE_MS = round(PATIENCE_S * 1000)
"""Far longer than anything here lasts; a machine under load must not make a test red."""

CHEAP_PANEL = "backups"
"""Opens for half the processor time of Today, and shows nothing that a test of another panel changes."""


def drive(app: QApplication, scenario: Callable[[], Awaitable[None]]) -> None:
    """Run a scenario on a loop of Qt's and asyncio's."""
    language.use("en")
    look.apply_theme(app, "dark")
    look.reduce_motion(True)
    app.setQuitOnLastWindowClosed(False)

    async def whole() -> None:
        await scenario()

    with qasync.QEventLoop(app) as loop:
        loop.run_until_complete(whole())


async def until(true: Callable[[], object], what: str = "it") -> None:
    """Wait for something to become true."""
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        await asyncio.sleep(0.01)


@asynccontextmanager
async def opened(
    desk: Desk, *, size: tuple[int, int] = (1440, 900), panel: str = CHEAP_PANEL
) -> AsyncIterator[Window]:
    """The real window of a desk, its first status read; closed again afterwards.

    panel: the one that it opens with, unless the desk's window was open before; "" for the one a person gets."""
    session = Session(Client(desk), revive=partial(ensure_service, desk), desk=desk)
    memo = Memo.of(desk)
    if not memo.panel:
        memo.panel = panel
    window = Window(session, memo)
    window.resize(*size)
    window.show()
    session.start()
    try:
        await activated(window)
        await until(lambda: session.status is not None, "the first status")
        yield window
    finally:
        window.close_at_once()
        await session.close()
        window.deleteLater()


@asynccontextmanager
async def shared(
    desk: Desk, *, size: tuple[int, int] = (1440, 900), panel: str = CHEAP_PANEL
) -> AsyncIterator[tuple[Client, Window]]:
    """Forge, an agent, and the real window of the same desk."""
    async with Client(desk, agent="Forge") as agent, opened(desk, size=size, panel=panel) as window:
        yield agent, window


async def activated(window: QWidget) -> None:
    """Make sure that the window has the keyboard."""
    window.activateWindow()
    await until(window.isActiveWindow, "the window to be active")


def click(widget: QWidget, at: QPoint | None = None) -> None:
    """Press the left button in a widget's middle, or at a point of it."""
    assert widget.isVisible() and widget.isEnabled(), f"{widget.accessibleName()} cannot be pressed"
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at or widget.rect().center())


def double_click(widget: QWidget, at: QPoint, button: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
    """Press a button twice and let go: Qt's own double click keeps it down, for all later tests too."""
    QTest.mouseDClick(widget, button, pos=at)
    QTest.mouseRelease(widget, button, pos=at)


def drag(widget: QWidget, start: QPoint, end: QPoint) -> None:
    """Drag with the left button."""
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(widget, left, pos=start)
    QTest.mouseMove(widget, (start + end) / 2)
    QTest.mouseMove(widget, end)
    QTest.mouseRelease(widget, left, pos=end)


def press(widget: QWidget, keys: str | Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
    """Type a text, or press one key with modifiers."""
    if isinstance(keys, str):
        QTest.keyClicks(widget, keys)
        return
    held = Qt.KeyboardModifier.NoModifier
    for modifier in modifiers:
        held |= modifier
    QTest.keyClick(widget, keys, held)
