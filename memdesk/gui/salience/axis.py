"""Axis above the rows: the number of rows, the dates of the days, and the titles of the columns."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from memdesk.gui import look
from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.salience.days import short
from memdesk.gui.salience.grid import PAD_PX, Grid
from memdesk.gui.widgets.paint import CENTER, RIGHT, draw_text, text_width

HEIGHT_PX = 36
LABEL_Y_PX, LABEL_PX = 11, 16
TICK_PX = 6
BAND_PX = 4
"""Height by which the ground of the forecast extends above its first row."""
MARKED = (1, 11, 21)
"""Days of a month that are labelled."""
APART_PX = 8


class Axis(QWidget):
    """Painted axis, 36 px high. Give it a Grid and the words of its corner."""

    def __init__(self) -> None:
        super().__init__()
        self._grid: Grid | None = None
        self._corner = ""
        self.setFixedHeight(HEIGHT_PX)
        look.themed.changed.connect(self.update)

    def show_grid(self, grid: Grid) -> None:
        """Show other days or another width."""
        self._grid = grid
        self.update()

    def show_corner(self, words: str) -> None:
        """Show the number of rows and their order."""
        self._corner = words
        self.setAccessibleName(words)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint ground, corner, dates, column titles."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), c("stage"))
        grid = self._grid
        if grid is None:
            return
        corner = QRectF(PAD_PX, LABEL_Y_PX, grid.title_right - PAD_PX, LABEL_PX)
        draw_text(painter, corner, self._corner, look.font(11), c("t3"))
        forecast = QRectF(grid.today_x, HEIGHT_PX - BAND_PX, grid.cells_right - grid.today_x, BAND_PX)
        painter.fillRect(forecast, c("panel"))
        self._paint_dates(painter, grid)
        painter.fillRect(QRectF(grid.today_x, HEIGHT_PX - 8, 1, 8), c("t1"))
        self._paint_titles(painter, grid)

    def _paint_dates(self, painter: QPainter, grid: Grid) -> None:
        today = _today_area(grid)
        draw_text(painter, today, tr("Today"), _bold(), c("t1"), CENTER)
        free = grid.cells_x - APART_PX
        for day, words in _marked(grid):
            x = grid.x(day)
            wide = text_width(words, look.font(11))
            if day:
                painter.fillRect(QRectF(x, HEIGHT_PX - TICK_PX, 1, TICK_PX), c("line2"))
            hits_today = x < today.right() + APART_PX and x + wide > today.left() - APART_PX
            if x >= free + APART_PX and not hits_today and x + wide <= grid.cells_right:
                area = QRectF(x, LABEL_Y_PX, wide, LABEL_PX)
                draw_text(painter, area, words, look.font(11), c("t3"))
                free = x + wide

    def _paint_titles(self, painter: QPainter, grid: Grid) -> None:
        face, ink = look.font(11), c("t3")
        for title, right in ((tr("Now"), grid.now_right), (tr("Fades"), grid.fades_right)):
            draw_text(painter, QRectF(right - 60, LABEL_Y_PX, 60, LABEL_PX), title, face, ink, RIGHT)
        for title, middle in ((tr("Pin"), grid.pin_x), (tr("Rescue"), grid.rescue_x)):
            draw_text(painter, QRectF(middle - 25, LABEL_Y_PX, 50, LABEL_PX), title, face, ink, CENTER)


def _marked(grid: Grid) -> Iterator[tuple[int, str]]:
    """Yield (day, words) of the first day, the firsts of months and, if there is room, the 11th and 21st."""
    yield 0, short(grid.days.date(0))
    between = (
        MARKED[1] * grid.day_px >= text_width(times.month(grid.days.date(0)), look.font(11)) + 2 * APART_PX
    )
    for day in range(1, grid.days.count):
        date = grid.days.date(day)
        if date.day == 1:
            yield day, times.month(date)
        elif between and date.day in MARKED:
            yield day, str(date.day)


def _bold() -> QFont:
    return look.font(11, 600)


def _today_area(grid: Grid) -> QRectF:
    wide = text_width(tr("Today"), _bold())
    return QRectF(grid.today_x - wide / 2, LABEL_Y_PX, wide, LABEL_PX)
