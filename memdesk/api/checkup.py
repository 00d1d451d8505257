"""Checkup: facts that may no longer be right, and the job that asks about them."""

from __future__ import annotations

from typing import Any

from memdesk.api.endpoint import Endpoint
from memdesk.model.checkup import AskCheckup, CheckupList
from memdesk.model.status import JobState, Nothing

START = Endpoint(
    "checkup.start", "POST", Nothing, JobState, "Check all facts and ask about findings", owner=True
)
FINDINGS = Endpoint(
    "checkup.findings", "GET", AskCheckup, CheckupList, "Facts that may no longer be right", owner=True
)

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (START, FINDINGS)
