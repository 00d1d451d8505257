"""Context: compaction of an agent's messages without losing any, its sessions, and the memory for its
prompts."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint, Face
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

POLICY_NAMES = ("agenticx", "agentix", "openlegion", "custom")
SESSION = "{session_id} in {channel}: {turns:# turn}, policy {policy}, conversation {conversation_id}"
"""How a session is shown."""
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
    face=Face(
        words="sessions create",
        about="Make a session, or resume the one of this id.",
        positional=("session_id",),
        options={"window_tokens": "window"},
        left_out=("title", "conversation_id"),
        help={
            "session_id": "which session",
            "policy": "how its context is compacted",
            "window_tokens": "what its model takes in, in tokens",
        },
        choices={"policy": POLICY_NAMES},
        line=SESSION,
    ),
)
RESUME_SESSION = Endpoint(
    "context.resume_session",
    "GET",
    NamedSession,
    SessionState,
    "A session as it stands, to go on with",
    verb="engine.context.sessions:resume_session",
    face=Face(
        words="sessions show",
        about="Show a session.",
        positional=("session_id",),
        help={"session_id": "which session"},
        line=SESSION,
    ),
)
RESET_SESSION = Endpoint(
    "context.reset_session",
    "POST",
    NamedSession,
    SessionState,
    "Begin another conversation; nothing is erased",
    verb="engine.context.sessions:reset_session",
    face=Face(
        words="sessions reset",
        about="Begin another conversation in a session; nothing is erased.",
        positional=("session_id",),
        help={"session_id": "which session"},
        line=SESSION,
    ),
)
SESSIONS = Endpoint(
    "context.sessions",
    "GET",
    ListSessions,
    SessionList,
    "Sessions, the last used first",
    verb="engine.context.sessions:sessions",
    face=Face(
        words="sessions list",
        about="List agents' sessions, the last used first.",
        defaults={"limit": 20},
        help={"limit": "at most"},
        columns=(
            ("ID", "{session_id}"),
            ("LAST USED", "{last_used_at}"),
            ("POLICY", "{policy}"),
            ("TURNS", "{turns}"),
            ("ARCHIVED", "{archived}"),
            ("CHANNEL", "{channel}"),
            ("TITLE", "{title}"),
        ),
        none="No session yet; an agent makes one with context/create_session.",
    ),
)
