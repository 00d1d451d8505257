"""Upkeep: the desk's state, metrics, settings, running jobs and notices, and the end of its service."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
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
from memdesk.model.team import CURATOR, OWNER, READER

NOTICE_COLUMNS = "ID {id} | SINCE {at} | WHAT {says}"
STATUS = Get(
    "upkeep.status",
    Nothing,
    Status,
    "What the desk holds, what works, what runs",
    "service.desk_calls:status",
    role=READER,
)
METRICS = Get(
    "upkeep.metrics",
    Nothing,
    Metrics,
    "The desk in numbers, without a word of memory",
    "service.desk_calls:metrics",
    role=READER,
)
SETTINGS = Get(
    "upkeep.settings",
    Nothing,
    SettingList,
    "Every setting as it stands",
    "health.settings:list_settings",
    role=OWNER,
)
CHANGE_SETTINGS = Post(
    "upkeep.change_settings",
    ChangeSettings,
    SettingsChanged,
    "Change settings, all or none",
    "health.settings:change_settings",
    role=OWNER,
)
JOB = Get("upkeep.job", AskJob, JobState, "One job's progress", "service.desk_calls:job_state", role=CURATOR)
CANCEL_JOB = Post(
    "upkeep.cancel_job", AskJob, JobState, "Cancel a job", "service.desk_calls:cancel_job", role=CURATOR
)
CONSOLIDATE = Post(
    "upkeep.consolidate",
    Nothing,
    JobState,
    "Extract facts from new turns now",
    "service.desk_calls:consolidate",
    role=OWNER,
    face=Face(
        "consolidate",
        about="Extract facts from new turns now, and wait until it is done.",
        line="Consolidated: {counts}.",
    ),
)
CHECKUP = Post(
    "upkeep.checkup",
    Nothing,
    JobState,
    "Check new facts and a share of the others, and ask about findings",
    "service.desk_calls:checkup",
    role=OWNER,
)
FINDINGS = Get(
    "upkeep.checkup_findings",
    AskCheckup,
    CheckupList,
    "Facts that may no longer be right",
    "jobs.checkup:findings",
    role=CURATOR,
)
NOTICES = Get(
    "upkeep.notices",
    Nothing,
    StandingNotices,
    "What waits for a person's answer",
    "service.desk_calls:notices",
    role=OWNER,
    face=Face(
        "notices list",
        about="List the notices that wait for your answer, such as memory found lost or damaged.",
        columns=NOTICE_COLUMNS,
        none="Nothing waits for an answer.",
    ),
)
ANSWER_NOTICE = Post(
    "upkeep.answer_notice",
    AnswerNotice,
    StandingNotices,
    "Say that a notice was dealt with",
    "service.desk_calls:answer_notice",
    role=OWNER,
    face=Face(
        "notices answer",
        about="Mark a notice as dealt with.",
        positional=("id",),
        help={"id": "which notice"},
        columns=NOTICE_COLUMNS,
        none="Nothing waits for an answer.",
    ),
)
STOP = Post(
    "upkeep.stop",
    Nothing,
    Stopping,
    "End the service cleanly",
    "service.desk_calls:stop",
    role=OWNER,
    here=True,
)
