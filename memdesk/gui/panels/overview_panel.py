"""Overview: the layers of memory, their state, and the changes since the last visit; next to them the review queue,
agents at work, jobs, and the memories that fade soonest."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from memdesk.gui import formatting
from memdesk.gui.inspectors.actions import perform
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.keys import on_key
from memdesk.gui.language import marked, tr
from memdesk.gui.panels import job_columns, overview_layers
from memdesk.gui.panels.audit import audit_table
from memdesk.gui.panels.overview_layers import CHANGES_SHOWN, LayerRow, OpenContext, OverviewData
from memdesk.gui.panels.review.news import FadingTable
from memdesk.gui.panels.review.review_words import NAMED
from memdesk.gui.session import Session
from memdesk.gui.shell.body import Memo
from memdesk.gui.shell.panel import Panel
from memdesk.gui.shell.top_bar import ACTIVITIES, WORKING_S
from memdesk.gui.widgets import (
    AgentMark,
    ChannelMark,
    Column,
    Control,
    Dot,
    Empty,
    Ground,
    List,
    Meter,
    RowsModel,
    Scroll,
    Section,
    Skeleton,
    Table,
    Text,
    column,
    pages,
    remove_widgets,
    row,
)
from memdesk.gui.widgets.control import Pressable
from memdesk.gui.widgets.explaining import explain
from memdesk.gui.widgets.text import tip_text
from memdesk.gui.widgets.toolbar import Summary
from memdesk.model.errors import MemDeskError
from memdesk.model.history import EventRow, FeedEvent
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
        self._agents_place = column(gap=10)
        self.agents.setLayout(self._agents_place)
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
        remove_widgets(self._agents_place)
        for line in lines:
            self._agents_place.addWidget(line)
        if not lines:
            self._agents_place.addWidget(Text(tr("No agent was here yet."), 12, "t3", wrap=True))
        for line in lines:
            if line.name == at:
                line.setFocus(Qt.FocusReason.TabFocusReason)

    def _agent(self, agent: AgentRow, seen: OverviewData) -> Agent:
        line = Agent(self._session, agent, seen.open.get(agent.name))
        if line.conversation:
            line.clicked.connect(lambda: self.conversation_asked.emit(line.conversation))
        return line


def _days(days: float | None) -> str:
    return "" if days is None else tr("today") if days < 1 else tr("{days} d", days=f"{days:.0f}")


def _question_text(each: tuple[str, int]) -> str:
    return f"{tr(NAMED[each[0]].many)} {formatting.count(each[1])}"


def _question_columns() -> tuple[Column[tuple[str, int]], ...]:
    """Return the columns of the questions: their type, and how many wait."""
    return (
        Column(
            "",
            lambda each: tr(NAMED[each[0]].many),
            px=13,
            token="t1",
            icon=lambda each: (NAMED[each[0]].icon, "t2"),
        ),
        Column(
            "", lambda each: formatting.count(each[1]), width=64, numeric=True, px=13, weight=500, token="t1"
        ),
    )


class Changes(Table):
    """Table that rings a row, but does not pick it, when it gets the keyboard focus: the inspector takes the
    place of agents and jobs, and a person who moves through the panel by Tab would never reach them."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Ring the current row without a signal; moving, Enter and the pointer emit one."""
        with QSignalBlocker(self):
            super().focusInEvent(event)


LAYER_PX = 50
HEAD_PX = 28
AT_FIRST = timedelta(days=7)
"""Time span of changes shown on a first visit."""
AGAIN_MS = 60_000
TIME, OPERATION, _, WHAT, CHANNEL, BY, _, UNDO = range(8)
"""Columns of the audit timeline."""
SHOWN_COLUMNS = (TIME, BY, OPERATION, WHAT, CHANNEL, UNDO)
VERBS = (
    ("learn", marked("%Ln learned")),
    ("promote", marked("%Ln promoted")),
    ("update", marked("%Ln updated")),
    ("retire", marked("%Ln retired")),
    ("import", marked("%Ln imported")),
    ("undo", marked("%Ln undone")),
)
NOTHING = marked("Nothing changed since.")
ASIDE_FROM_PX = 980
"""Least panel width with the part to the right of the layers; the panel may be narrower, as with the
inspector open."""
CHANNEL_FROM_PX = 720
"""In a narrower part these columns make room for the words."""


class OverviewPanel(Panel):
    """Six layers, the changes since the last visit, and next to them review, agents, jobs and fading
    memories."""

    name = "overview"

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._since: datetime | None = None
        self._visited = False
        self.model: RowsModel[LayerRow] = RowsModel(overview_layers.columns())
        self.table = Table(self.model, name=tr("Memory layers"), row_px=LAYER_PX)
        self.heading = Text("", 12, "t2", weight=600)
        self.summary = Summary("", 12, "t3", elide=True)
        self.mark = Control("ghost", tr("Mark all as seen"), keys="Shift Esc")
        every = list(audit_table.columns(session))
        every[CHANNEL] = replace(every[CHANNEL], hidden_below=CHANNEL_FROM_PX)
        self.changes_model: RowsModel[EventRow] = RowsModel([every[place] for place in SHOWN_COLUMNS])
        self.changes = Changes(self.changes_model, name=tr("Changes"))
        self._none = Empty(tr(NOTHING), tr("What agents and people do next will stand here."))
        self.aside = Aside(session, reviews="review" in inspector.leads_to)
        self._furnish()
        self._wire()

    def _furnish(self) -> None:
        self._none.setContentsMargins(5, 0, 5, 0)
        self.table.setFixedHeight(HEAD_PX + LAYER_PX * len(overview_layers.NAMES))
        head = row(
            self.heading, self.summary, self.mark, gap=12, margins=(20, 14, 20, 6), stretch=self.summary
        )
        self._rows = pages(self.changes, self._none)
        self.changes.horizontalHeader().hide()
        title = Text(tr("Memory layers"), 12, "t2", weight=600)
        title.setContentsMargins(20, 14, 20, 2)
        main = column(title, self.table, head, self._rows, gap=0, stretch=self._rows)
        content = QWidget()
        whole = row(Ground("stage", layout=main), self.aside, gap=0)
        whole.setStretch(0, 1)
        content.setLayout(whole)
        self.furnish(content, skeleton=Skeleton(rows=8, pitch=50, shares=(0.2, 0.3, 0.2)))
        self.setFocusProxy(self.changes)

    def _wire(self) -> None:
        leads = self.inspector.navigated
        self.table.opened.connect(lambda each: leads.emit(each.leads, ""))
        for asked in (self.changes.picked, self.changes.opened):
            asked.connect(lambda event: self.inspector.show_event(event.id))
        self.changes.pressed.connect(lambda event, _: audit_table.take_back(self.session, event))
        self.mark.clicked.connect(self.mark_seen)
        self.aside.review_asked.connect(lambda type: leads.emit("review", type))
        self.aside.conversation_asked.connect(lambda id: leads.emit("conversations", id))
        self.aside.jobs_asked.connect(lambda name: leads.emit("jobs", name))
        self.aside.salience_asked.connect(lambda: leads.emit("salience", ""))
        self.aside.picked.connect(self.inspector.show_memory)
        self.aside.pin_asked.connect(lambda each: self.session.spawn(perform(self.session, "pin", each)))
        on_key("Shift+Esc", self.mark_seen, self, inside=True)
        by_the_minute = QTimer(self)
        by_the_minute.timeout.connect(self.reload_soon)
        by_the_minute.start(AGAIN_MS)

    def concerned(self, event: FeedEvent) -> bool:
        """Return True: every event affects the overview."""
        return True

    def _memo(self) -> Memo | None:
        status = self.session.status
        return None if status is None else Memo(Path(status.desk) / "window.ini")

    def mark_seen(self) -> None:
        """Mark all changes as seen; only later ones count as new."""
        self._since, self._visited = datetime.now(UTC), True
        memo = self._memo()
        if memo is not None:
            memo.visited_at = self._since
        self.reload()

    # Loading.

    async def load(self) -> None:
        """Load all parts in parallel; a part that fails shows its own error."""
        if self._since is None:
            memo = self._memo()
            visited = memo.visited_at if memo else None
            self._visited = visited is not None
            self._since = visited or datetime.now(UTC) - AT_FIRST
        seen = await overview_layers.fetch_overview(self.session, self._since)
        status = seen.status
        if not isinstance(status, MemDeskError) and not (status.turns or status.facts or status.documents):
            self.show_unfilled(
                tr("Nothing is remembered here yet."),
                tr("Connect an agent with `memdesk mcp`, or bring in a chat or an agent's folder."),
            )
            return
        self.model.set_rows(overview_layers.rows(seen))
        self._show_changes(seen)
        self.aside.show_seen(seen)
        looked = tr("You last looked {when}", when=formatting.ago(self._since))
        self.say(looked if self._visited else tr("The last 7 days"))
        self.show_content()

    def _show_changes(self, seen: OverviewData) -> None:
        self.heading.setText(tr("Changed since {when}", when=_when(seen.since)))
        if isinstance(seen.changes, MemDeskError):
            self._none.set_words(seen.changes.says, seen.changes.next)
            self._rows.setCurrentWidget(self._none)
            return
        page = seen.changes
        self.changes.replace_rows(page.rows, or_first=False)
        self.summary.setText(_summed(seen, cut=len(page.rows) == CHANGES_SHOWN))
        self.mark.setVisible(page.total > 0)
        if not page.rows:
            self._none.set_words(tr(NOTHING), tr("What agents and people do next will stand here."))
        self._rows.setCurrentWidget(self.changes if page.rows else self._none)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the right part if the panel is too narrow for it."""
        super().resizeEvent(event)
        self.aside.setVisible(self.width() >= ASIDE_FROM_PX)


def _summed(seen: OverviewData, *, cut: bool) -> str:
    """Return the counts as “38 learned · 4 promoted”, and the number shown if not all are."""
    try:
        found = overview_layers.counts(seen)
    except MemDeskError:
        found = {}
    words = [tr(said, "", found[op]) for op, said in VERBS if found.get(op)]
    if cut:
        words.append(tr("the newest %Ln shown", "", CHANGES_SHOWN))
    return " · ".join(words)


def _when(since: datetime) -> str:
    """Format a time as “09:04” if today, as the weekday within 7 days, else as the day."""
    here, now = formatting.local(since), datetime.now().astimezone()
    if here.date() == now.date():
        return formatting.clock(since)
    return formatting.weekday(here) if (now.date() - here.date()).days < 7 else formatting.day(since)
