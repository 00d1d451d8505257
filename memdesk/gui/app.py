"""The window as a program: find or start the service, show the window at once, exit cleanly; and the roles that painted
widgets have for a screen reader."""

from __future__ import annotations

import asyncio
import functools
import logging
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import qasync
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QApplication, QWidget

from memdesk.client.client import Client
from memdesk.client.direct import answers
from memdesk.client.find import ensure_service
from memdesk.files.places import Desk
from memdesk.gui import appearance, icons, language
from memdesk.gui.collector import collecting_here
from memdesk.gui.look import Theme
from memdesk.gui.session import Session
from memdesk.gui.shell.body import Grip, Memo
from memdesk.gui.shell.desks import UnlockDialog, WindowLock, needs_passphrase
from memdesk.gui.shell.repair_page import Doctor, RepairPage
from memdesk.gui.widgets.badges import Bar, ChannelMark, KeyCap, Mark, Meter, Steps, Tag
from memdesk.gui.window import Window

ROLE = QAccessible.Role
ROLES: dict[type, QAccessible.Role] = {
    Mark: ROLE.Graphic,
    KeyCap: ROLE.StaticText,
    ChannelMark: ROLE.StaticText,
    Tag: ROLE.StaticText,
    Bar: ROLE.ProgressBar,
    Meter: ROLE.ProgressBar,
    Steps: ROLE.ProgressBar,
    Grip: ROLE.Splitter,
    Window: ROLE.Window,
}
"""Roles by class; subclasses have that of the nearest one. Any other widget with a name is a group."""


def install_roles() -> None:
    """Tell Qt the roles. Call it once, after the application is made."""
    QAccessible.installFactory(_interface)


def _interface(name: str, thing: QObject) -> QAccessibleInterface | None:
    """Return the interface of a plain widget that has a role. name: Qt asks for each class of the thing, the widget's
    last, so that a list or a label has the interface of its own."""
    if name != "QWidget" or not isinstance(thing, QWidget):
        return None
    named = ROLE.Grouping if thing.accessibleName() else None
    role = next((ROLES[kind] for kind in type(thing).__mro__ if kind in ROLES), named)
    return None if role is None else QAccessibleWidget(thing, role)


log = logging.getLogger(__name__)
PROGRAM = "memdesk"
"""Name by which the desktop environment identifies the program, independent of the file it was started from."""
TRAY_COMES_MS = 10_000
"""Time after which a desktop without a tray is believed to have none."""
ENDING = (signal.SIGINT, signal.SIGTERM)


def run(
    desk: Desk, doctor: Doctor, *, theme: Theme | None = None, tour: bool = False, tray: bool = False
) -> int:
    """Show a desk's window until it is closed; the service keeps running. If the desk already has a window,
    bring it to the front instead.

    doctor: the repairs to offer if no service can serve the desk. theme: theme for this run, instead of the
    person's choice. tour: begin with a tour. tray: begin in the tray, if there is one. Returns the exit code. Raises
    Refused if the existing window does not answer."""
    wanted = appearance.saved_choices()
    with appearance.scaled(wanted.size):
        app = QApplication.instance() or QApplication([PROGRAM])
    assert isinstance(app, QApplication)
    app.setApplicationName("MemDesk")
    app.setDesktopFileName(PROGRAM)
    install_roles()
    # Closing the window ends our own coroutine; Qt ending the loop under it would cut it off.
    app.setQuitOnLastWindowClosed(False)
    appearance.apply(wanted, theme)
    app.setWindowIcon(icons.icon("graph", "acc"))
    door = WindowLock(desk)
    if not door.enter():
        return 0
    if tour:
        Memo.of(desk).tour = 0
    with collecting_here(app), qasync.QEventLoop(app) as loop:
        again = True
        while again and appearance.saved_choices().size == wanted.size:
            again = loop.run_until_complete(run_window(desk, doctor, door, tray=tray))
            tray = False
    door.leave()
    if again:
        # Qt reads how large to draw when a process begins. This one begins again, with its own id and words.
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    return 0


async def run_window(desk: Desk, doctor: Doctor, door: WindowLock, *, tray: bool = False) -> bool:
    """Run one window, from its first paint until its last task has ended. tray: leave it hidden while a tray is
    there. Returns True if another window is to follow."""
    asyncio.get_running_loop().set_exception_handler(log_uncaught)
    language.use(appearance.saved_choices().language)
    if not answers(desk) and needs_passphrase(desk) and not await UnlockDialog(desk).answered():
        return False
    session = Session(Client(desk, parts=True), revive=functools.partial(ensure_service, desk), desk=desk)
    window = Window(session, Memo.of(desk), repairs=functools.partial(RepairPage, session, desk, doctor))
    door.knocked.connect(window.come_forward)
    gone = asyncio.Event()
    window.closed.connect(gone.set)
    if tray:
        # When a person logs in, the desktop's tray may come after us.
        QTimer.singleShot(TRAY_COMES_MS, window, window.show_without_tray)
    else:
        window.show()
    session.start()
    with closed_by_signals(window):
        await gone.wait()
    await session.close()
    window.deleteLater()
    return window.reopens


def log_uncaught(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report exceptions that no task caught. An InvalidStateError is only logged: qasync may call back for a
    socket whose future was cancelled."""
    if isinstance(context.get("exception"), asyncio.InvalidStateError):
        log.debug("a socket called back late: %s", context["message"])
    else:
        loop.default_exception_handler(context)


@contextmanager
def closed_by_signals(window: Window) -> Iterator[None]:
    """Close the window on Ctrl+C or at the end of the session, as its close button does.

    Python runs a signal handler only when it next executes bytecode, which under Qt's loop may be seconds
    later; a byte written to a socket wakes it."""
    loop = asyncio.get_running_loop()
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    loop.add_reader(reader.fileno(), lambda: reader.recv(64))
    before_fd = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    # Within a paint, in which the signal may come, a window must not close.
    close = functools.partial(QTimer.singleShot, 0, window.close_at_once)
    before = {number: signal.signal(number, lambda *_: close()) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(before_fd)
        loop.remove_reader(reader.fileno())
        reader.close()
        writer.close()
