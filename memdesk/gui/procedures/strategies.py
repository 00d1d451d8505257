"""Strategies: a table that can be sorted and filtered, and the selected strategy with its actions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut

from memdesk.contract import curation, procedures
from memdesk.contract.endpoint import Endpoint
from memdesk.gui.deed import named
from memdesk.gui.language import tr
from memdesk.gui.procedures.strategy_aside import ACTS, StrategyAside
from memdesk.gui.procedures.strategy_columns import columns, ordered
from memdesk.gui.procedures.strategy_form import StrategyForm
from memdesk.gui.session import Session
from memdesk.gui.widgets import RowsModel, Splitter, Table
from memdesk.model.curation import Pin, Restore, Retire
from memdesk.model.procedures import (
    AskStrategy,
    EditStrategy,
    ListStrategies,
    ReinforceStrategy,
    StrategyRow,
)

ASIDE_PX = 360
STACKS_BELOW_PX = 720
"""Panel width below which the details are placed under the list."""
AT_ONCE, STRATEGIES_AT_MOST = 500, 2000
Keep = Callable[[Table], Any]


class Strategies(Splitter):
    """Table with the selected strategy. keep: preserves selection and scroll position while the rows are
    replaced."""

    def __init__(self, session: Session, keep: Keep) -> None:
        self._session, self._keep = session, keep
        self._sort = ("used", True)
        self._rows: tuple[StrategyRow, ...] = ()
        self._wanted = ""
        self.is_cut = False
        """True if there are more strategies than were loaded."""
        self._task: asyncio.Task[None] | None = None
        self.model: RowsModel[StrategyRow] = RowsModel(columns(session))
        self.table = Table(self.model, name=tr("Strategies"))
        self.aside = StrategyAside(session)
        self.aside.setMinimumWidth(300)
        super().__init__(self.table, self.aside, stacks_below=STACKS_BELOW_PX)
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 0)
        self.setSizes([900, ASIDE_PX])
        self.table.picked.connect(lambda row: self._fetch(row.id))
        self.table.sort_asked.connect(self._sort_by)
        self.aside.acts.asked.connect(self._act)
        self.aside.stack.closed.connect(lambda: self.table.setFocus(Qt.FocusReason.OtherFocusReason))
        for listed in (self.table, self.aside.details):
            for name, (_, _, keys) in ACTS.items():
                if name not in ("edit", "pin", "unpin", "retire"):
                    key = QShortcut(QKeySequence(keys), listed, context=Qt.ShortcutContext.WidgetShortcut)
                    key.activated.connect(lambda name=name: self.aside.acts.press(name))

    # Loading.

    async def load(self, *, text: str, tool: str, state: str) -> int:
        """Fetch the strategies with these words, this tool and this state; return their number."""
        rows: list[StrategyRow] = []
        after: str | None = ""
        while after is not None and len(rows) < STRATEGIES_AT_MOST:
            page = await self._session.call(
                procedures.STRATEGIES,
                ListStrategies(
                    channels=self._session.channels, text=text, tool_name=tool, state=state, after=after,
                    limit=AT_ONCE,
                ),
            )  # fmt: skip
            rows += page.rows
            after = page.next
        self.is_cut = after is not None
        agents = self._session.agents
        self._rows = tuple(row for row in rows if not agents or row.agent_id in agents)
        self._show()
        return len(self._rows)

    def _show(self) -> None:
        by, descending = self._sort
        rows = ordered(self._rows, by, descending=descending)
        with self._keep(self.table):
            self.model.set_rows(rows)
        self.table.show_sort(by, descending=descending)
        wanted, self._wanted = self._wanted, ""
        place = next((n for n, row in enumerate(rows) if row.id == wanted), None)
        if place is not None:
            self.table.choose(place)
        elif self.table.record() is None and rows:
            self.table.choose(0)
        chosen: StrategyRow | None = self.table.record()
        if chosen is None:
            self.aside.show_nothing()
        else:
            self._fetch(chosen.id)

    def _sort_by(self, by: str, descending: bool) -> None:
        self._sort = (by, descending)
        self._show()

    def _fetch(self, id: str) -> None:
        if self._task is not None:
            self._task.cancel()
        self.aside.acts.expect(id)
        self._task = self._session.spawn(self._show_one(id))

    async def _show_one(self, id: str) -> None:
        self.aside.show_strategy(await self._session.call(procedures.STRATEGY, AskStrategy(strategy_id=id)))

    def select(self, id: str) -> bool:
        """Select a strategy, and return True if it is shown; otherwise it is selected as soon as it is
        loaded."""
        place = next((n for n, row in enumerate(self.model.rows()) if row.id == id), None)
        if place is None:
            self._wanted = id
            return False
        self.table.choose(place)
        return True

    # What can be done.

    def press(self, action: str) -> None:
        """Run an action by a letter of the window."""
        view = self.aside.view
        if action == "pin" and view is not None and view.strategy.pinned:
            action = "unpin"
        if action in ACTS:
            self.aside.acts.press(action)

    def _act(self, act: str) -> None:
        view = self.aside.view
        if view is None:
            return
        one, title = view.strategy, named(view.strategy.description)
        match act:
            case "edit":
                self.aside.stack.open_form(StrategyForm(one), self._save)
            case "worked" | "failed":
                ask = ReinforceStrategy(strategy_id=one.id, success=act == "worked")
                says = (
                    tr("“{title}” worked", title=title)
                    if act == "worked"
                    else tr("“{title}” did not work", title=title)
                )
                self._do(procedures.REINFORCE_STRATEGY, ask, says)
            case "pin":
                self._do(curation.PIN, Pin(id=one.id, pinned=True), tr("Pinned “{title}”", title=title))
            case "unpin":
                self._do(curation.PIN, Pin(id=one.id, pinned=False), tr("Unpinned “{title}”", title=title))
            case "retire":
                self._do(curation.RETIRE, Retire(id=one.id), tr("Retired “{title}”", title=title))
            case "restore":
                self._do(curation.RESTORE, Restore(id=one.id), tr("Restored “{title}”", title=title))

    def _save(self, ask: EditStrategy) -> None:
        words = ask.description or ask.was or ""
        self._do(procedures.EDIT_STRATEGY, ask, tr("Edited “{title}”", title=named(words)))

    def _do(self, call: Endpoint[Any, Any], ask: object, says: str) -> None:
        self._session.spawn(self._done(call, ask, says))

    async def _done(self, call: Endpoint[Any, Any], ask: object, says: str) -> None:
        """Make the call. A form stays open if the call is refused, so that no input is lost."""
        await self._session.do(call, ask, says)
        if isinstance(ask, EditStrategy):
            self.aside.stack.close_form()
