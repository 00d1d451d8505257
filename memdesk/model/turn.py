"""Episodic memory: conversations and their turns."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.kind import Kind
from memdesk.model.trust import BEFORE


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Conversation of an agent. `consolidated_index` is the last turn that extraction has read, -1 for none,
    and `consolidated_at` the time.

    patterns_at: the moment up to which its tool calls were read for strategies. archived_at: since when it is
    not listed; its turns are archived with it."""

    seq: int
    id: str
    user_id: str
    channel: str
    agent_id: str | None
    title: str
    started_at: int
    consolidated_index: int = -1
    retired_at: int | None = None
    consolidated_at: int | None = None
    patterns_at: int | None = None
    archived_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Turn of a conversation. `speaker` is the name shown ("Mara"), `role` the runtime's role. `metadata` is
    a JSON object as text."""

    seq: int
    id: str
    user_id: str
    channel: str
    agent_id: str | None
    conversation_id: str
    turn_index: int
    role: str
    speaker: str
    content: str
    token_count: int | None
    model: str | None
    metadata: str
    created_at: int
    retired_at: int | None = None
    origin: str = ""
    trust: float = BEFORE


CONVERSATION = Kind(
    name="conversation",
    prefix="c",
    table="conversations",
    record=Conversation,
    label="Conversation",
    layer="episodic",
    title="title",
    subject_rank=13,
    timeline=True,
    acts=("move",),
    panel="conversations",
    icon="conversations",
    hidden=("consolidated_index", "consolidated_at", "patterns_at", "archived_at"),
)
TURN = Kind(
    name="turn",
    prefix="t",
    table="turns",
    record=Turn,
    label="Turn",
    layer="episodic",
    title="content",
    subject_rank=8,
    text=("content",),
    references=(("conversation_id", "conversation"),),
    unique=(("conversation_id", "turn_index"),),
    recalled=True,
    timeline=True,
    owner="conversation",
    acts=("trust", "quarantine", "retire"),
    panel="conversations",
    icon="conversations",
    heading="Said",
    labels={"token_count": "tokens"},
    hidden=("turn_index", "speaker"),
)
