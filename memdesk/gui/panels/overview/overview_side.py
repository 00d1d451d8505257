"""Column next to the layers: review queue, agents at work, jobs, and the memories that fade soonest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memdesk.gui import formatting
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.jobs import job_columns
from memdesk.gui.panels.overview.overview_layers import OpenContext, OverviewData
from memdesk.gui.session import Session
from memdesk.gui.shell.top_bar import ACTIVITIES, WORKING_S
from memdesk.gui.widgets import (
    AgentMark,
    ChannelMark,
    Column,
    Control,
    Dot,
    Ground,
    List,
    Meter,
    RowsModel,
    Scroll,
    Section,
    Table,
    Text,
    column,
    row,
)
from memdesk.gui.widgets.control import Pressable
from memdesk.gui.widgets.explaining import explain
from memdesk.gui.widgets.text import tip_text
from memdesk.model.errors import MemDeskError
from memdesk.model.graph import HeatRow
from memdesk.model.status import AgentRow

NAME_PX, SHARE_PX = 60, 44


class Agent(Pressable):
    """Row of an agent, a button if its open conversation is known."""

    def __init__(self, session: Session, agent: AgentRow, context: OpenContext | None) -> None:
        super().__init__()
        self.name = agent.name
        self.conversation = context.session.conversation_id if context else ""
        seen = agent.last_seen
        idle = None if seen is None else (datetime.now(UTC) - seen).total_seconds()
        working = idle is not None and idle < WORKING_S
        doing = tr("never seen") if seen is None else formatting.ago(seen)
        if working:
            doing = tr(ACTIVITIES.get(agent.doing, agent.doing))
        mark = AgentMark(agent.name, session.mark(f"agent:{agent.name}")[1])
        title = Text(context.session.title if context else "", 12, "t2", elide=True)
        dot = Dot("ok" if working else "t3")
        head = row(
            mark,
            Text(agent.name, 12, "t1", weight=600),
            title,
            dot,
            Text(doing, 12, "t2"),
            gap=8,
            stretch=title,
        )
        self.setLayout(column(head, *([_fullness(session, context)] if context else []), gap=4))
        self.setAccessibleName(_spoken_name(agent.name, doing, context))
        self.setToolTip("" if seen is None else tip_text(formatting.full(seen)))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if self.conversation else Qt.FocusPolicy.NoFocus)
        if self.conversation:
            self.setCursor(Qt.CursorShape.PointingHandCursor)


def _fullness(session: Session, context: OpenContext) -> QWidget:
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
    line.setToolTip(tip_text(_tokens(context)))
    explain(line, name.text())
    where = ChannelMark(context.session.channel, session.channel_number(context.session.channel))
    within = row(name, meter, share, gap=8, stretch=meter)
    line.setLayout(column(within, row(where, None, Text(_tokens(context), 11, "t3"), gap=8), gap=2))
    return line


def _tokens(context: OpenContext) -> str:
    now = context.meter
    return tr(
        "{tokens} of {window} tokens",
        tokens=formatting.count(now.tokens),
        window=formatting.count(now.window_tokens),
    )


def _spoken_name(name: str, doing: str, context: OpenContext | None) -> str:
    return (
        f"{name}, {doing}"
        if context is None
        else f"{name}, {doing}, {context.session.title}, {_tokens(context)}"
    )


WIDTH_PX = 356
ROW_PX = 26
AGENTS_SHOWN = 6
QUESTIONS = {
    "promotion": (marked("To promote"), "promote"),
    "contradiction": (marked("Contradictions"), "contradicts"),
    "duplicate": (marked("Duplicates"), "copy"),
    "correction": (marked("Corrections"), "edit"),
    "doubtful": (marked("Doubtful"), "warning"),
    "fading": (marked("Fading"), "decay"),
    "conflict": (marked("File clashes"), "file"),
    "quarantine": (marked("Quarantined"), "lock"),
    "secret": (marked("Secrets"), "lock"),
}


class Aside(Ground):
    """Column with signals: review_asked carries a type of question, or "" for all; jobs_asked a job's name;
    salience_asked has no value.

    picked carries a memory's id, pin_asked a row, conversation_asked the id of a conversation."""

    review_asked = Signal(str)
    jobs_asked = Signal(str)
    salience_asked = Signal()
    picked = Signal(str)
    pin_asked = Signal(object)
    conversation_asked = Signal(str)

    def __init__(self, session: Session, *, reviews: bool) -> None:
        """reviews: True if this window has a review panel."""
        super().__init__("panel", "left", width=WIDTH_PX)
        self._session, self._reviews = session, reviews
        self.review = Control("primary", tr("Review"), "review")
        self.questions = List(
            _question_text,
            name=tr("Review inbox"),
            columns=_question_columns(),
            row_px=ROW_PX,
            hairlines=False,
        )
        self.review_note, self.agents = Text("", 12, "t3", wrap=True), QWidget()
        self.jobs = List(
            job_columns.title, name=tr("Jobs"), columns=job_columns.brief(), row_px=ROW_PX, hairlines=False
        )
        self.salience = Control("link", tr("Salience"), small=True)
        self.fading = FadingTable(tr("Fading soonest"), _days, tr("Pin"))
        self._nothing_fades = Text(tr("Nothing fades within 7 days."), 12, "t3")
        self._furnish()

    def _furnish(self) -> None:
        self.agents.setLayout(column(gap=10))
        inbox = Section(tr("Review inbox"), "", margins=(16, 12, 16, 4), edges="")
        decide = row(self.review, self.review_note, gap=8, margins=(16, 6, 16, 12), stretch=self.review_note)
        agents = Section(tr("Agents"), "", self.agents)
        jobs = Section(tr("Jobs"), "", margins=(16, 12, 16, 4), edges="")
        fading = Section(
            tr("Fading soonest"), self.salience, self._nothing_fades, margins=(16, 12, 16, 4), edges="top"
        )
        parts = column(
            inbox, self.questions, decide, agents, jobs, self.jobs, 8, fading, self.fading, None, gap=0
        )
        self.setLayout(column(Scroll(Ground("panel", layout=parts), "panel"), gap=0, margins=(1, 0, 0, 0)))
        self.review.clicked.connect(lambda: self.review_asked.emit(""))
        self.questions.opened.connect(lambda each: self.review_asked.emit(each[0]))
        self.questions.clicked.connect(lambda _: self.review_asked.emit(self.questions.record()[0]))
        self.salience.clicked.connect(lambda: self.salience_asked.emit())
        self.jobs.opened.connect(lambda job: self.jobs_asked.emit(job.name))
        self.jobs.clicked.connect(lambda _: self.jobs_asked.emit(self.jobs.record().name))
        self.fading.picked.connect(lambda each: self.picked.emit(each.id))
        self.fading.pressed.connect(lambda each, _: self.pin_asked.emit(each))

    def show_seen(self, seen: OverviewData) -> None:
        """Show an answer, each part in its section."""
        self._show_review(seen)
        self._show_agents(seen)
        jobs = () if isinstance(seen.jobs, MemDeskError) else seen.jobs.rows
        self.jobs.rows.set_rows(jobs)
        self.jobs.setFixedHeight(ROW_PX * len(jobs))
        fading = () if isinstance(seen.fading, MemDeskError) else seen.fading.rows
        self.fading.show_rows(fading)
        self._nothing_fades.setVisible(not fading)

    def _show_review(self, seen: OverviewData) -> None:
        wrong = seen.review if isinstance(seen.review, MemDeskError) else None
        found = () if isinstance(seen.review, MemDeskError) else tuple(seen.review.by_type.items())
        self.questions.rows.set_rows(found)
        self.questions.setFixedHeight(ROW_PX * len(found))
        total = sum(number for _, number in found)
        self.review.setText(tr("Review %Ln item(s)", "", total))
        self.review.setVisible(total > 0 and self._reviews)
        note = "" if total and self._reviews else tr("Decide them with `memdesk review`.")
        note = note if total else tr("Nothing waits for review.")
        self.review_note.setText(wrong.sentence if wrong else note)

    def _show_agents(self, seen: OverviewData) -> None:
        """Rebuild the agents' rows; the row that has the keyboard focus keeps it."""
        agents = () if isinstance(seen.status, MemDeskError) else seen.status.agents
        at = next((each.name for each in self.agents.findChildren(Agent) if each.hasFocus()), "")
        lines = [self._agent(each, seen) for each in agents[:AGENTS_SHOWN]]
        _fill(self.agents, [*lines] or [_quiet(tr("No agent was here yet."))])
        for line in lines:
            if line.name == at:
                line.setFocus(Qt.FocusReason.TabFocusReason)

    def _agent(self, agent: AgentRow, seen: OverviewData) -> Agent:
        line = Agent(self._session, agent, seen.open.get(agent.name))
        if line.conversation:
            line.clicked.connect(lambda: self.conversation_asked.emit(line.conversation))
        return line


class FadingTable(Table):
    """Memories that fade, in a table as high as its rows. when: words for the days that are left; act: the words to
    press."""

    def __init__(
        self, name: str, when: Callable[[float | None], str], act: str, *, when_px: int = 52
    ) -> None:
        columns = _fading_columns(when, act, when_px)
        super().__init__(RowsModel(columns), name=name, token="panel", row_px=ROW_PX, pad=16, hairlines=False)
        self.horizontalHeader().hide()

    def show_rows(self, rows: Sequence[HeatRow]) -> None:
        self.replace_rows(rows, or_first=False)
        self.setFixedHeight(ROW_PX * len(rows))


def _fading_columns(
    when: Callable[[float | None], str], act: str, when_px: int
) -> tuple[Column[HeatRow], ...]:
    return (
        Column(
            tr("What"),
            lambda each: " ".join(each.title.split()),
            token="t1",
            tip=lambda each: tip_text(each.title),
        ),
        Column(
            tr("Fades"),
            lambda each: when(each.curve.fades_in_days),
            width=when_px,
            numeric=True,
            token="warn",
        ),
        Column("", lambda _: act, width=58, align="right", token="acc", pressable=lambda _: True),
    )


def _days(days: float | None) -> str:
    return "" if days is None else tr("today") if days < 1 else tr("{days} d", days=f"{days:.0f}")


def _named(type: str) -> tuple[str, str]:
    """Return the name of a question type on this page, and its icon."""
    said, icon = QUESTIONS.get(type, (type.capitalize(), "info"))
    return tr(said), icon


def _question_text(each: tuple[str, int]) -> str:
    return f"{_named(each[0])[0]} {formatting.count(each[1])}"


def _question_columns() -> tuple[Column[tuple[str, int]], ...]:
    """Return the columns of the questions: their type, and how many wait."""
    return (
        Column(
            "",
            lambda each: _named(each[0])[0],
            px=13,
            token="t1",
            icon=lambda each: (_named(each[0])[1], "t2"),
        ),
        Column(
            "", lambda each: formatting.count(each[1]), width=64, numeric=True, px=13, weight=500, token="t1"
        ),
    )


def _quiet(words: str) -> QWidget:
    return Text(words, 12, "t3", wrap=True)


def _fill(holder: QWidget, parts: list[QWidget]) -> None:
    """Replace all widgets of a holder by these."""
    layout = holder.layout()
    assert isinstance(layout, QVBoxLayout)
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
    for part in parts:
        layout.addWidget(part)
