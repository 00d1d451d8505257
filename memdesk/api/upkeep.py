"""Upkeep: the desk's state, metrics, settings, running jobs and notices, and the end of its service."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint, Face
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

NOTICE_COLUMNS = (("ID", "{id}"), ("SINCE", "{at}"), ("WHAT", "{says}"))
STATUS = Endpoint(
    "upkeep.status",
    "GET",
    Nothing,
    Status,
    "What the desk holds, what works, what runs",
    verb="service.desk_calls:status",
)
METRICS = Endpoint(
    "upkeep.metrics",
    "GET",
    Nothing,
    Metrics,
    "The desk in numbers, without a word of memory",
    verb="service.desk_calls:metrics",
)
SETTINGS = Endpoint(
    "upkeep.settings",
    "GET",
    Nothing,
    SettingList,
    "Every setting as it stands",
    owner=True,
    verb="engine.health.settings:list_settings",
)
CHANGE_SETTINGS = Endpoint(
    "upkeep.change_settings",
    "POST",
    ChangeSettings,
    SettingsChanged,
    "Change settings, all or none",
    owner=True,
    verb="engine.health.settings:change_settings",
)
JOB = Endpoint(
    "upkeep.job",
    "GET",
    AskJob,
    JobState,
    "One job's progress",
    owner=True,
    verb="service.job_calls:job_state",
)
CANCEL_JOB = Endpoint(
    "upkeep.cancel_job",
    "POST",
    AskJob,
    JobState,
    "Cancel a job",
    owner=True,
    verb="service.job_calls:cancel_job",
)
CONSOLIDATE = Endpoint(
    "upkeep.consolidate",
    "POST",
    Nothing,
    JobState,
    "Extract facts from new turns now",
    owner=True,
    verb="service.job_calls:consolidate",
    face=Face(
        words="consolidate",
        about="Extract facts from new turns now, and wait until it is done.",
        line="Consolidated: {counts}.",
    ),
)
NOTICES = Endpoint(
    "upkeep.notices",
    "GET",
    Nothing,
    StandingNotices,
    "What waits for a person's answer",
    owner=True,
    verb="service.desk_calls:notices",
    face=Face(
        words="notices list",
        about="List the notices that wait for your answer, such as memory found lost or damaged.",
        columns=NOTICE_COLUMNS,
        none="Nothing waits for an answer.",
    ),
)
ANSWER_NOTICE = Endpoint(
    "upkeep.answer_notice",
    "POST",
    AnswerNotice,
    StandingNotices,
    "Say that a notice was dealt with",
    owner=True,
    verb="service.desk_calls:answer_notice",
    face=Face(
        words="notices answer",
        about="Mark a notice as dealt with.",
        positional=("id",),
        help={"id": "which notice has been dealt with"},
        columns=NOTICE_COLUMNS,
        none="Nothing waits for an answer.",
    ),
)
STOP = Endpoint(
    "upkeep.stop",
    "POST",
    Nothing,
    Stopping,
    "End the service cleanly",
    owner=True,
    verb="service.desk_calls:stop",
)
