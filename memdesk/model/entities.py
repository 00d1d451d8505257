"""An entity in full, and the graph of relations between entities."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memdesk.model.browse import FactRow
from memdesk.model.channel import GLOBAL, LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class AskEntity:
    """Request for an entity by its id, or by a name of the channel or `_global`. facts: how many of its facts
    to return."""

    entity: str
    channel: str = GLOBAL
    user_id: str = LOCAL_USER
    facts: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityView:
    """Entity with AgentX's fields. facts: the current ones about it with the highest confidence, of
    `total_facts`.

    first_seen: when it was first stored. last_accessed, access_count: its use by agents."""

    id: str
    name: str
    type: str
    aliases: tuple[str, ...]
    description: str
    properties: dict[str, Any]
    salience: float
    first_seen: datetime
    last_accessed: datetime | None
    access_count: int
    channel: str
    agent_id: str | None
    pinned: bool
    retired_at: datetime | None
    facts: tuple[FactRow, ...]
    total_facts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AskEntityGraph:
    """Request for the graph of relations around some entities. entity_ids: the start of the walk, 1 to 50.

    depth: how many relations to follow, 1 to 3. types: only relations of these types, empty for all. facts:
    also through facts that are about an entity. channels: empty for all. nodes: the walk ends once it has
    this many; left out, the setting graph_nodes."""

    entity_ids: tuple[str, ...]
    depth: int = 2
    user_id: str = LOCAL_USER
    channels: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    facts: bool = False
    nodes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityNode:
    """Entity (or fact) reached by the walk, `hop` relations from its start. type: an entity's type or a
    fact's category."""

    id: str
    kind: str
    name: str
    type: str
    channel: str
    salience: float
    hop: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityEdge:
    """A relation between two nodes, with the properties it was given."""

    id: str
    source: str
    target: str
    type: str
    confidence: float
    properties: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityGraph:
    """Nodes by hop, nearest first, and their edges. `cut` is True if the walk stopped at its limit of nodes."""

    nodes: tuple[EntityNode, ...]
    edges: tuple[EntityEdge, ...]
    cut: bool
