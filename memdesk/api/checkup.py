"""Checkup: look at every fact, and ask a person about those that may be wrong."""

from __future__ import annotations

from memdesk.api.endpoint import Get, Post
from memdesk.model.checkup import AskCheckup, CheckupList
from memdesk.model.status import JobState, Nothing

START = Post(
    "checkup.start",
    Nothing,
    JobState,
    "Check all facts and ask about findings",
    "service.job_calls:checkup",
    owner=True,
)
FINDINGS = Get(
    "checkup.findings",
    AskCheckup,
    CheckupList,
    "Facts that may no longer be right",
    "jobs.checkup:findings",
    owner=True,
)
