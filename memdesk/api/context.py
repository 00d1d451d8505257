"""Context: compaction of an agent's messages without losing any, its sessions, and the memory for its
prompts."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
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
from memdesk.model.prompt import AskContext, AskSeen, ListSeen, PromptContext, SeenList, SeenWhole
from memdesk.model.session import (
    ListSessions,
    NamedSession,
    NewSession,
    PoppedTurn,
    SessionList,
    SessionState,
)
from memdesk.model.status import Nothing
from memdesk.model.team import AGENT, CURATOR, OWNER, READER

POLICY_NAMES = ("agenticx", "agentix", "openlegion", "custom")
SESSION = "{session_id} in {channel}: {turns:# turn}, policy {policy}, conversation {conversation_id}"
"""Line of a session on the command line."""
PROMPT = Post(
    "context.prompt",
    AskContext,
    PromptContext,
    "What to have in mind before a turn, within a budget",
    "context.prompt:context",
    role=AGENT,
    reads=True,
)
PREVIEW = Post(
    "context.preview",
    AskContext,
    PromptContext,
    "What an agent would be told; nothing is written down",
    "context.prompt:preview",
    role=OWNER,
    reads=True,
)
PROMPTS = Get(
    "context.prompts",
    ListSeen,
    SeenList,
    "What agents were told before their turns",
    "context.sessions:prompts",
    role=CURATOR,
)
SEEN = Get(
    "context.seen",
    AskSeen,
    SeenWhole,
    "What an agent was told at one time",
    "context.sessions:prompt",
    role=CURATOR,
)
COMPACT = Post(
    "context.compact",
    Compact,
    Compacted,
    "Keep a context's messages, and compact it where due",
    "context.compactor:compact",
    role=AGENT,
)
MEASURE = Post(
    "context.measure",
    Window,
    Meter,
    "How full a context is, and what its policy would do",
    "context.compactor:measure",
    role=AGENT,
    reads=True,
)
FULLNESS = Get(
    "context.fullness",
    NamedSession,
    Meter,
    "How full a session's context is, by what it told the desk",
    "context.resolving:fullness",
    role=AGENT,
)
POLICIES = Get(
    "context.policies",
    Nothing,
    PolicyList,
    "The ways of keeping a context short",
    "context.resolving:policies",
    role=READER,
)
COMPACTIONS = Get(
    "context.compactions",
    ListCompactions,
    CompactionList,
    "Compactions, newest first",
    "context.history:compactions",
    role=AGENT,
)
COMPACTION = Get(
    "context.compaction",
    AskCompaction,
    CompactionWhole,
    "One compaction with both its sides",
    "context.history:compaction",
    role=AGENT,
)
ARCHIVE = Get(
    "context.archive",
    AskArchive,
    Archive,
    "Read or search the messages that gave way to a summary",
    "context.history:archive",
    role=AGENT,
)
RESTORE = Post(
    "context.restore",
    RestoreArchive,
    Restored,
    "Put them back in the place of their summary",
    "context.history:restore",
    role=AGENT,
)
CREATE_SESSION = Post(
    "context.create_session",
    NewSession,
    SessionState,
    "Make a session, or resume the one there is",
    "context.sessions:create_session",
    role=AGENT,
    face=Face(
        "sessions create",
        about="Make a session, or resume the one of this id.",
        positional=("session_id",),
        options={"window_tokens": "window"},
        left_out=("title", "conversation_id", "metadata"),
        help={
            "fork_of": "a session whose channel and policy it takes",
            "window_tokens": "what its model takes in, in tokens",
            "policy": "how its context is compacted (default: as the settings say)",
        },
        choices={"policy": POLICY_NAMES},
        line=SESSION,
    ),
)
RESUME_SESSION = Get(
    "context.resume_session",
    NamedSession,
    SessionState,
    "A session as it stands, to go on with",
    "context.sessions:resume_session",
    role=AGENT,
    face=Face("sessions show", about="Show a session.", positional=("session_id",), line=SESSION),
)
RESET_SESSION = Post(
    "context.reset_session",
    NamedSession,
    SessionState,
    "Begin another conversation; nothing is erased",
    "context.sessions:reset_session",
    role=AGENT,
    face=Face(
        "sessions reset",
        about="Begin another conversation in a session; nothing is erased.",
        positional=("session_id",),
        line=SESSION,
    ),
)
RETIRE_SESSION = Post(
    "context.retire_session",
    NamedSession,
    SessionState,
    "Take a session out of the list; its turns stay",
    "context.sessions:retire_session",
    role=AGENT,
    example=NamedSession(session_id="s-2"),
    face=Face(
        "sessions retire",
        about="Take a session out of the list. Its turns stay, and what was learned from them.",
        positional=("session_id",),
        line="{session_id} is taken out; `memdesk undo {change}` brings it back.",
    ),
)
POP_TURN = Post(
    "context.pop_turn",
    NamedSession,
    PoppedTurn,
    "Take back the last turn of a session; it is retired, not erased",
    "context.sessions:pop_turn",
    role=AGENT,
)
SESSIONS = Get(
    "context.sessions",
    ListSessions,
    SessionList,
    "Sessions, the last used first",
    "context.sessions:sessions",
    role=AGENT,
    face=Face(
        "sessions list",
        about="List agents' sessions, the last used first.",
        defaults={"limit": 20},
        columns="ID {session_id} | LAST USED {last_used_at} | POLICY {policy} | TURNS {turns}"
        " | ARCHIVED {archived} | CHANNEL {channel} | TITLE {title}",
        none="No session yet; an agent makes one with context/create_session.",
    ),
)
