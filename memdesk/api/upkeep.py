"""Upkeep: the desk's state, metrics, settings, running jobs and notices, and the end of its service."""

from __future__ import annotations

from typing import Any

from memdesk.api.endpoint import Endpoint
from memdesk.model.checkup import AskCheckup, CheckupList
from memdesk.model.status import (
    AnswerNotice,
    AskJob,
    ChangeSettings,
    JobState,
    Metrics,
    Nothing,
    SettingList,
    SettingsChanged,
    StandingNotices,
    Status,
    Stopping,
)

STATUS = Endpoint("upkeep.status", "GET", Nothing, Status, "What the desk holds, what works, what runs")
JOB = Endpoint("upkeep.job", "GET", AskJob, JobState, "One job's progress", owner=True)
CANCEL_JOB = Endpoint("upkeep.cancel_job", "POST", AskJob, JobState, "Cancel a job", owner=True)
CONSOLIDATE = Endpoint(
    "upkeep.consolidate", "POST", Nothing, JobState, "Extract facts from new turns now", owner=True
)
METRICS = Endpoint("upkeep.metrics", "GET", Nothing, Metrics, "The desk in numbers, without a word of memory")
SETTINGS = Endpoint("upkeep.settings", "GET", Nothing, SettingList, "Every setting as it stands", owner=True)
CHANGE_SETTINGS = Endpoint(
    "upkeep.change_settings",
    "POST",
    ChangeSettings,
    SettingsChanged,
    "Change settings, all or none",
    owner=True,
)
NOTICES = Endpoint(
    "upkeep.notices", "GET", Nothing, StandingNotices, "What waits for a person's answer", owner=True
)
ANSWER_NOTICE = Endpoint(
    "upkeep.answer_notice",
    "POST",
    AnswerNotice,
    StandingNotices,
    "Say that a notice was dealt with",
    owner=True,
)
CHECKUP = Endpoint(
    "upkeep.checkup", "POST", Nothing, JobState, "Check all facts and ask about findings", owner=True
)
FINDINGS = Endpoint(
    "upkeep.checkup_findings", "GET", AskCheckup, CheckupList, "Facts that may no longer be right", owner=True
)
STOP = Endpoint("upkeep.stop", "POST", Nothing, Stopping, "End the service cleanly", owner=True)

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    STATUS,
    METRICS,
    SETTINGS,
    CHANGE_SETTINGS,
    JOB,
    CANCEL_JOB,
    CONSOLIDATE,
    CHECKUP,
    FINDINGS,
    NOTICES,
    ANSWER_NOTICE,
    STOP,
)
