"""History: the audit timeline, the audit log, the verification of both, and the feed of changes."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
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
from memdesk.model.team import CURATOR, OWNER, READER
from memdesk.model.timeline import AskPast, PastPage, PutBack, PutBackDone

FEED_PATH = "/v1/history/feed"
"""Path of the feed of server-sent events. `Last-Event-ID` (or `?after=`) resumes it; without it the feed
starts now."""

PAGE = Get(
    "history.page",
    AskHistory,
    HistoryPage,
    "A window of the audit timeline",
    "browsing.history:page",
    role=READER,
    person=True,
    face=Face(
        "log",
        about="List events, newest first.",
        defaults={"limit": 30},
        options={"operations": "op", "authors": "author"},
        left_out=("layers", "before", "count"),
        help={
            "text": "only titles with these words; the last may be a beginning",
            "run": "only the changes of this run, as of an import or a job",
            "operations": "only events of this operation",
            "authors": "only changes by this author: agent:NAME, person:NAME or job:NAME",
            "conversation_id": "only what happened in this conversation",
            "session_id": "only what happened in this session",
        },
        choices={"operations": OPERATIONS},
        columns="CHANGE {id} | TIME {at} | OPERATION {op} | AUTHOR {author} | CHANNEL {channel}"
        " | WHAT {title}{undone_by:? (undone by {undone_by})}",
        noun="event",
    ),
)
HISTOGRAM = Get(
    "history.histogram",
    AskHistogram,
    Histogram,
    "Events over time",
    "browsing.history:histogram",
    role=READER,
    person=True,
)
EVENT = Get(
    "history.event",
    AskEvent,
    EventDetail,
    "One event with before and after",
    "browsing.history:event",
    role=OWNER,
)
PAST = Get(
    "history.past",
    AskPast,
    PastPage,
    "Memories that differ from an earlier moment",
    "memory.time_machine:differences",
    role=CURATOR,
    face=Face(
        "past",
        about="List the facts, or memories of another kind, that differ from an earlier moment; changed last first.",
        options={"channels": "channel"},
        help={
            "at": "the moment: a date, a time, or `2d` for two days ago",
            "before": "instead of a moment: just before this change",
            "until": "compare with this later moment, not with now",
            "kind": "fact, entity, goal, strategy, relation, trait or document",
            "channels": "only what is or was in this channel",
            "text": "only titles with these words, then or now",
        },
        columns="ID {id} | THEN {then} | NOW {now}",
        none="Nothing is otherwise.",
    ),
)
PUT_BACK = Post(
    "history.put_back",
    PutBack,
    PutBackDone,
    "Put memories back to what they were before a change, in one run",
    "memory.time_machine:put_back",
    role=CURATOR,
    face=Face(
        "put-back",
        positional=("ids",),
        help={
            "ids": "as `memdesk past` lists them",
            "before": "as of just before this change",
            "kind": "fact, entity, goal, strategy, relation, trait or document",
        },
        line="{changed:# fact} put back.{change:? Take it back with: memdesk undo {change}}",
    ),
)
USERS = Get(
    "history.users",
    Nothing,
    UserList,
    "Everybody something is remembered of",
    "browsing.history:users",
    role=OWNER,
)
AUDIT = Get("history.audit", AskAudit, AuditPage, "Rows of the audit log", "health.audit:page", role=CURATOR)
SEGMENTS = Get(
    "history.segments",
    Nothing,
    SegmentList,
    "The days of the audit log",
    "health.audit:segment_list",
    role=OWNER,
)
VERIFY = Post(
    "history.verify",
    Nothing,
    JobState,
    "Read the whole desk for damage: pages, rows, indexes, files, journal",
    "service.desk_calls:verify_desk",
    role=OWNER,
)
