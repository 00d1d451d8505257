"""Context: compaction of an agent's messages without losing any, its sessions, and the memory for its
prompts."""

from __future__ import annotations

from typing import Any

from memdesk.api.endpoint import Endpoint
from memdesk.model.context import (
    Archive,
    AskArchive,
    AskCompaction,
    Compact,
    Compacted,
    CompactionList,
    CompactionWhole,
    ListCompactions,
    Meter,
    PolicyList,
    RestoreArchive,
    Restored,
    Window,
)
from memdesk.model.prompt import AskContext, AskSeen, ListSeen, SeenList, SeenWhole, ToldContext
from memdesk.model.session import ListSessions, NamedSession, NewSession, SessionList, SessionState
from memdesk.model.status import Nothing

COMPACT = Endpoint(
    "context.compact", "POST", Compact, Compacted, "Keep a context's messages, and compact it where due"
)
MEASURE = Endpoint(
    "context.measure", "POST", Window, Meter, "How full a context is, and what its policy would do"
)
FULLNESS = Endpoint(
    "context.fullness",
    "GET",
    NamedSession,
    Meter,
    "How full a session's context is, by what it told the desk",
)
POLICIES = Endpoint("context.policies", "GET", Nothing, PolicyList, "The ways of keeping a context short")
COMPACTIONS = Endpoint(
    "context.compactions", "GET", ListCompactions, CompactionList, "Compactions, newest first"
)
COMPACTION = Endpoint(
    "context.compaction", "GET", AskCompaction, CompactionWhole, "One compaction with both its sides"
)
ARCHIVE = Endpoint(
    "context.archive", "GET", AskArchive, Archive, "Read or search the messages that gave way to a summary"
)
RESTORE = Endpoint(
    "context.restore", "POST", RestoreArchive, Restored, "Put them back in the place of their summary"
)
PROMPT = Endpoint(
    "context.prompt", "POST", AskContext, ToldContext, "What to have in mind before a turn, within a budget"
)
PREVIEW = Endpoint(
    "context.preview",
    "POST",
    AskContext,
    ToldContext,
    "What an agent would be told; nothing is written down",
    owner=True,
)
PROMPTS = Endpoint(
    "context.prompts", "GET", ListSeen, SeenList, "What agents were told before their turns", owner=True
)
SEEN = Endpoint("context.seen", "GET", AskSeen, SeenWhole, "What an agent was told at one time", owner=True)
CREATE_SESSION = Endpoint(
    "context.create_session", "POST", NewSession, SessionState, "Make a session, or resume the one there is"
)
RESUME_SESSION = Endpoint(
    "context.resume_session", "GET", NamedSession, SessionState, "A session as it stands, to go on with"
)
RESET_SESSION = Endpoint(
    "context.reset_session",
    "POST",
    NamedSession,
    SessionState,
    "Begin another conversation; nothing is erased",
)
SESSIONS = Endpoint("context.sessions", "GET", ListSessions, SessionList, "Sessions, the last used first")

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    PROMPT,
    PREVIEW,
    PROMPTS,
    SEEN,
    COMPACT,
    MEASURE,
    FULLNESS,
    POLICIES,
    COMPACTIONS,
    COMPACTION,
    ARCHIVE,
    RESTORE,
    CREATE_SESSION,
    RESUME_SESSION,
    RESET_SESSION,
    SESSIONS,
)
