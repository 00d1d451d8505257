"""View of the heatmap: rows of day cells on a grid, of which only those in view are drawn and fetched."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame

from memdesk.gui import look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.panels.salience.heat_grid import ROW_PX, Days, Grid, Part, fade_day, lay_out
from memdesk.gui.panels.salience.heat_rows import HeatRows, LineState, paint_line, paint_row_ground
from memdesk.gui.widgets.paint import Fade, ring
from memdesk.model.graph import HeatRow

CELL = (1, 19)
HALF = (5, 15)
DASH = (9, 11)
"""First and end px, within a row, of a measured cell, a forecast cell and the dash of a faded cell."""
DASH_PERIOD_PX = 6
NOTHING, FADED, FIRST = 0, 1, 2
STEPS = 256 - FIRST
"""Number of steps of the scale from 0 to 1; in an indexed picture, level 0 is clear and level 1 is the dash
of a faded cell."""

Levels = NDArray[np.uint8]
Mask = NDArray[np.bool_]


def picture(rows: Sequence[HeatRow | None], grid: Grid, fade_below: float) -> QImage:
    """Return the cells of consecutive rows on a clear ground, at the grid's device pixel ratio; a missing row
    is left clear."""
    lines = _lines(_levels(rows, grid, fade_below), grid)
    place, zone = _zones(len(rows), grid.dpr)
    pixels = np.ascontiguousarray(lines[zone, place])
    high, wide = pixels.shape
    indexed = QImage(pixels.tobytes(), wide, high, wide, QImage.Format.Format_Indexed8)
    indexed.setColorTable([0, look.c("line2").rgb(), *look.sequential_table(STEPS)])
    made = indexed.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    made.setDevicePixelRatio(grid.dpr)
    return made


def _levels(rows: Sequence[HeatRow | None], grid: Grid, fade_below: float) -> Levels:
    """Return levels of shape (rows, cells)."""
    strength = _strengths(rows, grid)
    known = ~np.isnan(strength)
    scaled = FIRST + np.rint(np.clip(np.nan_to_num(strength), 0, 1) * (STEPS - 1))
    shown = np.where(strength < fade_below, FADED, scaled)
    return np.where(known, shown, NOTHING).astype(np.uint8)


def _strengths(rows: Sequence[HeatRow | None], grid: Grid) -> NDArray[np.float64]:
    """Return salience of shape (rows, cells), the mean of a cell's days; NaN if unknown."""
    unborn = (None,) * grid.days.count
    series = [unborn if row is None else (*row.curve.past, *row.curve.ahead) for row in rows]
    by_day = np.array(series, np.float64)
    if grid.bin_days == 1:
        return by_day
    starts = [cell.first for cell in grid.bins]
    total = np.add.reduceat(np.nan_to_num(by_day), starts, axis=1)
    days = np.add.reduceat(~np.isnan(by_day), starts, axis=1, dtype=np.float64)
    means: NDArray[np.float64] = np.divide(total, days, out=np.full_like(total, np.nan), where=days > 0)
    return means


def _lines(levels: Levels, grid: Grid) -> Levels:
    """Return device pixel lines of shape (4, rows, pixels): clear; with measured cells; with forecast cells
    too; with dashes too."""
    cell, solid, dashed = _columns(grid)
    past = np.array([not each.is_ahead for each in grid.bins])[cell]
    spread = levels[:, cell]
    both = np.where(solid & (spread >= FIRST), spread, NOTHING).astype(np.uint8)
    whole = np.where(past, both, NOTHING).astype(np.uint8)
    middle = np.where(dashed & (spread == FADED), np.uint8(FADED), both)
    return np.stack([np.zeros_like(both), whole, both, middle])


def _columns(grid: Grid) -> tuple[NDArray[np.intp], Mask, Mask]:
    """Return for each device pixel across: its cell, True if the cell is filled there, True if a dash is."""
    edges = [round((grid.x(each.first) - grid.cells_x) * grid.dpr) for each in grid.bins]
    edges.append(round((grid.cells_right - grid.cells_x) * grid.dpr))
    widths = np.diff(edges)
    cell = np.repeat(np.arange(len(grid.bins)), widths)
    pixel = np.arange(edges[-1])
    gaps = np.array([_gap(grid, ahead=each.is_ahead) for each in grid.bins])
    solid = pixel < (np.array(edges[1:]) - gaps)[cell]
    if grid.bin_days == 1:
        return cell, solid, pixel < (np.array(edges[1:]) - _gap(grid, ahead=False))[cell]
    period = round(DASH_PERIOD_PX * grid.dpr)
    return cell, solid, pixel % period < period - round(grid.dpr)


def _gap(grid: Grid, *, ahead: bool) -> int:
    """Return the device pixels between a cell and the next; a third of a forecast day stays clear."""
    return math.ceil(min(3.0, grid.day_px * grid.bin_days / 3) * grid.dpr) if ahead else round(grid.dpr)


def _zones(rows: int, dpr: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return for each device pixel down: its row, and the number of its line, 0 to 3."""
    y = (np.arange(round(rows * ROW_PX * dpr)) + 0.5) / dpr
    place = np.minimum((y // ROW_PX).astype(np.intp), rows - 1)
    inside = y - place * ROW_PX
    zone = sum(((inside >= top) & (inside < end)).astype(np.intp) for top, end in (CELL, HALF, DASH))
    return place, np.asarray(zone, np.intp)


def fade_path(
    rows: Iterable[tuple[float, HeatRow | None]], grid: Grid, fade_below: float, *, joined: bool
) -> QPainterPath:
    """Return the line through consecutive rows, given with the y of their tops.

    joined: rows are in the order of fading, so that one row's line leads to the next."""
    path = QPainterPath()
    drawing = False
    for top, row in rows:
        x = None if row is None else _x(row, grid, fade_below)
        if x is None:
            if drawing and joined and row is not None and not row.pinned:
                path.lineTo(grid.cells_right, top)
            drawing = False
            continue
        if drawing and joined:
            path.lineTo(x, top)
        else:
            path.moveTo(x, top)
        drawing = True
        if x > grid.cells_x:
            path.lineTo(x, top + ROW_PX)
        else:
            path.moveTo(x, top + ROW_PX)
    return path


def _x(row: HeatRow, grid: Grid, fade_below: float) -> float | None:
    """Return the x where a row fades; None if that is beyond the days shown."""
    day = fade_day(row.curve, fade_below)
    return None if day is None else grid.x(day)


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
        self._fade = Fade(self)
        self._shape()
        self._fade.moved.connect(self.viewport().update)
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
        self._set_range()
        self.viewport().update()

    def flash(self, ids: Iterable[str]) -> None:
        """Show that these memories have just changed: a tint that fades in 600 ms."""
        if changed := frozenset(ids):
            self._fade.start(changed)

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
        shown = self.grid.bins[cell]
        left = self.grid.x(shown.first)
        return QRectF(left, self.y_of(place) + CELL[0], self.grid.x(shown.end) - left, CELL[1] - CELL[0])

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
            paint_row_ground(
                painter, QRectF(0, self.y_of(place), grid.width, ROW_PX), self._state(place, row)
            )
        cells = picture([row for _, row in shown], grid, self.fade_below)
        painter.drawImage(QPointF(grid.cells_x, self.y_of(places[0])), cells)
        for place, row in shown:
            channel = 0 if row is None else self._number(row.channel)
            paint_line(painter, self.y_of(place), grid, row, channel, self._state(place, row))

    def _state(self, place: int, row: HeatRow | None) -> LineState:
        return LineState(
            chosen=place == self.place,
            active=self.isActiveWindow(),
            flash=0.0 if row is None else self._fade.shares().get(row.id, 0.0),
            part=self.hover[1] if self.hover is not None and self.hover[0] == place else None,
        )

    def _paint_stairs(self, painter: QPainter, places: range) -> None:
        around = range(max(0, places[0] - 1), min(self.rows.rowCount(), places[-1] + 2))
        seen = ((float(self.y_of(place)), self.rows.row(place)) for place in around)
        path = fade_path(seen, self.grid, self.fade_below, joined=self.joined)
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
