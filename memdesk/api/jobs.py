"""Jobs: their schedule, runs now or dry, pauses, and the history of their runs."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
from memdesk.model.job import (
    AskRuns,
    AskTotals,
    JobPaused,
    JobsList,
    JobsSwitched,
    NamedJob,
    RunJob,
    RunsPage,
    SwitchJobs,
    TotalsList,
)
from memdesk.model.status import JobState, Nothing
from memdesk.model.team import OWNER

LIST = Get(
    "jobs.list",
    Nothing,
    JobsList,
    "Every job with its schedule and last run",
    "service.desk_calls:list_jobs",
    role=OWNER,
)
RUN = Post(
    "jobs.run",
    RunJob,
    JobState,
    "Run a job now, or dry: list what it would change",
    "service.desk_calls:run_job",
    role=OWNER,
)
PAUSE = Post(
    "jobs.pause",
    NamedJob,
    JobPaused,
    "Keep a job from starting by itself",
    "service.desk_calls:pause_job",
    role=OWNER,
    face=Face(
        "jobs pause",
        about="Keep a job from starting by itself.",
        positional=("name",),
        help={"name": "which job, such as decay"},
        line="{name} starts by itself no more; `memdesk jobs resume {name}` ends that.",
    ),
)
RESUME = Post(
    "jobs.resume",
    NamedJob,
    JobPaused,
    "Let a paused job start again",
    "service.desk_calls:resume_job",
    role=OWNER,
    face=Face(
        "jobs resume",
        about="Let a paused job start by itself again.",
        positional=("name",),
        help={"name": "which job, such as decay"},
        line="{name} starts by itself again.",
    ),
)
SWITCH = Post(
    "jobs.switch",
    SwitchJobs,
    JobsSwitched,
    "Stop every job and start none, or let them start",
    "service.desk_calls:switch_jobs",
    role=OWNER,
)
HISTORY = Get(
    "jobs.history", AskRuns, RunsPage, "Runs of jobs, newest first", "jobs.schedule:runs", role=OWNER
)
TOTALS = Get(
    "jobs.totals",
    AskTotals,
    TotalsList,
    "What the runs of each job brought, in all",
    "jobs.schedule:totals",
    role=OWNER,
    example=AskTotals(),
    face=Face(
        "jobs totals",
        about="Show what the runs of each job brought in the last days, in all.",
        positional=("name",),
        help={"name": "only of this job"},
        columns="JOB {name} | RUNS {runs:,} | FAILED {failed:,} | SECONDS {seconds:.1f} | SKIPPED {skip_rate:.0%}"
        " | IN ALL {counts}",
        none="No job ran in that time.",
    ),
)
