"""The rows as a picture: painted once around the view, and only copied while a person scrolls."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPixmap

from memdesk.gui.look import c

KEPT_VIEWS = 3
"""How many heights of the view are kept: the one that is seen, and one above and below it."""
Paint = Callable[[QPainter, tuple[float, float]], None]
"""Paint(painter, band) paints what lies between two heights of the drawing."""


class Picture:
    """A band of the drawing, in the device's own pixels."""

    def __init__(self) -> None:
        self._kept: QPixmap | None = None
        self._top = self._foot = 0.0

    def drop(self) -> None:
        """What it shows is no longer so."""
        self._kept = None

    def blit(
        self, painter: QPainter, view: tuple[float, float], width: int, scale: float, paint: Paint
    ) -> None:
        """Copy the view, a band of the drawing `width` view px wide; paint anew what is not kept."""
        top, foot = view
        if self._kept is None or top < self._top or foot > self._foot:
            high = foot - top
            self._top = max(0.0, top - high)
            self._foot = self._top + KEPT_VIEWS * high
            device = painter.device()
            self._kept = self._painted(width, scale, device.devicePixelRatioF() if device else 1.0, paint)
        painter.drawPixmap(QPointF(0, (self._top - top) * scale), self._kept)

    def _painted(self, width: int, scale: float, dpr: float, paint: Paint) -> QPixmap:
        made = QPixmap(round(width * dpr), round((self._foot - self._top) * scale * dpr))
        made.setDevicePixelRatio(dpr)
        made.fill(c("stage"))
        painter = QPainter(made)
        painter.scale(scale, scale)
        painter.translate(0, -self._top)
        paint(painter, (self._top, self._foot))
        painter.end()
        return made
