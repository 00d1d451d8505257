"""Curve of one memory: its past, its recalls, and its forecast without and with a rescue."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from memdesk.gui import look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.salience.days import said_days, value
from memdesk.gui.salience.grid import Grid
from memdesk.gui.salience.line import helps
from memdesk.gui.widgets.paint import CENTER, LEFT, RIGHT, box, draw_text, text_width
from memdesk.model.heatmap import HeatRow

MARGIN_PX = 40
"""Room for the numbers left of the days."""
OVER_PX, BELOW_PX = 9, 19
"""Room above the highest value, and below 0 for the ticks of recalls."""
TICK_PX = 7
LABEL_PX = 18
LINE_PX = 1.5
THRESHOLD_OPACITY = 0.75


class Chart(QWidget):
    """Chart on the days of a Grid; the first day begins MARGIN_PX from its left edge."""

    def __init__(self) -> None:
        super().__init__()
        self._row: HeatRow | None = None
        self._grid: Grid | None = None
        self._fade_below, self._decay = 0.1, 0.95
        self._cell: int | None = None
        look.themed.changed.connect(self.update)

    def show_row(self, row: HeatRow | None, fade_below: float, decay_per_day: float) -> None:
        """Show another memory."""
        self._row, self._fade_below, self._decay = row, fade_below, decay_per_day
        self._cell = None
        self.setAccessibleName("" if row is None else tr("Salience of {title} over time", title=row.title))
        self.update()

    def show_grid(self, grid: Grid) -> None:
        """Show other days or another width."""
        self._grid, self._cell = grid, None
        self.update()

    def point(self, cell: int | None) -> None:
        """Mark the days of a cell, None for no mark."""
        self._cell = cell
        self.update()

    # Where things are.

    def _x(self, grid: Grid, day: float) -> float:
        """Return the middle of a day, in px."""
        return grid.middle(day) - grid.cells_x + MARGIN_PX

    def _y(self, strength: float) -> float:
        return self._bottom - strength * (self._bottom - OVER_PX)

    @property
    def _bottom(self) -> float:
        return self.height() - BELOW_PX

    def rescued(self, row: HeatRow, days: float) -> float:
        """Return the salience `days` days after a rescue today, calculated back from the day when it would
        fade then."""
        last = row.rescued_fades_in_days
        assert last is not None
        return float(self._fade_below * self._decay ** (days - last))

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint ground and levels, then the curves."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), c("stage"))
        grid, row = self._grid, self._row
        if grid is None or row is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, right = float(MARGIN_PX), grid.cells_right - grid.cells_x + MARGIN_PX
        today = grid.today_x - grid.cells_x + MARGIN_PX
        painter.fillRect(QRectF(today, 0, right - today, self._bottom), c("panel"))
        self._paint_levels(painter, left, right)
        painter.fillRect(QRectF(today, 0, 1, self._bottom), c("t1"))
        self._paint_ticks(painter, grid, row)
        self._paint_past(painter, grid, row)
        self._paint_ahead(painter, grid, row)
        if helps(row):
            self._paint_rescued(painter, grid, row, right)
        self._paint_now(painter, grid, row)
        self._paint_pointed(painter, grid, row)

    def _paint_levels(self, painter: QPainter, left: float, right: float) -> None:
        for level in (1.0, 0.5):
            y = round(self._y(level))
            painter.fillRect(QRectF(left, y, right - left, 1), c("line"))
            self._number(painter, y, f"{level:.1f}", c("t3"))
        y = round(self._y(self._fade_below))
        pen = QPen(c("bad"), LINE_PX)
        pen.setDashPattern([3, 2])
        painter.setOpacity(THRESHOLD_OPACITY)
        painter.setPen(pen)
        painter.drawLine(QPointF(left, y + 0.5), QPointF(right, y + 0.5))
        painter.setOpacity(1.0)
        self._number(painter, y, f"{self._fade_below:.2f}", c("bad"))

    def _number(self, painter: QPainter, y: float, text: str, ink: QColor) -> None:
        draw_text(painter, QRectF(0, y - 7, MARGIN_PX - 8, 14), text, look.font(10, 500), ink, RIGHT)

    def _paint_ticks(self, painter: QPainter, grid: Grid, row: HeatRow) -> None:
        for day in set(row.curve.recall_days):
            x = round(self._x(grid, day))
            painter.fillRect(QRectF(x, self.height() - TICK_PX - 2, 1, TICK_PX), c("t2"))

    def _paint_past(self, painter: QPainter, grid: Grid, row: HeatRow) -> None:
        points = [
            QPointF(self._x(grid, day), self._y(strength))
            for day, strength in enumerate(row.curve.past)
            if strength is not None
        ]
        self._line(painter, points, c("acc"))

    def _paint_ahead(self, painter: QPainter, grid: Grid, row: HeatRow) -> None:
        points = [
            QPointF(self._x(grid, day), self._y(strength))
            for day, strength in enumerate((row.curve.now, *row.curve.ahead), grid.days.today)
        ]
        self._line(painter, points, c("acc"), dashed=True)

    def _paint_rescued(self, painter: QPainter, grid: Grid, row: HeatRow, right: float) -> None:
        today = grid.days.today
        later = [0.5, *range(1, grid.days.ahead + 1)]
        points = [QPointF(self._x(grid, today), self._y(row.curve.now))]
        points += [QPointF(self._x(grid, today + day), self._y(self.rescued(row, day))) for day in later]
        self._line(painter, points, c("ok"))
        words, face = tr("if rescued today"), look.font(11)
        wide = text_width(words, face)
        if wide > right - points[1].x() - 20:
            return
        at = (right - 6 - wide - self._x(grid, today)) / grid.day_px
        y = max(2.0, min(self._y(self.rescued(row, at)), self._y(self._fade_below)) - 18)
        draw_text(painter, QRectF(right - 6 - wide, y, wide, 14), words, face, c("ok"), LEFT)

    def _line(self, painter: QPainter, points: list[QPointF], ink: QColor, *, dashed: bool = False) -> None:
        if not points:
            return
        path = QPainterPath(points[0])
        for point in points[1:]:
            path.lineTo(point)
        pen = QPen(ink, LINE_PX, j=Qt.PenJoinStyle.RoundJoin)
        if dashed:
            pen.setDashPattern([2.5, 2])
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen)
        painter.drawPath(path)

    def _paint_now(self, painter: QPainter, grid: Grid, row: HeatRow) -> None:
        """Paint a dot at the present value, and a ring where the memory will fade."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(c("acc"))
        painter.drawEllipse(QPointF(self._x(grid, grid.days.today), self._y(row.curve.now)), 3, 3)
        fades = row.curve.fades_in_days
        if fades is not None and 0 < fades <= grid.days.ahead:
            painter.setPen(QPen(c("bad"), LINE_PX))
            painter.setBrush(c("panel"))
            at = QPointF(self._x(grid, grid.days.today + fades), self._y(self._fade_below) + 0.5)
            painter.drawEllipse(at, 3.5, 3.5)

    def _paint_pointed(self, painter: QPainter, grid: Grid, row: HeatRow) -> None:
        """Paint a hairline through the days pointed at, with their date and value."""
        if self._cell is None:
            return
        cell = grid.bins[self._cell]
        strength = value(row.curve, cell)
        x = round(self._x(grid, (cell.first + cell.last) / 2))
        painter.fillRect(QRectF(x, 0, 1, self._bottom), c("line2"))
        words = said_days(grid.days, cell) + ("" if strength is None else f"  {strength:.2f}")
        wide = text_width(words, look.font(11, 500)) + 12
        left = min(max(MARGIN_PX, x - wide / 2), self.width() - wide)
        area = QRectF(left, 0, wide, LABEL_PX)
        box(painter, area, 3, c("panel"), c("line2"))
        draw_text(painter, area, words, look.font(11, 500), c("t1"), CENTER)
        if strength is not None:
            painter.setPen(QPen(c("stage"), 2))
            painter.setBrush(c("acc"))
            painter.drawEllipse(QPointF(x, self._y(strength)), 4, 4)
