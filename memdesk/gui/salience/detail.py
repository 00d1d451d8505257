"""Panel below the rows: the chosen memory, its curve, and the day on which it fades without and with a
rescue."""

from __future__ import annotations

from datetime import timedelta

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QWidget

from memdesk.gui.frame import times
from memdesk.gui.language import marked, tr
from memdesk.gui.salience.chart import MARGIN_PX, Chart
from memdesk.gui.salience.days import Days, short
from memdesk.gui.salience.grid import PAD_PX, Grid
from memdesk.gui.salience.line import helps, why_not
from memdesk.gui.session import Session
from memdesk.gui.widgets import ChannelMark, Control, Ground, Text, column, row, span
from memdesk.gui.widgets.tips import plain
from memdesk.model.heatmap import Heatmap, HeatRow

HEIGHT_PX, LOW_PX = 202, 172
"""Height, and the smaller height in a low panel, so that rows have room."""
TOP_PX = 14
CHART_PX = 150
TITLE_LINES = 3
AWAY = marked("The service is away; nothing can be changed now.")


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
        self._session.away.connect(lambda _: self._show_actions())
        self._session.back.connect(self._show_actions)
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
        when = times.ago(row.last_recalled_at)
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
        self.rescued.setText(tr("Rescued, fades in") if helps(row) else tr("Rescue"))
        if helps(row) and row.rescued_fades_in_days is not None:
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
        away = self._session.is_away
        self.rescue.set_enabled(helps(self._row) and not away, tr(AWAY) if away else why_not(self._row))
        self.pin.setText(tr("Unpin") if self._row.pinned else tr("Pin"))
        self.pin.set_enabled(not away, tr(AWAY))

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
        self.title.setToolTip(plain(self._row.title))
