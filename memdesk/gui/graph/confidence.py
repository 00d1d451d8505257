"""The least confidence a fact must have to be drawn: a slider from 0 to 1 in steps of 0.05."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSlider, QWidget

from memdesk.gui.look import c
from memdesk.gui.widgets import Text, ring_on_focus, row
from memdesk.gui.widgets.paint import box

STEPS = 20
WIDTH_PX = 76
KNOB_PX = 10
GROOVE_PX = 4


class Groove(QSlider):
    """A painted slider. What lies above the knob is what passes, so that part is lit."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(0, STEPS)
        self.setPageStep(STEPS // 4)
        self.setFixedSize(WIDTH_PX, 20)
        self.setAccessibleName("Least confidence")

    def _knob_x(self) -> float:
        return KNOB_PX / 2 + (self.width() - KNOB_PX) * self.value() / STEPS

    def _go_to(self, x: float) -> None:
        self.setValue(round((x - KNOB_PX / 2) / (self.width() - KNOB_PX) * STEPS))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Jump to the pointer."""
        self._go_to(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer."""
        self._go_to(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The value stands as it was set."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Ring it when the keyboard brought the focus."""
        super().focusInEvent(event)
        ring_on_focus(self, event.reason())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint groove, lit part and knob."""
        painter = QPainter(self)
        top, x = (self.height() - GROOVE_PX) / 2, self._knob_x()
        box(painter, QRectF(0, top, self.width(), GROOVE_PX), 2, c("track"))
        box(painter, QRectF(x, top, self.width() - x, GROOVE_PX), 2, c("acc"))
        knob = QRectF(x - KNOB_PX / 2, (self.height() - KNOB_PX) / 2, KNOB_PX, KNOB_PX)
        box(painter, knob, KNOB_PX / 2, c("t1"))


class Confidence(QWidget):
    """“Confidence”, the slider and its value. The signal `changed` carries the value, 0 to 1."""

    changed = Signal(float)

    def __init__(self, value: float) -> None:
        super().__init__()
        self.groove = Groove()
        self._said = Text("", 12, "t1")
        self._said.setFixedWidth(46)
        self.groove.setValue(round(value * STEPS))
        self.groove.valueChanged.connect(self._moved)
        self.setLayout(row(Text("Confidence", 12, "t2"), self.groove, self._said, gap=8))
        self._show()

    @property
    def value(self) -> float:
        """The least confidence, 0 to 1."""
        return self.groove.value() / STEPS

    def _moved(self) -> None:
        self._show()
        self.changed.emit(self.value)

    def _show(self) -> None:
        self._said.setText(f"≥ {self.value:.2f}")
        self.groove.setAccessibleDescription(f"at least {self.value:.2f}")
