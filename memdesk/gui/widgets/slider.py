"""A painted slider from 0 to 1 in even steps."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSlider

from memdesk.gui.look import c
from memdesk.gui.widgets.paint import box
from memdesk.gui.widgets.ring import ring_on_focus

STEPS = 20
WIDTH_PX = 76
KNOB_PX = 10
GROOVE_PX = 4


class Slider(QSlider):
    """Slider with QSlider's signals and steps; `share` is its value from 0 to 1.

    lit: the lit side of the knob: `above` for values that pass a threshold, `below` for an amount."""

    def __init__(self, name: str, share: float = 0.0, *, lit: Literal["above", "below"] = "below") -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._lit = lit
        self.setRange(0, STEPS)
        self.setPageStep(STEPS // 4)
        self.setFixedSize(WIDTH_PX, 20)
        self.setAccessibleName(name)
        self.set_share(share)

    @property
    def share(self) -> float:
        """Present value, 0 to 1."""
        return self.value() / STEPS

    def set_share(self, share: float) -> None:
        """Move the knob to the nearest step."""
        self.setValue(round(share * STEPS))

    def _knob_x(self) -> float:
        return KNOB_PX / 2 + (self.width() - KNOB_PX) * self.share

    def _go_to(self, x: float) -> None:
        self.set_share((x - KNOB_PX / 2) / (self.width() - KNOB_PX))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Jump to the pointer."""
        self._go_to(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer."""
        self._go_to(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Do nothing, so that the value stays as it was set."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus ring when the keyboard brought the focus."""
        super().focusInEvent(event)
        ring_on_focus(self, event.reason())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint groove, lit part and knob."""
        painter = QPainter(self)
        top, x = (self.height() - GROOVE_PX) / 2, self._knob_x()
        box(painter, QRectF(0, top, self.width(), GROOVE_PX), 2, c("track"))
        lit = (
            QRectF(x, top, self.width() - x, GROOVE_PX)
            if self._lit == "above"
            else QRectF(0, top, x, GROOVE_PX)
        )
        box(painter, lit, 2, c("acc"))
        knob = QRectF(x - KNOB_PX / 2, (self.height() - KNOB_PX) / 2, KNOB_PX, KNOB_PX)
        box(painter, knob, KNOB_PX / 2, c("t1"))
