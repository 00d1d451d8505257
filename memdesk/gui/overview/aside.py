"""Beside the layers: what waits for review, who is at work, the jobs, and what fades soonest."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memdesk.gui import icons, look
from memdesk.gui.frame import times
from memdesk.gui.frame.live import DOING, WORKING_S
from memdesk.gui.jobs import columns as job_columns
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.overview.asking import Seen
from memdesk.gui.session import Session
from memdesk.gui.widgets import (
    AgentMark,
    Column,
    Control,
    Dot,
    Ground,
    Icon,
    List,
    RowsModel,
    RowState,
    Scroll,
    Section,
    Table,
    Text,
    column,
    row,
)  # fmt: skip
from memdesk.gui.widgets.paint import LEFT, draw_text
from memdesk.gui.widgets.tips import plain
from memdesk.model.errors import MemDeskError
from memdesk.model.heatmap import HeatRow
from memdesk.model.job import JobRow
from memdesk.model.status import AgentRow

WIDTH_PX = 356
ROW_PX = 26
AGENTS_SHOWN = 6
QUESTIONS = {
    "promotion": (marked("To promote"), "promote"), "contradiction": (marked("Contradictions"), "contradicts"),
    "duplicate": (marked("Duplicates"), "copy"), "correction": (marked("Corrections"), "edit"),
    "conflict": (marked("File clashes"), "file"), "quarantine": (marked("Quarantined"), "lock"),
}  # fmt: skip


class Aside(Ground):
    """Signals: review_asked; jobs_asked carries a job's name; salience_asked; picked a memory's id; pin_asked a row."""

    review_asked = Signal()
    jobs_asked = Signal(str)
    salience_asked = Signal()
    picked = Signal(str)
    pin_asked = Signal(object)

    def __init__(self, session: Session, *, reviews: bool) -> None:
        """reviews: whether this window has a panel to review in."""
        super().__init__("panel", "left", width=WIDTH_PX)
        self._session, self._reviews = session, reviews
        self.review = Control("primary", tr("Review"), "review")
        self.questions, self.agents = QWidget(), QWidget()
        self.jobs = List(job_columns.title, self._paint_job, name=tr("Jobs"), row_px=ROW_PX, hairlines=False)
        self.salience = Control("link", tr("Salience"), small=True)
        self.fading_model: RowsModel[HeatRow] = RowsModel(_fading_columns())
        self.fading = Table(
            self.fading_model,
            name=tr("Fading soonest"),
            token="panel",
            row_px=ROW_PX,
            pad=16,
            hairlines=False,
        )
        self._nothing_fades = Text(tr("Nothing fades within 7 days."), 12, "t3")
        self._furnish()

    def _furnish(self) -> None:
        for holder in (self.questions, self.agents):
            holder.setLayout(column(gap=6))
        self.fading.horizontalHeader().hide()
        inbox = Section(tr("Review inbox"), "", self.questions, row(self.review, None), gap=10)
        agents = Section(tr("Agents"), "", self.agents)
        jobs = Section(tr("Jobs"), "", margins=(16, 12, 16, 4), edges="")
        fading = Section(
            tr("Fading soonest"), self.salience, self._nothing_fades, margins=(16, 12, 16, 4), edges="top"
        )
        parts = column(inbox, agents, jobs, self.jobs, 8, fading, self.fading, None, gap=0)
        self.setLayout(column(Scroll(Ground("panel", layout=parts), "panel"), gap=0, margins=(1, 0, 0, 0)))
        self.review.clicked.connect(lambda: self.review_asked.emit())
        self.salience.clicked.connect(lambda: self.salience_asked.emit())
        self.jobs.opened.connect(lambda job: self.jobs_asked.emit(job.name))
        self.jobs.clicked.connect(lambda _: self.jobs_asked.emit(self.jobs.record().name))
        self.fading.picked.connect(lambda each: self.picked.emit(each.id))
        self.fading.pressed.connect(lambda each, _: self.pin_asked.emit(each))

    def show_seen(self, seen: Seen) -> None:
        """Show an answer, each part in its place."""
        self._show_review(seen)
        agents = () if isinstance(seen.status, MemDeskError) else seen.status.agents
        _fill(
            self.agents,
            [self._agent(each) for each in agents[:AGENTS_SHOWN]] or [_quiet(tr("No agent was here yet."))],
        )
        jobs = () if isinstance(seen.jobs, MemDeskError) else seen.jobs.rows
        self.jobs.rows.set_rows(jobs)
        self.jobs.setFixedHeight(ROW_PX * len(jobs))
        fading = () if isinstance(seen.fading, MemDeskError) else seen.fading.rows
        self.fading_model.set_rows(fading)
        self.fading.setFixedHeight(ROW_PX * len(fading))
        self._nothing_fades.setVisible(not fading)

    def _show_review(self, seen: Seen) -> None:
        if isinstance(seen.review, MemDeskError):
            _fill(self.questions, [_wrong(seen.review)])
            self.review.hide()
            return
        total = seen.review.total
        lines = [_question(type, number) for type, number in seen.review.by_type.items() if number]
        if lines and not self._reviews:
            lines.append(_quiet(tr("Decide them with `memdesk review`.")))
        _fill(self.questions, lines or [_quiet(tr("Nothing waits for review."))])
        self.review.setText(tr("Review %Ln item(s)", "", total))
        self.review.setVisible(total > 0 and self._reviews)

    def _agent(self, agent: AgentRow) -> QWidget:
        seen = agent.last_seen
        idle = None if seen is None else (datetime.now(UTC) - seen).total_seconds()
        working = idle is not None and idle < WORKING_S
        doing = tr("never seen") if seen is None else times.ago(seen)
        if working:
            doing = tr(DOING.get(agent.doing, agent.doing))
        line, dot = QWidget(), Dot("ok" if working else "t3")
        mark = AgentMark(agent.name, self._session.mark(f"agent:{agent.name}")[1])
        name = Text(agent.name, 12, "t1", weight=600, elide=True)
        line.setLayout(row(mark, name, None, dot, Text(doing, 12, "t2")))
        line.setAccessibleName(f"{agent.name}, {doing}")
        line.setToolTip("" if seen is None else plain(times.full(seen)))
        return line

    def _paint_job(self, painter: QPainter, area: QRectF, job: JobRow, state: RowState) -> None:
        def put(x: int, wide: int, text: str, token: str, weight: int = 400) -> None:
            spot = QRectF(area.x() + x, area.y(), wide, area.height())
            draw_text(painter, spot, text, look.font(12, weight), c(token), LEFT)

        put(0, 112, job_columns.title(job), "t1", 500)
        put(116, 66, job_columns.every(job), "t3")
        running, last = job.running, job.last
        if running is not None:
            of = _of(running.done, running.total) if running.total else tr("running")
            put(186, 130, of, "acc")
            return
        put(
            186,
            66,
            tr("paused") if job.paused else tr("never") if last is None else times.clock(last.started_at),
            "t2",
        )
        if last is not None:
            failed = last.state == "failed"
            put(230, 72, tr("failed") if failed else _short(last.says), "bad" if failed else "t3")
            icon, tone = job_columns.STATES.get(last.state, ("info", "t3"))
            icons.paint(painter, icon, QPointF(area.right() - 16, round(area.center().y() - 8)), tone)


def _of(done: int, total: int) -> str:
    return tr("{done} of {total}", done=times.count(done), total=times.count(total))


def _short(says: str) -> str:
    """“12 changes” of “Made 12 changes.”, “nothing” of “Changed nothing.”."""
    return says.removeprefix("Made ").removeprefix("Changed ").rstrip(".")


def _fading_columns() -> tuple[Column[HeatRow], ...]:
    return (
        Column(
            title=tr("What"), text=lambda each: " ".join(each.title.split()), token="t1",
            tip=lambda each: plain(each.title),
        ),
        Column(
            title=tr("Fades"), text=lambda each: _days(each.curve.fades_in_days), width=50, numeric=True,
            token="warn",
        ),
        Column(
            title="", text=lambda _: tr("Pin"), width=44, align="right", token="acc", pressable=lambda _: True
        ),
    )  # fmt: skip


def _days(days: float | None) -> str:
    return "" if days is None else tr("today") if days < 1 else tr("{days} d", days=f"{days:.0f}")


def _question(type: str, number: int) -> QWidget:
    said, icon = QUESTIONS.get(type, (type.capitalize(), "info"))
    words = tr(said)
    line = QWidget()
    line.setLayout(
        row(Icon(icon), Text(words, 13, "t1"), None, Text(times.count(number), 13, "t1", weight=500))
    )
    line.setAccessibleName(f"{words} {number}")
    return line


def _quiet(words: str) -> QWidget:
    return Text(words, 12, "t3", wrap=True)


def _wrong(error: MemDeskError) -> QWidget:
    return Text(f"{error.says} {error.next}".strip(), 12, "bad", wrap=True)


def _fill(holder: QWidget, parts: list[QWidget]) -> None:
    """Put these in the place of what stood there."""
    layout = holder.layout()
    assert isinstance(layout, QVBoxLayout)
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
    for part in parts:
        layout.addWidget(part)
