"""Common behaviour of painted buttons: focus ring by keyboard, Enter presses, and disabling repaints."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from memdesk.gui.widgets.ring import ring_on_focus


class Pressable(QAbstractButton):
    """A button that paints itself. Its signals are QAbstractButton's."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Ring the button when the keyboard brought the focus."""
        super().focusInEvent(event)
        ring_on_focus(self, event.reason())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the button with Enter, as Space does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Repaint when enabled or disabled."""
        super().changeEvent(event)
        self.update()
