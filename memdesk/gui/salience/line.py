"""Row of the heatmap without its cells: its title, its present salience, the time until it fades, and its
actions."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from memdesk.gui import icons, look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.salience.days import fades, has_faded
from memdesk.gui.salience.grid import PAD_PX, ROW_PX, Grid, Part
from memdesk.gui.salience.rows import paint_name
from memdesk.gui.widgets import skeleton_bar
from memdesk.gui.widgets.paint import CENTER, RIGHT, box, draw_text
from memdesk.model.heatmap import HeatRow

PIN_PX, RESCUE_PX, BUTTON_PX = 44, 54, 19
DISABLED = 0.45


@dataclass(frozen=True, slots=True, kw_only=True)
class LineState:
    """State of a row. part: the column under the pointer; flash: fading tint of a live change, 1 to 0."""

    chosen: bool
    active: bool
    part: Part | None
    flash: float


def ground(painter: QPainter, area: QRectF, state: LineState) -> None:
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
    draw_text(painter, when, fades(row), look.font(12, tabular=True), c(token), RIGHT)
    _paint_actions(painter, top, grid, row, state)


def _paint_actions(painter: QPainter, top: float, grid: Grid, row: HeatRow, state: LineState) -> None:
    """Paint the actions as icons, or as buttons on the chosen row."""
    middle = top + (ROW_PX - 1) / 2
    if state.chosen:
        words = tr("Unpin") if row.pinned else tr("Pin")
        _button(painter, QPointF(grid.pin_x, middle), words, PIN_PX, hot=state.part == "pin")
        _primary(painter, QPointF(grid.rescue_x, middle), hot=state.part == "rescue", enabled=helps(row))
        return
    _icon(painter, "pin", grid.pin_x, middle, "acc" if row.pinned or state.part == "pin" else "t3")
    painter.setOpacity(1.0 if helps(row) else DISABLED)
    _icon(painter, "rescue", grid.rescue_x, middle, "acc" if state.part == "rescue" and helps(row) else "t3")
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


def helps(row: HeatRow) -> bool:
    """Return True if a rescue would keep a memory at least a day longer."""
    left, rescued = row.curve.fades_in_days, row.rescued_fades_in_days
    return left is not None and rescued is not None and rescued - left >= 1


def why_not(row: HeatRow) -> str:
    """Return the reason why a rescue would not help."""
    if row.pinned:
        return tr("A pinned memory does not fade.")
    return tr("It is as strong as a rescue would make it.")
