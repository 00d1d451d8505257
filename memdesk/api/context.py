"""Context: compaction of an agent's messages without losing any, its sessions, and the memory for its
prompts."""

from __future__ import annotations

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

PROMPT = Endpoint(
    "context.prompt",
    "POST",
    AskContext,
    ToldContext,
    "What to have in mind before a turn, within a budget",
    verb="engine.context.prompt:context",
    reads=True,
)
PREVIEW = Endpoint(
    "context.preview",
    "POST",
    AskContext,
    ToldContext,
    "What an agent would be told; nothing is written down",
    owner=True,
    verb="engine.context.prompt:preview",
    reads=True,
)
PROMPTS = Endpoint(
    "context.prompts",
    "GET",
    ListSeen,
    SeenList,
    "What agents were told before their turns",
    owner=True,
    verb="engine.context.sessions:prompts",
)
SEEN = Endpoint(
    "context.seen",
    "GET",
    AskSeen,
    SeenWhole,
    "What an agent was told at one time",
    owner=True,
    verb="engine.context.sessions:prompt",
)
COMPACT = Endpoint(
    "context.compact",
    "POST",
    Compact,
    Compacted,
    "Keep a context's messages, and compact it where due",
    verb="engine.context.compactor:compact",
)
MEASURE = Endpoint(
    "context.measure",
    "POST",
    Window,
    Meter,
    "How full a context is, and what its policy would do",
    verb="engine.context.compactor:measure",
    reads=True,
)
FULLNESS = Endpoint(
    "context.fullness",
    "GET",
    NamedSession,
    Meter,
    "How full a session's context is, by what it told the desk",
    verb="engine.context.resolving:fullness",
)
POLICIES = Endpoint(
    "context.policies",
    "GET",
    Nothing,
    PolicyList,
    "The ways of keeping a context short",
    verb="engine.context.resolving:policies",
)
COMPACTIONS = Endpoint(
    "context.compactions",
    "GET",
    ListCompactions,
    CompactionList,
    "Compactions, newest first",
    verb="engine.context.history:compactions",
)
COMPACTION = Endpoint(
    "context.compaction",
    "GET",
    AskCompaction,
    CompactionWhole,
    "One compaction with both its sides",
    verb="engine.context.history:compaction",
)
ARCHIVE = Endpoint(
    "context.archive",
    "GET",
    AskArchive,
    Archive,
    "Read or search the messages that gave way to a summary",
    verb="engine.context.history:archive",
)
RESTORE = Endpoint(
    "context.restore",
    "POST",
    RestoreArchive,
    Restored,
    "Put them back in the place of their summary",
    verb="engine.context.history:restore",
)
CREATE_SESSION = Endpoint(
    "context.create_session",
    "POST",
    NewSession,
    SessionState,
    "Make a session, or resume the one there is",
    verb="engine.context.sessions:create_session",
)
RESUME_SESSION = Endpoint(
    "context.resume_session",
    "GET",
    NamedSession,
    SessionState,
    "A session as it stands, to go on with",
    verb="engine.context.sessions:resume_session",
)
RESET_SESSION = Endpoint(
    "context.reset_session",
    "POST",
    NamedSession,
    SessionState,
    "Begin another conversation; nothing is erased",
    verb="engine.context.sessions:reset_session",
)
SESSIONS = Endpoint(
    "context.sessions",
    "GET",
    ListSessions,
    SessionList,
    "Sessions, the last used first",
    verb="engine.context.sessions:sessions",
)
