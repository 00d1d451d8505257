"""Single-window lock per desk: a second start asks the first window to come to the front."""

from __future__ import annotations

import socket
import time
from contextlib import suppress

from PySide6.QtCore import QLockFile, QObject, Signal
from PySide6.QtNetwork import QLocalServer

from memdesk.files.places import Desk
from memdesk.gui.language import tr
from memdesk.model.errors import Refused

PATIENCE_S = 2.0
POLL_S = 0.05


class Door(QObject):
    """A desk's window lock, and the socket on which a second start is announced. The signal `knocked` asks
    the window to come to the front."""

    knocked = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        desk.window_lock.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
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
            self._knock()
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

    def _knock(self) -> None:
        """Signal the other window and return once it has closed the connection, which confirms receipt.
        Raises Refused if it does not answer in time."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            # A window that has the lock may not listen yet.
            with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
                caller.settimeout(PATIENCE_S)
                caller.connect(str(self._desk.window_socket))
                if caller.recv(1) == b"":
                    return
            time.sleep(POLL_S)
        raise Refused(
            tr("A window of {folder} is open and does not answer.", folder=self._desk.folder),
            next=tr("Close it, or end its process, and try again."),
        )

    def _answer(self) -> None:
        while (caller := self._server.nextPendingConnection()) is not None:
            caller.disconnected.connect(caller.deleteLater)
            caller.disconnectFromServer()
            self.knocked.emit()
