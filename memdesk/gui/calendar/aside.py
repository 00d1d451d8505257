"""Side part next to the content if there is room, otherwise over the content's right part."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

LEAST_BESIDE_PX = 480
"""Width that the content keeps; if less were left, the side part overlays it."""


class Aside(QWidget):
    """Content, and at its right a part of fixed width that is shown or not."""

    def __init__(self, content: QWidget, side: QWidget, *, width: int) -> None:
        super().__init__()
        self._content, self._side, self._wide = content, side, width
        content.setParent(self)
        side.setParent(self)
        side.hide()

    @property
    def is_open(self) -> bool:
        """True if the part at the right is shown."""
        return not self._side.isHidden()

    def open_side(self, is_open: bool) -> None:
        """Show or hide the part at the right."""
        self._side.setVisible(is_open)
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place both parts for the new size."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        wide, high = self.width(), self.height()
        side = min(self._wide, wide)
        beside = side if self.is_open and wide - side >= LEAST_BESIDE_PX else 0
        self._content.setGeometry(0, 0, wide - beside, high)
        self._side.setGeometry(wide - side, 0, side, high)
        self._side.raise_()
