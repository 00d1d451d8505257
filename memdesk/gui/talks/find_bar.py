"""Search in the open conversation: the number of turns with a match, and steps to the next and previous one."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.talks.reading import Spot, spots
from memdesk.gui.widgets import Control, Field, Text, row

TYPED_MS = 160


class FindBar(QWidget):
    """Search field. Signals: went carries the Spot to show; sought, the text as it changes; left returns to
    the turns.

    Enter goes to the next turn, Shift+Enter to the previous one, Esc clears the field and leaves it."""

    went = Signal(object)
    sought = Signal(str)
    left = Signal()

    def __init__(self, session: Session, width: int) -> None:
        super().__init__()
        self._session = session
        self._id = ""
        self.spots: list[Spot] = []
        self._at = -1
        self._task: asyncio.Task[None] | None = None
        self.field = Field(
            placeholder=tr("Find in conversation"), icon="search", keys="Ctrl F", quiet=True, width=width
        )
        self.count = Text("", 11, "t3", numeric=True)
        self._back = Control("ghost", icon="up", small=True, tip=tr("Turn before, Shift+Enter"))
        self._on = Control("ghost", icon="down", small=True, tip=tr("Next turn, Enter"))
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._look)
        self.setLayout(row(self.count, self._back, self._on, self.field, gap=4))
        self.field.textChanged.connect(lambda _: self._soon.start(TYPED_MS))
        self.field.installEventFilter(self)
        self._back.clicked.connect(lambda: self.step(-1))
        self._on.clicked.connect(lambda: self.step(1))
        self._say()

    @property
    def words(self) -> str:
        """Return the text to search for."""
        return self.field.text().strip()

    def open(self) -> None:
        """Take the keyboard focus."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def show_talk(self, id: str) -> None:
        """Search in another conversation from now on, and clear the text."""
        if id != self._id:
            self._id = id
            self.field.clear()
            self._soon.stop()
            self._look()

    def _look(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self.spots, self._at = [], -1
        self.sought.emit(self.words)
        self._say()
        if self.words:
            self._task = self._session.spawn(self._seek(self._id, self.words))

    async def _seek(self, id: str, words: str) -> None:
        """Search page by page; the first match is shown immediately."""
        async for page in spots(self._session, id, words):
            self.spots += page
            if self._at < 0 and self.spots:
                self.step(1)
            self._say()
        self._task = None
        self._say()

    def step(self, by: int) -> None:
        """Go to the next turn with a match, or with -1 to the previous one, wrapping around at the ends."""
        if self.spots:
            self._at = (self._at + by) % len(self.spots)
            self.went.emit(self.spots[self._at])
        self._say()

    def _say(self) -> None:
        for part in (self.count, self._back, self._on):
            part.setVisible(bool(self.words))
        many = f"{len(self.spots):,}" + ("…" if self._task is not None else "")
        found = tr("{place} of {all}", place=f"{self._at + 1:,}", all=many)
        nothing = tr("looking…") if self._task is not None else tr("not said here")
        self.count.setText(found if self.spots else nothing)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle Enter and Esc in the field."""
        if not isinstance(event, QKeyEvent):
            return False
        key = event.key()
        if event.type() == QEvent.Type.ShortcutOverride and key == Qt.Key.Key_Escape:
            event.accept()
            return False
        if event.type() != QEvent.Type.KeyPress:
            return False
        if key == Qt.Key.Key_Escape:
            self.field.clear()
            self._soon.stop()
            self._look()
            self.left.emit()
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._soon.isActive():
                self._soon.stop()
                self._look()
            else:
                self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
            return True
        return False
