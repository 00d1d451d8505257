"""Bar of the open day: its name with buttons to its neighbours, the choice of agents, and the choice of lines
or source."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout

from memdesk.gui.calendar.days import brief, full
from memdesk.gui.language import tr
from memdesk.gui.widgets import Control, Ground, Segments, Text, row
from memdesk.model.workspace import Day

HEIGHT_PX = 44
FULL_FROM_PX = 600
EVERYBODY = ""


class DayBar(Ground):
    """Bar of the open day. `day_asked` carries the neighbouring day that was pressed; `agent_chosen` and
    `view_chosen` are emitted when an agent or a view is chosen."""

    day_asked = Signal(object)
    agent_chosen = Signal()
    view_chosen = Signal()

    def __init__(self) -> None:
        self.before = Control("ghost", icon="left", tip=tr("Earlier day with entries"))
        self.after = Control("ghost", icon="right", tip=tr("Later day with entries"))
        self._heading = Text("", 15, "t1", weight=600)
        self._days: dict[Control, date | None] = {self.before: None, self.after: None}
        for button in self._days:
            button.clicked.connect(lambda _, button=button: self.day_asked.emit(self._days[button]))
        self.view = Segments(
            (("lines", tr("Lines")), ("source", tr("Source", "as it is written"))), "lines", name=tr("View")
        )
        self.view.chosen.connect(lambda _: self.view_chosen.emit())
        self.agents: Segments | None = None
        self._day = date.today()
        self._owners: tuple[str, ...] = ()
        self._agents_place = QHBoxLayout()
        title = row(self.before, self._heading, self.after, gap=8)
        layout = row(title, None, self._agents_place, self.view, gap=12, margins=(14, 0, 20, 1))
        super().__init__("stage", "bottom", layout, height=HEIGHT_PX)

    @property
    def shows_source(self) -> bool:
        """True if the files are to be shown as they are written."""
        return self.view.value() == "source"

    def is_chosen(self, agent: str | None) -> bool:
        """Return True if this agent's lines are to be shown."""
        return self.agents is None or self.agents.value() in (EVERYBODY, agent)

    def show_day(self, day: Day) -> None:
        """Show a day, its neighbours, and the agents that wrote on it."""
        today = date.today()
        self._day = day.day
        self._name_day()
        for button, other in ((self.before, day.previous), (self.after, day.next)):
            self._days[button] = other
            button.set_enabled(other is not None, tr("No day with entries lies further."))
            if other is not None:
                button.setToolTip(full(other, today))
        self._offer_agents(sorted({file.agent_id for file in day.files if file.agent_id}))

    def _name_day(self) -> None:
        name = full if self.width() >= FULL_FROM_PX else brief
        self._heading.setText(name(self._day, date.today()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shorten the day's name if there is little room."""
        super().resizeEvent(event)
        self._name_day()

    def _offer_agents(self, owners: Sequence[str]) -> None:
        """Offer a choice among the agents, if there are several; the chosen agent stays chosen if it is still
        among them."""
        if tuple(owners) == self._owners:
            return
        chosen = self.agents.value() if self.agents is not None else EVERYBODY
        self._owners = tuple(owners)
        if self.agents is not None:
            self._agents_place.removeWidget(self.agents)
            self.agents.deleteLater()
            self.agents = None
        if len(owners) > 1:
            options = [
                (EVERYBODY, tr("Both") if len(owners) == 2 else tr("All")),
                *((each, each) for each in owners),
            ]
            self.agents = Segments(options, chosen if chosen in owners else EVERYBODY, name=tr("Agent"))
            self.agents.chosen.connect(lambda _: self.agent_chosen.emit())
            self._agents_place.addWidget(self.agents)
