"""Tools and strategies: their success rates, the conversations that show them, and actions on them."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QWidget

from memdesk.gui.inspector import Inspector
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.panel import Panel, kept
from memdesk.gui.procedures.strategies import Strategies
from memdesk.gui.procedures.tools import Tools
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Field, Segments, Skeleton
from memdesk.model.history import FeedEvent

PAGES = (("strategies", marked("Strategies")), ("tools", marked("Tools")))
STATES = (("current", marked("Current")), ("retired", marked("Retired")))
KINDS = {"strategies": {"strategy", "outcome"}, "tools": {"tool_call"}}


class ProceduresPanel(Panel):
    """Two pages: strategies, and tools. Each is a table with details of the chosen row at its right."""

    name, title, icon = "procedures", marked("Tools & strategies"), "tools"
    kinds = ("strategy", "outcome", "tool_call")

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._tool = ""
        self.page = Segments([(value, tr(says)) for value, says in PAGES], "strategies", name=tr("What"))
        self.states = Segments([(value, tr(says)) for value, says in STATES], "current", name=tr("Which"))
        self.using = Control("button", "", "cross", tip=tr("Show strategies with any tools"))
        self.filter = Field(placeholder=tr("Filter"), icon="search", keys="/", quiet=True, width=200)
        self.strategies = Strategies(session, kept)
        self.tools = Tools(session, kept)
        self.pages = QStackedWidget()
        for each in (self.strategies, self.tools):
            self.pages.addWidget(each)
        self.furnish(
            self.pages, actions=(self.using, self.page, self.states, self.filter), filter_field=self.filter,
            skeleton=Skeleton(rows=16, shares=(0.4, 0.12, 0.16, 0.1)),
        )  # fmt: skip
        self.using.hide()
        self.setFocusProxy(self.strategies.table)
        self._wire()

    def _wire(self) -> None:
        self.page.chosen.connect(lambda _: self._turn())
        self.states.chosen.connect(lambda _: self.reload())
        self.filter.textChanged.connect(lambda _: self.ask_soon())
        self.using.clicked.connect(lambda: self._use(""))
        self.strategies.table.opened.connect(lambda row: self.inspector.show_memory(row.id))
        self.strategies.aside.led.connect(self._show_tool)
        self.strategies.aside.talked.connect(lambda id: self.inspector.navigated.emit("conversations", id))
        self.tools.table.opened.connect(lambda row: self._use(row.tool_name))
        self.tools.aside.talked.connect(lambda id: self.inspector.navigated.emit("conversations", id))
        self.tools.aside.opened.connect(self.inspector.show_memory)

    @property
    def _shows_tools(self) -> bool:
        return self.page.value() == "tools"

    def _turn(self) -> None:
        part: QWidget = self.tools if self._shows_tools else self.strategies
        self.pages.setCurrentWidget(part)
        self.setFocusProxy(self.tools.table if self._shows_tools else self.strategies.table)
        self.states.setVisible(not self._shows_tools)
        self.using.setVisible(bool(self._tool) and not self._shows_tools)
        self.reload()

    def _show_tool(self, tool: str) -> None:
        """Show a tool, for a link from a strategy."""
        self.page.set_value("tools")
        self.filter.clear()
        self.tools.select(tool)
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
        text = self.filter.text().strip()
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
        narrowed = self.filter.text() or self._tool or self.session.channels or self.session.agents
        if narrowed or (not self._shows_tools and self.states.value() != "current"):
            self.show_empty(
                tr("Nothing is like this."), step=tr("Show everything"), take=self._show_everything
            )
        elif self._shows_tools:
            self.show_empty(
                tr("No tool was called yet."), tr("An agent that is connected records each call as it makes it."),
                step=tr("Show strategies"), take=lambda: self._use(""),
            )  # fmt: skip
        else:
            self.show_empty(
                tr("No strategies yet."), tr("A job learns them from work that went well, and agents tell them."),
                step=tr("Show tools"), take=lambda: self._show_tool(""),
            )  # fmt: skip

    def _show_everything(self) -> None:
        self._tool = ""
        self.using.hide()
        self.filter.clear()
        self.states.set_value("current")
        self.session.filter_agents(())
        self.session.filter_channels(())
        self.reload()

    def select(self, id: str) -> None:
        """Show a strategy by its id; the filters are removed."""
        self._tool = ""
        self.page.set_value("strategies")
        self.filter.clear()
        self.strategies.select(id)
        self._turn()

    @property
    def at(self) -> str:
        """The chosen strategy; empty on the page of tools."""
        chosen = self.strategies.table.record()
        return chosen.id if chosen is not None and not self._shows_tools else ""

    # The window's letters.

    def act(self, action: str) -> bool:
        """Apply the window's E, I and Del to the chosen strategy. Returns True for every letter."""
        if not self._shows_tools:
            self.strategies.press(action)
        return True

    def step_back(self) -> bool:
        """Close the form, or else remove the filter by tool; returns False if there was neither."""
        if self.strategies.aside.stack.close_form():
            return True
        if self._tool:
            self._use("")
            return True
        return False

    def unsaved(self) -> tuple[str, ...]:
        """Return the name of a begun correction of a strategy, if any."""
        form = self.strategies.aside.stack.form
        return (tr("the correction of a strategy"),) if form is not None and form.begun else ()
