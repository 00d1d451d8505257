"""Heatmap as a table of numbers: for screen readers, and for people who want to read the values."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter

from memdesk.gui.frame.terms import term
from memdesk.gui.language import tr
from memdesk.gui.salience.canvas import is_letter
from memdesk.gui.salience.days import WEEK, Bin, Days, bins, fades, said_days, short, value
from memdesk.gui.salience.rows import HeatRows, kind_of, paint_name
from memdesk.gui.widgets import Column, Ground, RowState, Table
from memdesk.gui.widgets.paint import channel
from memdesk.gui.widgets.tips import plain
from memdesk.model.heatmap import HeatRow


class HeatTable(Table):
    """HeatRows as a Table. Further signals: pin_asked and rescue_asked, a row."""

    pin_asked = Signal(object)
    rescue_asked = Signal(object)

    def __init__(self, rows: HeatRows) -> None:
        super().__init__(rows, name=tr("Salience by week"))
        # The weeks go on to the right of what a window can hold.
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setCornerWidget(Ground("stage"))
        rows.modelReset.connect(self._widen)

    def _widen(self) -> None:
        model = self.model()
        assert isinstance(model, HeatRows)
        for place, shown in enumerate(model.columns):
            self.setColumnWidth(place, shown.width)

    def event(self, event: QEvent) -> bool:
        """Claim the table's own letters while it has the focus, so that the window does not take them."""
        if event.type() == QEvent.Type.ShortcutOverride and self.single_letters and is_letter(event):
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pin with I, rescue with R; other keys act as in every table."""
        row = self.record()
        if row is None or not (self.single_letters and is_letter(event)):
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            asked = self.pin_asked if event.key() == Qt.Key.Key_I else self.rescue_asked
            asked.emit(row)


def columns(days: Days, number: Callable[[str], int]) -> tuple[Column[HeatRow], ...]:
    """Return the columns of the table: those of the memory, then its salience by week, this week first and
    the forecast last.

    number: a channel's number."""

    def paint_title(painter: QPainter, area: QRectF, row: HeatRow, state: RowState) -> None:
        paint_name(painter, area, row, number(row.channel), weight=600 if state.selected else 400)

    def paint_channel(painter: QPainter, area: QRectF, row: HeatRow, state: RowState) -> None:
        channel(painter, area, row.channel, number(row.channel))

    return (
        Column(
            title=tr("Memory"),
            text=_text("title"),
            width=240,
            paint=paint_title,
            tip=lambda row: plain(row.title),
        ),
        Column(title=tr("Kind"), text=lambda row: term(kind_of(row)), width=78),
        Column(title=tr("Channel"), text=_text("channel"), width=108, paint=paint_channel),
        Column(title=tr("Recalled"), text=lambda row: f"{row.recalled:,}", width=64, numeric=True),
        Column(title=tr("Now"), text=lambda row: f"{row.curve.now:.2f}", width=46, numeric=True, token="t1"),
        Column(title=tr("Fades"), text=fades, width=74, align="right"),
        *(_week(days, cell) for cell in reversed(bins(days, WEEK)) if not cell.is_ahead),
        *(_week(days, cell) for cell in bins(days, WEEK) if cell.is_ahead),
    )


def _text(field: str) -> Callable[[HeatRow], str]:
    return lambda row: str(getattr(row, field))


def _week(days: Days, cell: Bin) -> Column[HeatRow]:
    """Return the column of a week, named by its last day."""

    def text(row: HeatRow) -> str:
        strength = value(row.curve, cell)
        return "" if strength is None else f"{strength:.2f}"

    return Column(
        title=short(days.date(cell.last)), text=text, width=58, numeric=True, token="t3" if cell.is_ahead else "t2",
        tip=lambda _: tr("forecast, {days}", days=said_days(days, cell)) if cell.is_ahead else said_days(days, cell),
    )  # fmt: skip
