"""States of a panel without content: loading, empty, failed; and strips for a warning, and for an undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QRectF, Signal
from PySide6.QtGui import QEnterEvent, QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets.badges import Icon, KeyCap
from memdesk.gui.widgets.control import Control
from memdesk.gui.widgets.layout import Ground, column, delayed, row
from memdesk.gui.widgets.paint import box
from memdesk.gui.widgets.text import Text

SHOW_AFTER_MS = 150
OFFER_CANCEL_AFTER_MS = 2000
BAR_PX = 8
MARGINS = (15, 9, 15, 9)


def skeleton_bar(painter: QPainter, x: float, center_y: float, width: float) -> None:
    """Paint a single bar of a skeleton, 8 px high."""
    box(painter, QRectF(x, round(center_y - BAR_PX / 2), width, BAR_PX), 2, c("track"))


class Skeleton(QWidget):
    """Rows of bars in place of content that is loading. It appears after 150 ms and offers Cancel after 2 s.

    shares: widths of the bars of one row as shares of its width. The signal `cancelled` is emitted when
    Cancel is pressed."""

    cancelled = Signal()

    def __init__(
        self, *, rows: int = 6, pitch: int = 30, shares: Sequence[float] = (0.03, 0.36, 0.14), pad: int = 20
    ) -> None:
        super().__init__()
        self._rows, self._pitch, self._shares, self._pad = rows, pitch, tuple(shares), pad
        self._visible = False
        self.setAccessibleName(tr("Loading"))
        self.setMinimumHeight(rows * pitch)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        self._slow = QWidget(self)
        self._slow.setLayout(row(Text(tr("Still loading."), 12, "t3"), self._cancel(), None, gap=12))
        self._slow.hide()
        self._first, self._second = delayed(self._appear, self), delayed(self._slow.show, self)

    def _cancel(self) -> Control:
        button = Control("button", tr("Cancel"), small=True)
        button.clicked.connect(lambda: self.cancelled.emit())
        return button

    def _appear(self) -> None:
        self._visible = True
        self.update()

    def showEvent(self, event: QShowEvent) -> None:
        """Start the timers."""
        super().showEvent(event)
        self._first.start(SHOW_AFTER_MS)
        self._second.start(OFFER_CANCEL_AFTER_MS)

    def hideEvent(self, event: QHideEvent) -> None:
        """Reset for the next wait."""
        super().hideEvent(event)
        self._first.stop()
        self._second.stop()
        self._slow.hide()
        self._visible = False

    def paintEvent(self, event: QPaintEvent) -> None:
        self._slow.setGeometry(self._pad, self._rows * self._pitch, self.width() - 2 * self._pad, 24)
        if not self._visible:
            return
        painter = QPainter(self)
        for place in range(self._rows):
            self._paint_row(painter, place)

    def _paint_row(self, painter: QPainter, place: int) -> None:
        x = float(self._pad)
        wide = self.width() - 2 * self._pad
        for share in self._shares:
            skeleton_bar(painter, x, (place + 0.5) * self._pitch, max(12.0, share * wide))
            x += max(12.0, share * wide) + 12


class Empty(QWidget):
    """Message of an empty panel: one sentence, more detail if it helps, one next step. Left aligned.

    step: words of the button; the signal `step_taken` is its press."""

    step_taken = Signal()

    def __init__(self, sentence: str, detail: str = "", *, step: str = "") -> None:
        super().__init__()
        self.sentence = Text(sentence, 13, "t1", weight=500, wrap=True)
        self.detail = Text(detail, 12, "t2", wrap=True)
        self.step = Control("button", step, small=True)
        for part, words in ((self.detail, detail), (self.step, step)):
            if not words:
                part.hide()
        self.step.clicked.connect(lambda: self.step_taken.emit())
        self.setLayout(
            column(None, self.sentence, self.detail, row(self.step, None), None, gap=6, margins=MARGINS)
        )

    def set_words(self, sentence: str, detail: str = "", step: str | None = None) -> None:
        """Change the sentence and the detail; step None keeps the button as it is, empty removes it."""
        self.sentence.setText(sentence)
        self.detail.show_text(detail)
        if step is not None:
            self.step.setText(step)
            self.step.setVisible(bool(step))


class Failure(QWidget):
    """Message of a failed panel: the failure, the parts that still work, and Retry, whose press is the signal
    `retried`."""

    retried = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.what = Text("", 13, "t1", weight=500, wrap=True)
        self.rest = Text("", 12, "t2", wrap=True)
        self.rest.hide()
        self.retry = Control("button", tr("Retry"), keys="Ctrl R", small=True)
        self.retry.clicked.connect(lambda: self.retried.emit())
        icon = row(Icon("warning", "bad", name=tr("Failed")), None)
        buttons = row(self.retry, None)
        self.setLayout(column(None, icon, self.what, self.rest, buttons, None, gap=6, margins=MARGINS))

    def set_words(self, what: str, rest: str = "") -> None:
        """Change the sentences. what: the failure. rest: the parts that still work."""
        self.what.setText(what)
        self.rest.show_text(rest)
        self.setAccessibleName(f"{what} {rest}".strip())


HEIGHT_PX = 34


def _nothing() -> None:
    """Do nothing; the action of a message without a button."""


class MessageBar(Ground):
    """Message bar: an icon, a sentence, an optional button, and a close button. Hidden at first."""

    def __init__(self) -> None:
        self._icon, self.sentence = Icon("info", "t2"), Text("", 12, "t1", elide=True, selectable=True)
        self.button = Control("button", "", small=True)
        self.close_button = Control("ghost", "", "close", small=True, tip=tr("Close"))
        layout = row(
            self._icon,
            self.sentence,
            self.button,
            self.close_button,
            gap=8,
            margins=(20, 0, 12, 0),
            stretch=self.sentence,
        )
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
            Icon("warning", "warn"),
            self.sentence,
            self.examine,
            self.button,
            gap=7,
            margins=(11, 0, 12, 0),
            stretch=self.sentence,
        )
        self.setLayout(layout)
        self.setAccessibleName(sentence)

    def set_sentence(self, sentence: str) -> None:
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
        layout = row(
            self._icon,
            self.sentence,
            self._undo,
            KeyCap("Ctrl Z"),
            gap=9,
            margins=(12, 0, 12, 0),
            stretch=self.sentence,
        )
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
