"""Panel below the rows: the chosen memory, its curve, and the day on which it fades without and with a
rescue."""

from __future__ import annotations

from datetime import timedelta

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from memdesk.gui import formatting, look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.panels.salience.heat_grid import PAD_PX, Days, Grid, days_text, short, value
from memdesk.gui.panels.salience.heat_rows import no_rescue_reason, rescue_helps
from memdesk.gui.session import Session
from memdesk.gui.widgets import ChannelMark, Control, Ground, Text, column, row, span
from memdesk.gui.widgets.paint import CENTER, LEFT, RIGHT, box, draw_text, text_width
from memdesk.gui.widgets.text import tip_text
from memdesk.model.graph import Heatmap, HeatRow

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
        self._row, self._fade_below, self._decay = row, fade_below, decay_per_day
        self._cell = None
        self.setAccessibleName("" if row is None else tr("Salience of {title} over time", title=row.title))
        self.update()

    def show_grid(self, grid: Grid) -> None:
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
        if rescue_helps(row):
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
        pen = QPen(ink, LINE_PX, j=Qt.PenJoinStyle.RoundJoin)
        if dashed:
            pen.setDashPattern([2.5, 2])
        painter.setPen(pen)
        painter.drawPolyline(points)

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
        words = days_text(grid.days, cell) + ("" if strength is None else f"  {strength:.2f}")
        wide = text_width(words, look.font(11, 500)) + 12
        left = min(max(MARGIN_PX, x - wide / 2), self.width() - wide)
        area = QRectF(left, 0, wide, LABEL_PX)
        box(painter, area, 3, c("panel"), c("line2"))
        draw_text(painter, area, words, look.font(11, 500), c("t1"), CENTER)
        if strength is not None:
            painter.setPen(QPen(c("stage"), 2))
            painter.setBrush(c("acc"))
            painter.drawEllipse(QPointF(x, self._y(strength)), 4, 4)


HEIGHT_PX, LOW_PX = 202, 172
"""Height, and the smaller height in a low panel, so that rows have room."""
TOP_PX = 14
CHART_PX = 150
TITLE_LINES = 3


class Detail(Ground):
    """Strip of one memory. Signals: rescue_asked, pin_asked (the row)."""

    rescue_asked = Signal(object)
    pin_asked = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__("stage", "top", height=HEIGHT_PX)
        self._session = session
        self._row: HeatRow | None = None
        self._days: Days | None = None
        self._grid: Grid | None = None
        self.chart = Chart()
        self.title = Text("", 13, "t1", weight=600, wrap=True)
        self.channel = ChannelMark()
        self.recalled, self.last = Text("", 12, "t3", elide=True), Text("", 12, "t3", elide=True)
        self.alone, self.alone_value = Text("", 12, "t2"), Text("", 15)
        self.rescued, self.rescued_value = Text("", 12, "t2"), Text("", 15)
        self.rescue = Control("primary", tr("Rescue"), "rescue", keys="R")
        self.pin = Control("button", tr("Pin"), "pin", keys="I")
        self._left, self._right = QWidget(self), QWidget(self)
        self._furnish()

    def _furnish(self) -> None:
        self.chart.setParent(self)
        self._left.setLayout(
            column(
                self.title, 4, self.channel, 6, self.recalled, self.last, None, gap=1, margins=(0, 0, 0, 4)
            )
        )
        buttons = row(self.rescue, self.pin, None, gap=6)
        words = (self.alone, self.alone_value, 7, self.rescued, self.rescued_value)
        self._right.setLayout(column(*words, 10, buttons, None, gap=1))
        self.rescue.clicked.connect(lambda: self.rescue_asked.emit(self._row))
        self.pin.clicked.connect(lambda: self.pin_asked.emit(self._row))
        self._session.able.connect(self._show_actions)
        self._session.status_changed.connect(lambda _: self._show_channel())

    # What is shown.

    def show_row(self, row: HeatRow | None, shown: Heatmap) -> None:
        """Show a memory of an answer, or none."""
        self._row, self._days = row, Days.of(shown)
        for part in (self._left, self._right, self.chart):
            part.setVisible(row is not None)
        self.chart.show_row(row, shown.fade_below, shown.decay_per_day)
        if row is None:
            return
        self._cut_title()
        self._show_channel()
        self.recalled.setText(
            tr("Recalled %Ln time(s)", "", row.recalled) if row.recalled else tr("Not recalled yet")
        )
        self.last.setText(self._last(row))
        self._show_fading(row, self._days)
        self._show_actions()
        self.setAccessibleName(row.title)

    def _show_channel(self) -> None:
        if self._row is not None:
            name = self._row.channel
            self.channel.set_channel(name, self._session.channel_number(name))

    def _last(self, row: HeatRow) -> str:
        if row.last_recalled_at is None or row.last_recalled_by is None:
            return tr("fades since it was learned")
        name, _, who = self._session.mark(row.last_recalled_by)
        when = formatting.ago(row.last_recalled_at)
        if who == "person" and name == self._session.person:
            return tr("last {when} by you", when=when)
        return tr("last {when} by {name}", when=when, name=name)

    def _show_fading(self, row: HeatRow, days: Days) -> None:
        left = row.curve.fades_in_days
        if left is None:
            self.alone.setText(tr("Left alone"))
            self._say(self.alone_value, tr("does not fade"), tr("pinned") if row.pinned else "", "acc")
        else:
            soon = tr("Left alone, fades") if round(left) == 0 else tr("Left alone, fades in")
            self.alone.setText(soon if left >= 0 else tr("Left alone, it faded"))
            self._say_when(self.alone_value, days, left, "t1" if left >= 0 else "bad")
        self.rescued.setText(tr("Rescued, fades in") if rescue_helps(row) else tr("Rescue"))
        if rescue_helps(row) and row.rescued_fades_in_days is not None:
            self._say_when(self.rescued_value, days, row.rescued_fades_in_days, "ok")
        else:
            self._say(self.rescued_value, tr("not needed"), "", "t2")

    def _say_when(self, text: Text, days: Days, in_days: float, token: str) -> None:
        """Show “22 days 12 Dec” or “19 days ago 1 Nov”."""
        whole = round(in_days)
        date = short(days.date(days.today) + timedelta(days=whole))
        if whole == 0:
            said = tr("today")
        else:
            said = tr("%Ln day(s)", "", whole) if whole > 0 else tr("%Ln day(s) ago", "", -whole)
        self._say(text, said, date, token)

    def _say(self, text: Text, words: str, note: str, token: str) -> None:
        def build() -> str:
            quiet = f'&nbsp;<span style="font-size:12px">{span(note, "t3")}</span>' if note else ""
            return span(words, token, weight=500) + quiet

        text.set_markup(build, f"{words} {note}".strip())

    def _show_actions(self) -> None:
        if self._row is None:
            return
        why_not = self._session.why_not
        self.rescue.set_enabled(
            rescue_helps(self._row) and not why_not, why_not or no_rescue_reason(self._row)
        )
        self.pin.setText(tr("Unpin") if self._row.pinned else tr("Pin"))
        self.pin.set_enabled(not why_not, why_not)

    # Places.

    def show_grid(self, grid: Grid) -> None:
        """Align the parts with the columns of the rows."""
        self._grid = grid
        self.chart.show_grid(grid)
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the parts for the new size."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        if self._grid is None:
            return
        grid, high = self._grid, self.height()
        left = round(grid.cells_x) - MARGIN_PX
        self._left.setGeometry(PAD_PX, TOP_PX, left - PAD_PX, high - TOP_PX)
        wide = round(grid.cells_right) - left + 4
        self.chart.setGeometry(left, TOP_PX, wide, min(CHART_PX, high - TOP_PX - 8))
        right = round(grid.cells_right) + 24
        self._right.setGeometry(right, TOP_PX - 2, grid.width - right, high - TOP_PX)
        self._cut_title()

    def _cut_title(self) -> None:
        """Cut the title to three lines; the inspector shows the full claim."""
        if self._row is None:
            return
        # Lines break at words, so not all of three lines can be filled.
        room = max(40.0, self._left.width() * TITLE_LINES - 60.0)
        metrics = QFontMetricsF(self.title.font())
        self.title.setText(metrics.elidedText(self._row.title, Qt.TextElideMode.ElideRight, room))
        self.title.setToolTip(tip_text(self._row.title))
