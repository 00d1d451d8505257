"""Jobs: the scheduled jobs, their next run, the effects of past and dry runs; with run, stop and pause."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QWidget

from memdesk.api import jobs, upkeep
from memdesk.gui import formatting
from memdesk.gui.inspectors.inspector import Inspector
from memdesk.gui.keys import on_key
from memdesk.gui.language import marked_words, sentences, tr
from memdesk.gui.panels import job_columns
from memdesk.gui.session import Session
from memdesk.gui.shell.record_panel import RecordPanel
from memdesk.gui.widgets import (
    Control,
    Empty,
    Ground,
    RowsModel,
    Splitter,
    Table,
    Text,
    WindowedModel,
    column,
    delayed,
    laid_out,
    pages,
    row,
)
from memdesk.gui.widgets.windowed import PAGE_ROWS
from memdesk.model.history import FeedEvent
from memdesk.model.job import AskRuns, JobRow, JobRun, JobsList, NamedJob, Planned, RunJob, SwitchJobs
from memdesk.model.status import AskJob, JobState, Nothing

COUNTS = frozenset(
    marked_words(
        "changes, undone, conversations, turns, facts, entities, relations, strategies, outcomes, texts, "
        "superseded, flagged, kept, left, proposed, promoted, retired, archived, deleted, swept, purged, "
        "closed, dropped, prompts, repeated, held, faded entities, faded facts"
    )
)
"""Counts as the jobs name them, with spaces instead of underscores."""


def counted(name: str) -> str:
    """Return a count's name: “faded facts” for faded_facts; a name missing from COUNTS is not translated."""
    said = name.replace("_", " ")
    return tr(said) if said in COUNTS else said


class Aside(Ground):
    """Detail view of a run. Signals: undo_asked carries a change of the run to undo; opened, the id of a
    memory."""

    undo_asked = Signal(int)
    opened = Signal(str)

    def __init__(self, session: Session) -> None:
        self.heading = Text("", 12, "t1", weight=600, elide=True)
        self.says = Text("", 12, "t2", wrap=True)
        self.counts = Text("", 12, "t3", wrap=True)
        self.undo = Control("button", tr("Take the whole run back"), "undo", small=True)
        self.model: RowsModel[Planned] = RowsModel(job_columns.plan(session))
        self.table = Table(self.model, name=tr("What it would change"), token="panel", pad=16)
        self._nothing = Empty(
            tr("Nothing is chosen."),
            tr("Choose a run to see what it did, or run a job dry to see what it would do."),
        )
        self._last: int | None = None
        super().__init__("panel", "left")
        words = column(
            self.heading, self.says, self.counts, row(self.undo, None), gap=8, margins=(16, 14, 16, 12)
        )
        # The room that is left is the table's, or empty below the words.
        below = laid_out(column(self.table, gap=0))
        text_layout = column(words, below, gap=0, stretch=below)
        ground = Ground("panel", layout=text_layout)
        self._stack = pages(self._nothing, ground)
        self.setLayout(column(self._stack, gap=0, margins=(1, 0, 0, 0)))
        self.table.opened.connect(self._open)
        self.undo.clicked.connect(self._ask_undo)

    def show_nothing(self) -> None:
        self._stack.setCurrentIndex(0)

    def show_run(self, run: JobRun) -> None:
        self._last = run.last_change
        left = run.changes - run.undone
        heading = tr("{job}, {when}", job=job_columns.named(run.job), when=formatting.minute(run.started_at))
        if run.finished_at is not None:
            heading = tr("{run} · took {time}", run=heading, time=took_of(run))
        self._show_outcome(heading, job_columns.result(run), run.result)
        self.undo.setVisible(left > 0 and run.last_change is not None)
        self.undo.setText(tr("Take %Ln change(s) back", "", left))
        self.table.hide()

    def show_plan(self, job: str, says: str, planned: Sequence[Planned], changes: int) -> None:
        """Show the changes that a dry run would make."""
        self._last = None
        more = tr("The first %Ln are listed.", "", len(planned)) if changes > len(planned) else ""
        kept = tr("Nothing was changed.") if changes else ""
        self._show_outcome(tr("{job}, dry run", job=job_columns.named(job)), sentences(says, more, kept), {})
        self.undo.hide()
        self.model.set_rows(planned)
        self.table.setVisible(bool(planned))

    def _show_outcome(self, heading: str, says: str, counts: dict[str, object]) -> None:
        self._stack.setCurrentIndex(1)
        self.heading.setText(heading)
        self.says.setText(says)
        words = [f"{counted(name)} {value:,}" for name, value in counts.items() if isinstance(value, int)]
        self.counts.setText(" · ".join(words))
        self.counts.setVisible(bool(words))

    def _ask_undo(self) -> None:
        if self._last is not None:
            self.undo_asked.emit(self._last)

    def _open(self, planned: Planned) -> None:
        if planned.records:
            self.opened.emit(planned.records[0])


def took_of(run: JobRun) -> str:
    assert run.finished_at is not None
    seconds = (run.finished_at - run.started_at).total_seconds()
    return f"{seconds:.1f} s" if seconds < 10 else formatting.span(seconds)


ROWS_PX = 30
RUNS_LEAST_PX = 160
LOOK_MS = 400
"""Interval for reloading while a job runs."""
HEAD_PX = 28


class JobsPanel(RecordPanel):
    """Table of jobs, history of their runs, and the chosen run next to it."""

    name = "jobs"

    def __init__(self, session: Session, inspector: Inspector) -> None:
        super().__init__(session, inspector)
        self._enabled = True
        self.switch = Control("button", tr("Stop every job"), "pause")
        self.settings = Control(
            "ghost", tr("Schedule and budget"), "settings", tip=tr("Open them in Settings")
        )
        self.model: RowsModel[JobRow] = RowsModel(job_columns.jobs())
        self.table = Table(self.model, name=tr("Jobs"), id_of=attrgetter("name"))
        self.buttons = {
            "run": Control("button", tr("Run now"), "play", keys="R"),
            "dry": Control(
                "button",
                tr("Run dry"),
                "recall",
                keys="D",
                tip=tr("List what it would change, and change nothing"),
            ),
            "pause": Control("button", tr("Pause"), "pause", keys="H"),
            "stop": Control("button", tr("Stop"), "close", keys="X"),
        }
        self.progress = Text("", 12, "t3", elide=True)
        self.runs = WindowedModel(job_columns.runs(session), self._fetch, session.spawn)
        self.history = Table(self.runs, name=tr("Runs"))
        self.aside = Aside(session)
        self._looking = delayed(self.reload_soon, self)
        footer = row(*self.buttons.values(), 8, self.progress, margins=(20, 0, 20, 0))
        self.below = Splitter(self.history, self.aside, minimum=300)
        content = QWidget()
        layout = column(self.table, Ground("panel", "top bottom", footer, height=44), self.below, gap=0)
        # The table takes what it needs for all jobs, up to the height that is left to the runs.
        layout.setStretchFactor(self.table, 100)
        layout.setStretchFactor(self.below, 1)
        self.below.setMinimumHeight(RUNS_LEAST_PX)
        content.setLayout(layout)
        actions = (self.settings, self.switch)
        self.lay_out(content, focus=self.table, actions=actions, skeleton=(0.1, 0.3, 0.08, 0.2, 0.1))
        self.table.picked.connect(lambda _: self._show_chosen())
        self.table.opened.connect(lambda _: self._show_last())
        self.history.picked.connect(self.aside.show_run)
        self.aside.undo_asked.connect(lambda change: self.session.spawn(self._undo(change)))
        self.aside.opened.connect(self.inspector.show_memory)
        self.switch.clicked.connect(lambda: self.session.spawn(self._switch()))
        self.settings.clicked.connect(
            lambda: self.inspector.navigated.emit("settings", "consolidate_minutes")
        )
        acts: dict[str, Callable[[], Any]] = {
            "run": lambda: self._run(dry=False),
            "dry": lambda: self._run(dry=True),
            "pause": self._pause,
            "stop": self._stop,
        }
        for name, act in acts.items():
            button = self.buttons[name]
            button.clicked.connect(lambda _=False, act=act: self.session.spawn(act()))
            on_key(button.label.keys, button.click, self.table)
            on_key(button.label.keys, partial(self._press_for_run, button), self.history)
        self.session.status_changed.connect(lambda _: self._follow())

    def show_away(self, why_not: str) -> None:
        self._show_chosen()

    def _follow(self) -> None:
        if self.isVisible() and self._is_open():
            self.reload_soon()

    def concerned(self, event: FeedEvent) -> bool:
        """Return True for events of jobs, and for events without records, such as switching jobs off."""
        return event.author.startswith("job:") or not event.kinds

    # Loading.

    async def load(self) -> None:
        """Load the jobs and the newest runs; a chosen run stays chosen."""
        found, page = await asyncio.gather(
            self.session.call(jobs.LIST, Nothing()), self.session.call(jobs.HISTORY, AskRuns(limit=PAGE_ROWS))
        )
        self._show_jobs(found)
        run = self.history.record()
        with QSignalBlocker(self.history):
            self.runs.reset(page.total, page.rows)
            place = next(
                (place for place, each in enumerate(page.rows) if run is not None and each.id == run.id), None
            )
            if place is not None:
                self.history.choose(place)
                self.aside.show_run(page.rows[place])
        self.show_content()
        if self._is_open():
            self._looking.start(LOOK_MS)

    def _show_jobs(self, found: JobsList) -> None:
        self._enabled = found.enabled
        self.table.replace_rows(found.rows)
        self.table.setMaximumHeight(HEAD_PX + ROWS_PX * len(found.rows))
        waiting = [each for each in found.rows if each.next_due is not None]
        soonest = min(waiting, key=lambda each: each.next_due or 0, default=None)
        if not found.enabled:
            self.say(tr("The clock starts no job."))
        elif soonest is None or soonest.next_due is None:
            self.say(tr("%Ln by the clock", "", len(waiting)))
        else:
            next_one = job_columns.title(soonest).lower()
            when = job_columns.until(soonest.next_due)
            self.say(tr("%Ln by the clock · next {job} {when}", "", len(waiting), job=next_one, when=when))
        self.switch.setText(tr("Stop every job") if found.enabled else tr("Let jobs run"))
        self.switch.set_icon("pause" if found.enabled else "play")
        self._show_chosen()

    async def _fetch(self, first: int, limit: int) -> Sequence[JobRun]:
        return (await self.session.call(jobs.HISTORY, AskRuns(first=first, limit=limit))).rows

    def _is_open(self) -> bool:
        return any(each.running is not None for each in self.model.rows())

    # What can be done.

    def _show_chosen(self) -> None:
        job: JobRow | None = self.table.record()
        away = self.session.why_not
        running = job is not None and job.running is not None
        self.buttons["run"].set_enabled(not away and not running, away or tr("It is under way."))
        self.buttons["dry"].set_enabled(not away, away)
        self.buttons["stop"].set_enabled(not away and running, away or tr("It is not under way."))
        paused = job is not None and job.paused
        self.buttons["pause"].setText(tr("Resume") if paused else tr("Pause"))
        self.buttons["pause"].set_icon("play" if paused else "pause")
        self.buttons["pause"].set_enabled(not away, away)

    def _show_last(self) -> None:
        job: JobRow | None = self.table.record()
        if job is not None and job.last is not None:
            self.aside.show_run(job.last)

    def _press_for_run(self, button: Control) -> None:
        """Act on the job of the chosen run, which becomes the chosen job; runs of no listed job have none."""
        run: JobRun | None = self.history.record()
        if run is not None and self.table.choose_id(run.job):
            button.click()

    async def _run(self, *, dry: bool) -> None:
        job: JobRow | None = self.table.record()
        if job is None:
            return
        started = await self.session.call(jobs.RUN, RunJob(name=job.name, dry=dry))
        self.reload()
        self.session.refresh_status()
        ended = await self.session.finish(started, self._show_progress)
        self.progress.setText("")
        if dry and ended.state == "done":
            planned = [
                Planned(**{**each, "records": tuple(each["records"])})
                for each in ended.result.get("planned", ())
            ]
            self.aside.show_plan(job.name, ended.says, planned, int(ended.result.get("changes", 0)))
        self.reload()
        self.session.refresh_status()

    def _show_progress(self, state: JobState) -> None:
        job = job_columns.named(state.name)
        name = tr("{job}, dry run", job=job) if state.dry else job
        of = tr("{done} of {total}", done=f"{state.done:,}", total=f"{state.total:,}") if state.total else ""
        self.progress.setText(
            " · ".join(each for each in (name, of, state.says) if each) if state.open else ""
        )

    async def _pause(self) -> None:
        job: JobRow | None = self.table.record()
        if job is not None:
            await self.session.call(jobs.RESUME if job.paused else jobs.PAUSE, NamedJob(name=job.name))
            self.reload()

    async def _stop(self) -> None:
        job: JobRow | None = self.table.record()
        if job is not None and job.running is not None:
            await self.session.call(upkeep.CANCEL_JOB, AskJob(id=job.running.id))
            self.reload()

    async def _switch(self) -> None:
        await self.session.call(jobs.SWITCH, SwitchJobs(on=not self._enabled))
        self.reload()

    async def _undo(self, change: int) -> None:
        await self.session.undo_run(change)
        self.reload()
