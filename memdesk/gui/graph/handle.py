"""Handle at one end of the time brush's range: dragged, or moved by the arrow keys."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from memdesk.gui.look import c
from memdesk.gui.widgets import ring_on_focus
from memdesk.gui.widgets.paint import box

WIDTH_PX = 9
KNOB_PX = 14
WEEK = 7


class Handle(QWidget):
    """Handle at one end of the range. Drag it or move it with the arrows; `moved` carries px, `stepped` bins,
    None for the end of the axis."""

    moved = Signal(float)
    stepped = Signal(object)

    def __init__(self, name: str, height: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._name = name
        self.setFixedSize(WIDTH_PX, height)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.SplitHCursor)
        self.say("")

    def say(self, day: str) -> None:
        """Set its day, for a screen reader and the tool tip."""
        self.setAccessibleName(f"{self._name} {day}".strip())
        self.setToolTip(self.accessibleName())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer."""
        self.moved.emit(self.x() + event.position().x())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Accept the press, so that the handle can be dragged."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move by a bin with the arrows, with Shift by seven bins; Home and End move to the end of the axis
        on this handle's side."""
        key, far = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match key:
            case Qt.Key.Key_Left | Qt.Key.Key_Right:
                by = WEEK if far else 1
                self.stepped.emit(by if key == Qt.Key.Key_Right else -by)
            case Qt.Key.Key_Home | Qt.Key.Key_End:
                self.stepped.emit(None)
            case _:
                super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus ring when the keyboard brought the focus."""
        super().focusInEvent(event)
        ring_on_focus(self, event.reason(), radius=3)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a line and the knob on it."""
        painter = QPainter(self)
        middle = self.width() // 2
        painter.fillRect(QRectF(middle - 0.5, 0, 2, self.height()), c("acc"))
        box(painter, QRectF(0, (self.height() - KNOB_PX) / 2, self.width(), KNOB_PX), 3, c("acc"))
