"""The audit timeline: find any change, understand it, take it back."""

from __future__ import annotations

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
from memdesk.gui.panels.audit_deeds import Deeds
from memdesk.gui.panels.audit_filters import Filters
from memdesk.gui.panels.panel import Panel
from memdesk.gui.session import Session
from memdesk.gui.widgets import (
    Control,
    Empty,
    Skeleton,
    Table,
    WindowedModel,
    column,
    rule,
)
from memdesk.gui.widgets.told import Told
from memdesk.gui.widgets.windowed import PAGE_ROWS
from memdesk.model.history import (
    AskEvent,
    AskHistory,
    EventRow,
    FeedEvent,
    Histogram,
    HistoryPage,
)

FLASHED_AT_MOST = 10
"""More new rows at once are a flood, not news."""
RUN_ID = "run_"
"""How the ids of runs begin, and those of no memory."""
INDEXED_MS = 3000
"""How often to look anew while titles are being indexed."""
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
        self._shown = 0
        self._told_run: str | None = None
        self.filters = Filters(session, self)
        self.more = Control("ghost", "", "more", tip=tr("Narrow to one conversation, export, verify"))
        self.told = Told()
        self.deeds = Deeds(session, inspector, self.told, self)
        self.newer = Control("primary", "", "up", small=True, tip=tr("Scroll up to them"))
        self.model = WindowedModel(audit_table.columns(session), self._fetch, session.spawn)
        self.table = Table(self.model, name=tr("Audit timeline"))
        self._nothing = Empty(tr("Nothing matches."), "", step=tr("Show everything"))
        self._furnish()
        self._wire()

    def _furnish(self) -> None:
        self.newer.hide()
        self.newer.setParent(self.table)
        self._rows = QStackedWidget()
        self._rows.addWidget(self.table)
        self._rows.addWidget(self._nothing)
        content = QWidget()
        content.setLayout(column(self.filters.brush, rule(), self.told, self._rows, gap=0))
        narrowed = self.filters
        actions = (narrowed.layers, narrowed.authors, narrowed.channels, narrowed.words, self.more)
        wait = Skeleton(rows=16, shares=(0.12, 0.08, 0.3, 0.1))
        self.furnish(
            content, filters=narrowed.bar(), actions=actions, filter_field=narrowed.words, skeleton=wait,
            divided=False,
        )  # fmt: skip
        self.setFocusProxy(self.table)

    def _wire(self) -> None:
        self.table.picked.connect(lambda event: self.inspector.show_event(event.id))
        self.table.clicked.connect(lambda _: self._show_chosen())
        self.table.opened.connect(lambda event: self.session.spawn(self._open(event)))
        self.table.pressed.connect(lambda event, _: self.session.undo(event.id))
        self.table.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.newer.clicked.connect(self.table.scrollToTop)
        self.filters.changed.connect(self.reload)
        self.filters.left.connect(self.table.setFocus)
        self.more.clicked.connect(lambda: self.open_more())
        self._nothing.step_taken.connect(self.show_everything)

    # What is asked.

    def select(self, id: str) -> None:
        """Show the events of one memory or of one run alone; with an empty id, of all again."""
        if id.startswith(RUN_ID):
            self.filters.show_everything()
            self.filters.show_run(id)
        else:
            self.filters.show_memory(id)

    def search(self, text: str) -> None:
        """Look for words among what happened."""
        self.filters.search(text)

    def show_everything(self) -> None:
        """Take every filter away."""
        self.told.hide()
        self.filters.show_everything()

    def concerned(self, event: FeedEvent) -> bool:
        """Everything that happens stands here."""
        return True

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
        menu.addAction(tr("One conversation, session or user…"), self.filters.seek_scope)
        whole = menu.addAction(tr("The whole run of this change"), lambda: self.filters.show_run(run or ""))
        whole.setEnabled(run is not None)
        menu.addSeparator()
        save = menu.addAction(
            tr("Export %Ln event(s)…", "", self._shown),
            lambda: self.deeds.ask_where(self._pinned(self._asked), self._shown),
        )
        save.setEnabled(self._shown > 0)
        menu.addAction(tr("Verify the hash chain"), self.deeds.verify)
        return menu

    # Loading.

    async def load(self) -> None:
        """Rows, then counts: a word that is everywhere takes longer to count than to find.

        Rows a person has scrolled to stay where they are; what is newer waits behind a chip."""
        ask = self.filters.ask()
        reading = (
            ask == self._asked
            and self._newest_shown is not None
            and self.table.verticalScrollBar().value() > 0
        )
        limit = 1 if reading else PAGE_ROWS
        page = await self.session.call(history.PAGE, replace(ask, limit=limit))
        if not page.total and ask == AskHistory():
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
        self._tell_of_run(ask, page)
        self.show_content()
        await self._count(page)

    async def _count(self, page: HistoryPage) -> None:
        """Bars, and counts beside the operations; then the sentence beside the title."""
        range = self.filters.brush.range()
        everything = await self._counts(EVERYTHING)
        chosen = everything if range == EVERYTHING else await self._counts(range)
        self.filters.show_counts(everything, chosen)
        most = sum(everything.by_operation.values())
        if page.total != most:
            said = tr("{total} of %Ln event(s)", "", most, total=f"{page.total:,}")
        else:
            said = tr("%Ln event(s) since {day}", "", most, day=times.day(everything.start))
        if page.unsearched:
            said += tr("; %Ln older one(s) are still being indexed", "", page.unsearched)
            self.reload_soon(INDEXED_MS)
        self.say(said)

    async def _counts(self, range: Range) -> Histogram:
        return await self.session.call(history.HISTOGRAM, self.filters.ask_counts(range))

    def _tell_of_run(self, ask: AskHistory, page: HistoryPage) -> None:
        if ask.run == self._told_run:
            return
        self._told_run = ask.run
        if ask.run is None:
            self.told.hide()
        elif page.rows:
            self.filters.scopes.call("run", page.rows[0].author.partition(":")[2])
            self.deeds.offer_run(page)

    async def _fetch(self, first: int, limit: int) -> Sequence[EventRow]:
        """A page of the rows as they were when they were counted, so that new events do not shift them."""
        ask = replace(self._pinned(self._asked), first=first, limit=limit, count=False)
        page: HistoryPage = await self.session.call(history.PAGE, ask)
        return page.rows

    def _pinned(self, ask: AskHistory) -> AskHistory:
        """The same without what came since the rows were counted."""
        return ask if self._newest_shown is None else replace(ask, before=self._newest_shown + 1)

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


def _place(rows: Sequence[EventRow], was: EventRow | None) -> int | None:
    return next((place for place, each in enumerate(rows) if was is not None and each.id == was.id), None)
