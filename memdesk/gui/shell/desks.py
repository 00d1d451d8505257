"""Access to other desks: a menu of those opened before, a folder dialog, search commands, and the passphrase of one."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QSettings, Signal
from PySide6.QtGui import QAction
from PySide6.QtNetwork import QLocalServer
from PySide6.QtWidgets import QDialog, QFileDialog, QLineEdit, QMenu, QWidget

import memdesk
from memdesk.files import encryption, local_socket
from memdesk.files.places import Desk, default_desk, windows_file
from memdesk.gui.keys import Key
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.terms import error_in_language
from memdesk.gui.widgets import Control, Field, Ground, Text, column, row
from memdesk.model.errors import MemDeskError, NotAllowed, Refused
from memdesk.model.message import verbatim
from memdesk.model.status import Status

AT_MOST = 8
KEY = "desks/recent"


def recent() -> tuple[Desk, ...]:
    """Return the desks opened before that still exist."""
    said = _file().value(KEY, [])
    folders = [said] if isinstance(said, str) else said if isinstance(said, list) else []
    desks = (Desk(Path(str(folder))) for folder in folders)
    return tuple(desk for desk in desks if desk.database.exists())


def remember(desk: Desk) -> None:
    """Put a desk first in the list."""
    others = [each for each in recent() if each != desk]
    file = _file()
    file.setValue(KEY, [str(each.folder) for each in (desk, *others)][:AT_MOST])
    file.sync()


def display_name(desk: Desk) -> str:
    """Return a desk's name for the window: its folder's name or its service's, empty for the user's default desk."""
    if desk.service is not None:
        return desk.service.partition("//")[2]
    return "" if desk == default_desk() else desk.folder.name


def _file() -> QSettings:
    return QSettings(str(windows_file()), QSettings.Format.IniFormat)


def desk_in(folder: Path) -> Desk:
    """Return the desk of a chosen folder, which contains a desk, is empty or does not exist yet.

    Raises Refused for a folder with other files, in which a desk would be lost."""
    desk = Desk(folder.expanduser().absolute())
    if desk.database.exists() or not desk.folder.exists() or not any(desk.folder.iterdir()):
        return desk
    raise Refused(
        verbatim(tr("{folder} holds other files and no desk.", folder=desk.folder)),
        next=verbatim(tr("Choose a desk's folder, or an empty one for a new desk.")),
    )


def open_desk(desk: Desk) -> subprocess.Popen[bytes]:
    """Start a process that shows a desk's window; if the desk has a window already, bring that one to the
    front."""
    return subprocess.Popen(
        [sys.executable, "-m", "memdesk", "open", "--desk", str(desk.folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        # Where the package lies: it is found from there whether it is installed or not.
        cwd=Path(memdesk.__file__).parent.parent,
    )


class DeskMenu(QObject):
    """Menu and commands that open other desks. `here` is this window's desk, known once its status was read."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self.here: Desk | None = None
        session.status_changed.connect(self._learn)

    def _learn(self, status: Status) -> None:
        if self.here is None:
            self.here = Desk(Path(status.desk))
            remember(self.here)

    def others(self) -> tuple[Desk, ...]:
        """Return the desks opened before and the user's default, without this one."""
        known = dict.fromkeys((*recent(), *([default_desk()] if default_desk().database.exists() else [])))
        return tuple(each for each in known if each != self.here)

    def commands(self) -> Iterator[Key]:
        """Yield the commands for the search: one per other desk, and one to choose a folder."""
        for desk in self.others():
            yield Key(says=tr("Open desk {name}", name=list_name(desk)), act=partial(self.open, desk))
        yield Key(says=tr("Open or create another desk…"), act=self.choose)

    def menu(self) -> QMenu:
        menu = QMenu(self._window)
        for desk in self.others():
            line = QAction(list_name(desk).replace("&", "&&"), menu)
            line.setToolTip(str(desk.folder))
            line.triggered.connect(lambda _=False, desk=desk: self.open(desk))
            menu.addAction(line)
        menu.setToolTipsVisible(True)
        menu.addSeparator()
        menu.addAction(tr("Open or create another desk…")).triggered.connect(lambda _=False: self.choose())
        return menu

    def choose(self) -> QFileDialog:
        """Ask for a folder: a desk's, or an empty one for a new desk."""
        dialog = QFileDialog(self._window, tr("Choose a desk's folder, or an empty one for a new desk"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda folder: self._session.spawn(self._open_folder(Path(folder))))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def open(self, desk: Desk) -> None:
        """Show a desk in its own window."""
        open_desk(desk)

    async def _open_folder(self, folder: Path) -> None:
        # A folder on a drive that sleeps takes its time to be listed.
        open_desk(await asyncio.to_thread(desk_in, folder))


def list_name(desk: Desk) -> str:
    """Return the name of a desk in a list."""
    return display_name(desk) or tr("Your own desk")


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
