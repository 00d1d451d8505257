"""The audit timeline: find any change, understand it, take it back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget

from memdesk.contract import history
from memdesk.gui.frame import times
from memdesk.gui.inspector import Inspector
from memdesk.gui.inspectors.links import opens
from memdesk.gui.language import marked, tr
from memdesk.gui.panels import audit_table
from memdesk.gui.panels.audit_bars import EVERYTHING, Range
from memdesk.gui.panels.audit_brush import Brush
from memdesk.gui.panels.audit_chips import OperationChips
from memdesk.gui.panels.audit_deeds import Deeds
from memdesk.gui.panels.audit_scope import Scope, ScopeChips, ScopeFinder
from memdesk.gui.panels.panel import Panel
from memdesk.gui.session import Session
from memdesk.gui.widgets import (
    Control,
    Drop,
    Empty,
    Field,
    Option,
    Skeleton,
    Table,
    WindowedModel,
    column,
    row,
    rule,
)
from memdesk.gui.widgets.told import Told
from memdesk.gui.widgets.windowed import PAGE_ROWS
from memdesk.model.history import (
    OPERATIONS,
    AskEvent,
    AskHistogram,
    AskHistory,
    EventRow,
    FeedEvent,
    Histogram,
    HistoryPage,
)

BINS = 96
FLASHED_AT_MOST = 10
"""More new rows at once are a flood, not news."""
LAYER_FROM_PX = 760
TOOK_FROM_PX = 680
"""In a narrower panel these columns make room for what happened."""


class AuditPanel(Panel):
    """Everything that happened, newest first, with what can be taken back."""

    name, title, icon = "audit", marked("Audit"), "audit"

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._asked = AskHistory()
        self._newest_shown: int | None = None
        self._record: str | None = None
        self._shown = 0
        self._told_run: str | None = None
        self._met_layers: set[str] = set()
        self._met_authors: set[str] = set()
        self._met_channels: set[str] = set()
        self.brush = Brush()
        self.chips = OperationChips()
        self.layers = Drop(many=True, every=tr("All layers"), name=tr("Layer"), small=True)
        self.authors = Drop(many=True, every=tr("Everyone"), name=tr("By"), small=True)
        self.channels = Drop(many=True, every=tr("All channels"), name=tr("Channel"), small=True)
        self.filter = Field(placeholder=tr("Filter events"), icon="search", keys="/", quiet=True, width=190)
        self.finder, self.scopes = ScopeFinder(session), ScopeChips()
        self.more = Control("ghost", "", "more", tip=tr("Narrow to one conversation, export, verify"))
        self.told = Told()
        self.deeds = Deeds(session, inspector, self.told, self)
        self.one = Control("chip", tr("One memory"), "close", tip=tr("Show every memory again"))
        self.newer = Control("primary", "", "up", small=True, tip=tr("Scroll up to them"))
        self.model = WindowedModel(audit_table.columns(session), self._fetch, session.spawn)
        self.table = Table(self.model, name=tr("Audit timeline"))
        self._nothing = Empty(tr("Nothing matches."), "", step=tr("Show everything"))
        self._furnish()
        self._wire()

    def _furnish(self) -> None:
        self.one.hide()
        self.finder.hide()
        self.newer.hide()
        self.newer.setParent(self.table)
        self._rows = QStackedWidget()
        self._rows.addWidget(self.table)
        self._rows.addWidget(self._nothing)
        content = QWidget()
        content.setLayout(column(self.brush, rule(), self.told, self._rows, gap=0))
        bar = row(self.finder, self.scopes, self.one, self.chips, margins=(20, 0, 20, 0))
        bar.setStretchFactor(self.chips, 1)
        actions = (self.layers, self.authors, self.channels, self.filter, self.more)
        wait = Skeleton(rows=16, shares=(0.12, 0.08, 0.3, 0.1))
        self.furnish(
            content, filters=bar, actions=actions, filter_field=self.filter, skeleton=wait, divided=False
        )

        self.setFocusProxy(self.table)

    def _wire(self) -> None:
        self.table.picked.connect(lambda event: self.inspector.show_event(event.id))
        self.table.clicked.connect(lambda _: self._show_chosen())
        self.table.opened.connect(lambda event: self.session.spawn(self._open(event)))
        self.table.pressed.connect(lambda event, _: self.session.undo(event.id))
        self.table.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.newer.clicked.connect(self.table.scrollToTop)
        for drop in (self.layers, self.authors, self.channels):
            drop.chosen.connect(lambda _: self.reload())
        self.chips.changed.connect(self.reload)
        self.brush.ranged.connect(lambda _: self.reload())
        self.filter.textChanged.connect(lambda _: self.reload_soon())
        self.finder.taken.connect(self._narrow)
        self.finder.left.connect(self._leave_finder)
        self.scopes.changed.connect(self._rescoped)
        self.more.clicked.connect(lambda: self.open_more())
        self.one.clicked.connect(lambda: self.select(""))
        self._nothing.step_taken.connect(self.show_everything)

    # What is asked.

    def select(self, id: str) -> None:
        """Show the events of one memory alone; with an empty id, of all again."""
        self._record = id or None
        self.one.setVisible(bool(id))
        self.one.setChecked(bool(id))
        self.reload()

    def search(self, text: str) -> None:
        """Look for words among what happened."""
        self.show_everything()
        self.filter.setText(text)

    def show_everything(self) -> None:
        """Take every filter away."""
        for drop in (self.layers, self.authors, self.channels):
            drop.set_value(())
        self.chips.show_everything()
        self.brush.set_range(EVERYTHING)
        self.filter.clear()
        self.scopes.clear()
        self.told.hide()
        self.select("")

    def concerned(self, event: FeedEvent) -> bool:
        """Everything that happens stands here."""
        return True

    def _channels(self) -> tuple[str, ...]:
        return _words(self.channels.value()) or self.session.channels

    def _authors(self) -> tuple[str, ...]:
        chosen = _words(self.authors.value())
        return chosen or tuple(f"agent:{name}" for name in self.session.agents)

    def _ask(self) -> AskHistory:
        after, before = self.brush.range()
        hidden = self.chips.hidden()
        shown = tuple(op for op in OPERATIONS if op not in hidden) if hidden else ()
        return AskHistory(
            since=after, until=before, operations=shown, layers=_words(self.layers.value()), authors=self._authors(),
            channels=self._channels(), text=self.filter.text().strip(), record=self._record, **self.scopes.fields(),
        )  # fmt: skip

    # What more can be done.

    def open_more(self) -> None:
        """Open the menu of what more can be done, below its button."""
        menu = self.more_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height() + 2)))

    def more_menu(self) -> QMenu:
        """That menu as it would open now."""
        menu = QMenu(self)
        event = self.table.record()
        run = event.run if event is not None else None
        menu.addAction(tr("One conversation, session or user…"), self._seek)
        whole = menu.addAction(tr("The whole run of this change"), lambda: self._show_run(event))
        whole.setEnabled(run is not None)
        menu.addSeparator()
        save = menu.addAction(
            tr("Export %Ln event(s)…", "", self._shown),
            lambda: self.deeds.ask_where(self._pinned(self._asked), self._shown),
        )
        save.setEnabled(self._shown > 0)
        menu.addAction(tr("Verify the hash chain"), self.deeds.verify)
        return menu

    def _seek(self) -> None:
        self.finder.show()
        self.finder.setFocus()

    def _leave_finder(self) -> None:
        self.finder.hide()
        self.table.setFocus()

    def _narrow(self, scope: Scope) -> None:
        self._leave_finder()
        self.scopes.narrow(scope)

    def _show_run(self, event: EventRow | None) -> None:
        if event is not None and event.run is not None:
            self.scopes.narrow(Scope("run", event.run, event.author.partition(":")[2]))

    def _rescoped(self) -> None:
        if self.scopes.scope("run") is None:
            self.told.hide()
        self.reload()

    # Loading.

    async def load(self) -> None:
        """Counts and rows. Rows a person has scrolled to stay where they are; what is newer waits behind a chip."""
        ask = self._ask()
        reading = (
            ask == self._asked
            and self._newest_shown is not None
            and self.table.verticalScrollBar().value() > 0
        )
        everything, page = await asyncio.gather(
            self._counts(ask, EVERYTHING),
            self.session.call(history.PAGE, replace(ask, limit=1 if reading else PAGE_ROWS)),
        )
        range = self.brush.range()
        chosen = everything if range == EVERYTHING else await self._counts(ask, range)
        self._show_counts(everything, chosen, page.total)
        if not everything.by_operation and ask == AskHistory():
            self.show_unfilled(
                tr("Nothing has happened yet."),
                tr(
                    "Every change and every recall will stand here. To begin, bring in a chat or an agent's folder:"
                ),
            )
            return
        if reading:
            self._show_newer(page.total)
        else:
            self._show_rows(ask, page)
        if ask.run is not None and ask.run != self._told_run:
            self.deeds.offer_run(page)
        self._told_run = ask.run
        self.show_content()

    async def _counts(self, ask: AskHistory, range: Range) -> Histogram:
        return await self.session.call(
            history.HISTOGRAM,
            AskHistogram(
                bins=BINS, since=range[0], until=range[1], layers=ask.layers, authors=ask.authors,
                channels=ask.channels, record=ask.record, **self.scopes.fields(),
            ),
        )  # fmt: skip

    async def _fetch(self, first: int, limit: int) -> Sequence[EventRow]:
        """A page of the rows as they were when they were counted, so that new events do not shift them."""
        ask = replace(self._pinned(self._asked), first=first, limit=limit, count=False)
        page: HistoryPage = await self.session.call(history.PAGE, ask)
        return page.rows

    def _pinned(self, ask: AskHistory) -> AskHistory:
        """The same without what came since the rows were counted."""
        return ask if self._newest_shown is None else replace(ask, before=self._newest_shown + 1)

    def _show_counts(self, everything: Histogram, chosen: Histogram, total: int) -> None:
        self.brush.show_histogram(everything, self.chips.hidden())
        self.chips.set_counts(chosen.by_operation)
        self._offer_filters(everything)
        most = sum(everything.by_operation.values())
        if total != most:
            self.say(tr("{total} of %Ln event(s)", "", most, total=f"{total:,}"))
        else:
            self.say(tr("%Ln event(s) since {day}", "", most, day=times.day(everything.start)))

    def _offer_filters(self, counts: Histogram) -> None:
        """Offer what was ever met: counts under a filter know only what the filter lets through."""
        self._met_layers |= counts.by_layer.keys()
        self._met_authors |= counts.by_author.keys()
        self._met_channels |= counts.by_channel.keys()
        number = self.session.channel_number
        channels = sorted(self._met_channels, key=lambda name: (number(name), name))
        self.layers.set_options(
            [Option(value=each, text=audit_table.layer(each)) for each in sorted(self._met_layers)]
        )
        self.authors.set_options([_author(each) for each in sorted(self._met_authors)])
        self.channels.set_options([Option(value=each, text=each, channel=number(each)) for each in channels])

    def _show_rows(self, ask: AskHistory, page: HistoryPage) -> None:
        """Show rows from the newest on; the event that was chosen stays chosen, however far down it went."""
        was, came = self.table.record(), page.total - self._shown
        same, newest = ask == self._asked, self._newest()
        self._asked, self._shown = ask, page.total
        self._newest_shown = page.rows[0].id if page.rows else None
        self.newer.hide()
        blocked = self.table.blockSignals(True)
        self.model.reset(page.total, page.rows)
        place = _place(page.rows, was)
        if place is not None:
            self.table.choose(place)
            self.table.scrollToTop()
        self.table.blockSignals(blocked)
        self._rows.setCurrentWidget(self.table if page.total else self._nothing)
        if same and newest is not None and 0 < came <= FLASHED_AT_MOST:
            for place in range(came):
                self.table.flash(place)

    def _newest(self) -> EventRow | None:
        return self.model.row(0) if self.model.rowCount() else None

    def _show_newer(self, total: int) -> None:
        came = total - self._shown
        self.model.refresh()
        self.newer.setVisible(came > 0)
        self.newer.setText(tr("%Ln new", "", came))
        self._place_newer()

    def _place_newer(self) -> None:
        self.newer.adjustSize()
        x = (self.table.width() - self.newer.width()) // 2
        self.newer.move(x, self.table.horizontalHeader().height() + 8)
        self.newer.raise_()

    def _scrolled(self, place: int) -> None:
        """Back at the top, what is newer comes in."""
        if place == 0 and self.newer.isVisible():
            self.reload()

    def _show_chosen(self) -> None:
        """A click on the row that is chosen already shows it too, should the inspector be closed."""
        event = self.table.record()
        if event is not None:
            self.inspector.show_event(event.id)

    async def _open(self, event: EventRow) -> None:
        """Show the memory an event is about."""
        detail = await self.session.call(history.EVENT, AskEvent(id=event.id))
        record = opens((*detail.records, *detail.returned))
        if record is not None:
            self.inspector.links.record(record)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave columns out where they would leave no room for what happened."""
        super().resizeEvent(event)
        self.table.setColumnHidden(audit_table.LAYER, self.width() < LAYER_FROM_PX)
        self.table.setColumnHidden(audit_table.TOOK, self.width() < TOOK_FROM_PX)
        self._place_newer()


def _words(value: object) -> tuple[str, ...]:
    return tuple(str(each) for each in value) if isinstance(value, tuple) else ()


def _author(author: str) -> Option:
    kind, _, name = author.partition(":")
    return Option(value=author, text=name if kind == "agent" else f"{name}, {audit_table.who(kind)}")


def _place(rows: Sequence[EventRow], was: EventRow | None) -> int | None:
    return next((place for place, each in enumerate(rows) if was is not None and each.id == was.id), None)
