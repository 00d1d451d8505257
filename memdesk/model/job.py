"""Jobs as shown to people: their schedule, their runs, and the changes a dry run would make."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from memdesk.model.message import NO_MESSAGE, Details, Message
from memdesk.model.names import Name
from memdesk.model.status import JobState

CLOCK = "clock"
"""Author of a run that was started by the schedule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """Change that a dry run would have made. `records` contains at most twenty of the ids it touches."""

    op: str
    title: Message
    channel: str
    edits: int
    records: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRun:
    """Run of a job. state: running, done, failed, cancelled, or interrupted by the end of the service.

    author: `clock`, or the person who started it. result: its counts. changes, undone: how many changes it
    made, and how many of them were undone since. first_change, last_change: their numbers, either of which
    names the run to `curation.undo_run`; None when it changed nothing."""

    id: str
    job: str
    author: str
    dry: bool
    started_at: datetime
    finished_at: datetime | None
    state: str
    says: Message
    result: Details = field(default_factory=dict)
    changes: int = 0
    undone: int = 0
    first_change: int | None = None
    last_change: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRow:
    """Job with its schedule and state. every_minutes: 0 for one without a schedule. by_change: it runs after
    every change of memory instead.

    last: its latest run that was not a dry run. next_due: None while nothing is scheduled. running: the run
    in progress, or waiting to start."""

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
    """List of the jobs. enabled: whether the schedule starts jobs at all (the setting jobs_enabled)."""

    enabled: bool
    rows: tuple[JobRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsPage:
    """Page of runs: rows `first` to `first + len(rows)` of `total`, newest first."""

    first: int
    total: int
    rows: tuple[JobRun, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunJob:
    """Request to run a job now. dry: change nothing, and list the changes it would make.

    A running job is not started twice; a dry run waits until it ends."""

    name: Name
    dry: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedJob:
    """Request about a job, by its name."""

    name: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchJobs:
    """Request to enable scheduled jobs (on), or to stop every running job and start none (off), also after
    restarts.

    An import or an undo that a person started continues."""

    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class JobsSwitched:
    """Result of switching jobs.

    stopped: the jobs that were running, which end at their next step. change: None when nothing was switched.
    """

    enabled: bool
    stopped: tuple[JobState, ...]
    change: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRuns:
    """Window of the runs, newest first; only one job's if it is named."""

    name: Name = ""
    first: int = 0
    limit: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Reprocess:
    """Request to extract facts from a conversation again, by the present rules or model.

    What an earlier reading brought stays as it is now; the run can be undone."""

    conversation_id: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class AskTotals:
    """Request for totals. name: of one job, empty for all. days: those of the last so many days."""

    name: Name = ""
    days: int = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class JobTotals:
    """Totals of a job's runs, dry ones not among them.

    failed: runs that failed. seconds: how long they took together. counts: sums of what they counted; of consolidate:
    `facts` were kept, `repeated` were merged with known ones, `held` and `kept` were left out, `left` are conversations
    that failed, `tokens` a model's. skip_rate: share of the turns read in which nothing was to be read; None for
    no turns."""

    name: str
    runs: int
    failed: int
    seconds: float
    counts: dict[str, int]
    skip_rate: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalsList:
    """Totals of each job that ran in the time."""

    days: int
    rows: tuple[JobTotals, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobPaused:
    """Result of pausing or resuming a job.

    change: the audit entry, None when nothing had to change."""

    name: str
    paused: bool
    change: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Redone:
    """Result of a redo. `change` is the new audit entry, `undid` the undo that it undid. job: of a run, which is
    redone by a job; its result names the changes."""

    undid: int
    change: int | None = None
    title: Message = NO_MESSAGE
    job: JobState | None = None
