"""Icon in the system tray, if there is a tray: capture, waiting questions, pausing jobs, and quitting. Closing the
window: into the tray, for good, or at once; unsaved text is asked about first."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date

from PySide6.QtCore import QEvent, QObject, QSettings, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from memdesk.api import jobs, memory, upkeep
from memdesk.files.places import windows_file
from memdesk.gui import icons
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.shell.stage import Stage
from memdesk.gui.shell.status_line import Strips
from memdesk.gui.widgets import Area, Control, Drop, Ground, Option, Segments, Text, column, delayed, row
from memdesk.gui.widgets.text import excerpt
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import MemDeskError
from memdesk.model.history import FeedEvent
from memdesk.model.job import SwitchJobs
from memdesk.model.remember import NewFact, NewTurn
from memdesk.model.status import Nothing, Status

WIDTH_PX = 520
CLOSES_AFTER_MS = 5000
KINDS = (("fact", marked("Fact")), ("note", marked("Note")))
SAYS = {
    "fact": marked("One claim that holds; agents recall it as it stands."),
    "note": marked("Kept as you said it; facts are extracted from it as from any conversation."),
}


class Capture(QWidget):
    """Capture window. Enter saves, Shift+Enter begins a new line, Esc closes. The typed text stays until it
    is saved."""

    def __init__(self, session: Session) -> None:
        super().__init__(None, Qt.WindowType.Dialog)
        self._session = session
        self._change: int | None = None
        self.said = Area(placeholder=tr("What should be remembered?"), name=tr("What to remember"), lines=3)
        self.kind = Segments([(value, tr(words)) for value, words in KINDS], name=tr("Kind"))
        self.channel = Drop(
            [Option(value=GLOBAL, text=GLOBAL, channel=0)], lead=tr("Channel"), name=tr("Channel")
        )
        self.save = Control("primary", tr("Save"), keys="Enter")
        self.answer = Text("", 12, "t3", wrap=True)
        self.undo = Control("link", tr("Undo"), small=True)
        self._closing = delayed(self.close, self)
        self._furnish()
        self._wire()
        self._explain()

    def _furnish(self) -> None:
        self.setWindowTitle(tr("Quick capture"))
        line = row(self.answer, self.undo, gap=8, stretch=self.answer)
        acts = row(self.kind, self.channel, None, self.save, gap=8)
        body = column(self.said, acts, line, gap=12, margins=(16, 16, 16, 14))
        self.setLayout(column(Ground("panel", layout=body), gap=0))
        self.setFixedWidth(WIDTH_PX)
        self.undo.hide()

    def _wire(self) -> None:
        self.said.editor.installEventFilter(self)
        self.said.changed.connect(lambda _: self._typed())
        self.kind.chosen.connect(lambda _: self._explain())
        self.save.clicked.connect(self.submit)
        self.undo.clicked.connect(self._take_back)
        self._session.status_changed.connect(self._offer_channels)
        if self._session.status is not None:
            self._offer_channels(self._session.status)

    def open(self) -> None:
        """Show the window on top, with the cursor in the text field."""
        if len(self._session.channels) == 1:
            self.channel.set_value(self._session.channels[0])
        self._closing.stop()
        self._explain()
        self.show()
        self.raise_()
        self.activateWindow()
        self.said.editor.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # Saving.

    def submit(self) -> None:
        """Save the typed text, with the person as author."""
        text = self.said.text().strip()
        if not text:
            self._show_outcome(tr("There is nothing to save yet."), "warn")
        elif self.save.isEnabled():
            self.save.setEnabled(False)
            self._session.spawn(self._submit(text), failed=self._refused)

    async def _submit(self, text: str) -> None:
        channel, person = str(self.channel.value()), self._session.person
        if self.kind.value() == "fact":
            says = tr("Captured the fact “{text}”", text=excerpt(text))
            fact = await self._session.do(memory.LEARN_FACT, NewFact(claim=text, channel=channel), says)
            self._saved(fact.change, channel)
            return
        says = tr("Captured the note “{text}”", text=excerpt(text))
        day = f"{date.today():%Y-%m-%d}"
        note = NewTurn(
            content=text,
            channel=channel,
            speaker=person or None,
            conversation_id=f"notes-{channel}-{day}",
            title=tr("Notes of {day}", day=day),
        )
        turn = await self._session.do(memory.STORE_TURN, note, says)
        self._saved(turn.change, channel)

    def _saved(self, change: int | None, channel: str) -> None:
        self.save.setEnabled(True)
        if change is None:
            self._show_outcome(tr("This is known in {channel} already.", channel=channel), "warn")
            return
        self.said.set_text("")
        self._change = change
        self._show_outcome(tr("Saved in {channel}.", channel=channel), "ok")
        self.undo.show()
        self._closing.start(CLOSES_AFTER_MS)

    def _refused(self, wrong: MemDeskError) -> None:
        self.save.setEnabled(True)
        self._show_outcome(wrong.sentence, "bad")

    def _take_back(self) -> None:
        if self._change is not None:
            self._session.undo(self._change)
            self._closing.start(CLOSES_AFTER_MS)
            self._show_outcome(tr("Taken back."), "t3")

    # Words.

    def _show_outcome(self, sentence: str, token: str) -> None:
        self.undo.hide()
        self.answer.set_token(token)
        self.answer.setText(sentence)

    def _explain(self) -> None:
        self._show_outcome(tr(SAYS[str(self.kind.value())]), "t3")

    def _typed(self) -> None:
        """Stop the automatic closing when the person continues to type, and show the description of the kind
        again."""
        if self.said.text():
            self._closing.stop()
            self._explain()

    def _offer_channels(self, status: Status) -> None:
        rows = sorted(status.channels, key=lambda each: each.number)
        known = {GLOBAL: 0} | {each.name: each.number for each in rows}
        self.channel.set_options([Option(value=name, text=name, channel=at) for name, at in known.items()])

    # Keys.

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Save on Enter; Shift+Enter begins a new line."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if is_enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.submit()
                return True
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)


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
        self._notified_at = -QUIET_S
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
        return self.keep.isChecked() and self.is_available

    @property
    def is_available(self) -> bool:
        return QSystemTrayIcon.isSystemTrayAvailable()

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
        if more and not self._window.isActiveWindow() and now - self._notified_at >= QUIET_S:
            self._notified_at = now
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
        found = await self._session.call_if_allowed(jobs.LIST, Nothing())
        self.pause.setVisible(found is not None)
        self.pause.setChecked(found is not None and not found.enabled)

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


class Closing(QObject):
    """Closes a window whose closeEvent asks `allowed`. reopens: True if it closed in order to be recreated."""

    def __init__(
        self, window: QWidget, *, stage: Stage, inspector: Inspector, strips: Strips, tray: Tray
    ) -> None:
        super().__init__(window)
        self._window, self._stage, self._inspector = window, stage, inspector
        self._strips, self._tray = strips, tray
        self._for_good = self._at_once = self._comes_back = False
        self.reopens = False
        strips.closing.pressed.connect(self.at_once)

    def for_good(self) -> bool:
        """Close even if the program would stay in the tray, but ask first if there is unsaved text. Returns
        True if it closed."""
        self._for_good = True
        return self._window.close()

    def at_once(self) -> None:
        """Close without asking; unsaved text is lost."""
        self._at_once = True
        self._window.close()

    def come_back(self) -> None:
        """Close in order to be recreated; with unsaved text ask first."""
        self._comes_back = True
        self.for_good()
        self._comes_back = False

    def allowed(self) -> bool:
        """Return True if the window may close now; otherwise hide it in the tray, or ask."""
        if self._at_once:
            return True
        # “Close anyway” answers the latest question, so it reopens the window if that was asked for.
        self.reopens = self._comes_back
        if self._tray.keeps and not self._for_good:
            self._window.hide()
            return False
        unsaved = (*self._stage.unsaved(), *self._inspector.unsaved())
        if unsaved:
            self._for_good = False
            come_forward(self._window)
            self._strips.ask_closing(unsaved)
        return not unsaved


def come_forward(window: QWidget) -> None:
    """Bring a window to the front, as far as the desktop allows."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
