"""Bar above the source that finds text: number of matches, and steps to the next and previous one."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QTextCursor

from memdesk.gui.editor.source import Source
from memdesk.gui.language import tr
from memdesk.gui.widgets import Control, Field, Ground, Text, row

HEIGHT_PX = 40


class FindBar(Ground):
    """Find bar, hidden until it is opened. Enter goes to the next match, Shift+Enter to the previous one, Esc
    closes it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._places: list[QTextCursor] = []
        self._at = -1
        self.field = Field(placeholder=tr("Find in this file"), icon="search", quiet=True)
        self.count = Text("", 11, "t3")
        back = Control("ghost", icon="up", small=True, tip=tr("Previous place, Shift+Enter"))
        on = Control("ghost", icon="down", small=True, tip=tr("Next place, Enter"))
        close = Control("ghost", icon="close", small=True, tip=tr("Close, Esc"))
        layout = row(self.field, self.count, back, on, close, gap=6, margins=(12, 0, 8, 1))
        super().__init__("stage", "bottom", layout, height=HEIGHT_PX)
        self.field.textChanged.connect(lambda _: self._look(keep=False))
        self.field.installEventFilter(self)
        back.clicked.connect(lambda: self.step(-1))
        on.clicked.connect(lambda: self.step(1))
        close.clicked.connect(self.shut)
        source.textChanged.connect(lambda: self._look(keep=True) if self.isVisible() else None)
        self.hide()

    def open(self) -> None:
        """Show the bar, and search for the selected text if there is any."""
        chosen = self._source.textCursor().selectedText()
        if chosen and len(chosen) < 200:
            self.field.setText(chosen)
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self._look(keep=True)

    def shut(self) -> None:
        """Hide the bar and its marks, and return the focus to the source."""
        self.hide()
        self._source.mark_found("")
        self._source.setFocus()

    def step(self, by: int) -> None:
        """Go to the next match, or with -1 to the previous one, wrapping around at the ends."""
        if self._places:
            self._at = (self._at + by) % len(self._places)
            self._source.show_found(self._places[self._at])
        self._say()

    def _look(self, *, keep: bool) -> None:
        """Find all matches. Unless `keep` is set, show the first one from the cursor on."""
        self._places = self._source.mark_found(self.field.text())
        here = self._source.textCursor().selectionStart()
        later = (n for n, place in enumerate(self._places) if place.selectionStart() >= here)
        self._at = next(later, 0 if self._places else -1)
        if self._places and not keep:
            self._source.show_found(self._places[self._at])
        self._say()

    def _say(self) -> None:
        found = (
            tr("{place} of {all}", place=self._at + 1, all=len(self._places))
            if self._places
            else tr("not in this file")
        )
        self.count.setText(found if self.field.text() else "")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle Enter and Esc in the field."""
        if event.type() == QEvent.Type.ShortcutOverride and _key(event) == Qt.Key.Key_Escape:
            event.accept()
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.shut()
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
            return True
        return False


def _key(event: QEvent) -> int:
    return event.key() if isinstance(event, QKeyEvent) else 0
