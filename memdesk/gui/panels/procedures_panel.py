"""Tools and strategies: their success rates, the conversations that show them, and actions on them."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from memdesk.api import procedures
from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.procedures.strategies_view import Strategies
from memdesk.gui.panels.procedures.tool_views import ToolDetail, ToolRow, columns, tool_rows
from memdesk.gui.session import Session
from memdesk.gui.shell.record_panel import RecordPanel, Records
from memdesk.gui.widgets import Control, RowsModel, Segments, Table, pages
from memdesk.model.history import FeedEvent
from memdesk.model.tool_call import (
    AskToolDays,
    AskToolSpread,
    AskToolStats,
    ListToolCalls,
    ToolCallRow,
    ToolSpreadList,
    ToolStatsList,
)

DETAIL_PX, DETAIL_LEAST_PX = 380, 320
CALLS_AT_ONCE = 100


class Tools(Records):
    """Table of tools with the selected one."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._stats, self._spread = ToolStatsList(rows=()), ToolSpreadList(of_latest=0, rows=())
        self._sort, self._text = ("calls", True), ""
        self._calls: tuple[ToolCallRow, ...] = ()
        self._next: str | None = None
        self._asked: ListToolCalls | None = None
        self.model: RowsModel[ToolRow] = RowsModel(columns())
        self.aside = ToolDetail(session)
        table = Table(self.model, name=tr("Tools"))
        super().__init__(
            session, table, self.aside, self._show_one, detail_px=DETAIL_PX, detail_least=DETAIL_LEAST_PX
        )
        self.table.sort_asked.connect(self._sort_by)
        self.aside.turned.connect(lambda: self.show_record(self.table.record()))
        self.aside.more_asked.connect(self._ask_more)

    async def load(self, *, text: str) -> int:
        """Fetch the statistics of the tools; return the number of tools with this text in their name or a
        task type."""
        channels = self._session.channels
        self._stats, self._spread = await asyncio.gather(
            self._session.call(procedures.TOOL_STATS, AskToolStats(channels=channels)),
            self._session.call(procedures.TOOL_SPREAD, AskToolSpread(channels=channels)),
        )
        self._text = text.casefold()
        return self._sort_by(*self._sort)

    def _sort_by(self, by: str, descending: bool) -> int:
        self._sort = (by, descending)
        found = [
            tool
            for tool in self._stats.rows
            if self._text in tool.tool_name.casefold()
            or any(self._text in use.task_type.casefold() for use in tool.by_task)
        ]
        self.table.show_sort(by, descending=descending)
        self.show_rows(tool_rows(found, self._spread.rows, by, descending=descending))
        return len(found)

    # The chosen tool.

    async def _show_one(self, chosen: ToolRow) -> None:
        self.aside.show_tool(chosen, self._spread.of_latest)
        days = self.aside.span.value()
        assert isinstance(days, int)
        asked = ListToolCalls(
            channels=self._session.channels,
            tool_name=chosen.tool_name,
            task_type=chosen.task_type or "",
            success=False if self.aside.which.value() == "failed" else None,
            limit=CALLS_AT_ONCE,
        )
        same = asked == self._asked
        # Who has read on reads as far again.
        wanted = max(CALLS_AT_ONCE, len(self._calls)) if same else CALLS_AT_ONCE
        ask_days = AskToolDays(
            tool_name=chosen.tool_name,
            task_type=chosen.task_type,
            channels=self._session.channels,
            days=days,
            utc_offset_minutes=formatting.offset_minutes(),
        )
        by_day, page = await asyncio.gather(
            self._session.call(procedures.TOOL_DAYS, ask_days),
            self._session.call(procedures.INVOCATIONS, replace(asked, limit=min(1000, wanted))),
        )
        self._asked, self._calls, self._next = asked, page.rows, page.next
        self.aside.days.show_days(by_day.rows)
        self.aside.show_calls(self._of_task(chosen), more=self._next is not None)
        if not same:
            self.aside.calls.scrollToTop()

    def _of_task(self, chosen: ToolRow) -> list[ToolCallRow]:
        """Return the calls of the task type. An unnamed task type cannot be filtered by the service, so it is
        filtered here."""
        return [
            call for call in self._calls if chosen.task_type is None or call.task_type == chosen.task_type
        ]

    def _ask_more(self) -> None:
        after, self._next = self._next, None
        if after is not None and self._asked is not None:
            self._session.spawn(self._fetch_more(replace(self._asked, after=after)))

    async def _fetch_more(self, asked: ListToolCalls) -> None:
        page = await self._session.call(procedures.INVOCATIONS, asked)
        chosen: ToolRow | None = self.table.record()
        if chosen is None or self._asked != replace(asked, after=""):
            return
        self._calls, self._next = (*self._calls, *page.rows), page.next
        self.aside.show_calls(self._of_task(chosen), more=self._next is not None)


PAGES = (("strategies", marked("Strategies")), ("tools", marked("Tools")))
STATES = (("current", marked("Current")), ("retired", marked("Retired")))
KINDS = {"strategies": {"strategy", "outcome"}, "tools": {"tool_call"}}


class ProceduresPanel(RecordPanel):
    """Two pages: strategies, and tools. Each is a table with details of the chosen row at its right."""

    name = "procedures"
    kinds = ("strategy", "outcome", "tool_call")
    unsaved_words = marked("the correction of a strategy")

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._tool = ""
        self.page = Segments([(value, tr(says)) for value, says in PAGES], "strategies", name=tr("What"))
        self.states = Segments([(value, tr(says)) for value, says in STATES], "current", name=tr("Which"))
        self.using = Control("button", "", "cross", tip=tr("Show strategies with any tools"))
        self.records = self.strategies = Strategies(session)
        self.tools = Tools(session)
        self.pages = pages(self.strategies, self.tools)
        actions = (self.using, self.page, self.states, self.search_field(tr("Filter")))
        self.lay_out(
            self.pages, focus=self.strategies.table, actions=actions, skeleton=(0.4, 0.12, 0.16, 0.1)
        )
        self.using.hide()
        self.page.chosen.connect(lambda _: self._turn())
        self.states.chosen.connect(lambda _: self.reload())
        self.using.clicked.connect(lambda: self._use(""))
        self.strategies.table.opened.connect(lambda row: self.inspector.show_memory(row.id))
        self.strategies.aside.led.connect(self._show_tool)
        self.tools.table.opened.connect(lambda row: self._use(row.tool_name))
        self.tools.aside.led.connect(self.inspector.show_memory)
        for aside in (self.strategies.aside, self.tools.aside):
            aside.talked.connect(lambda id: self.inspector.navigated.emit("conversations", id))

    @property
    def _shows_tools(self) -> bool:
        return self.page.value() == "tools"

    def _turn(self) -> None:
        part: Records = self.tools if self._shows_tools else self.strategies
        self.pages.setCurrentWidget(part)
        self.setFocusProxy(part.table)
        self.states.setVisible(not self._shows_tools)
        self.using.setVisible(bool(self._tool) and not self._shows_tools)
        self.reload()

    def _show_tool(self, tool: str) -> None:
        """Show a tool, for a link from a strategy."""
        self.page.set_value("tools")
        self.filter.clear()
        self.tools.table.select(tool)
        self._turn()
        self.tools.table.setFocus()

    def _use(self, tool: str) -> None:
        """Show the strategies that use a tool; empty for all."""
        self._tool = tool
        self.using.setText(tr("with {tool}", tool=tool))
        self.page.set_value("strategies")
        self._turn()

    # Loading.

    def concerned(self, event: FeedEvent) -> bool:
        """Return True if the event changed a record of the shown page."""
        return bool(KINDS[str(self.page.value())] & set(event.kinds))

    async def load(self) -> None:
        """Load the shown page; the chosen row stays chosen."""
        text = self.sought
        if self._shows_tools:
            number = await self.tools.load(text=text)
            self.say(tr("%Ln tool(s)", "", number))
        else:
            state = str(self.states.value())
            number = await self.strategies.load(text=text, tool=self._tool, state=state)
            many = tr("%Ln strateg(y|ies)", "", number)
            self.say(tr("{many}, older ones are not shown", many=many) if self.strategies.is_cut else many)
        if number or (not self._shows_tools and self.strategies.aside.stack.form is not None):
            self.show_content()
        else:
            self._show_none()

    def _show_none(self) -> None:
        states = not self._shows_tools and self.states.value() != "current"
        if self.sought or self._tool or self.is_filtered or states:
            self.show_empty(
                tr("Nothing is like this."), step=tr("Show everything"), take=self._show_everything
            )
        elif self._shows_tools:
            self.show_empty(
                tr("No tool was called yet."),
                tr("An agent that is connected records each call as it makes it."),
                step=tr("Show strategies"),
                take=lambda: self._use(""),
            )
        else:
            self.show_empty(
                tr("No strategies yet."),
                tr("A job learns them from work that went well, and agents tell them."),
                step=tr("Show tools"),
                take=lambda: self._show_tool(""),
            )

    def _show_everything(self) -> None:
        self._tool = ""
        self.using.hide()
        self.filter.clear()
        self.states.set_value("current")
        self.show_all()
        self.reload()

    def select(self, id: str) -> None:
        """Show a strategy by its id; the filters are removed."""
        self._tool = ""
        self.page.set_value("strategies")
        self.filter.clear()
        self.strategies.table.select(id)
        self._turn()

    @property
    def at(self) -> str:
        """The chosen strategy; empty on the page of tools."""
        return "" if self._shows_tools else super().at

    # The window's letters.

    def act(self, action: str) -> bool:
        """Apply the window's E, I and Del to the chosen strategy. Returns True for every letter."""
        if not self._shows_tools:
            self.strategies.press(action)
        return True

    def step_back(self) -> bool:
        """Close the form, or else remove the filter by tool; returns False if there was neither."""
        if super().step_back():
            return True
        if self._tool:
            self._use("")
            return True
        return False
