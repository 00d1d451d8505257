"""A session of an agent: its current conversation, and the policy by which its context is compacted."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.kind import Kind
from memdesk.model.names import FilledName, Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Session of an agent. It outlives its conversations: a reset starts another one, and erases nothing.

    conversation_id: the current conversation, which exists from its first turn on. policy: how its context is
    compacted; None as in the settings. window_tokens: the size of its model's context window, None as in the
    settings. metadata: JSON of the caller's own."""

    seq: int
    id: str
    user_id: str
    channel: str
    agent_id: str | None
    title: str
    conversation_id: str
    policy: str | None
    window_tokens: int | None
    created_at: int
    retired_at: int | None = None
    metadata: str = "{}"


SESSION = Kind(
    name="session",
    prefix="se",
    table="sessions",
    record=Session,
    label="Session",
    layer="episodic",
    title="title",
    subject_rank=12,
    owner="conversation",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """Session to create. session_id: the caller's own id; an existing session is resumed unchanged.

    conversation_id: a conversation to continue. policy: agenticx, agentix, openlegion or custom; left out, as
    in the settings. window_tokens: the size of the model's context window. fork_of: the id of a session whose
    channel, policy and window the new one takes; it begins a conversation of its own, and the other stays as it is.
    metadata: the caller's own, up to 20,000 characters as JSON."""

    session_id: FilledName | None = None
    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER
    agent_id: FilledName | None = None
    title: str = ""
    conversation_id: Name | None = None
    policy: str | None = None
    window_tokens: int | None = None
    fork_of: FilledName | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSession:
    """Request about a user's session, by its id."""

    session_id: FilledName
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class PoppedTurn:
    """Result of taking back the last turn of a session. found: False if its conversation had none."""

    found: bool
    id: str = ""
    role: str = ""
    content: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    change: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSessions:
    """A user's sessions, the last used first."""

    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    agent_id: FilledName | None = None
    limit: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionState:
    """State of a session. title: its own, else the conversation's, else its id.

    conversation_id: the current conversation; turns: how many it has; archived: how many of them a summary
    replaced. compactions: how often. notes: keys of the scratchpad. last_used_at: its last turn or, without
    one, its creation. metadata: the caller's own. resumed: it existed before this call. change: the number of
    the call's change, None for none."""

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
    metadata: dict[str, Any] = field(default_factory=dict)
    resumed: bool = False
    change: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionList:
    rows: tuple[SessionState, ...]
