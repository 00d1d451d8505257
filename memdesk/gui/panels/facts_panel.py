"""Facts table, also for entities, goals and strategies: filter, sort, choose many rows, and change them
together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent

from memdesk.api import curation, memory
from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.keys import on_key
from memdesk.gui.language import tr
from memdesk.gui.panels.facts.bulk_sheet import ACTS, BAR_PX, BulkSheet, Chosen
from memdesk.gui.panels.facts.facts_table import FactsTable, Filters
from memdesk.gui.session import Session
from memdesk.gui.shell.record_panel import RecordPanel
from memdesk.gui.terms import counted, filter_words, plural
from memdesk.gui.widgets import Empty, WindowedModel, column, laid_out, pages
from memdesk.gui.widgets.windowed import PAGE_ROWS
from memdesk.model.curation import ListTags
from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT
from memdesk.model.history import FeedEvent
from memdesk.model.kinds import BY_NAME, TABLED
from memdesk.model.message import verbatim
from memdesk.model.timeline import AskTable, TablePage, TableRow

WINDOW_KEYS = ("promote", "pin", "quarantine", "retire")
"""Actions whose window letters apply to all chosen rows here."""


class FactsPanel(RecordPanel):
    """Table of all memories of one kind."""

    name = "facts"

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._asked: AskTable | None = None
        self._newest = 0
        self._mine: set[str] = set()
        self._left = ("", 0)
        self.filters = Filters()
        self.tables = {
            kind.name: FactsTable(kind.name, plural(kind.name), session, self._fetch) for kind in TABLED
        }
        self.chosen = Chosen()
        self.sheet = BulkSheet(session)
        self._nothing = Empty(tr("Nothing matches."), "", step=tr("Show everything"))
        self.chosen.hide()
        self.sheet.hide()
        self._nothing.setContentsMargins(5, 0, 5, 0)
        self._rows = pages(*self.tables.values(), self._nothing)
        content = laid_out(column(self._rows, self.sheet, self.chosen, gap=0, stretch=self._rows))
        self.lay_out(
            content,
            focus=self.table,
            filters=self.filters.bar,
            actions=(self.search_field(tr("Filter"), 220),),
            skeleton=(0.5, 0.12, 0.06, 0.08, 0.08),
            divided=False,
        )
        self._wire()

    @property
    def table(self) -> FactsTable:
        return self.tables[self.filters.kind]

    @property
    def model(self) -> WindowedModel[TableRow]:
        return self.table.windowed

    def _wire(self) -> None:
        for table in self.tables.values():
            table.picked.connect(self._pick)
            # A click on the row that is chosen already opens an inspector that was closed.
            table.clicked.connect(lambda _: self._pick(row) if (row := self.table.record()) else None)
            table.opened.connect(lambda row: self.inspector.show_memory(row.id))
            table.gathered.connect(self._show_chosen)
            table.sort_asked.connect(self._sort)
        self.filters.changed.connect(self._narrow)
        self.chosen.asked.connect(self.begin)
        self.chosen.cleared.connect(self.choose_nothing)
        self.chosen.refused.connect(lambda why: self.session.failed.emit(BadAsk(verbatim(why))))
        self.sheet.closed.connect(self._close_sheet)
        self.sheet.done.connect(self._finish)
        self._nothing.step_taken.connect(self.show_everything)
        tables = self.tables.values()
        for act in ACTS:
            if act.verb not in WINDOW_KEYS:
                on_key(act.key, partial(self._press, act.verb), *tables)
        on_key("S", self._sort_next, *tables)
        on_key("Shift+S", lambda: self._sort(self.filters.sort[0], not self.filters.sort[1]), *tables)

    def _press(self, verb: str) -> None:
        """Act on the rows that are chosen, or on the one that has the keyboard."""
        at = self.table.currentIndex()
        if not self.table.number_chosen() and at.isValid():
            self.table.selectRow(at.row())
        self.chosen.press(verb)

    def show_away(self, why_not: str) -> None:
        self._show_chosen()

    # What is asked.

    def search(self, text: str) -> None:
        self.filters.show_everything()
        self.filter.setText(text)

    def show_everything(self) -> None:
        """Remove every filter."""
        self.filter.clear()
        self.filters.show_everything()
        self.show_all()

    def concerned(self, event: FeedEvent) -> bool:
        """Return True for recalls, and for changes to a record of the shown kind, a tag or an outcome."""
        return event.op == "recall" or bool({self.filters.kind, "tag", "outcome"} & set(event.kinds))

    def _hear(self, events: tuple[FeedEvent, ...]) -> None:
        """Note which records this person changed: if the chosen one leaves the table, the next one is chosen."""
        for event in events:
            if event.author == f"person:{self.session.person}":
                self._mine.update(event.records)
        self._go_on()
        super()._hear(events)

    def _ask(self) -> AskTable:
        here = AskTable(channels=self.session.channels, agents=self.session.agents, text=self.sought)
        return self.filters.ask(here)

    def _sort(self, sort: str, descending: bool) -> None:
        self.filters.sort_by(sort, descending)

    def _sort_next(self) -> None:
        """Sort by the next sortable column."""
        sorts = [(each.sort, each.flush_right) for each in self.model.columns if each.sort]
        place = next((place for place, (sort, _) in enumerate(sorts) if sort == self.filters.sort[0]), -1)
        self._sort(*sorts[(place + 1) % len(sorts)])

    def _narrow(self) -> None:
        self.table.fit(self.width(), self.filters.sort[0])
        self.setFocusProxy(self.table)
        self.filter.setPlaceholderText(filter_words(self.filters.kind))
        self.choose_nothing()
        self.reload()

    # Loading.

    async def load(self) -> None:
        """Load the rows; if a person has scrolled or chosen rows, they stay and newer ones are announced by a
        button."""
        ask = self._ask()
        reading = ask == self._asked and bool(self.table.is_in_use or self.table.ranges())
        held = replace(ask, upto=self._newest) if reading else ask
        page, every, tags = await asyncio.gather(
            self.session.call(memory.TABLE, replace(held, limit=PAGE_ROWS)),
            # From the second row on: what can be chosen is counted with the first page alone.
            self.session.call(memory.TABLE, replace(_unfiltered(ask), first=1, limit=1)),
            self.session.call(curation.TAGS, ListTags()),
        )
        came = 0
        if reading:
            came = (await self.session.call(memory.TABLE, replace(ask, first=1, limit=1))).total - page.total
        self.filters.show_answer(page, tags)
        self._show_total(page.total + came, every.total)
        if every.total or ask.state != "current" or self.filter.text():
            self._show_rows(ask, page)
            self.table.newer.say(came)
            self.show_content()
        else:
            self._show_unfilled()

    def _show_unfilled(self) -> None:
        kind = self.filters.kind
        if self.is_filtered:
            self.show_empty(
                tr("There is nothing here."),
                tr("The channels and agents of the top bar leave nothing."),
                step=tr("Show all channels and agents"),
                take=self.show_everything,
            )
        elif kind == FACT.name:
            self.show_unfilled(*map(tr, FACT.none_yet))
        else:
            none, says = map(tr, BY_NAME[kind].none_yet)
            self.show_empty(none, says, step=tr("Show facts"), take=lambda: self.filters.show_kind(FACT.name))

    async def _fetch(self, first: int, limit: int) -> Sequence[TableRow]:
        """Return a page of the rows without newer ones, which would shift them."""
        asked = self._asked or self._ask()
        page = await self.session.call(
            memory.TABLE, replace(asked, upto=self._newest, first=first, limit=limit)
        )
        return page.rows

    def _show_total(self, total: int, every: int) -> None:
        whole = counted(self.filters.kind, every)
        self.say(
            whole if total == every else tr("{shown} of {whole}", shown=formatting.count(total), whole=whole)
        )

    def _show_rows(self, ask: AskTable, page: TablePage) -> None:
        table, model = self.table, self.model
        keep = ask == self._asked
        same_rows = keep and (page.newest, page.total) == (self._newest, model.rowCount())
        self._asked, self._newest = ask, page.newest
        table.show_sort(ask.sort, descending=ask.descending)
        if same_rows:
            model.refresh()
        else:
            current, place = table.record(), table.currentIndex().row()
            table.replace(page, keep=keep)
            if current is not None:
                self._left = current.id, place
            self._go_on()
        self._rows.setCurrentWidget(table if page.total else self._nothing)
        self._show_chosen()

    def _go_on(self) -> None:
        """Choose the row in the place of the last chosen one, if this person made that leave the table. The rows may
        arrive before it is known who changed them."""
        left, place = self._left
        if left in self._mine and self.model.rowCount() and not self.table.ranges():
            self._mine.discard(left)
            self._left = ("", 0)
            self.table.choose(min(place, self.model.rowCount() - 1))

    def bring_in(self) -> None:
        """Show the newer rows, and choose none."""
        self.choose_nothing()
        self._asked = None
        self.reload()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide columns if they leave no space for the text."""
        super().resizeEvent(event)
        self.table.fit(self.width(), self.filters.sort[0])

    # What is chosen.

    def _pick(self, row: TableRow) -> None:
        """Show a row in the inspector. While several rows are chosen, a closed inspector stays closed."""
        if self.table.number_chosen() <= 1 or self.inspector.isVisible():
            self.inspector.show_memory(row.id)

    def _show_chosen(self) -> None:
        number = self.table.number_chosen()
        self.chosen.setVisible(number > 0 and self.sheet.isHidden())
        if number:
            held = self.table.held() if number <= PAGE_ROWS else []
            self.chosen.show_chosen(
                number,
                self.filters.kind,
                unpins=bool(held) and all(row.pinned for row in held),
                retired=self.filters.ask(AskTable()).state in ("retired", "quarantined"),
                why_not=self.session.why_not,
            )

    def choose_nothing(self) -> None:
        """Clear the choice of rows and close the preview."""
        for table in self.tables.values():
            table.choose_nothing()
        self._left = ("", 0)
        self._close_sheet(focus=False)

    def act(self, action: str) -> bool:
        """Apply one of the window's letters to all chosen rows; returns False for one row that the inspector shows."""
        least = 2 if self.inspector.isVisible() else 1
        if action not in WINDOW_KEYS or self.table.number_chosen() < least:
            return False
        self.chosen.press(action)
        return True

    @property
    def foot_px(self) -> int:
        return BAR_PX

    def step_back(self) -> bool:
        """Close the preview, or else clear the choice of rows; returns False if there was neither."""
        if self.sheet.isVisible():
            self.sheet.leave()
            return True
        if self.table.number_chosen() > 1:
            self.choose_nothing()
            return True
        return False

    def begin(self, verb: str) -> None:
        """Preview an action on the chosen rows. What a single one is to be merged into, the inspector asks."""
        row = self.table.record()
        if verb == "merge" and self.table.number_chosen() == 1 and row is not None:
            self.inspector.show_memory(row.id)
            self.inspector.press(verb)
        else:
            self.session.spawn(self._begin(verb))

    async def _begin(self, verb: str) -> None:
        rows = await self.table.chosen()
        if verb == "pin" and rows and all(row.pinned for row in rows):
            verb = "unpin"
        self.chosen.hide()
        self.sheet.show()
        self.sheet.open(verb, self.filters.kind, rows)

    def _close_sheet(self, *, focus: bool = True) -> None:
        had_focus = focus and self.sheet.isVisible()
        self.sheet.hide()
        self._show_chosen()
        if had_focus:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _finish(self) -> None:
        self._close_sheet()
        self.choose_nothing()
        self.reload()


def _unfiltered(ask: AskTable) -> AskTable:
    """Return a request for the same kind, channels and agents without other filters: the total in “31 of
    2,418”."""
    return AskTable(kind=ask.kind, channels=ask.channels, agents=ask.agents)
