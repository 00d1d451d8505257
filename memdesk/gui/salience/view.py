"""View of the heatmap: rows of day cells on a grid, of which only those in view are drawn and fetched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame

from memdesk.gui import look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.salience.cells import BLOCK_ROWS, CELL, Blocks
from memdesk.gui.salience.days import Days
from memdesk.gui.salience.grid import ROW_PX, Grid, Part, lay_out
from memdesk.gui.salience.line import LineState, ground, paint_line
from memdesk.gui.salience.rows import HeatRows
from memdesk.gui.salience.stairs import stairs
from memdesk.gui.widgets.paint import ring
from memdesk.model.heatmap import HeatRow

FLASH_MS = 600
STAIRS_OPACITY = 0.85
"""Opacity of the line where memories fade, which lets a little of the cells through."""


class HeatView(QAbstractScrollArea):
    """HeatRows on a Grid, with one row chosen. number: a channel's number, which selects its colour.

    place: the chosen row, -1 for none; cell: the cell of it that the keyboard points at. The signal
    `laid_out` carries a new grid."""

    laid_out = Signal(object)

    def __init__(self, rows: HeatRows, days: Days, number: Callable[[str], int]) -> None:
        super().__init__()
        self.rows, self.days, self.fade_below, self.joined = rows, days, 0.1, True
        self.place, self.by_keyboard = -1, False
        self.cell: int | None = None
        self.hover: tuple[int, Part] | None = None
        self.grid: Grid = lay_out(self.width(), 1.0, days)
        self._number = number
        self._blocks = Blocks(self._between)
        self._flashing: frozenset[str] = frozenset()
        self._flash = 0.0
        self._shape()
        rows.dataChanged.connect(lambda *_: self.refresh())
        rows.modelReset.connect(self.refresh)
        look.themed.changed.connect(self.refresh)

    def _shape(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("canvas", True)
        self.viewport().setMouseTracking(True)
        self.verticalScrollBar().setSingleStep(ROW_PX)
        self.setAccessibleName(tr("Salience by day"))

    # What is shown.

    def show_days(self, days: Days, fade_below: float, *, joined: bool) -> None:
        """Show other days. joined: rows are in the order of fading."""
        self.days, self.fade_below, self.joined = days, fade_below, joined
        self._lay_out()

    def refresh(self) -> None:
        """Repaint, because rows, days or colours have changed."""
        self._blocks.forget()
        self._set_range()
        self.viewport().update()

    def flash(self, ids: Iterable[str]) -> None:
        """Show that these memories have just changed: a tint that fades in 600 ms."""
        self._flashing = frozenset(ids)
        if not self._flashing:
            return
        fade = QVariantAnimation(self)
        fade.setStartValue(1.0)
        fade.setEndValue(0.0)
        fade.setDuration(look.motion_ms(FLASH_MS))
        fade.valueChanged.connect(self._set_flash)
        fade.start(QVariantAnimation.DeletionPolicy.DeleteWhenStopped)

    def _set_flash(self, share: float) -> None:
        self._flash = share
        self.viewport().update()

    # Where things are.

    def top(self) -> int:
        """Return the scroll offset of the rows, in px."""
        return self.verticalScrollBar().value()

    def y_of(self, place: int) -> int:
        """Return the present y of the top of a row."""
        return place * ROW_PX - self.top()

    def place_at(self, y: float) -> int | None:
        """Return the row at a height, None below the last."""
        place = int(y + self.top()) // ROW_PX
        return place if 0 <= place < self.rows.rowCount() else None

    def seen(self) -> list[tuple[HeatRow, int]]:
        """Return the rows that are fully visible, with the y of their tops."""
        first, end = -(-self.top() // ROW_PX), (self.top() + self.viewport().height()) // ROW_PX
        rows = ((self.rows.row(place), self.y_of(place)) for place in range(first, end))
        return [(row, y) for row, y in rows if row is not None]

    def in_view(self, place: int) -> bool:
        """Return True if a row is fully visible."""
        return 0 <= self.y_of(place) <= self.viewport().height() - ROW_PX

    def scroll_to(self, place: int, y: int = 0) -> None:
        """Scroll so that the top of a row is at y."""
        self._set_range()
        self.verticalScrollBar().setValue(place * ROW_PX - y)

    def bring(self, place: int) -> None:
        """Scroll as little as needed to make a row fully visible."""
        lowest = self.viewport().height() - ROW_PX
        if not self.in_view(place):
            self.scroll_to(place, 0 if self.y_of(place) < 0 else lowest)

    def cell_rect(self, place: int, cell: int) -> QRectF:
        """Return the present rectangle of a cell."""
        shown = self.grid.bins[cell]
        left = self.grid.x(shown.first)
        return QRectF(left, self.y_of(place) + CELL[0], self.grid.x(shown.end) - left, CELL[1] - CELL[0])

    def _between(self, first: int, end: int) -> Sequence[HeatRow | None]:
        return [self.rows.row(place) for place in range(first, min(self.rows.rowCount(), end))]

    def _end(self) -> int:
        """Return the y where the last row ends, or the view."""
        return min(self.viewport().height(), self.y_of(self.rows.rowCount()))

    def _set_range(self) -> None:
        whole, page = self.rows.rowCount() * ROW_PX, self.viewport().height()
        self.verticalScrollBar().setPageStep(page)
        self.verticalScrollBar().setRange(0, max(0, whole - page))

    def _lay_out(self) -> None:
        self.grid = lay_out(self.width(), self.devicePixelRatioF(), self.days)
        self.cell = None
        self.refresh()
        self.laid_out.emit(self.grid)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the columns for the new width."""
        super().resizeEvent(event)
        self._lay_out()

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint grounds, cells, words, the line where memories fade, today, and the ring."""
        if self.grid.dpr != self.devicePixelRatioF():
            self._lay_out()
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), c("stage"))
        first = (event.rect().top() + self.top()) // ROW_PX
        last = (event.rect().bottom() + self.top()) // ROW_PX
        places = range(max(0, first), min(self.rows.rowCount() - 1, last) + 1)
        if not places:
            return
        self._paint_rows(painter, places)
        self._paint_stairs(painter, places)
        painter.fillRect(QRectF(self.grid.today_x, 0, 1, self._end()), c("t1"))
        self._paint_focus(painter)

    def _paint_rows(self, painter: QPainter, places: range) -> None:
        grid = self.grid
        painter.fillRect(QRectF(grid.today_x, 0, grid.cells_right - grid.today_x, self._end()), c("panel"))
        shown = [(place, self.rows.row(place)) for place in places]
        for place, row in shown:
            ground(painter, QRectF(0, self.y_of(place), grid.width, ROW_PX), self._state(place, row))
        for number in range(places[0] // BLOCK_ROWS, places[-1] // BLOCK_ROWS + 1):
            cells = self._blocks.block(number, grid, self.fade_below)
            painter.drawImage(QPointF(grid.cells_x, self.y_of(number * BLOCK_ROWS)), cells)
        for place, row in shown:
            channel = 0 if row is None else self._number(row.channel)
            paint_line(painter, self.y_of(place), grid, row, channel, self._state(place, row))

    def _state(self, place: int, row: HeatRow | None) -> LineState:
        flashing = row is not None and row.id in self._flashing
        return LineState(
            chosen=place == self.place, active=self.isActiveWindow(), flash=self._flash if flashing else 0.0,
            part=self.hover[1] if self.hover is not None and self.hover[0] == place else None,
        )  # fmt: skip

    def _paint_stairs(self, painter: QPainter, places: range) -> None:
        around = range(max(0, places[0] - 1), min(self.rows.rowCount(), places[-1] + 2))
        seen = ((float(self.y_of(place)), self.rows.row(place)) for place in around)
        path = stairs(seen, self.grid, self.fade_below, joined=self.joined)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(STAIRS_OPACITY)
        painter.setPen(QPen(c("bad"), 1.5, j=Qt.PenJoinStyle.MiterJoin))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        painter.setOpacity(1.0)

    def _paint_focus(self, painter: QPainter) -> None:
        if self.place < 0 or not (self.by_keyboard and self.hasFocus()):
            return
        if self.cell is not None:
            ring(painter, self.cell_rect(self.place, self.cell).adjusted(-2, -2, 1, 2), 2)
        else:
            ring(painter, QRectF(0, self.y_of(self.place), self.width(), ROW_PX), 3)
