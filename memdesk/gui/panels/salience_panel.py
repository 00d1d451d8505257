"""Salience panel: see which memories fade, and rescue them in time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QStackedWidget

from memdesk.gui import formatting
from memdesk.gui.inspectors.actions import perform
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.keys import on_key
from memdesk.gui.language import tr
from memdesk.gui.panels.salience import heat_rows
from memdesk.gui.panels.salience.heat_canvas import Axis, HeatCanvas, is_letter
from memdesk.gui.panels.salience.heat_detail import HEIGHT_PX, LOW_PX, Detail
from memdesk.gui.panels.salience.heat_grid import (
    ROW_PX,
    WEEK,
    Bin,
    Days,
    bins,
    days_text,
    fades_text,
    short,
    value,
)
from memdesk.gui.panels.salience.heat_rows import PAGE_ROWS, HeatRows, kind_of, paint_name, rescue_helps
from memdesk.gui.panels.salience.salience_filters import EMPTY, SORTS, Filters
from memdesk.gui.session import Session
from memdesk.gui.shell.panel import Panel
from memdesk.gui.terms import term
from memdesk.gui.widgets import Column, Control, Ground, Skeleton, Table, column, laid_out
from memdesk.gui.widgets.text import tip_text
from memdesk.model.graph import AskSalience, Heatmap, HeatRow


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

    return (
        Column(
            tr("Memory"),
            _text("title"),
            width=240,
            paint=lambda painter, area, row, state: paint_name(
                painter, area, row, number(row.channel), weight=600 if state.selected else 400
            ),
            tip=lambda row: tip_text(row.title),
        ),
        Column(tr("Kind"), lambda row: term(kind_of(row)), width=78),
        Column(tr("Channel"), _text("channel"), width=108, channel=number),
        Column(tr("Recalled"), lambda row: f"{row.recalled:,}", width=64, numeric=True),
        Column(tr("Now"), lambda row: f"{row.curve.now:.2f}", width=46, numeric=True, token="t1"),
        Column(tr("Fades"), fades_text, width=74, align="right"),
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
        short(days.date(cell.last)),
        text,
        width=58,
        numeric=True,
        token="t3" if cell.is_ahead else "t2",
        tip=lambda _: (
            tr("forecast, {days}", days=days_text(days, cell)) if cell.is_ahead else days_text(days, cell)
        ),
    )


class Views(QStackedWidget):
    """Stack of both views. Signals carry a row: picked, a row just chosen; opened; pin_asked and
    rescue_asked."""

    picked = Signal(object)
    opened = Signal(object)
    pin_asked = Signal(object)
    rescue_asked = Signal(object)

    def __init__(self, axis: Axis, canvas: HeatCanvas, table: HeatTable) -> None:
        super().__init__()
        self._canvas, self._table, self._is_table = canvas, table, False
        heat = laid_out(column(axis, canvas, gap=0))
        self.addWidget(heat)
        self.addWidget(table)
        self.setFocusProxy(canvas)
        canvas.laid_out.connect(axis.show_grid)
        canvas.picked.connect(self.picked)
        table.picked.connect(self._pick_in_table)
        for view in (canvas, table):
            view.opened.connect(self.opened)
            view.pin_asked.connect(self.pin_asked)
            view.rescue_asked.connect(self.rescue_asked)

    def mark(self, place: int) -> None:
        """Choose a row without a signal, -1 for none."""
        self._canvas.set_place(place)
        if self._is_table and place >= 0:
            with QSignalBlocker(self._table):
                self._table.choose(place)

    def show_table(self, is_table: bool) -> None:
        """Show the table or the heatmap; the keyboard focus moves along."""
        had_focus = self._canvas.hasFocus() or self._table.hasFocus()
        self._is_table = is_table
        # Before it is shown: a table that gets the focus without a row chooses its first.
        self.mark(self._canvas.place)
        self.setCurrentIndex(int(is_table))
        self.setFocusProxy(self._table if is_table else self._canvas)
        if self._canvas.place >= 0:
            self._canvas.bring(self._canvas.place)
        if had_focus:
            (self._table if is_table else self._canvas).setFocus()

    def _pick_in_table(self, row: HeatRow) -> None:
        self._canvas.set_place(self._table.currentIndex().row())
        self.picked.emit(row)


ABOVE_ROWS = 3
"""Number of faded rows left in view above the first one that can still be rescued."""
LOW_PANEL_PX = 700
AGAIN_MS = 3_600_000
"""Reload interval without events: salience falls by 0.2 % an hour, and at midnight the days move on."""


class SaliencePanel(Panel):
    """Heat map of memories by day, those that fade soonest first.

    After a live change the rows around the visible ones are reloaded; an unchanged row in view stays where it
    is."""

    name = "salience"
    kinds = ("fact", "entity")

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._asked: AskSalience | None = None
        self._shown: Heatmap | None = None
        self._chosen: HeatRow | None = None
        self._sought = ""
        self.filters = Filters()
        self.rows = HeatRows(self._fetch, session.spawn)
        self.axis, self.detail = Axis(), Detail(session)
        self.canvas = HeatCanvas(self.rows, _no_days(), session.channel_number)
        self.table = HeatTable(self.rows)
        self.views = Views(self.axis, self.canvas, self.table)
        self.as_table = Control("ghost", "", "facts", tip=tr("As a table  T"))
        self._furnish()
        self._wire()

    def _furnish(self) -> None:
        self.as_table.setCheckable(True)
        content = laid_out(column(self.views, self.detail, gap=0))
        actions = (self.filters.kinds, self.filters.ahead, self.filters.sort, self.as_table)
        wait = Skeleton(rows=24, pitch=21, shares=(0.12, 0.6, 0.03, 0.05))
        self.furnish(content, filters=self.filters.bar, actions=actions, skeleton=wait)
        self.setFocusProxy(self.views)

    def _wire(self) -> None:
        session = self.session
        self.filters.changed.connect(self.reload)
        self.canvas.laid_out.connect(self.detail.show_grid)
        self.canvas.pointed.connect(self.detail.chart.point)
        self.views.picked.connect(self._pick)
        self.views.opened.connect(lambda row: self.inspector.show_memory(row.id))
        self.table.clicked.connect(lambda _: self._open_chosen())
        for asker in (self.views, self.detail):
            asker.pin_asked.connect(lambda row: session.spawn(self._perform("pin", row)))
            asker.rescue_asked.connect(self._rescue)
        self.as_table.toggled.connect(self._show_table)
        on_key("T", self.as_table.toggle, self, inside=True)
        self.session.status_changed.connect(lambda _: self.canvas.viewport().update())
        hourly = QTimer(self)
        hourly.timeout.connect(self.reload_soon)
        hourly.start(AGAIN_MS)

    # What is asked.

    def _ask(self) -> AskSalience:
        return replace(
            self.filters.ask(), channels=self.session.channels, utc_offset_minutes=formatting.offset_minutes()
        )

    async def _fetch(self, first: int, limit: int) -> Sequence[HeatRow]:
        return (await heat_rows.page(self.session, self._asked or self._ask(), first, limit)).rows

    # Loading.

    async def load(self) -> None:
        """Reload the visible rows; for a new request, load the list from the first memory that can still be
        rescued."""
        ask = self._ask()
        reading = self._shown is not None and self._shown.total > 0
        if reading and ask == self._asked and not self._sought:
            await self._load_again(ask)
        else:
            await self._load_other(ask)

    async def _load_again(self, ask: AskSalience) -> None:
        first = max(0, self.canvas.top() // ROW_PX - PAGE_ROWS // 4)
        shown = await heat_rows.page_or_last(self.session, ask, first)
        held = self.rows.by_id()
        in_view = self.canvas.seen()
        top = self.table.verticalScrollBar().value()
        if not self._show(ask, shown):
            return
        changed = {row.id for row in shown.rows if row.id in held and _is_stronger(held[row.id], row)}
        self._keep_place([(row.id, y) for row, y in in_view if row.id not in changed])
        self.canvas.flash(changed)
        await self._keep_chosen(ask)
        self.table.verticalScrollBar().setValue(top)

    def _keep_place(self, in_view: list[tuple[str, int]]) -> None:
        """Scroll so that the first of these rows that still exists is at its former position."""
        for id, y in in_view:
            place = self.rows.place_of(id)
            if place is not None:
                self.canvas.scroll_to(place, y)
                return

    async def _keep_chosen(self, ask: AskSalience) -> None:
        """Keep the chosen memory chosen at its new row; if it left the list, choose the row in its place."""
        chosen, was = self._chosen, self.canvas.place
        if chosen is None:
            return
        place = self.rows.place_of(chosen.id)
        if place is None:
            self.canvas.set_place(-1)
            place = await self._find(ask, chosen.id)
            if self._chosen is not chosen or ask != self._asked:
                return
        self._mark(min(was, self.rows.rowCount() - 1) if place is None else place)

    async def _find(self, ask: AskSalience, id: str) -> int | None:
        """Return the row of a memory in a list, fetching the rows around it; None if it is not in the list."""
        page = await heat_rows.page(self.session, replace(ask, around=id), 0)
        self.rows.put(page.first, page.rows)
        return self.rows.place_of(id)

    async def _load_other(self, ask: AskSalience) -> None:
        shown = await heat_rows.page(self.session, ask, 0)
        if self.filters.fall_back(shown):
            ask = self._ask()
            shown = await heat_rows.page(self.session, ask, 0)
        start = heat_rows.opening_row(ask, shown)
        if start + PAGE_ROWS // 2 > len(shown.rows) < shown.total:
            shown = await heat_rows.page(self.session, ask, max(0, start - PAGE_ROWS // 4))
        if not self._show(ask, shown):
            return
        sought, self._sought = self._sought, ""
        place = await self._find(ask, sought) if sought else None
        if place is not None:
            self.canvas.choose(place)
        else:
            self.canvas.scroll_to(max(0, start - ABOVE_ROWS))
            self._mark(start)

    # What is shown.

    def _show(self, ask: AskSalience, shown: Heatmap) -> bool:
        """Show an answer; returns False if it is empty."""
        self._asked, self._shown = ask, shown
        days = Days.of(shown)
        self.filters.show_answer(shown)
        self.say(
            tr(
                "{back} days back, {ahead} ahead · decay {decay} per day without recall",
                back=days.back,
                ahead=days.ahead,
                decay=f"{shown.decay_per_day:.2f}",
            )
        )
        self.axis.show_corner(tr("%Ln shown, {sorted}", "", shown.total, sorted=tr(SORTS[ask.sort][1])))
        self.rows.show(shown, columns(days, self.session.channel_number))
        self.canvas.show_days(days, shown.fade_below, joined=ask.sort == "fades")
        if shown.total:
            self.show_content()
        else:
            self._show_nothing(ask, shown)
        return bool(shown.total)

    def _show_nothing(self, ask: AskSalience, shown: Heatmap) -> None:
        self._mark(-1)
        if shown.counts["all"]:
            self.show_empty(*map(tr, EMPTY[ask.only]), step=tr("Show all"), take=self.filters.show_all)
            return
        if ask.channels:
            self.show_filtered(tr("Nothing can fade in these channels yet."))
            return
        lost = 1 - shown.decay_per_day
        self.show_unfilled(
            tr("Nothing can fade yet."),
            tr(
                "Learning a fact or an entity gives it salience, and every recall that returns it raises it. A day "
                "without recall takes {lost}; below {least} it has faded. To begin, bring in a chat or an agent's "
                "folder.",
                lost=f"{lost:.0%}",
                least=f"{shown.fade_below:.2f}",
            ),
        )

    def _mark(self, place: int) -> None:
        """Choose a row without showing it in the inspector."""
        self.views.mark(place)
        self._show_detail(self.canvas.record())

    def _show_detail(self, row: HeatRow | None) -> None:
        self._chosen = row
        if self._shown is not None:
            self.detail.show_row(row, self._shown)
            self.detail.chart.point(self.canvas.cell)

    def _pick(self, row: HeatRow) -> None:
        """Show a row's details, and show it in the inspector if that is open."""
        self._show_detail(row)
        if self.inspector.isVisible():
            self.inspector.show_memory(row.id)

    def _open_chosen(self) -> None:
        if self._chosen is not None:
            self.inspector.show_memory(self._chosen.id)

    def _show_table(self, is_table: bool) -> None:
        self.views.show_table(is_table)
        self._show_detail(self.canvas.record())

    def select(self, id: str) -> None:
        """Bring one memory into view; the filters are removed."""
        self.filters.show_all(quietly=True)
        self._sought = id
        self.reload()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lower the height of the curve in a low panel, to leave space for the rows."""
        super().resizeEvent(event)
        self.detail.setFixedHeight(LOW_PX if self.height() < LOW_PANEL_PX else HEIGHT_PX)

    # What can be done.

    def _rescue(self, row: HeatRow) -> None:
        if rescue_helps(row):
            self.session.spawn(self._perform("rescue", row))

    async def _perform(self, action: str, row: HeatRow) -> None:
        await perform(self.session, action, row)
        self.reload_soon()


def _is_stronger(before: HeatRow, now: HeatRow) -> bool:
    """Return True if a memory was recalled, pinned or strengthened, rather than only aged."""
    return (before.recalled, before.pinned) != (now.recalled, now.pinned) or now.curve.now > before.curve.now


def _no_days() -> Days:
    """Return the days shown before the first answer."""
    return Days(datetime.now().date(), AskSalience().days_back, AskSalience().days_ahead)
