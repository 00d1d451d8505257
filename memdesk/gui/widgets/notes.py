"""Strips of 34 px: a warning that stays, and an undo offer after a change, which disappears after 8 s."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QEnterEvent

from memdesk.gui.language import tr
from memdesk.gui.widgets.badges import Icon, KeyCap
from memdesk.gui.widgets.control import Control
from memdesk.gui.widgets.layout import Ground, delayed, row
from memdesk.gui.widgets.text import Text

HEIGHT_PX = 34


def _nothing() -> None:
    """Do nothing; the action of a message without a button."""


class MessageBar(Ground):
    """Message bar: an icon, a sentence, an optional button, and a close button. Hidden at first."""

    def __init__(self) -> None:
        self._icon, self.sentence = Icon("info", "t2"), Text("", 12, "t1", elide=True, selectable=True)
        self.button = Control("button", "", small=True)
        self.close_button = Control("ghost", "", "close", small=True, tip=tr("Close"))
        layout = row(self._icon, self.sentence, self.button, self.close_button, gap=8, margins=(20, 0, 12, 0))
        layout.setStretchFactor(self.sentence, 1)
        super().__init__("panel", "bottom", layout, height=HEIGHT_PX)
        self._act: Callable[[], object] = _nothing
        self.button.clicked.connect(lambda: self._act())
        self.close_button.clicked.connect(self.hide)
        self.hide()

    def show_message(
        self,
        sentence: str,
        *,
        icon: str = "info",
        tone: str = "t2",
        button: str = "",
        act: Callable[[], object] = _nothing,
    ) -> None:
        """Show a sentence. button: words of its button, empty for none. act: called when the button is
        pressed."""
        self._icon.set_icon(icon, tone)
        self.sentence.setText(sentence)
        self.sentence.setToolTip(sentence)
        self.button.setText(button)
        self.button.setVisible(bool(button))
        self._act = act
        self.setAccessibleName(sentence)
        self.show()


UNDO_FOR_MS = 8000


class Strip(Ground):
    """A warning with one button, as under the top bar while the service is away.

    flush: spans the window without round corners. examine: words of a second button, before the other. The signal
    `pressed` is its button's press, `examined` that of the second."""

    pressed = Signal()
    examined = Signal()

    def __init__(
        self, sentence: str = "", button: str = "", *, flush: bool = False, examine: str = ""
    ) -> None:
        super().__init__("warnbg", height=HEIGHT_PX, radius=0 if flush else 5)
        self.sentence = Text(sentence, 12, "t1", elide=True)
        self.button = Control("button", button, small=True)
        if not button:
            self.button.hide()
        self.button.clicked.connect(lambda: self.pressed.emit())
        self.examine = Control("button", examine, small=True)
        if not examine:
            self.examine.hide()
        self.examine.clicked.connect(lambda: self.examined.emit())
        layout = row(
            Icon("warning", "warn"), self.sentence, self.examine, self.button, gap=7, margins=(11, 0, 12, 0)
        )
        layout.setStretchFactor(self.sentence, 1)
        self.setLayout(layout)
        self.setAccessibleName(sentence)

    def set_sentence(self, sentence: str) -> None:
        """Change the sentence."""
        self.sentence.setText(sentence)
        self.setAccessibleName(sentence)


class UndoStrip(Ground):
    """Sentence about the last change, with its undo. Hidden at first; it shows for 8 s, longer while pointed
    at.

    The signal `undone` carries the change's id when Undo is pressed."""

    undone = Signal(object)

    def __init__(self) -> None:
        super().__init__("panel", height=HEIGHT_PX, radius=5, rim="line2")
        self._change: object = None
        self._icon = Icon("retire", "t2")
        self.sentence = Text("", 12, "t1", elide=True)
        self._undo = Control("link", tr("Undo"))
        self._undo.clicked.connect(self._take_back)
        self._timer = delayed(self.hide, self)
        layout = row(self._icon, self.sentence, self._undo, KeyCap("Ctrl Z"), gap=9, margins=(12, 0, 12, 0))
        layout.setStretchFactor(self.sentence, 1)
        self.setLayout(layout)
        self.hide()

    def offer(self, sentence: str, change: object, icon: str = "retire") -> None:
        """Show a change and its undo for 8 s."""
        self._change = change
        self._icon.set_icon(icon)
        self.sentence.setText(sentence)
        self.setAccessibleName(tr("{sentence}. Undo", sentence=sentence))
        self.show()
        self._timer.start(UNDO_FOR_MS)

    def _take_back(self) -> None:
        self.hide()
        self.undone.emit(self._change)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Stay while the pointer is on the strip."""
        super().enterEvent(event)
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        """Hide after another 8 s."""
        super().leaveEvent(event)
        self._timer.start(UNDO_FOR_MS)
