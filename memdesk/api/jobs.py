"""Jobs: their schedule, runs now or dry, pauses, and the history of their runs."""

from __future__ import annotations

from typing import Any

from memdesk.api.endpoint import Endpoint
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

LIST = Endpoint("jobs.list", "GET", Nothing, JobsList, "Every job with its schedule and last run", owner=True)
RUN = Endpoint(
    "jobs.run", "POST", RunJob, JobState, "Run a job now, or dry: list what it would change", owner=True
)
PAUSE = Endpoint("jobs.pause", "POST", NamedJob, JobPaused, "Keep a job from starting by itself", owner=True)
RESUME = Endpoint("jobs.resume", "POST", NamedJob, JobPaused, "Let a paused job start again", owner=True)
SWITCH = Endpoint(
    "jobs.switch",
    "POST",
    SwitchJobs,
    JobsSwitched,
    "Stop every job and start none, or let them start",
    owner=True,
)
HISTORY = Endpoint("jobs.history", "GET", AskRuns, RunsPage, "Runs of jobs, newest first", owner=True)

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (LIST, RUN, PAUSE, RESUME, SWITCH, HISTORY)
