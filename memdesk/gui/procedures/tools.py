"""Tools: a table of their success by task type, and the use by day and the calls of the selected tool."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut

from memdesk.contract import procedures
from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.gui.procedures.strategies import Keep
from memdesk.gui.procedures.tool_aside import ToolAside
from memdesk.gui.procedures.tool_rows import ToolRow, columns, tool_rows
from memdesk.gui.session import Session
from memdesk.gui.widgets import RowsModel, Splitter, Table
from memdesk.model.procedures import (
    AskToolDays,
    AskToolSpread,
    AskToolStats,
    ListToolCalls,
    ToolCallRow,
    ToolSpreadList,
    ToolStatsList,
)

ASIDE_PX = 380
STACKS_BELOW_PX = 720
"""Panel width below which the details are placed under the list."""
CALLS_AT_ONCE = 100


class Tools(Splitter):
    """Table with the selected tool. keep: preserves selection and scroll position while the rows are
    replaced."""

    def __init__(self, session: Session, keep: Keep) -> None:
        self._session, self._keep = session, keep
        self._stats, self._spread = ToolStatsList(rows=()), ToolSpreadList(of_latest=0, rows=())
        self._sort, self._text, self._wanted = ("calls", True), "", ""
        self._calls: tuple[ToolCallRow, ...] = ()
        self._next: str | None = None
        self._asked: ListToolCalls | None = None
        self._task: asyncio.Task[None] | None = None
        self.model: RowsModel[ToolRow] = RowsModel(columns())
        self.table = Table(self.model, name=tr("Tools"))
        self.aside = ToolAside()
        self.aside.setMinimumWidth(320)
        super().__init__(self.table, self.aside, stacks_below=STACKS_BELOW_PX)
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 0)
        self.setSizes([900, ASIDE_PX])
        self.table.picked.connect(lambda _: self._fetch())
        self.table.sort_asked.connect(self._sort_by)
        self.aside.turned.connect(self._fetch)
        self.aside.more_asked.connect(self._ask_more)
        key = QShortcut(QKeySequence("C"), self.aside.calls, context=Qt.ShortcutContext.WidgetShortcut)
        key.activated.connect(lambda: self.aside.acts.press("talk"))

    # Loading.

    async def load(self, *, text: str) -> int:
        """Fetch the statistics of the tools; return the number of tools with this text in their name or a
        task type."""
        channels = self._session.channels
        self._stats, self._spread = await asyncio.gather(
            self._session.call(procedures.TOOL_STATS, AskToolStats(channels=channels)),
            self._session.call(procedures.TOOL_SPREAD, AskToolSpread(channels=channels)),
        )
        self._text = text.casefold()
        return self._show()

    def _show(self) -> int:
        by, descending = self._sort
        found = [
            tool for tool in self._stats.rows
            if self._text in tool.tool_name.casefold()
            or any(self._text in use.task_type.casefold() for use in tool.by_task)
        ]  # fmt: skip
        rows = tool_rows(found, self._spread.rows, by, descending=descending)
        with self._keep(self.table):
            self.model.set_rows(rows)
        self.table.show_sort(by, descending=descending)
        wanted, self._wanted = self._wanted, ""
        if wanted and self.select(wanted):
            return len(found)
        if self.table.record() is None and rows:
            self.table.choose(0)
        self._fetch()
        return len(found)

    def _sort_by(self, by: str, descending: bool) -> None:
        self._sort = (by, descending)
        self._show()

    def select(self, tool: str) -> bool:
        """Select a tool by name, and return True if it is shown; otherwise it is selected as soon as it is
        loaded."""
        place = next((n for n, row in enumerate(self.model.rows()) if row.id == tool), None)
        if place is None:
            self._wanted = tool
            return False
        self.table.choose(place)
        return True

    # The chosen tool.

    def _fetch(self) -> None:
        if self._task is not None:
            self._task.cancel()
        chosen: ToolRow | None = self.table.record()
        if chosen is None:
            self.aside.show_nothing()
        else:
            self.aside.show_tool(chosen, self._spread.of_latest)
            self._task = self._session.spawn(self._show_one(chosen))

    async def _show_one(self, chosen: ToolRow) -> None:
        days = self.aside.span.value()
        assert isinstance(days, int)
        asked = ListToolCalls(
            channels=self._session.channels, tool_name=chosen.tool_name, task_type=chosen.task_type or "",
            success=False if self.aside.which.value() == "failed" else None, limit=CALLS_AT_ONCE,
        )  # fmt: skip
        same = asked == self._asked
        # Who has read on reads as far again.
        wanted = max(CALLS_AT_ONCE, len(self._calls)) if same else CALLS_AT_ONCE
        by_day, page = await asyncio.gather(
            self._session.call(
                procedures.TOOL_DAYS,
                AskToolDays(
                    tool_name=chosen.tool_name, task_type=chosen.task_type, channels=self._session.channels,
                    days=days, utc_offset_minutes=times.offset_minutes(),
                ),
            ),
            self._session.call(procedures.INVOCATIONS, replace(asked, limit=min(1000, wanted))),
        )  # fmt: skip
        self._asked, self._calls, self._next = asked, page.rows, page.next
        self.aside.show_days(by_day.rows)
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
