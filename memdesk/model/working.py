"""Working memory: its keys, in the formats of AgentX and AgenticX, and its requests and answers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.names import FilledName, Name

PENDING = "__pending_subagent_summaries__"
"""Key of the queue of unread reports of sub-agents: a list."""
FACTS = "session_facts"
"""Key of the lines learned in this session, each once: text."""
RESULTS = ("subagent_result::", "delegation_result::")
"""Prefixes of the keys under which a sub-agent or a delegate leaves its outcome: text."""
CHECKPOINT = "checkpoint::"
"""Prefix of the keys of a thread's checkpoints: any JSON, never evicted and not counted as a note."""
HINTS = ("__taskspace_hint__", "__taskspace_label_hint__")
"""Keys of the working location of the session's tools: text."""


def is_reserved(key: str) -> bool:
    """Return True if a key has a meaning for the runtime."""
    return key in (PENDING, FACTS, *HINTS) or key.startswith((CHECKPOINT, *RESULTS))


def is_internal(key: str) -> bool:
    """Return True if a key is internal to the runtime, and hidden from agents' listings."""
    return key.startswith("__") and key.endswith("__")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPlace:
    """Scratchpad to use: one session of a user."""

    session_id: FilledName
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteNote(SessionPlace):
    """Note to write: text or any JSON. append: add to the existing note, as a new line of a text or a new
    item of a list.

    ttl_seconds: its lifetime after its last use; None takes the setting."""

    key: Name
    value: Any
    append: bool = False
    ttl_seconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskNote(SessionPlace):
    """Request for a note by its key."""

    key: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class ListNotes(SessionPlace):
    """Request for the notes whose key begins with `prefix`. values: with what they hold."""

    prefix: Name = ""
    values: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearNotes(SessionPlace):
    """Request to forget the notes whose key begins with `prefix`, all of them without one."""

    prefix: Name = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteWritten:
    """Result of writing a note. cut: the text exceeded the maximum length, and ends in a line that reports
    this."""

    key: str
    bytes: int
    cut: bool
    expires_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRow:
    key: str
    bytes: int
    reserved: bool
    used_at: datetime
    expires_at: datetime | None
    value: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteList:
    """Notes in the order of their keys."""

    notes: tuple[NoteRow, ...]


NO_CONVERSATION = "global"
"""Key part that AgentX writes if no conversation is named."""
TURNS, THOUGHTS, GOAL, CONTEXT = "turns", "thoughts", "goal", "context:"
"""Endings of a conversation's keys; a context value's own name follows the last."""
_APART = re.compile("[%:]")
_APART_IN_SESSIONS = re.compile("[%:@]")


def job_key(job_id: str) -> str:
    """Return the key of the note about a consolidation run."""
    return f"consolidation:job:{_part(job_id)}"


def lock_key(conversation_id: str) -> str:
    """Return the key of the claim on a conversation: only its holder may read it for extraction or patterns."""
    return f"consolidation:lock:{_part(conversation_id)}"


def working_key(user_id: str, channel: str, conversation_id: str | None, name: str = "") -> str:
    """Return `working:{user}:{channel}:{conversation}:{name}`; without a name, the common prefix of the
    place's keys."""
    place = NO_CONVERSATION if conversation_id is None else _conversation(conversation_id)
    return f"{channel_key(user_id, channel)}{place}:{name}"


def channel_key(user_id: str, channel: str) -> str:
    """Return the common prefix of all keys of a channel."""
    return f"working:{_part(user_id)}:{_part(channel)}:"


def session_key(user_id: str, session_id: str, name: str = "") -> str:
    """Return `session:{id}:{name}`; for other users `session:{user}@{id}:`, so that no user reads another's."""
    session = _part(session_id, _APART_IN_SESSIONS)
    owner = "" if user_id == LOCAL_USER else f"{_part(user_id, _APART_IN_SESSIONS)}@"
    return f"session:{owner}{session}:{name}"


def is_held(key: str) -> bool:
    """Return True if a key belongs to a conversation or session; other keys are claims and notes of jobs,
    closed to callers."""
    return key.startswith(("working:", "session:"))


def _part(name: str, apart: re.Pattern[str] = _APART) -> str:
    """Return a name with its separator characters escaped."""
    return apart.sub(lambda found: f"%{ord(found[0]):02X}", name)


def _conversation(id: str) -> str:
    """Return the key part of a conversation, escaped if its id is “global”, which means no conversation."""
    return "%67lobal" if id == NO_CONVERSATION else _part(id)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingPlace:
    """Place of working memory: a user, a channel, and one conversation or none."""

    user_id: FilledName = LOCAL_USER
    channel: FilledName = GLOBAL
    conversation_id: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddTurn(WorkingPlace):
    """Turn to add to working memory without storing it; stored turns are added automatically."""

    content: str
    role: Name = "user"
    speaker: Name | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRecent(WorkingPlace):
    """The latest turns or thoughts, at most `limit` of each, newest first."""

    limit: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SetValue(WorkingPlace):
    """Context value to set: any JSON. key: its name in this place.

    ttl_seconds: its lifetime after its last use; None takes the setting."""

    key: Name
    value: Any
    ttl_seconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskValue(WorkingPlace):
    """Request for a context value by its name."""

    key: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class SetActiveGoal(WorkingPlace):
    """Active goal to set. Without a description, that of the stored goal with this id is used."""

    goal_id: Name
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PushThought(WorkingPlace):
    thought: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Result of a write: the full key, its size, and when it expires unless it is used before."""

    key: str
    bytes: int
    expires_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """Number of keys that were forgotten."""

    keys: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingValue:
    """Value of a key. `found` distinguishes a null value from a missing one."""

    key: str
    found: bool
    value: Any = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingTurn:
    """Turn in working memory. id and turn_index: None if it was never stored."""

    role: str
    speaker: str
    content: str
    at: datetime
    id: str | None = None
    turn_index: int | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingTurns:
    turns: tuple[WorkingTurn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    text: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Thoughts:
    thoughts: tuple[Thought, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveGoal:
    """Active goal of a place. status: of the stored goal with this id; None if there is none."""

    goal_id: str
    description: str
    since: datetime
    status: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalAtHand:
    goal: ActiveGoal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingContext:
    """The working memory of a place: turns and thoughts newest first, values by name."""

    turns: tuple[WorkingTurn, ...]
    thoughts: tuple[Thought, ...]
    goal: ActiveGoal | None
    values: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPlaces:
    """Request for at most `limit` places, the last used first."""

    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldPlace:
    """Conversation or session that has working memory now. title, agent_id: its own, if known."""

    user_id: str
    channel: str
    conversation_id: str | None
    session_id: str | None
    title: str
    agent_id: str | None
    keys: int
    bytes: int
    used_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldPlaces:
    places: tuple[HeldPlace, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskHeld:
    """Request for the keys of one place: a session's scratchpad if session_id is given, else a conversation
    or none."""

    user_id: FilledName = LOCAL_USER
    channel: FilledName = GLOBAL
    conversation_id: Name | None = None
    session_id: FilledName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldKey:
    """Key as listed. key: in full. sort: turns, thoughts, goal, value or note; name: of a value or a note.

    items: how many turns or thoughts, None for one value. begins: the beginning of its value, as text.
    reserved: it has a meaning for the runtime. ttl_seconds: its lifetime after its last use; None, like
    expires_at, for no limit."""

    key: str
    sort: str
    name: str
    begins: str
    items: int | None
    bytes: int
    reserved: bool
    created_at: datetime
    used_at: datetime
    ttl_seconds: int | None
    expires_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldKeys:
    """Keys in order. at: when this was read, so that a reader can compute each key's remaining lifetime."""

    at: datetime
    rows: tuple[HeldKey, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendLife:
    """Request to extend the lifetime of a key. key: in full, as listed.

    ttl_seconds: its lifetime from now on and after each use; left out, the same as before."""

    key: Name
    ttl_seconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetKey:
    """Request to forget one key of working memory. key: in full, as listed."""

    key: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingSize:
    """Size of working memory, of at most `limit_bytes`. expired, evicted: keys removed since the desk was
    created.

    used_at: when a key was last written or used by an agent; None when there is none."""

    keys: int
    bytes: int
    limit_bytes: int
    expired: int
    evicted: int
    used_at: datetime | None
