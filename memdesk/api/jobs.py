"""Jobs: their schedule, runs now or dry, pauses, and the history of their runs."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint, Face
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

LIST = Endpoint(
    "jobs.list",
    "GET",
    Nothing,
    JobsList,
    "Every job with its schedule and last run",
    owner=True,
    verb="service.job_calls:list_jobs",
)
RUN = Endpoint(
    "jobs.run",
    "POST",
    RunJob,
    JobState,
    "Run a job now, or dry: list what it would change",
    owner=True,
    verb="service.job_calls:run_job",
)
PAUSE = Endpoint(
    "jobs.pause",
    "POST",
    NamedJob,
    JobPaused,
    "Keep a job from starting by itself",
    owner=True,
    verb="service.job_calls:pause_job",
    face=Face(
        words="jobs pause",
        about="Keep a job from starting by itself.",
        positional=("name",),
        help={"name": "which job, such as decay"},
        line="{name} starts by itself no more; `memdesk jobs resume {name}` ends that.",
    ),
)
RESUME = Endpoint(
    "jobs.resume",
    "POST",
    NamedJob,
    JobPaused,
    "Let a paused job start again",
    owner=True,
    verb="service.job_calls:resume_job",
    face=Face(
        words="jobs resume",
        about="Let a paused job start by itself again.",
        positional=("name",),
        help={"name": "which job, such as decay"},
        line="{name} starts by itself again.",
    ),
)
SWITCH = Endpoint(
    "jobs.switch",
    "POST",
    SwitchJobs,
    JobsSwitched,
    "Stop every job and start none, or let them start",
    owner=True,
    verb="service.job_calls:switch_jobs",
)
HISTORY = Endpoint(
    "jobs.history",
    "GET",
    AskRuns,
    RunsPage,
    "Runs of jobs, newest first",
    owner=True,
    verb="engine.jobs.schedule:runs",
)
