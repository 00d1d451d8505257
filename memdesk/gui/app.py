"""The window as a program: one window of a desk, its passphrase, its service, a clean exit; and the roles that
painted widgets have for a screen reader."""

from __future__ import annotations

import asyncio
import functools
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import qasync
from PySide6.QtCore import QLockFile, QObject, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtNetwork import QLocalServer
from PySide6.QtWidgets import QAccessibleWidget, QApplication, QDialog, QLineEdit, QWidget

from memdesk.client.client import Client
from memdesk.client.direct import answers
from memdesk.client.find import ensure_service
from memdesk.files import encryption, local_socket
from memdesk.files.places import Desk
from memdesk.gui import appearance, icons, language
from memdesk.gui.collector import collecting_here
from memdesk.gui.language import tr
from memdesk.gui.look import Theme
from memdesk.gui.session import Session
from memdesk.gui.shell.body import Grip, Memo
from memdesk.gui.shell.repair_page import Doctor, RepairPage
from memdesk.gui.terms import error_in_language
from memdesk.gui.widgets import Control, Field, Ground, Text, column, row
from memdesk.gui.widgets.badges import Bar, ChannelMark, KeyCap, Mark, Meter, Steps, Tag
from memdesk.gui.window import Window
from memdesk.model.errors import MemDeskError, NotAllowed, Refused
from memdesk.model.message import verbatim

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


ANSWER_TIMEOUT_S = 2.0
POLL_S = 0.05


class WindowLock(QObject):
    """A desk's window lock, and the socket on which a second start is announced. The signal `knocked` asks
    the window to come to the front."""

    knocked = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        for folder in (desk.folder, desk.window_lock.parent):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = QLockFile(str(desk.window_lock))
        # A window may stand for weeks; a lock is stale only when its process is gone.
        self._lock.setStaleLockTime(0)
        self._server = QLocalServer(self)
        self._server.newConnection.connect(self._answer)

    def enter(self) -> bool:
        """Take the window lock of the desk; if another window has it, ask that one to come to the front and
        return False.

        Raises Refused if the other window does not answer."""
        if not self._lock.tryLock(0):
            self._wait_for_service()
            return False
        path = self._desk.window_socket
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        QLocalServer.removeServer(str(path))
        self._server.listen(str(path))
        return True

    def leave(self) -> None:
        """Release the desk for another window."""
        self._server.close()
        self._lock.unlock()

    def _wait_for_service(self) -> None:
        """Signal the other window and return once it has closed the connection, which confirms receipt.
        Raises Refused if it does not answer in time."""
        deadline = time.monotonic() + ANSWER_TIMEOUT_S
        while time.monotonic() < deadline:
            # A window that has the lock may not listen yet.
            path = self._desk.window_socket
            with suppress(OSError), local_socket.connect(path, timeout_s=ANSWER_TIMEOUT_S) as caller:
                if caller.recv(1) == b"":
                    return
            time.sleep(POLL_S)
        raise Refused(
            verbatim(tr("A window of {folder} is open and does not answer.", folder=self._desk.folder)),
            next=verbatim(tr("Close it, or end its process, and try again.")),
        )

    def _answer(self) -> None:
        while (caller := self._server.nextPendingConnection()) is not None:
            caller.disconnected.connect(caller.deleteLater)
            caller.disconnectFromServer()
            self.knocked.emit()


UNLOCK_PX = 420


def needs_passphrase(desk: Desk) -> bool:
    """Return True if a person has to be asked for the key; other obstacles are the service's to report."""
    try:
        encryption.unlock(desk)
    except NotAllowed as unknown:
        return bool(unknown.details.get("encrypted"))
    except MemDeskError:
        return False
    return False


class UnlockDialog(QDialog):
    """Dialog for the passphrase of a desk. It is accepted when the key is known; Esc rejects it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.setWindowTitle("MemDesk")
        self.setFixedWidth(UNLOCK_PX)
        self.field = Field(name=tr("Passphrase"))
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.wrong = Text("", 12, "bad", wrap=True)
        self.wrong.hide()
        self.open_button = Control("primary", tr("Open the desk"))
        leave = Control("ghost", tr("Quit"), keys="Esc")
        question = Text(tr("This desk is encrypted"), 15, "t1", weight=600)
        about = Text(
            tr("Its passphrase opens {folder} until the service ends.", folder=desk.folder),
            12,
            "t3",
            wrap=True,
        )
        self.field.returnPressed.connect(self._try)
        self.open_button.clicked.connect(self._try)
        leave.clicked.connect(self.reject)
        buttons = row(self.open_button, None, leave)
        inside = column(question, about, self.field, self.wrong, 8, buttons, margins=(20, 18, 20, 18))
        self.setLayout(column(Ground("panel", layout=inside), gap=0))

    def _try(self) -> None:
        if not self.field.text():
            return
        try:
            encryption.unlock(self._desk, given=self.field.text())
        except MemDeskError as wrong:
            problem = error_in_language(wrong)
            self.wrong.setText(problem.sentence)
            self.wrong.show()
            self.field.selectAll()
            return
        self.accept()

    async def answered(self) -> bool:
        """Show the dialog; return True once the key is known, False if the person gave up."""
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[int] = loop.create_future()
        self.finished.connect(ended.set_result)
        self.open()
        self.field.setFocus()
        done = await ended == QDialog.DialogCode.Accepted
        self.deleteLater()
        return done


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
