"""History: the audit timeline, the audit log, the verification of both, and the feed of changes."""

from __future__ import annotations

from typing import Any

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

PAGE = Endpoint("history.page", "GET", AskHistory, HistoryPage, "A window of the audit timeline", owner=True)
HISTOGRAM = Endpoint("history.histogram", "GET", AskHistogram, Histogram, "Events over time", owner=True)
EVENT = Endpoint("history.event", "GET", AskEvent, EventDetail, "One event with before and after", owner=True)
USERS = Endpoint(
    "history.users", "GET", Nothing, UserList, "Everybody something is remembered of", owner=True
)
AUDIT = Endpoint("history.audit", "GET", AskAudit, AuditPage, "Rows of the audit log", owner=True)
SEGMENTS = Endpoint("history.segments", "GET", Nothing, SegmentList, "The days of the audit log", owner=True)
VERIFY = Endpoint(
    "history.verify",
    "POST",
    Nothing,
    JobState,
    "Read the whole desk for damage: pages, rows, indexes, files, journal",
    owner=True,
)

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (PAGE, HISTOGRAM, EVENT, USERS, AUDIT, SEGMENTS, VERIFY)
