"""Jobs as people see them: their schedule, their runs, and what a dry run would change."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memdesk.model.status import JobState

CLOCK = "clock"
"""The author of a run that nobody asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One change that a dry run would have made. `records` holds at most twenty of the ids it touches."""

    op: str
    title: str
    channel: str
    edits: int
    records: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRun:
    """One run of a job. state: running, done, failed, cancelled, or interrupted by the end of the service.

    author: `clock`, or the person who asked. result: what it counted. changes, undone: how many changes it made, and
    how many of them were taken back since. first_change, last_change: their numbers, either of which names the run to
    `curation.undo_run`; None when it changed nothing.
    """

    id: str
    job: str
    author: str
    dry: bool
    started_at: datetime
    finished_at: datetime | None
    state: str
    says: str
    result: dict[str, Any] = field(default_factory=dict)
    changes: int = 0
    undone: int = 0
    first_change: int | None = None
    last_change: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRow:
    """One job. every_minutes: 0 for one that no clock starts. by_change: it follows every change of memory instead.

    last: its latest run that was no dry one. next_due: None while nothing will start it by itself. running: the run
    under way, or waiting to start.
    """

    name: str
    says: str
    every_minutes: int
    by_change: bool
    paused: bool
    last: JobRun | None
    next_due: datetime | None
    running: JobState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobsList:
    """enabled: whether the clock starts jobs at all (the setting jobs_enabled)."""

    enabled: bool
    rows: tuple[JobRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsPage:
    """Rows `first` to `first + len(rows)` of `total`, newest first."""

    first: int
    total: int
    rows: tuple[JobRun, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunJob:
    """Run a job now. dry: change nothing, and list what would change.

    A job that is under way is not started twice; a dry run waits behind it.
    """

    name: str
    dry: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedJob:
    """Which job."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchJobs:
    """Let the clock start jobs (on), or stop every job under way and start none (off), over restarts too.

    An import or an undo that a person started goes on.
    """

    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class JobsSwitched:
    """stopped: the jobs that were under way, which end at their next step. change: None when nothing was switched."""

    enabled: bool
    stopped: tuple[JobState, ...]
    change: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRuns:
    """A window of the runs, newest first; of one job where it is named."""

    name: str = ""
    first: int = 0
    limit: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class JobPaused:
    """change: the audit entry, None when it was so already."""

    name: str
    paused: bool
    change: int | None
