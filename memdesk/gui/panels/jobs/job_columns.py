"""Columns of the tables of jobs, runs and plans."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import formatting, icons, look
from memdesk.gui.inspectors import fields
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.widgets import Column, RowState, author, paint_bar
from memdesk.gui.widgets.paint import LEFT, channel, draw_text
from memdesk.gui.widgets.text import tip_text
from memdesk.model.job import JobRow, JobRun, Planned

STATES = {
    "running": ("play", "acc"),
    "done": ("check", "ok"),
    "failed": ("warning", "bad"),
    "cancelled": ("cross", "warn"),
    "interrupted": ("minus", "warn"),
}
"""Icon and tone for each state of a run."""
BAR_PX = 72


def jobs() -> tuple[Column[JobRow], ...]:
    """Return the columns of the jobs: name, purpose, interval, last run and next run."""
    return (
        Column(
            title=tr("Job"),
            text=title,
            width=130,
            px=13,
            weight=500,
            token="t1",
            tip=lambda row: tip_text(row.says),
        ),
        Column(
            title=tr("What it does"), text=lambda row: tr(row.says), tip=lambda row: tip_text(tr(row.says))
        ),
        Column(title=tr("Every"), text=every, width=86, token="t2"),
        Column(title=tr("Last run"), text=last, width=290, paint=_paint_last, tip=_last_tip),
        Column(title=tr("Next"), text=following, width=190, paint=_paint_next, tip=_next_tip),
    )


def runs(session: Session) -> tuple[Column[JobRun], ...]:
    """Return the columns of the runs: start, job, author and result."""
    return (
        Column(
            title=tr("Started"),
            text=lambda row: formatting.minute(row.started_at),
            width=126,
            tip=lambda row: formatting.full(row.started_at),
        ),
        Column(title=tr("Job"), text=lambda row: named(row.job), width=122, token="t1"),
        Column(
            title=tr("By"),
            text=lambda row: row.author.partition(":")[2] or tr("the clock"),
            width=58,
            tip=lambda row: tip_text(row.author.replace(":", " ")),
            paint=lambda painter, area, row, _: _paint_by(painter, area, row, session),
        ),
        Column(title=tr("Result"), text=result, paint=_paint_result, tip=lambda row: tip_text(result(row))),
    )


def plan(session: Session) -> tuple[Column[Planned], ...]:
    """Return the columns of the changes that a dry run would make."""
    return (
        Column(title=tr("Would"), text=lambda row: fields.word(row.op), width=100, paint=_paint_op),
        Column(
            title=tr("What"),
            text=lambda row: " ".join(row.title.split()),
            token="t1",
            tip=lambda row: tip_text(row.title),
        ),
        Column(
            title=tr("Channel"),
            text=lambda row: row.channel,
            width=116,
            paint=lambda painter, area, row, _: _paint_channel(painter, area, row, session),
        ),
        Column(title=tr("Records"), text=lambda row: formatting.count(row.edits), width=70, numeric=True),
    )


def title(row: JobRow) -> str:
    """Return the name of a job in words."""
    return named(row.name)


def named(job: str) -> str:
    """Return a job's name in words: “Audit partitions” for audit_partitions."""
    return tr(job.replace("_", " ").capitalize())


def every(row: JobRow) -> str:
    """Return the interval of a job: “15 min”, “1 day”, “as needed”, “by hand”."""
    if row.by_change:
        return tr("as needed")
    return minutes(row.every_minutes) if row.every_minutes else tr("by hand")


def minutes(number: int) -> str:
    """Return a number of minutes in words: “15 min”, “1 h”, “1 day”, “90 min”."""
    for size, words in ((1440, marked("%Ln day(s)")), (60, marked("%Ln h"))):
        if number >= size and number % size == 0:
            return tr(words, "", number // size)
    return tr("%Ln min", "", number)


def last(row: JobRow) -> str:
    """Return the age and the result of the last run, or “never”."""
    return tr("never") if row.last is None else f"{formatting.ago(row.last.started_at)} · {row.last.says}"


def following(row: JobRow) -> str:
    """Return the progress of a running job, “paused”, or the time until it starts automatically."""
    if row.running is not None:
        return row.running.says
    if row.paused:
        return tr("paused")
    return "" if row.next_due is None else until(row.next_due)


def until(when: datetime) -> str:
    """Return the time until a moment: “now”, “in 12 min”."""
    left = (when - datetime.now(UTC)).total_seconds()
    return tr("now") if left < 1 else tr("in {time}", time=formatting.span(left))


def result(row: JobRun) -> str:
    """Return the result of a run, and the number of its changes that were undone."""
    says = tr("Dry: {says}", says=row.says) if row.dry else row.says
    return " · ".join((says, tr("%Ln taken back", "", row.undone))) if row.undone else says


def _last_tip(row: JobRow) -> str:
    return "" if row.last is None else f"{formatting.full(row.last.started_at)}\n{tip_text(row.last.says)}"


def _next_tip(row: JobRow) -> str:
    return "" if row.next_due is None else formatting.full(row.next_due)


def _paint_last(painter: QPainter, area: QRectF, row: JobRow, state: RowState) -> None:
    if row.last is None:
        draw_text(painter, area, tr("never"), look.font(12), c("t3"), LEFT)
        return
    _marked(painter, area, row.last.state, last(row))


def _paint_result(painter: QPainter, area: QRectF, row: JobRun, state: RowState) -> None:
    _marked(painter, area, row.state, result(row))


def _marked(painter: QPainter, area: QRectF, state: str, words: str) -> None:
    icon, tone = STATES.get(state, ("info", "t3"))
    icons.paint(painter, icon, QPointF(area.x(), round(area.center().y() - 8)), tone)
    token = tone if tone == "bad" else "t2"
    draw_text(painter, area.adjusted(22, 0, 0, 0), words, look.font(12), c(token), LEFT)


def _paint_next(painter: QPainter, area: QRectF, row: JobRow, state: RowState) -> None:
    running = row.running
    if running is None:
        token = "warn" if row.paused else "t2"
        draw_text(painter, area, following(row), look.font(12), c(token), LEFT)
        return
    share = running.done / running.total if running.total else 0.0
    paint_bar(painter, QRectF(area.x(), area.y(), BAR_PX, area.height()), share, "acc")
    draw_text(painter, area.adjusted(BAR_PX + 8, 0, 0, 0), running.says, look.font(12), c("t1"), LEFT)


def _paint_by(painter: QPainter, area: QRectF, row: JobRun, session: Session) -> None:
    spot = QRectF(area.x(), round(area.center().y() - 8), 16, 16)
    if row.author.startswith("person:"):
        name, shape, who = session.mark(row.author)
        author(painter, spot, name, shape, who)
    else:
        icons.paint(painter, "audit", spot.topLeft(), "t3")


def _paint_op(painter: QPainter, area: QRectF, row: Planned, state: RowState) -> None:
    icon, tone = fields.picture(row.op)
    icons.paint(painter, icon, QPointF(area.x(), round(area.center().y() - 8)), tone)
    draw_text(painter, area.adjusted(22, 0, 0, 0), fields.word(row.op), look.font(12), c("t1"), LEFT)


def _paint_channel(painter: QPainter, area: QRectF, row: Planned, session: Session) -> None:
    channel(painter, area, row.channel, session.channel_number(row.channel))
