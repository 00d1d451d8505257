"""Axis above the rows: the number of rows, the dates of the days, and the titles of the columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QEvent, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFocusEvent,
    QFont,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from memdesk.gui import formatting, look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.panels.salience.heat_grid import PAD_PX, ROW_PX, Days, Grid, cell_text, row_text, short
from memdesk.gui.panels.salience.heat_rows import HeatRows, no_rescue_reason, rescue_helps
from memdesk.gui.panels.salience.heat_view import HeatView
from memdesk.gui.widgets.paint import CENTER, NO_RING_REASONS, RETURN_REASONS, RIGHT, draw_text, text_width
from memdesk.gui.widgets.text import tip_text
from memdesk.model.graph import HeatRow

LETTERS = (Qt.Key.Key_I, Qt.Key.Key_R)
"""Keys that act on the chosen row, regardless of their meaning elsewhere in the window."""
PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


def is_letter(event: QEvent) -> bool:
    """Return True if a key event is one of these letters, without modifiers."""
    return isinstance(event, QKeyEvent) and event.modifiers() in PLAIN and Qt.Key(event.key()) in LETTERS


class HeatCanvas(HeatView):
    """Heatmap in which rows are chosen and days pointed at.

    Signals: picked, a row just chosen; opened, a row opened by click or Enter; pin_asked and rescue_asked, a
    row; pointed, the cell of the chosen row under the pointer or the keyboard's cursor, None for none."""

    picked = Signal(object)
    opened = Signal(object)
    pin_asked = Signal(object)
    rescue_asked = Signal(object)
    pointed = Signal(object)

    def __init__(self, rows: HeatRows, days: Days, number: Callable[[str], int]) -> None:
        super().__init__(rows, days, number)
        self.single_letters = True
        self._awaited, self._eye_y = False, 0
        rows.arrived.connect(self._emit_awaited)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep a chosen row in view if it was in view."""
        was_seen = self.place >= 0 and self.y_of(self.place) < event.oldSize().height()
        super().resizeEvent(event)
        if was_seen and self.y_of(self.place) >= 0:
            self.bring(self.place)

    # Choosing.

    def record(self) -> HeatRow | None:
        """Return the chosen row, None if there is none or it has not arrived yet."""
        return self.rows.row(self.place) if self.place >= 0 else None

    def choose(self, place: int) -> None:
        """Choose a row, bring it into view and emit `picked`, at once or when the row arrives."""
        self.bring(place)
        self.set_place(place)
        row = self.record()
        self._awaited = row is None
        if row is not None:
            self._emit_picked(row)

    def set_place(self, place: int) -> None:
        """Mark a row as the chosen one, -1 for none, without a signal and without scrolling."""
        if place != self.place and self.cell is not None:
            self._point(None)
        if self.in_view(place):
            self._eye_y = self.y_of(place)
        self.place, self._awaited = place, False
        self.viewport().update()

    def _step(self, by: int) -> None:
        """Move on from the chosen row; if it is out of view, from the row that is now at its former height."""
        count = self.rows.rowCount()
        place = self.place + by
        if self.place < 0 or not self.in_view(self.place):
            place = (self._eye_y + self.top() + ROW_PX // 2) // ROW_PX
        if count:
            self.choose(min(count - 1, max(0, place)))

    def _step_day(self, by: int) -> None:
        row = self.record()
        if row is None:
            return
        cells = self.grid.bins
        today = next(place for place, cell in enumerate(cells) if cell.last == self.days.today)
        place = today if self.cell is None else min(len(cells) - 1, max(0, self.cell + by))
        self._point(place)
        self._say(cell_text(row, self.days, cells[place]))

    def _point(self, cell: int | None) -> None:
        self.cell = cell
        self.pointed.emit(cell)
        self.viewport().update()

    # Pointer.

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Hover a row; on the chosen one, mark the day in its curve."""
        x, place = event.position().x(), self.place_at(event.position().y())
        hover = None if place is None else (place, self.grid.part_at(x))
        if hover != self.hover:
            self.hover = hover
            self.viewport().update()
        hand = hover is not None and hover[1] in ("pin", "rescue")
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)
        cell = self.grid.bin_at(x) if place == self.place else None
        self.pointed.emit(self.cell if cell is None else cell)

    def _show_tip(self, event: QHelpEvent) -> None:
        """Show a tool tip with memory, day and value of a cell, or with the meaning of another column."""
        place, x = self.place_at(event.pos().y()), event.pos().x()
        row = None if place is None else self.rows.row(place)
        if place is None or row is None:
            QToolTip.hideText()
            return
        cell = self.grid.bin_at(x)
        if cell is None:
            area, words = QRect(0, self.y_of(place), self.width(), ROW_PX), self._tip(row, x)
        else:
            area = self.cell_rect(place, cell).toAlignedRect()
            words = cell_text(row, self.days, self.grid.bins[cell])
        QToolTip.showText(event.globalPos(), tip_text(words), self.viewport(), area)

    def _tip(self, row: HeatRow, x: float) -> str:
        match self.grid.part_at(x):
            case "pin":
                return tr("Let it fade again  I") if row.pinned else tr("Keep it from fading  I")
            case "rescue":
                return tr("Rescue it  R") if rescue_helps(row) else no_rescue_reason(row)
            case _:
                return row_text(row)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose and open the row, or run the action of its column."""
        self.by_keyboard = False
        place = self.place_at(event.position().y())
        row = None if place is None else self.rows.row(place)
        if place is None or row is None or event.button() != Qt.MouseButton.LeftButton:
            return
        self.choose(place)
        match self.grid.part_at(event.position().x()):
            case "pin":
                self.pin_asked.emit(row)
            case "rescue":
                self._ask_rescue(row)
            case _:
                self._point(self.grid.bin_at(event.position().x()))
                self.opened.emit(row)

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the tool tip under the pointer; clear the hover after the pointer has left or the rows have
        moved under it."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._show_tip(event)
            return True
        if event.type() in (QEvent.Type.Leave, QEvent.Type.Wheel) and self.hover is not None:
            self.hover = None
            self.pointed.emit(self.cell)
            self.viewport().update()
        return bool(super().viewportEvent(event))

    # Keyboard.

    def event(self, event: QEvent) -> bool:
        """Claim the canvas's own letters while it has the focus, so that the window does not take them."""
        if event.type() == QEvent.Type.ShortcutOverride and self.single_letters and is_letter(event):
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move with J, K or the arrows, go through the days with Left and Right, open with Enter, pin with I,
        rescue with R."""
        self.by_keyboard = True
        key, plain = Qt.Key(event.key()), event.modifiers() in PLAIN
        step = self._moves().get(key, 0) if plain else 0
        if step:
            self._step(step)
        elif plain and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._step_day(1 if key == Qt.Key.Key_Right else -1)
        elif not (plain and self._act(key, again=event.isAutoRepeat())):
            super().keyPressEvent(event)

    def _moves(self) -> dict[Qt.Key, int]:
        """Return the number of rows that each key moves on."""
        page, all_rows = max(1, self.viewport().height() // ROW_PX - 1), self.rows.rowCount()
        letters = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1} if self.single_letters else {}
        return letters | {
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_PageDown: page,
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_Home: -all_rows,
            Qt.Key.Key_End: all_rows,
        }

    def _act(self, key: Qt.Key, *, again: bool) -> bool:
        """Run the action of a key on the chosen row; return False if it has none. again: the key repeats."""
        row = self.record()
        letter = self.single_letters and not again
        if row is None:
            return False
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(row)
        elif key == Qt.Key.Key_I and letter:
            self.pin_asked.emit(row)
        elif key == Qt.Key.Key_R and letter:
            self._ask_rescue(row)
        elif key == Qt.Key.Key_Escape and self.cell is not None:
            self._point(None)
        else:
            return False
        return True

    def _ask_rescue(self, row: HeatRow) -> None:
        if rescue_helps(row):
            self.rescue_asked.emit(row)
        else:
            self._say(no_rescue_reason(row))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Ring the chosen row if the focus came by keyboard, or choose the first one."""
        super().focusInEvent(event)
        if event.reason() not in RETURN_REASONS:
            self.by_keyboard = event.reason() not in NO_RING_REASONS
        if self.by_keyboard and self.place < 0 and self.rows.rowCount():
            self.choose(0)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    # Telling.

    def _emit_picked(self, row: HeatRow) -> None:
        self._say(row_text(row))
        self.picked.emit(row)

    def _emit_awaited(self) -> None:
        row = self.record()
        if self._awaited and row is not None:
            self._awaited = False
            self._emit_picked(row)

    def _say(self, words: str) -> None:
        """Announce words to a screen reader, and set them as the accessible description."""
        self.setAccessibleDescription(words)
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))


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
        self._grid = grid
        self.update()

    def show_corner(self, words: str) -> None:
        """Show the number of rows and their order."""
        self._corner = words
        self.setAccessibleName(words)
        self.setToolTip(words)
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
        MARKED[1] * grid.day_px
        >= text_width(formatting.month(grid.days.date(0)), look.font(11)) + 2 * APART_PX
    )
    for day in range(1, grid.days.count):
        date = grid.days.date(day)
        if date.day == 1:
            yield day, formatting.month(date)
        elif between and date.day in MARKED:
            yield day, str(date.day)


def _bold() -> QFont:
    return look.font(11, 600)


def _today_area(grid: Grid) -> QRectF:
    wide = text_width(tr("Today"), _bold())
    return QRectF(grid.today_x - wide / 2, LABEL_Y_PX, wide, LABEL_PX)
