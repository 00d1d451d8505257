"""Sessions: what is asked of them, and how they stand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import GLOBAL, LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """A session. session_id: the caller's own id; one that is there already is resumed as it stands.

    conversation_id: a conversation to go on with. policy: agenticx, agentix, openlegion or custom; left out, as the
    settings say. window_tokens: what the model takes in.
    """

    session_id: str | None = None
    channel: str = GLOBAL
    user_id: str = LOCAL_USER
    agent_id: str | None = None
    title: str = ""
    conversation_id: str | None = None
    policy: str | None = None
    window_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSession:
    """One session of a user."""

    session_id: str
    user_id: str = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSessions:
    """A user's sessions, the last used first."""

    user_id: str = LOCAL_USER
    channels: tuple[str, ...] = ()
    agent_id: str | None = None
    limit: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionState:
    """A session as it stands. title: as named, else the conversation's, else its id.

    conversation_id: the conversation at hand; turns: how many it has; archived: how many of them gave way to a summary.
    compactions: how often. notes: keys of the scratchpad. last_used_at: its last turn or, without one, its beginning.
    resumed: it was there before this call. change: what the call changed, None for nothing.
    """

    session_id: str
    title: str
    channel: str
    agent_id: str | None
    conversation_id: str
    policy: str
    window_tokens: int
    turns: int
    archived: int
    compactions: int
    notes: tuple[str, ...]
    created_at: datetime
    last_used_at: datetime
    resumed: bool = False
    change: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionList:
    rows: tuple[SessionState, ...]
