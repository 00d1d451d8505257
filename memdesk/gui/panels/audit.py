"""Audit timeline: find any change, examine it, undo it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget

from memdesk.contract import history
from memdesk.gui.frame import times
from memdesk.gui.inspector import Inspector
from memdesk.gui.inspectors.links import opens
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.audit_bars import EVERYTHING, Range
from memdesk.gui.panels.audit_deeds import Deeds
from memdesk.gui.panels.audit_filters import Filters
from memdesk.gui.panels.audit_rows import Rows
from memdesk.gui.panels.panel import Panel
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Skeleton, column, rule
from memdesk.gui.widgets.told import Told
from memdesk.gui.widgets.windowed import PAGE_ROWS
from memdesk.model.history import AskEvent, AskHistory, EventRow, FeedEvent, Histogram, HistoryPage

RUN_ID = "run_"
"""Prefix of run ids; no memory id begins with it."""
INDEXED_MS = 3000
"""Interval for reloading while titles are being indexed."""
COUNTED_AT_ONCE, PIECES_AT_MOST = 100_000, 20
"""Events with a word that are counted in one go: a third of a second of the service's time."""


class AuditPanel(Panel):
    """Timeline of all changes and recalls, newest first, with Undo."""

    name, title, icon = "audit", marked("Audit"), "audit"

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._told_run: str | None = None
        self.filters = Filters(session, self)
        self.more = Control("ghost", "", "more", tip=tr("Narrow to one conversation, export, verify"))
        self.told = Told()
        self.deeds = Deeds(session, inspector, self.told, self)
        self.rows = Rows(session)
        self.table, self.model = self.rows.table, self.rows.model
        self._furnish()
        self._wire()

    def _furnish(self) -> None:
        content = QWidget()
        content.setLayout(column(self.filters.brush, rule(), self.told, self.rows, gap=0))
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
        self.rows.newer_asked.connect(self.reload)
        self.rows.nothing.step_taken.connect(self.show_everything)
        self.filters.changed.connect(self.reload)
        self.filters.words.textChanged.connect(lambda _: self.ask_soon())
        self.filters.left.connect(self.table.setFocus)
        self.more.clicked.connect(lambda: self.open_more())

    # What is asked.

    def select(self, id: str) -> None:
        """Show only the events of one memory or of one run; with an empty id, all events."""
        if id.startswith(RUN_ID):
            self.filters.show_everything()
            self.filters.show_run(id)
        else:
            self.filters.show_memory(id)

    def search(self, text: str) -> None:
        """Search the events for words."""
        self.filters.search(text)

    def show_everything(self) -> None:
        """Remove every filter."""
        self.told.hide()
        self.filters.show_everything()

    def concerned(self, event: FeedEvent) -> bool:
        """Return True: every event belongs in the timeline."""
        return True

    # What more can be done.

    def open_more(self) -> None:
        """Open the menu of further actions, below its button."""
        menu = self.more_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height() + 2)))

    def more_menu(self) -> QMenu:
        """Return the menu of further actions, for the current row."""
        menu = QMenu(self)
        event = self.table.record()
        run = event.run if event is not None else None
        menu.addAction(tr("One conversation, session or user…"), self.filters.seek_scope)
        whole = menu.addAction(tr("The whole run of this change"), lambda: self.filters.show_run(run or ""))
        whole.setEnabled(run is not None)
        before = menu.addAction(
            tr("Restore the desk as of before this…"),
            lambda: self.inspector.navigated.emit("backups", event.at.isoformat() if event else ""),
        )
        before.setEnabled(event is not None)
        menu.addSeparator()
        save = menu.addAction(
            tr("Export %Ln event(s)…", "", self.rows.total),
            lambda: self.deeds.ask_where(self.rows.pinned(), self.rows.total),
        )
        save.setEnabled(self.rows.total > 0)
        menu.addAction(tr("Verify the desk"), self.deeds.verify)
        return menu

    # Loading.

    async def load(self) -> None:
        """Load rows first, then counts: a frequent word takes longer to count than to find.

        If a person has scrolled down, the rows stay in place; newer ones are announced by a button."""
        ask = self.filters.ask()
        reading, is_new = self.rows.is_read(ask), ask != self.rows.asked
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
            self.rows.show_newer(page.total)
        else:
            self.rows.show_page(ask, page)
        self._tell_of_run(ask, page)
        self.show_content()
        if is_new:
            self.say(tr("%Ln event(s)", "", page.total))
        await self._count(page)

    async def _count(self, page: HistoryPage) -> None:
        """Load the bars and the counts of the operations, then show the total next to the title."""
        range = self.filters.brush.range()
        everything = await self._counts(EVERYTHING, page.total)
        chosen = everything if range == EVERYTHING else await self._counts(range, page.total)
        self.filters.show_counts(everything, chosen)
        most = sum(everything.by_operation.values())
        if page.total != most:
            said = tr("{total} of %Ln event(s)", "", most, total=f"{page.total:,}")
        else:
            said = tr("%Ln event(s) since {day}", "", most, day=times.day(everything.start))
        if page.unsearched:
            said += tr("; %Ln older event(s) not indexed yet", "", page.unsearched)
            self.reload_soon(INDEXED_MS)
        self.say(said)

    async def _counts(self, range: Range, total: int) -> Histogram:
        """Return the counts, loaded in pieces from the newest on and shown as they grow; cancelling the load
        stops it."""
        ask = replace(self.filters.ask_counts(range), limit=max(COUNTED_AT_ONCE, total // PIECES_AT_MOST))
        counts = await self.session.call(history.HISTOGRAM, ask)
        while counts.below is not None:
            self.filters.show_counts(counts, counts)
            more = await self.session.call(history.HISTOGRAM, replace(ask, before=counts.below))
            counts = counts.with_older(more)
        return counts

    def _tell_of_run(self, ask: AskHistory, page: HistoryPage) -> None:
        if ask.run == self._told_run:
            return
        self._told_run = ask.run
        if ask.run is None:
            self.told.hide()
        elif page.rows:
            self.filters.scopes.call("run", page.rows[0].author.partition(":")[2])
            self.deeds.offer_run(page)

    def _show_chosen(self) -> None:
        """Show the chosen row in the inspector, also on a click on the already chosen row, in case the
        inspector is closed."""
        event = self.table.record()
        if event is not None:
            self.inspector.show_event(event.id)

    async def _open(self, event: EventRow) -> None:
        """Show the memory that an event is about."""
        detail = await self.session.call(history.EVENT, AskEvent(id=event.id))
        record = opens((*detail.records, *detail.returned))
        if record is not None:
            self.inspector.links.record(record)
