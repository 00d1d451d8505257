"""Agents at work: those seen lately, and their current activity."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtWidgets import QWidget

from memdesk.gui.frame import times
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import AgentMark, Dot, Text, row
from memdesk.gui.widgets.tips import plain
from memdesk.model.status import AgentRow

WORKING_S = 30
LIVE_S = 600
SHOWN_S = times.DAY
SHOWN_AT_MOST = 3
DOING = {
    "recall": marked("recalling"), "store": marked("talking"), "learn": marked("learning"),
    "update": marked("updating"), "promote": marked("promoting"), "retire": marked("retiring"),
    "import": marked("importing"),
}  # fmt: skip


class LiveAgent(QWidget):
    """An agent's entry: state dot, mark, name and activity."""

    def __init__(self, agent: AgentRow, shape: int, *, short: bool) -> None:
        super().__init__()
        assert agent.last_seen is not None
        idle = (datetime.now(UTC) - agent.last_seen).total_seconds()
        doing = _doing(agent.doing) if idle < WORKING_S else tr("idle {time}", time=times.span(idle))
        words = () if short else (Text(agent.name, 13, "t1"), Text(doing, 13, "t2"))
        dot = Dot("ok" if idle < LIVE_S else "t3")
        self.setLayout(row(dot, AgentMark(agent.name, shape), *words, gap=7))
        said = tr("{agent}, {doing}", agent=agent.name, doing=doing)
        self.setAccessibleName(said)
        self.setToolTip(plain(tr("{said}. Last seen {time}", said=said, time=times.full(agent.last_seen))))


def _doing(op: str) -> str:
    return tr(DOING[op]) if op in DOING else op


class LiveAgents(QWidget):
    """Agents seen within a day; the others are in the agent filter."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._short = session, False
        self._agents: tuple[LiveAgent, ...] = ()
        self._line = row(gap=16)
        self.setLayout(self._line)
        self.setAccessibleName(tr("Agents at work"))
        session.status_changed.connect(lambda _: self._show())

    def set_short(self, short: bool) -> None:
        """Show marks only, or marks with words. short: True if there is no space for words."""
        if short != self._short:
            self._short = short
            self._show()

    def _show(self) -> None:
        for agent in self._agents:
            self._line.removeWidget(agent)
            agent.deleteLater()
        self._agents = tuple(
            LiveAgent(agent, self._session.mark(f"agent:{agent.name}")[1], short=self._short)
            for agent in self._seen()
        )
        for agent in self._agents:
            self._line.addWidget(agent)

    def _seen(self) -> list[AgentRow]:
        status = self._session.status
        now = datetime.now(UTC)
        seen = [
            agent
            for agent in (status.agents if status else ())
            if agent.last_seen is not None and (now - agent.last_seen).total_seconds() < SHOWN_S
        ]
        return seen[:SHOWN_AT_MOST]
