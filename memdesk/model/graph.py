"""The fact graph around one memory, as drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from memdesk.model.browse import FactRow, SalienceCurve
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.names import FilledName, Name


@dataclass(frozen=True, slots=True, kw_only=True)
class AskEntity:
    """Request for an entity by its id, or by a name of the channel or `_global`. facts: how many of its facts
    to return."""

    entity: Name
    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER
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

    entity_ids: tuple[Name, ...]
    depth: int = 2
    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    types: tuple[Name, ...] = ()
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


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNode:
    """Node of the graph. `hop` 0 is the centre; `parent` is the node it was reached from.

    `category` is a fact's category or an entity's type. question: the open question about what contradicts a fact."""

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
    question: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphEdge:
    """Relation between two drawn nodes. id: its record, "" for a promotion or a supersession."""

    source: str
    target: str
    type: str
    confidence: float
    id: str = ""


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

    center: Name | None = None
    hops: int = 2
    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    edges: tuple[Name, ...] = ()
    min_confidence: float = 0.0
    past: bool = True
    since: datetime | None = None
    until: datetime | None = None
    limit: int = 40
    to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatRow:
    """Row of the heatmap. question: the open question about what contradicts a fact."""

    id: str
    kind: str
    title: str
    category: str
    channel: str
    pinned: bool
    recalled: int
    last_recalled_at: datetime | None
    last_recalled_by: str | None
    curve: SalienceCurve
    rescued_fades_in_days: float | None
    question: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heatmap:
    """Heatmap rows from `first` on, of `total`. Day 0 of every curve is `start`; today is the last day of
    `past`.

    faded: how many of them have faded; they are the first in the order `fades`. counts: how many rows each of the
    filters recalled, fading, ahead, below and pinned would leave."""

    start: date
    days_back: int
    days_ahead: int
    first: int
    total: int
    faded: int
    counts: dict[str, int]
    rows: tuple[HeatRow, ...]
    fade_below: float
    decay_per_day: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSalience:
    """Request for heatmap rows. kinds: entity, fact. sort: fades, salience, recalled, newest, name, channel,
    or alike, which groups memories with similar curves. only: recalled, below, fading (within 7 days),
    ahead (within `days_ahead`), pinned or empty. utc_offset_minutes: the viewer's time zone, which decides
    where a day begins. around: id of a memory of the list, which is in the middle of the rows instead of `first`
    at their beginning."""

    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    kinds: tuple[Name, ...] = ("entity", "fact")
    sort: str = "fades"
    only: str = ""
    days_back: int = 91
    days_ahead: int = 30
    utc_offset_minutes: int = 0
    around: Name = ""
    first: int = 0
    limit: int = 100
