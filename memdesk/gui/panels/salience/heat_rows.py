"""Row of the heatmap without its cells: its title, its present salience, the time until it fades, and its
actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from memdesk.api import memory
from memdesk.gui import icons, look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.panels.salience.heat_grid import PAD_PX, ROW_PX, Grid, Part, fades_text, has_faded
from memdesk.gui.session import Session
from memdesk.gui.widgets import Column, WindowedModel, skeleton_bar
from memdesk.gui.widgets.paint import CENTER, RIGHT, box, channel_square, draw_text
from memdesk.gui.widgets.windowed import Fetch, Spawn
from memdesk.model.graph import AskSalience, Heatmap, HeatRow

PAGE_ROWS = 100


class HeatRows(WindowedModel[HeatRow]):
    """Model with as many rows as there are memories. show() replaces all rows."""

    def __init__(self, fetch: Fetch[HeatRow], spawn: Spawn) -> None:
        super().__init__((), fetch, spawn, PAGE_ROWS)

    def show(self, shown: Heatmap, columns: Sequence[Column[HeatRow]]) -> None:
        """Show another answer; the other rows of its list are fetched when they are looked at."""
        same = (shown.total, len(columns)) == (self.rowCount(), len(self.columns))
        if not same:
            self.beginResetModel()
        self.columns = tuple(columns)
        self._fill(shown.total, shown.rows, shown.first)
        if not same:
            self.endResetModel()
            return
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, max(0, len(columns) - 1))
        if shown.total:
            self._changed(0, shown.total)

    def place_of(self, id: str) -> int | None:
        """Return the place of a memory, None if its row is not kept."""
        return next((place for place, row in self.kept() if row.id == id), None)

    def by_id(self) -> dict[str, HeatRow]:
        """Return the rows that are kept, by their ids."""
        return {row.id: row for _, row in self.kept()}


def kind_of(row: HeatRow) -> str:
    """Return the name of a memory's shape."""
    return "entity" if row.kind == "entity" else row.category


def paint_name(painter: QPainter, area: QRectF, row: HeatRow, number: int, *, weight: int = 400) -> None:
    """Paint channel square, shape of the kind, a mark if the memory is contradicted, and title, from the left edge."""
    middle = round(area.center().y())
    channel_square(painter, QPointF(area.x(), middle - 4), number)
    icons.kind_shape(painter, QRectF(area.x() + 15, middle - 5, 10, 10), kind_of(row), c("t3"))
    token = "t3" if has_faded(row) and weight == 400 else "t1"
    left = 32
    if row.question:
        icons.paint(painter, "contradicts", QPointF(area.x() + left, middle - 7), "warn", 14)
        left += 18
    draw_text(painter, area.adjusted(left, 0, 0, 0), row.title, look.font(12, weight), c(token))


async def page(session: Session, ask: AskSalience, first: int, limit: int = PAGE_ROWS) -> Heatmap:
    """Return the rows from `first` on."""
    shown: Heatmap = await session.call(memory.SALIENCE, replace(ask, first=first, limit=limit))
    return shown


async def page_or_last(session: Session, ask: AskSalience, first: int) -> Heatmap:
    """Return the rows from `first` on; if the list ends before them, its last page."""
    shown = await page(session, ask, first)
    if shown.total and not shown.rows:
        shown = await page(session, ask, max(0, shown.total - PAGE_ROWS))
    return shown


def opening_row(ask: AskSalience, shown: Heatmap) -> int:
    """Return the row at which a list opens: in the order of fading the first that can still be saved,
    otherwise the first."""
    return shown.faded if ask.sort == "fades" and shown.faded < shown.total else 0


PIN_PX, RESCUE_PX, BUTTON_PX = 44, 54, 19
DISABLED = 0.45


@dataclass(frozen=True, slots=True, kw_only=True)
class LineState:
    """State of a row. part: the column under the pointer; flash: fading tint of a live change, 1 to 0."""

    chosen: bool
    active: bool
    part: Part | None
    flash: float


def paint_row_ground(painter: QPainter, area: QRectF, state: LineState) -> None:
    """Paint the row's own ground, if it has one."""
    color = _ground(state)
    if color is not None:
        painter.fillRect(area, color)
    if state.chosen and state.active:
        painter.fillRect(QRectF(0, area.y(), 2, area.height()), c("acc"))


def _ground(state: LineState) -> QColor | None:
    if state.chosen:
        return c("sel" if state.active else "sel2")
    if state.flash > 0:
        return look.mix(c("accbg"), c("hover" if state.part else "stage"), state.flash)
    return c("hover") if state.part else None


def paint_line(
    painter: QPainter, top: float, grid: Grid, row: HeatRow | None, number: int, state: LineState
) -> None:
    """Paint a row except its cells. number: its channel's."""
    area = QRectF(PAD_PX, top, grid.title_right - PAD_PX, ROW_PX - 1)
    if row is None:
        skeleton_bar(painter, area.x(), area.center().y(), area.width() * 0.7)
        return
    paint_name(painter, area, row, number, weight=600 if state.chosen else 400)
    faded = has_faded(row) and not state.chosen
    now = QRectF(grid.cells_right + 4, top, grid.now_right - grid.cells_right - 4, ROW_PX - 1)
    face = look.font(12, 400 if faded else 500, tabular=True)
    draw_text(painter, now, f"{row.curve.now:.2f}", face, c("t3" if faded else "t1"), RIGHT)
    when = QRectF(grid.now_right + 8, top, grid.fades_right - grid.now_right - 8, ROW_PX - 1)
    token = "acc" if row.pinned else "t3" if faded else "t2"
    draw_text(painter, when, fades_text(row), look.font(12, tabular=True), c(token), RIGHT)
    _paint_actions(painter, top, grid, row, state)


def _paint_actions(painter: QPainter, top: float, grid: Grid, row: HeatRow, state: LineState) -> None:
    """Paint the actions as icons, or as buttons on the chosen row."""
    middle = top + (ROW_PX - 1) / 2
    if state.chosen:
        words = tr("Unpin") if row.pinned else tr("Pin")
        _button(painter, QPointF(grid.pin_x, middle), words, PIN_PX, hot=state.part == "pin")
        _primary(
            painter, QPointF(grid.rescue_x, middle), hot=state.part == "rescue", enabled=rescue_helps(row)
        )
        return
    _icon(painter, "pin", grid.pin_x, middle, "acc" if row.pinned or state.part == "pin" else "t3")
    painter.setOpacity(1.0 if rescue_helps(row) else DISABLED)
    _icon(
        painter,
        "rescue",
        grid.rescue_x,
        middle,
        "acc" if state.part == "rescue" and rescue_helps(row) else "t3",
    )
    painter.setOpacity(1.0)


def _icon(painter: QPainter, name: str, x: float, middle: float, token: str) -> None:
    icons.paint(painter, name, QPointF(round(x - 7), round(middle - 7)), token, 14)


def _button(painter: QPainter, at: QPointF, text: str, wide: int, *, hot: bool) -> None:
    rect = _centred(at, wide)
    box(painter, rect, 4, c("hover" if hot else "ctl"), c("line2"))
    draw_text(painter, rect, text, look.font(11, 500), c("t1"), CENTER)


def _primary(painter: QPainter, at: QPointF, *, hot: bool, enabled: bool) -> None:
    rect = _centred(at, RESCUE_PX)
    painter.setOpacity(1.0 if enabled else DISABLED)
    box(painter, rect, 4, c("fillpress" if hot and enabled else "accfill"))
    draw_text(painter, rect, tr("Rescue"), look.font(11, 500), c("onfill"), CENTER)
    painter.setOpacity(1.0)


def _centred(at: QPointF, wide: int) -> QRectF:
    return QRectF(round(at.x() - wide / 2), round(at.y() - BUTTON_PX / 2), wide, BUTTON_PX)


def rescue_helps(row: HeatRow) -> bool:
    """Return True if a rescue would keep a memory at least a day longer."""
    left, rescued = row.curve.fades_in_days, row.rescued_fades_in_days
    return left is not None and rescued is not None and rescued - left >= 1


def no_rescue_reason(row: HeatRow) -> str:
    """Return the reason why a rescue would not help."""
    if row.pinned:
        return tr("A pinned memory does not fade.")
    return tr("It is as strong as a rescue would make it.")
