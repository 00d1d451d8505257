"""Working memory: the keys it lives under, which read as AgentX and AgenticX write them, and what is asked of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memdesk.model.channel import GLOBAL, LOCAL_USER

NO_CONVERSATION = "global"
"""What AgentX writes where no conversation is named."""
TURNS, THOUGHTS, GOAL, CONTEXT = "turns", "thoughts", "goal", "context:"
"""What the keys of a conversation end in; a context value's own name follows the last."""
_APART = re.compile("[%:]")
_APART_IN_SESSIONS = re.compile("[%:@]")


def job_key(job_id: str) -> str:
    """Where a run of consolidation is noted."""
    return f"consolidation:job:{_part(job_id)}"


def lock_key(conversation_id: str) -> str:
    """The claim on a conversation: whoever holds it is the only one to read it for extraction or patterns."""
    return f"consolidation:lock:{_part(conversation_id)}"


def working_key(user_id: str, channel: str, conversation_id: str | None, name: str = "") -> str:
    """`working:{user}:{channel}:{conversation}:{name}`; without a name, what all keys of the place begin with."""
    place = NO_CONVERSATION if conversation_id is None else _conversation(conversation_id)
    return f"{channel_key(user_id, channel)}{place}:{name}"


def channel_key(user_id: str, channel: str) -> str:
    """What all keys of a channel begin with."""
    return f"working:{_part(user_id)}:{_part(channel)}:"


def session_key(user_id: str, session_id: str, name: str = "") -> str:
    """`session:{id}:{name}`; another user's sessions are `session:{user}@{id}:`, so that none reads another's."""
    session = _part(session_id, _APART_IN_SESSIONS)
    owner = "" if user_id == LOCAL_USER else f"{_part(user_id, _APART_IN_SESSIONS)}@"
    return f"session:{owner}{session}:{name}"


def is_held(key: str) -> bool:
    """Whether a key is a session's at hand; the rest are claims and notes of jobs, which nobody else may touch."""
    return key.startswith(("working:", "session:"))


def _part(name: str, apart: re.Pattern[str] = _APART) -> str:
    """A name in which no sign can be taken for the end of it."""
    return apart.sub(lambda found: f"%{ord(found[0]):02X}", name)


def _conversation(id: str) -> str:
    """A conversation may itself be called “global”; it is not the one without a name."""
    return "%67lobal" if id == NO_CONVERSATION else _part(id)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingPlace:
    """Whose working memory: a user's, in a channel, of one conversation or of none."""

    user_id: str = LOCAL_USER
    channel: str = GLOBAL
    conversation_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddTurn(WorkingPlace):
    """A turn of the session at hand that is not stored; what is stored is in working memory by itself."""

    content: str
    role: str = "user"
    speaker: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRecent(WorkingPlace):
    """The latest turns or thoughts, at most `limit` of each, newest first."""

    limit: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SetValue(WorkingPlace):
    """A context value: any JSON. key: its name in this place.

    ttl_seconds: how long it lives after its last use; None takes the setting.
    """

    key: str
    value: Any
    ttl_seconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskValue(WorkingPlace):
    """A context value by its name."""

    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetActiveGoal(WorkingPlace):
    """What is being worked on. Without a description, that of the goal with this id."""

    goal_id: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PushThought(WorkingPlace):
    thought: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What was written, under its key in full: how large it is, and when it goes unless it is used before."""

    key: str
    bytes: int
    expires_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """How many keys went."""

    keys: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingValue:
    """`found` tells a value that is null from none."""

    key: str
    found: bool
    value: Any = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingTurn:
    """A turn of the session at hand. id and turn_index: None where it was never stored."""

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
    """What is being worked on. status: how the stored goal of this id stands; None where there is none."""

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
    """At most `limit` places, the last used first."""

    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldPlace:
    """One conversation or session that has working memory now. title, agent_id: its own, where they are known."""

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
    """What one place holds: a session's scratchpad where session_id is given, else a conversation or none."""

    user_id: str = LOCAL_USER
    channel: str = GLOBAL
    conversation_id: str | None = None
    session_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldKey:
    """One key as a list shows it. key: in full. sort: turns, thoughts, goal, value or note; name: of a value or a note.

    items: how many turns or thoughts, None for one value. begins: the beginning of what it holds, as text. reserved: it
    means something to the runtime. ttl_seconds: how long it lives after its last use; None with expires_at for ever.
    """

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
    """In the order of their keys. at: when this was read, so that a reader can tell how long each has left."""

    at: datetime
    rows: tuple[HeldKey, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendLife:
    """Let a key live longer. key: in full, as `working.held` names it.

    ttl_seconds: how long it lives from now on and after each use; left out, as long again as it was given before.
    """

    key: str
    ttl_seconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetKey:
    """Forget one key of working memory. key: in full, as `working.held` names it."""

    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingSize:
    """How much is held, of at most `limit_bytes`. expired, evicted: keys that went, since the desk was made.

    used_at: when a key was last written or used by an agent; None when nothing is held.
    """

    keys: int
    bytes: int
    limit_bytes: int
    expired: int
    evicted: int
    used_at: datetime | None
