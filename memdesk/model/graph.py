"""The fact graph around one memory, as drawn."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNode:
    """Node of the graph. `hop` 0 is the centre; `parent` is the node it was reached from.

    `category` is a fact's category or an entity's type."""

    id: str
    kind: str
    title: str
    category: str
    channel: str
    confidence: float
    salience: float
    hop: int
    parent: str | None
    past: bool
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphEdge:
    source: str
    target: str
    type: str
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """Graph around a memory. `total` counts the neighbourhood before the limit; `more`: part of it was not
    walked or counted.

    `suggestions` are returned instead if no centre was named."""

    center: str | None
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    total: int
    by_channel: dict[str, int]
    suggestions: tuple[GraphNode, ...] = ()
    more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AskGraph:
    """Request for the neighbourhood of `center` (an entity or fact id), or for suggestions if none is named.

    edges: relation types to follow, empty for all. since, until: only memories created in that time. to:
    another memory; the graph is then a shortest path to it, of at most twice the hops, or the centre alone if
    there is none."""

    center: str | None = None
    hops: int = 2
    user_id: str = LOCAL_USER
    channels: tuple[str, ...] = ()
    edges: tuple[str, ...] = ()
    min_confidence: float = 0.0
    past: bool = True
    since: datetime | None = None
    until: datetime | None = None
    limit: int = 40
    to: str | None = None
