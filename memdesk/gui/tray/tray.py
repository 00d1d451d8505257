"""Icon in the system tray, if there is a tray: capture, waiting questions, pausing jobs, and quitting."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from memdesk.contract import jobs, upkeep
from memdesk.files.places import windows_file
from memdesk.gui import icons
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.model.history import FeedEvent
from memdesk.model.job import SwitchJobs
from memdesk.model.status import Nothing

KEEP = "tray/keep"
QUIET_S = 600.0
"""Least time between two notifications, in seconds."""


class Tray(QObject):
    """Tray icon with its menu. Signals: opened, captured, reviewed and quitted report the person's choice
    from the menu."""

    opened = Signal()
    captured = Signal()
    reviewed = Signal()
    quitted = Signal()

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._waiting = 0
        self._told_at = -QUIET_S
        self.menu = QMenu(window)
        self.review = self._line("", self.reviewed.emit)
        self._line(tr("Open MemDesk"), self.opened.emit)
        self._line(tr("Quick capture…"), self.captured.emit)
        self.menu.addSeparator()
        self.pause = self._line(tr("Pause jobs"), self._switch, checkable=True)
        self.pause.setToolTip(
            tr(
                "Nothing is extracted, promoted, retired or cleaned up by itself until you go on. "
                "Agents still store and recall."
            )
        )
        self.keep = self._line(tr("Stay here when the window closes"), self._remember, checkable=True)
        self.menu.addSeparator()
        self._line(tr("Quit"), self.quitted.emit)
        self.stop = self._line(tr("Stop the service and quit"), self._stop_service)
        self.stop.setToolTip(tr("Agents cannot reach this desk until it is opened or served again."))
        self.menu.setToolTipsVisible(True)
        self.icon = QSystemTrayIcon(icons.icon("graph", "acc"), self)
        self.icon.setContextMenu(self.menu)
        self._wire()

    def _line(self, words: str, act: Callable[[], object], *, checkable: bool = False) -> QAction:
        line = QAction(words, self.menu)
        line.setCheckable(checkable)
        line.triggered.connect(lambda _=False: act())
        self.menu.addAction(line)
        return line

    def _wire(self) -> None:
        self.icon.activated.connect(self._pressed)
        self.icon.messageClicked.connect(self.reviewed)
        self._session.changed.connect(self._hear)
        self._session.back.connect(self._look)
        self._window.windowTitleChanged.connect(lambda _: self._name())
        self.keep.setChecked(str(_file().value(KEEP, "0")) == "1")
        self.show_waiting(0)
        self._look()
        # On X11, as when a person logs in, there may be a tray later, and Qt puts the icon there.
        if QSystemTrayIcon.isSystemTrayAvailable() or QGuiApplication.platformName() == "xcb":
            self.icon.show()

    @property
    def keeps(self) -> bool:
        """Return True if the program stays in the tray when the window is closed."""
        return self.keep.isChecked() and QSystemTrayIcon.isSystemTrayAvailable()

    def _pressed(self, how: QSystemTrayIcon.ActivationReason) -> None:
        if how == QSystemTrayIcon.ActivationReason.Trigger:
            self.opened.emit()

    def _remember(self) -> None:
        file = _file()
        file.setValue(KEEP, int(self.keep.isChecked()))
        file.sync()

    # Reviews.

    def show_waiting(self, number: int) -> None:
        """Show the number of questions that wait for the person; notify if it has grown while the window is
        not active."""
        more, self._waiting = number > self._waiting, number
        self.review.setVisible(number > 0)
        self.review.setText(tr("Review %Ln question(s)", "", number))
        self._name()
        now = time.monotonic()
        if more and not self._window.isActiveWindow() and now - self._told_at >= QUIET_S:
            self._told_at = now
            says = tr("%Ln question(s) (waits|wait) for your review.", "", number)
            self.icon.showMessage(self._window.windowTitle(), says, self.icon.icon())

    def _name(self) -> None:
        waits = (
            tr("%Ln question(s) (waits|wait) for your review.", "", self._waiting) if self._waiting else ""
        )
        self.icon.setToolTip("\n".join(each for each in (self._window.windowTitle(), waits) if each))

    # Jobs and the service.

    def _hear(self, events: tuple[FeedEvent, ...]) -> None:
        """Update the pause state after an event without record kinds, which may be a change of settings."""
        if any(not event.kinds for event in events):
            self._look()

    def _look(self) -> None:
        self._session.spawn(self._read())

    async def _read(self) -> None:
        self.pause.setChecked(not (await self._session.call(jobs.LIST, Nothing())).enabled)

    def _switch(self) -> None:
        self._session.spawn(self._switch_jobs(on=not self.pause.isChecked()))

    async def _switch_jobs(self, *, on: bool) -> None:
        try:
            await self._session.call(jobs.SWITCH, SwitchJobs(on=on))
        finally:
            await self._read()

    def _stop_service(self) -> None:
        self._session.spawn(self._stop())

    async def _stop(self) -> None:
        await self._session.call(upkeep.STOP, Nothing())
        self.quitted.emit()


def _file() -> QSettings:
    return QSettings(str(windows_file()), QSettings.Format.IniFormat)
