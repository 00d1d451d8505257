"""History: the audit timeline, the audit log, the verification of both, and the feed of changes."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint, Face
from memdesk.model.history import (
    OPERATIONS,
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
    face=Face(
        words="log",
        about="List events, newest first.",
        defaults={"limit": 30},
        options={"operations": "op", "authors": "author"},
        left_out=("layers", "before", "count"),
        help={
            "operations": "only this operation",
            "authors": "only this author, such as agent:iris",
            "text": "only titles with these words; the last may be a beginning",
            "record": "only what touched this memory",
            "conversation_id": "only what happened in this conversation",
            "session_id": "only what happened in this session",
            "run": "only the changes of this run, as of an import or a job",
            "since": "only from then on",
            "until": "only from before",
            "limit": "rows at most",
            "first": "rows to skip",
        },
        choices={"operations": OPERATIONS},
        columns=(
            ("CHANGE", "{id}"),
            ("TIME", "{at}"),
            ("OPERATION", "{op}"),
            ("AUTHOR", "{author}"),
            ("CHANNEL", "{channel}"),
            ("WHAT", "{title}{undone_by:? (undone by }{undone_by}{undone_by:?)}"),
        ),
        noun="event",
    ),
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
