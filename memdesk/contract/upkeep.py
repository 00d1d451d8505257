"""Upkeep: the desk's state, its jobs, and ending its service."""

from __future__ import annotations

from typing import Any

from memdesk.contract.endpoint import Endpoint
from memdesk.model.status import AskJob, JobState, Nothing, Status, Stopping

STATUS = Endpoint("upkeep.status", "GET", Nothing, Status, "What the desk holds, what works, what runs")
JOB = Endpoint("upkeep.job", "GET", AskJob, JobState, "One job's progress", owner=True)
CANCEL_JOB = Endpoint("upkeep.cancel_job", "POST", AskJob, JobState, "Cancel a job", owner=True)
CONSOLIDATE = Endpoint(
    "upkeep.consolidate", "POST", Nothing, JobState, "Extract facts from new turns now", owner=True
)
STOP = Endpoint("upkeep.stop", "POST", Nothing, Stopping, "End the service cleanly", owner=True)

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (STATUS, JOB, CANCEL_JOB, CONSOLIDATE, STOP)
