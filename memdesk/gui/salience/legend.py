"""Legend: the scale of salience, examples of measured and forecast cells, and the line where memories fade."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui import look
from memdesk.gui.help.asking import explain_terms
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets.paint import draw_text, text_width

HEIGHT_PX = 24
SWATCH_PX = 10
STEP_PX = 11
STEPS = 10
APART_PX = 22
MEASURED, FORECAST = 0.7, 0.45
"""Salience values shown as examples."""

Piece = tuple[float, Callable[[QPainter, float], None]]
"""Width of a piece, and the function that paints it from an x on."""


class Legend(QWidget):
    """Painted legend, aligned to the right of its area; pieces without room are left out, the scale last."""

    def __init__(self) -> None:
        super().__init__()
        self._fades = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT_PX)
        explain_terms(self, "salience", "fades")
        look.themed.changed.connect(self.update)

    def show_threshold(self, fade_below: float) -> None:
        """Show the salience below which a memory has faded."""
        self._fades = tr("fades below {value}", value=f"{fade_below:.2f}")
        self.setAccessibleName(tr("Salience from 0 to 1, measured and forecast, {fades}", fades=self._fades))
        self.update()

    def minimumSizeHint(self) -> QSize:
        """Allow the legend to be left out completely."""
        return QSize(0, HEIGHT_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as many pieces as there is room for."""
        pieces = self._pieces()
        while pieces and _width(pieces) > self.width():
            pieces.pop()
        order = [pieces[place] for place in (0, 2, 1) if place < len(pieces)]
        painter = QPainter(self)
        x = self.width() - _width(pieces)
        for wide, paint in order:
            paint(painter, x)
            x += wide + APART_PX

    def _pieces(self) -> list[Piece]:
        """Return scale, fading line and example cells, the most important first."""
        words = text_width(tr("measured, forecast"), look.font(11))
        return [
            (STEPS * STEP_PX + 32, _paint_scale),
            (24 + text_width(self._fades, look.font(11)), self._paint_line),
            (46 + words, _paint_examples),
        ]

    def _paint_line(self, painter: QPainter, x: float) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(c("bad"), 1.5, j=Qt.PenJoinStyle.MiterJoin))
        painter.drawPolyline(
            QPolygonF([QPointF(x, 7), QPointF(x + 9, 7), QPointF(x + 9, 17), QPointF(x + 18, 17)])
        )
        _words(painter, x + 24, self._fades)


def _width(pieces: list[Piece]) -> float:
    return sum(wide for wide, _ in pieces) + APART_PX * max(0, len(pieces) - 1)


def _paint_scale(painter: QPainter, x: float) -> None:
    _words(painter, x, "0")
    for step in range(STEPS):
        place = QRectF(x + 13 + step * STEP_PX, (HEIGHT_PX - SWATCH_PX) / 2, STEP_PX - 1, SWATCH_PX)
        painter.fillRect(place, look.sequential(step / (STEPS - 1)))
    _words(painter, x + 13 + STEPS * STEP_PX + 8, "1")


def _paint_examples(painter: QPainter, x: float) -> None:
    for place in (0, 7):
        painter.fillRect(QRectF(x + place, 4, 6, 16), look.sequential(MEASURED))
    for place in (20, 27, 34):
        painter.fillRect(QRectF(x + place, 8, 4, 8), look.sequential(FORECAST))
    _words(painter, x + 46, tr("measured, forecast"))


def _words(painter: QPainter, x: float, text: str) -> None:
    face = look.font(11)
    draw_text(painter, QRectF(x, 0, text_width(text, face), HEIGHT_PX), text, face, c("t2"))
