"""Facts table, also for entities, goals and strategies: filter, sort, choose many rows, and change them
together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from memdesk.api import curation, memory
from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.facts.bulk_sheet import Sheet
from memdesk.gui.panels.facts.facts_filters import Filters
from memdesk.gui.panels.facts.facts_table import FactsTable
from memdesk.gui.session import Session
from memdesk.gui.shell.panel import Panel
from memdesk.gui.terms import counted, filter_words, plural
from memdesk.gui.widgets import Control, Empty, Field, Ground, Skeleton, Text, WindowedModel, column, row
from memdesk.gui.widgets.windowed import PAGE_ROWS
from memdesk.model.curation import ListTags
from memdesk.model.fact import FACT
from memdesk.model.history import FeedEvent
from memdesk.model.kinds import BY_NAME, TABLED
from memdesk.model.timeline import AskTable, TablePage, TableRow

HEIGHT_PX = 44
KEYS_FROM_PX = 860
"""Width from which the bar shows key caps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Action for many memories. kinds: the kinds it applies to; key: its keyboard shortcut."""

    verb: str
    says: str
    icon: str
    key: str

    def fits(self, kind: str) -> bool:
        """Return True if records of this kind can be acted on so."""
        return self.verb in BY_NAME[kind].acts


ACTS = (
    Act(verb="promote", says=marked("Promote"), icon="promote", key="P"),
    Act(verb="pin", says=marked("Pin"), icon="pin", key="I"),
    Act(verb="tag", says=marked("Tag"), icon="edit", key="T"),
    Act(verb="move", says=marked("Move"), icon="right", key="C"),
    Act(verb="merge", says=marked("Merge"), icon="merge", key="M"),
    Act(verb="quarantine", says=marked("Quarantine"), icon="lock", key="Q"),
    Act(verb="retire", says=marked("Retire"), icon="retire", key="Del"),
    Act(verb="restore", says=marked("Restore"), icon="undo", key="R"),
)
"""Actions in the order of the bar."""


class Chosen(Ground):
    """Bar for the selected rows. Signals: asked carries the verb that was pressed; cleared asks to clear the
    selection."""

    asked = Signal(str)
    cleared = Signal()

    def __init__(self) -> None:
        self._count = Text("", 12, "t1", weight=600)
        self.buttons = {act.verb: Control("button", tr(act.says), act.icon, keys=act.key) for act in ACTS}
        self.clear = Control("ghost", tr("Choose nothing"), keys="Esc")
        super().__init__(
            "panel",
            "top",
            row(self._count, 8, *self.buttons.values(), None, self.clear, margins=(20, 0, 20, 0)),
            height=HEIGHT_PX,
        )
        self.setAccessibleName(tr("What is chosen"))
        for verb, button in self.buttons.items():
            button.clicked.connect(lambda _=False, verb=verb: self.asked.emit(verb))
        self.clear.clicked.connect(lambda: self.cleared.emit())

    def show_chosen(self, number: int, kind: str, *, unpins: bool, retired: bool, away: bool) -> None:
        """Show the actions for `number` selected rows. unpins: all are pinned; retired: the table shows
        retired rows."""
        self._count.setText(tr("%Ln chosen", "", number))
        for act in ACTS:
            button = self.buttons[act.verb]
            button.setVisible(act.fits(kind) and (act.verb == "restore") == retired)
            button.set_enabled(not away, tr("The service is away; nothing can be changed."))
        self.buttons["pin"].setText(tr("Unpin") if unpins else tr("Pin"))
        self.buttons["merge"].set_enabled(
            number > 1 and not away, tr("Choose the memories that are one, two or more.")
        )

    def press(self, verb: str) -> None:
        """Click the button of a verb if it is visible and enabled."""
        button = self.buttons.get(verb)
        if button is not None and button.isVisible():
            button.click()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the key caps if the buttons need the space."""
        super().resizeEvent(event)
        for act in ACTS:
            self.buttons[act.verb].label.keys = act.key if self.width() >= KEYS_FROM_PX else ""
            self.buttons[act.verb].updateGeometry()


WINDOW_KEYS = ("promote", "pin", "quarantine", "retire")
"""Actions whose window letters apply to all chosen rows here."""


class FactsPanel(Panel):
    """Table of all memories of one kind."""

    name, title, icon = "facts", marked("Facts"), "facts"

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._asked: AskTable | None = None
        self._newest, self._came = 0, 0
        self.filters = Filters()
        self.filter = Field(placeholder=tr("Filter"), icon="search", keys="/", quiet=True, width=220)
        self.newer = Control("primary", "", "up", small=True, tip=tr("Bring them in"))
        self.tables = {
            kind.name: FactsTable(kind.name, plural(kind.name), session, self._fetch) for kind in TABLED
        }
        self.chosen = Chosen()
        self.sheet = Sheet(session)
        self._nothing = Empty(tr("Nothing matches."), "", step=tr("Show everything"))
        self._furnish()
        self._wire()

    @property
    def table(self) -> FactsTable:
        """The shown table."""
        return self.tables[self.filters.kind]

    @property
    def model(self) -> WindowedModel[TableRow]:
        """Model of the shown table."""
        return self.table.windowed

    def _furnish(self) -> None:
        self.newer.hide()
        self.chosen.hide()
        self.sheet.hide()
        self._nothing.setContentsMargins(5, 0, 5, 0)
        self._rows = QStackedWidget()
        for part in (*self.tables.values(), self._nothing):
            self._rows.addWidget(part)
        self.newer.setParent(self._rows)
        content = QWidget()
        layout = column(self._rows, self.sheet, self.chosen, gap=0)
        layout.setStretchFactor(self._rows, 1)
        content.setLayout(layout)
        wait = Skeleton(rows=16, shares=(0.5, 0.12, 0.06, 0.08, 0.08))
        self.furnish(
            content,
            filters=self.filters.bar,
            actions=(self.filter,),
            filter_field=self.filter,
            skeleton=wait,
            divided=False,
        )
        self.setFocusProxy(self.table)

    def _wire(self) -> None:
        for table in self.tables.values():
            table.picked.connect(self._pick)
            table.opened.connect(lambda row: self.inspector.show_memory(row.id))
            table.gathered.connect(self._show_chosen)
            table.sort_asked.connect(self._sort)
        self.filters.changed.connect(self._narrow)
        self.filter.textChanged.connect(lambda _: self.ask_soon())
        self.newer.clicked.connect(self._bring_in)
        self.chosen.asked.connect(self.begin)
        self.chosen.cleared.connect(self.choose_nothing)
        self.sheet.closed.connect(self._close_sheet)
        self.sheet.done.connect(self._finish)
        self._nothing.step_taken.connect(self.show_everything)
        self.session.away.connect(lambda _: self._show_chosen())
        self.session.back.connect(self._show_chosen)
        for act in ACTS:
            if act.verb not in WINDOW_KEYS:
                self._key(act.key, partial(self.chosen.press, act.verb))
        self._key("S", self._sort_next)
        self._key("Shift+S", lambda: self._sort(self.filters.sort[0], not self.filters.sort[1]))

    def _key(self, keys: str, act: Callable[[], object]) -> None:
        for table in self.tables.values():
            table.add_key(keys, act)

    # What is asked.

    def search(self, text: str) -> None:
        """Search the titles for words."""
        self.filters.show_everything()
        self.filter.setText(text)

    def show_everything(self) -> None:
        """Remove every filter."""
        self.filter.clear()
        self.filters.show_everything()
        self.session.filter_channels(())
        self.session.filter_agents(())

    def concerned(self, event: FeedEvent) -> bool:
        """Return True for recalls, and for changes to a record of the shown kind, a tag or an outcome."""
        return event.op == "recall" or bool({self.filters.kind, "tag", "outcome"} & set(event.kinds))

    def _ask(self) -> AskTable:
        here = AskTable(
            channels=self.session.channels, agents=self.session.agents, text=self.filter.text().strip()
        )
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
        reading = ask == self._asked and bool(self.table.verticalScrollBar().value() or self.table.ranges())
        held = replace(ask, upto=self._newest) if reading else ask
        page, every, tags = await asyncio.gather(
            self.session.call(memory.TABLE, replace(held, limit=PAGE_ROWS)),
            # From the second row on: what can be chosen is counted with the first page alone.
            self.session.call(memory.TABLE, replace(_whole(ask), first=1, limit=1)),
            self.session.call(curation.TAGS, ListTags()),
        )
        came = 0
        if reading:
            came = (await self.session.call(memory.TABLE, replace(ask, first=1, limit=1))).total - page.total
        self.filters.show_answer(page, tags)
        self._show_total(page.total + came, every.total)
        if every.total or ask.state != "current" or self.filter.text():
            self._show_rows(ask, page)
            self._show_newer(came)
            self.show_content()
        else:
            self._show_unfilled()

    def _show_unfilled(self) -> None:
        kind = self.filters.kind
        if self.session.channels or self.session.agents:
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
            table.replace(page, keep=keep)
        self._rows.setCurrentWidget(table if page.total else self._nothing)
        self._show_chosen()

    def _show_newer(self, came: int) -> None:
        self._came = came
        self.newer.setVisible(came > 0)
        self.newer.setText(tr("%Ln new", "", came))
        self.newer.adjustSize()
        self.newer.move((self._rows.width() - self.newer.width()) // 2, 36)
        self.newer.raise_()

    def _bring_in(self) -> None:
        self.choose_nothing()
        self.table.scrollToTop()
        self._asked = None
        self.reload()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide columns if they leave no space for the text."""
        super().resizeEvent(event)
        self.table.fit(self.width(), self.filters.sort[0])
        self._show_newer(self._came)

    # What is chosen.

    def _pick(self, row: TableRow) -> None:
        """Show a row in the inspector. While several rows are chosen, a closed inspector stays closed."""
        if self.number_chosen() <= 1 or self.inspector.isVisible():
            self.inspector.show_memory(row.id)

    def number_chosen(self) -> int:
        """Return the number of chosen rows."""
        return self.table.number_chosen()

    def _show_chosen(self) -> None:
        number = self.number_chosen()
        self.chosen.setVisible(number > 0 and self.sheet.isHidden())
        if number:
            held = self.table.held() if number <= PAGE_ROWS else []
            self.chosen.show_chosen(
                number,
                self.filters.kind,
                unpins=bool(held) and all(row.pinned for row in held),
                retired=self.filters.ask(AskTable()).state in ("retired", "quarantined"),
                away=self.session.is_away,
            )

    def choose_nothing(self) -> None:
        """Clear the choice of rows and close the preview."""
        for table in self.tables.values():
            table.choose_nothing()
        self._close_sheet(focus=False)

    def act(self, action: str) -> bool:
        """Apply one of the window's letters to all chosen rows; returns False if fewer than two are chosen."""
        if action not in WINDOW_KEYS or self.number_chosen() < 2:
            return False
        self.chosen.press(action)
        return True

    def step_back(self) -> bool:
        """Close the preview, or else clear the choice of rows; returns False if there was neither."""
        if self.sheet.isVisible():
            self.sheet.leave()
            return True
        if self.number_chosen() > 1:
            self.choose_nothing()
            return True
        return False

    def begin(self, verb: str) -> None:
        """Preview an action on the chosen rows."""
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


def _whole(ask: AskTable) -> AskTable:
    """Return a request for the same kind, channels and agents without other filters: the total in “31 of
    2,418”."""
    return AskTable(kind=ask.kind, channels=ask.channels, agents=ask.agents)
