"""Agents next to the layers: the agents at work, their activity, and the fill level of each one's open
context."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from memdesk.gui.frame import times
from memdesk.gui.frame.live import DOING, WORKING_S
from memdesk.gui.help.asking import explain
from memdesk.gui.language import tr
from memdesk.gui.overview.asking import Open
from memdesk.gui.session import Session
from memdesk.gui.widgets import AgentMark, ChannelMark, Dot, Meter, Text, column, row
from memdesk.gui.widgets.tips import plain
from memdesk.model.status import AgentRow

NAME_PX, SHARE_PX = 60, 44


class Agent(QWidget):
    """Row of an agent. The signal `pressed` carries the id of the agent's open conversation; it is not
    emitted if none is known."""

    pressed = Signal(str)

    def __init__(self, session: Session, agent: AgentRow, context: Open | None) -> None:
        super().__init__()
        self.name = agent.name
        self._conversation = context.session.conversation_id if context else ""
        seen = agent.last_seen
        idle = None if seen is None else (datetime.now(UTC) - seen).total_seconds()
        working = idle is not None and idle < WORKING_S
        doing = tr("never seen") if seen is None else times.ago(seen)
        if working:
            doing = tr(DOING.get(agent.doing, agent.doing))
        mark = AgentMark(agent.name, session.mark(f"agent:{agent.name}")[1])
        title = Text(context.session.title if context else "", 12, "t2", elide=True)
        dot = Dot("ok" if working else "t3")
        head = row(mark, Text(agent.name, 12, "t1", weight=600), title, dot, Text(doing, 12, "t2"), gap=8)
        head.setStretchFactor(title, 1)
        self.setLayout(column(head, *([_fullness(session, context)] if context else []), gap=4))
        self.setAccessibleName(_said(agent.name, doing, context))
        self.setToolTip("" if seen is None else plain(times.full(seen)))
        if self._conversation:
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ask for the agent's conversation."""
        if self._conversation and self.rect().contains(event.position().toPoint()):
            self.pressed.emit(self._conversation)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press with Enter or Space."""
        if self._conversation and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.pressed.emit(self._conversation)
        else:
            super().keyPressEvent(event)


def _fullness(session: Session, context: Open) -> QWidget:
    """Return a meter of the used share of the context window, with marks where the policy acts."""
    now = context.meter
    marks = [mark.at / now.window_tokens for mark in now.marks if mark.of == "tokens"]
    meter = Meter(now.usage, marks=marks, warn_at=min(marks, default=1.0), name=tr("Context"), thick=6)
    name, share = Text(tr("Context"), 11, "t3"), Text(f"{100 * now.usage:.0f} %", 12, "t1", weight=500)
    explain(name, name.text())
    name.setFixedWidth(NAME_PX)
    share.setFixedWidth(SHARE_PX)
    share.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    line = QWidget()
    line.setToolTip(plain(_tokens(context)))
    explain(line, name.text())
    where = ChannelMark(context.session.channel, session.channel_number(context.session.channel))
    within = row(name, meter, share, gap=8)
    within.setStretchFactor(meter, 1)
    line.setLayout(column(within, row(where, None, Text(_tokens(context), 11, "t3"), gap=8), gap=2))
    return line


def _tokens(context: Open) -> str:
    now = context.meter
    return tr(
        "{tokens} of {window} tokens", tokens=times.count(now.tokens), window=times.count(now.window_tokens)
    )


def _said(name: str, doing: str, context: Open | None) -> str:
    return (
        f"{name}, {doing}"
        if context is None
        else f"{name}, {doing}, {context.session.title}, {_tokens(context)}"
    )
