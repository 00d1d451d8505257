"""Jobs: their schedule, runs now or dry, pauses, and the history of their runs."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
from memdesk.model.job import (
    AskRuns,
    JobPaused,
    JobsList,
    JobsSwitched,
    NamedJob,
    RunJob,
    RunsPage,
    SwitchJobs,
)
from memdesk.model.status import JobState, Nothing

LIST = Get(
    "jobs.list",
    Nothing,
    JobsList,
    "Every job with its schedule and last run",
    "service.job_calls:list_jobs",
    owner=True,
)
RUN = Post(
    "jobs.run",
    RunJob,
    JobState,
    "Run a job now, or dry: list what it would change",
    "service.job_calls:run_job",
    owner=True,
)
PAUSE = Post(
    "jobs.pause",
    NamedJob,
    JobPaused,
    "Keep a job from starting by itself",
    "service.job_calls:pause_job",
    owner=True,
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
    "service.job_calls:resume_job",
    owner=True,
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
    "service.job_calls:switch_jobs",
    owner=True,
)
HISTORY = Get(
    "jobs.history", AskRuns, RunsPage, "Runs of jobs, newest first", "jobs.schedule:runs", owner=True
)
