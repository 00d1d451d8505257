"""History: the audit timeline, the audit log, the verification of both, and the feed of changes."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint
from memdesk.model.history import (
    AskAudit,
    AskEvent,
    AskHistogram,
    AskHistory,
    AuditPage,
    EventDetail,
    Histogram,
    HistoryPage,
    SegmentList,
    UserList,
)
from memdesk.model.status import JobState, Nothing

FEED_PATH = "/v1/history/feed"
"""Path of the feed of server-sent events. `Last-Event-ID` (or `?after=`) resumes it; without it the feed
starts now."""

PAGE = Endpoint(
    "history.page",
    "GET",
    AskHistory,
    HistoryPage,
    "A window of the audit timeline",
    owner=True,
    verb="engine.browsing.history:page",
)
HISTOGRAM = Endpoint(
    "history.histogram",
    "GET",
    AskHistogram,
    Histogram,
    "Events over time",
    owner=True,
    verb="engine.browsing.history:histogram",
)
EVENT = Endpoint(
    "history.event",
    "GET",
    AskEvent,
    EventDetail,
    "One event with before and after",
    owner=True,
    verb="engine.browsing.history:event",
)
USERS = Endpoint(
    "history.users",
    "GET",
    Nothing,
    UserList,
    "Everybody something is remembered of",
    owner=True,
    verb="engine.browsing.history:users",
)
AUDIT = Endpoint(
    "history.audit",
    "GET",
    AskAudit,
    AuditPage,
    "Rows of the audit log",
    owner=True,
    verb="engine.health.audit:page",
)
SEGMENTS = Endpoint(
    "history.segments",
    "GET",
    Nothing,
    SegmentList,
    "The days of the audit log",
    owner=True,
    verb="engine.health.audit:segment_list",
)
VERIFY = Endpoint(
    "history.verify",
    "POST",
    Nothing,
    JobState,
    "Read the whole desk for damage: pages, rows, indexes, files, journal",
    owner=True,
    verb="service.job_calls:verify_desk",
)
