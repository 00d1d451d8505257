"""States of a panel without content: loading, empty, failed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets.badges import Icon
from memdesk.gui.widgets.control import Control
from memdesk.gui.widgets.layout import column, delayed, row
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
