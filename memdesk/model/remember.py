"""New memory from agents, and the results of storing it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.names import FilledName, Name


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTurn:
    """Turn to store. turn_id is the caller's own id: the same id with the same content is a no-op. Without
    conversation_id a new conversation starts; without turn_index the turn is appended."""

    content: str
    role: Name = "user"
    speaker: Name | None = None
    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER
    agent_id: FilledName | None = None
    conversation_id: Name | None = None
    title: str | None = None
    turn_id: Name | None = None
    turn_index: int | None = None
    created_at: datetime | None = None
    token_count: int | None = None
    model: Name | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTurn:
    """Result of storing a turn. `change` is the audit entry, None when the turn was stored before
    (`repeated`)."""

    id: str
    conversation_id: str
    turn_index: int
    repeated: bool
    change: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTurns:
    """Up to 400 turns, stored in order; all of them or none."""

    turns: tuple[NewTurn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTurns:
    turns: tuple[StoredTurn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFact:
    """Fact to learn. about: names of entities, created if missing. retry_key: the caller's id of this call.

    category: left out, it joins the category whose facts are most similar, or is a plain "fact".
    source_turn_id, document_id, quote: the turn or the file it was read from, and the words. supersedes: the
    fact that this one replaces; it stays as past. key, value: the claim as a pair; another value under the
    key of the same agent replaces this one. valid_from, valid_to: when the claim was true.

    channel: left out, a person's claim is in `_global`, and an agent's in the channel of its own name. An agent
    that names `_global` proposes the claim for it, unless the desk's owner granted it `_global`."""

    claim: str
    channel: FilledName | None = None
    user_id: FilledName = LOCAL_USER
    agent_id: FilledName | None = None
    category: Name = ""
    confidence: float = 0.95
    temporal: str | None = None
    about: tuple[Name, ...] = ()
    source_turn_id: Name | None = None
    document_id: Name | None = None
    quote: str = ""
    supersedes: Name | None = None
    retry_key: Name | None = None
    key: Name | None = None
    value: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """Result of learning a fact. `repeated`: this claim is in this channel or in `_global` already; `id` is
    that fact.

    held_out: why it is quarantined until a person reviews it, "" if it is not. proposed: the question by which it is
    proposed for `_global`, "" where it is not; until then it is in the agent's own channel."""

    id: str
    repeated: bool
    change: int | None
    held_out: str = ""
    proposed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntity:
    """Entity to create by name, or to complete with new values (type, description, aliases).

    properties: set one by one, the others stay; null removes one."""

    name: Name
    type: Name = "Entity"
    description: str = ""
    aliases: tuple[Name, ...] = ()
    properties: dict[str, Any] = field(default_factory=dict)
    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER
    agent_id: FilledName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Upserted:
    id: str
    created: bool
    change: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRelation:
    """Typed relation to store. source and target are ids, or names of entities of the channel or `_global`.

    properties: set one by one, on an existing relation too; null removes one."""

    source: Name
    target: Name
    type: Name = "RELATED_TO"
    confidence: float = 0.95
    properties: dict[str, Any] = field(default_factory=dict)
    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER
    agent_id: FilledName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedTo:
    """Result of storing a relation. `repeated`: this relation existed already, as `id`."""

    id: str
    repeated: bool
    change: int | None
