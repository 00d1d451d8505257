"""Columns of the tables of jobs, runs and plans."""

from __future__ import annotations

from datetime import UTC, datetime

from memdesk.gui import formatting
from memdesk.gui.inspectors import fields
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import Column
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
        Column(tr("Job"), title, width=130, px=13, weight=500, token="t1", tip=_purpose),
        Column(tr("What it does"), lambda row: tr(row.says), hidden_below=900),
        Column(tr("Every"), every, width=86),
        Column(
            tr("Last run"),
            last,
            icon=lambda row: _state(row.last.state) if row.last else None,
            token=lambda row: _ink(row.last.state) if row.last else "t3",
            tip=_last_tip,
        ),
        Column(
            tr("Next"),
            following,
            width=170,
            bar=_progress,
            bar_px=BAR_PX,
            token=lambda row: "t1" if row.running else "warn" if row.paused else "t2",
            tip=lambda row: "" if row.next_due is None else formatting.full(row.next_due),
        ),
    )


def brief() -> tuple[Column[JobRow], ...]:
    """Return the columns of the jobs for a narrow list: name, interval, and the last run or the progress."""
    return (
        Column(tr("Job"), title, width=116, weight=500, token="t1"),
        Column(tr("Every"), every, width=70, token="t3"),
        Column(
            tr("Last run"),
            brief_state,
            icon=lambda row: _state(row.last.state) if row.last and not row.running else None,
            token=lambda row: "acc" if row.running else _ink(row.last.state) if row.last else "t3",
        ),
    )


def runs(session: Session) -> tuple[Column[JobRun], ...]:
    """Return the columns of the runs: start, job, author and result."""
    return (
        Column(
            tr("Started"),
            lambda row: formatting.minute(row.started_at),
            width=126,
            tip=lambda row: formatting.full(row.started_at),
        ),
        Column(tr("Job"), lambda row: named(row.job), width=122, token="t1"),
        Column(
            tr("By"),
            lambda row: row.author.partition(":")[2] or tr("the clock"),
            width=58,
            tip=lambda row: tip_text(row.author.replace(":", " ")),
            mark=lambda row: session.mark(row.author) if _is_by_person(row) else None,
            icon=lambda row: None if _is_by_person(row) else ("audit", "t3"),
            hidden_below=460,
        ),
        Column(
            tr("Result"),
            result,
            icon=lambda row: _state(row.state),
            token=lambda row: _ink(row.state),
            tip=lambda row: tip_text(result(row)),
        ),
    )


def plan(session: Session) -> tuple[Column[Planned], ...]:
    """Return the columns of the changes that a dry run would make."""
    return (
        Column(
            tr("Would"),
            lambda row: fields.word(row.op),
            width=100,
            token="t1",
            icon=lambda row: fields.picture(row.op),
        ),
        Column(tr("What"), lambda row: " ".join(row.title.split()), token="t1"),
        Column(tr("Channel"), lambda row: row.channel, width=116, channel=session.channel_number),
        Column(tr("Records"), lambda row: formatting.count(row.edits), width=70, numeric=True),
    )


def _purpose(row: JobRow) -> str:
    return tip_text(row.says)


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


def brief_state(row: JobRow) -> str:
    """Return the progress of a running job as “3 of 12”, else the time and the result of the last run as “08:12 · 12
    changes”."""
    running, last = row.running, row.last
    if running is not None:
        of = tr(
            "{done} of {total}", done=formatting.count(running.done), total=formatting.count(running.total)
        )
        return of if running.total else tr("running")
    if last is None:
        return tr("paused") if row.paused else tr("never")
    short = last.says.removeprefix("Made ").removeprefix("Changed ").rstrip(".。")
    when = tr("paused") if row.paused else formatting.clock(last.started_at)
    return f"{when} · {tr('failed') if last.state == 'failed' else short}"


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


def _is_by_person(row: JobRun) -> bool:
    return row.author.startswith("person:")


def _state(state: str) -> tuple[str, str]:
    return STATES.get(state, ("info", "t3"))


def _ink(state: str) -> str:
    return "bad" if _state(state)[1] == "bad" else "t2"


def _progress(row: JobRow) -> tuple[float, str] | None:
    running = row.running
    return None if running is None else (running.done / running.total if running.total else 0.0, "acc")
