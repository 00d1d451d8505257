"""Data of a graph drawing: what is asked for, what was fetched, and the scene that is drawn from it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memdesk.api import memory
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.model.entity import ABOUT, ENTITY_RELATIONS, PROMOTED_FROM, SUPERSEDES
from memdesk.model.errors import NotFound
from memdesk.model.graph import AskGraph, Graph, GraphEdge, GraphNode

SHOWN_AT_FIRST = 40
SHOWN_AT_MOST = 5_000
"""Greatest number of nodes that the engine returns."""
COUNTED_AT_MOST = 400
"""Greatest number of surrounding nodes counted for the chips and the time brush."""
GROWN_AT_FIRST = 24
"""Neighbours shown when a row is opened; each further step shows twice as many, as it does for the full
drawing."""
WAY_HOPS = 3
"""Hops from either end of a path, so that it has twice as many steps at most."""
LEAST_CONFIDENCE = 0.5
"""Lower bound of AgentX's “uncertain”; less certain facts are shown on request."""


LINEAGE = (PROMOTED_FROM, SUPERSEDES)
"""Relations of a claim's lineage, which are always drawn."""

LEGEND = (ABOUT, "RELATED_TO", "PART_OF", PROMOTED_FROM, SUPERSEDES)
"""Types explained in the legend, in its order."""

OFFERED = (ABOUT, *ENTITY_RELATIONS, PROMOTED_FROM, SUPERSEDES)
"""Types that the edge filter offers even if the graph has none of them."""

RANKS = {type: place for place, type in enumerate((PROMOTED_FROM, SUPERSEDES, "PART_OF"))}
"""Types whose relation is drawn first, if there are several between the same two records."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """Number of an open row's neighbours that are left out. is_least: there are more, which were not counted."""

    count: int = 0
    is_least: bool = False

    def __bool__(self) -> bool:
        return self.count > 0 or self.is_least

    @property
    def short(self) -> str:
        """Count as “+37”, or as “>4,952” if there are more that were not counted."""
        return f"{'>' if self.is_least else '+'}{self.count:,}"

    @property
    def said(self) -> str:
        """Count as part of a sentence."""
        if self.is_least:
            return tr("more than %Ln connection(s) not shown", "", self.count)
        return tr("%Ln connection(s) not shown", "", self.count)


NOTHING = Hidden()
Opened = Mapping[str, Hidden]
"""Open rows, and the neighbours that each leaves out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Temporary state of rows. fades: new rows and the rest of their tint, 1 to 0.

    focused: the selected row is ringed, as keys act on it. opened: rows whose neighbours were added, and the
    number of neighbours left out. appearing: rows, and channels of regions, that are only appearing.
    appeared_share: their opacity, 0 to 1."""

    selected: str | None = None
    hovered: str | None = None
    focused: bool = False
    fades: Mapping[str, float] = field(default_factory=dict)
    opened: Opened = field(default_factory=dict)
    appearing: Container[str] = frozenset()
    appeared_share: float = 1.0

    def opacity(self, name: str) -> float:
        """Return the opacity of a row or a region, 0 to 1."""
        return self.appeared_share if name in self.appearing else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphQuery:
    """Centre and filters. hidden: channels left out. edges: relation types to follow, () for all.

    opened: rows whose neighbours are added, in order, and the greatest number of each. limit: most nodes, the
    centre included. to: the other end of a path from the centre, which is then drawn alone."""

    center: str | None = None
    hops: int = 2
    hidden: frozenset[str] = frozenset()
    min_confidence: float = LEAST_CONFIDENCE
    edges: tuple[str, ...] = ()
    past: bool = True
    since: datetime | None = None
    until: datetime | None = None
    limit: int = SHOWN_AT_FIRST
    opened: Mapping[str, int] = field(default_factory=dict)
    to: str | None = None

    def around(self, center: str | None) -> GraphQuery:
        """Return the same filters around another centre, with time range, limit and opened rows reset."""
        return replace(self, center=center, since=None, until=None, limit=SHOWN_AT_FIRST, opened={}, to=None)

    def same_view(self, other: GraphQuery) -> bool:
        """Return True if the other query differs only in the number of rows shown, so that new rows are
        tinted."""
        return replace(self, limit=0, opened={}) == replace(other, limit=0, opened={})

    @property
    def narrows(self) -> bool:
        """True if a filter leaves anything out."""
        return bool(
            self.hidden or self.edges or self.since or self.until or not self.past or self.min_confidence > 0
        )

    def visible(self, channels: Iterable[str]) -> tuple[str, ...]:
        return tuple(channel for channel in channels if channel not in self.hidden)

    # The asks.

    def surroundings(self, channels: tuple[str, ...]) -> AskGraph:
        """Return the request for all nodes around the centre in these channels, for any time, which the chips
        and the brush count."""
        return AskGraph(
            center=self.center,
            hops=self.hops,
            channels=channels,
            edges=self.edges,
            past=self.past,
            min_confidence=self.min_confidence,
            limit=COUNTED_AT_MOST,
        )

    def drawing(self, channels: tuple[str, ...]) -> AskGraph:
        if self.to is not None:
            return replace(self.surroundings(channels), to=self.to, hops=WAY_HOPS)
        ask = replace(self.surroundings(channels), limit=self.limit)
        return replace(ask, since=self.since, until=self.until)

    def neighbours(self, id: str, channels: tuple[str, ...]) -> AskGraph:
        """Return the request for the neighbours of an opened row, including the row."""
        ask = replace(self, to=None).drawing(channels)
        return replace(ask, center=id, hops=1, limit=min(SHOWN_AT_MOST, self.opened[id] + 1))

    def opening(self, id: str) -> GraphQuery:
        """Return the same with a row opened, or with more of the neighbours of an open row."""
        wanted = min(SHOWN_AT_MOST, 2 * self.opened[id]) if id in self.opened else GROWN_AT_FIRST
        return replace(self, opened={**self.opened, id: wanted})

    def larger(self) -> GraphQuery:
        """Return the same with twice as many nodes."""
        return replace(self, limit=min(SHOWN_AT_MOST, 2 * self.limit))

    def closing(self, id: str) -> GraphQuery:
        """Return the same with a row closed."""
        return replace(self, opened={each: most for each, most in self.opened.items() if each != id})


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """Fetched data of a query. graph: without the neighbours of opened rows. shares: number of memories around
    the centre per channel.

    born: creation times of the memories around the centre. opened: the neighbours of opened rows, in the
    order in which they were opened."""

    query: GraphQuery
    graph: Graph
    shares: Mapping[str, int]
    born: tuple[datetime, ...]
    opened: Mapping[str, Graph]

    @property
    def channels(self) -> frozenset[str]:
        """Channels that are drawn, and those that only the chips show."""
        graphs = (self.graph, *self.opened.values())
        return frozenset(self.shares).union(*(graph.by_channel for graph in graphs))

    def hidden(self, id: str) -> Hidden:
        """Return the number of neighbours that an opened row leaves out."""
        more = self.opened[id]
        return Hidden(more.total - len(more.nodes), more.more)


async def fetch(session: Session, query: GraphQuery) -> Fetched:
    """Fetch all parts one after the other: each takes milliseconds, and a failure leaves no request running.

    Raises NotFound or BadAsk when the query has no graph."""
    visible = _visible(session, query)
    around = await session.call(memory.GRAPH, query.surroundings(session.channels))
    graph = await session.call(memory.GRAPH, query.drawing(visible))
    if query.hidden and not visible:
        graph = _center_alone(graph)
    it = Fetched(
        query=replace(query, opened={}),
        graph=graph,
        shares=_shares(around),
        opened={},
        born=tuple(node.created_at for node in around.nodes if node.id != around.center),
    )
    for id in query.opened:
        it = await with_neighbours(session, it, query, id)
    return it


async def with_neighbours(session: Session, it: Fetched, query: GraphQuery, id: str) -> Fetched:
    """Return the same data with a row opened as far as a query asks; no other part is fetched again.

    If the row no longer exists, the data is returned unchanged: someone retired it meanwhile, and it leaves
    the drawing with the next load."""
    try:
        more = await session.call(memory.GRAPH, query.neighbours(id, _visible(session, query)))
    except NotFound:
        return it
    opened = {**it.query.opened, id: query.opened[id]}
    return replace(it, query=replace(it.query, opened=opened), opened={**it.opened, id: more})


def without_neighbours(it: Fetched, id: str) -> Fetched:
    """Return the same data with a row closed."""
    opened = {each: more for each, more in it.opened.items() if each != id}
    return replace(it, query=it.query.closing(id), opened=opened)


def _visible(session: Session, query: GraphQuery) -> tuple[str, ...]:
    """Return the channels to draw; () asks for all, and is also the result when every channel is hidden."""
    if not query.hidden:
        return session.channels
    known = tuple(row.name for row in session.status.channels) if session.status is not None else ()
    return query.visible(session.channels or known)


def _center_alone(graph: Graph) -> Graph:
    alone = tuple(node for node in graph.nodes if node.id == graph.center)
    return replace(graph, nodes=alone, edges=(), total=1)


def _shares(around: Graph) -> dict[str, int]:
    """Return the number of memories around the centre per channel, without the centre."""
    own = next((node.channel for node in around.nodes if node.id == around.center), "")
    counts = {channel: count - (channel == own) for channel, count in around.by_channel.items()}
    return {channel: count for channel, count in counts.items() if count > 0}


def rank(type: str) -> int:
    """Return the rank of a relation type: of several relations between the same two records, the lowest rank
    is drawn."""
    return RANKS.get(type, len(RANKS) + (type == ABOUT))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """An edge between two nodes, and the lane of the gutter that it takes."""

    lane: int
    edge: GraphEdge


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A graph with the neighbours of opened rows, sorted for drawing.

    spokes: edges from the centre to rows. branches: between a row and the one it is indented under or was
    reached from. ties: every edge between two rows, by either of them; promotions and supersessions are always
    shown, others that are no branches only for the row that is selected or pointed at. numbers: the colour
    number of each channel. opened: number of rows added as neighbours of opened rows."""

    graph: Graph
    nodes: Mapping[str, GraphNode]
    spokes: Mapping[str, GraphEdge]
    branches: Mapping[str, GraphEdge]
    ties: Mapping[str, Sequence[Tie]]
    numbers: Mapping[str, int]
    opened: int = 0

    @property
    def center(self) -> GraphNode:
        """Node that all others surround."""
        return self.nodes[self.graph.center or ""]

    @property
    def shown(self) -> int:
        return len(self.nodes) - 1

    @property
    def left_out(self) -> int:
        """Number of the centre's surroundings that are not shown."""
        return max(0, self.graph.total - 1 - (self.shown - self.opened))

    @property
    def counted(self) -> str:
        """Count as text: “31 of 47 shown”, or “31 shown” if that is all; then “24 opened”, which the first
        number does not include."""
        total, shown = self.graph.total - 1, f"{self.shown - self.opened:,}"
        if self.graph.more:
            said = tr("{shown} of more than %Ln shown", "", total, shown=shown)
        elif self.left_out:
            said = tr("{shown} of %Ln shown", "", total, shown=shown)
        else:
            said = tr("%Ln shown", "", self.shown - self.opened)
        return tr("{counted}, %Ln opened", "", self.opened, counted=said) if self.opened else said

    def path(self, id: str) -> tuple[str, ...]:
        """Return the rows from a row to the centre, without the centre."""
        made, node = list[str](), self.nodes.get(id)
        while node is not None and node.id != self.graph.center:
            made.append(node.id)
            node = self.nodes.get(node.parent or "")
        return tuple(made)


def build_scene(graph: Graph, numbers: Mapping[str, int], opened: Mapping[str, Graph] | None = None) -> Scene:
    """Sort a graph's edges for drawing. Of several edges between the same two nodes the most important one is
    kept. opened: the neighbours of opened rows, in the order in which they were opened."""
    whole = _with_opened(graph, opened or {})
    nodes = {node.id: node for node in whole.nodes}
    drawn = dict[tuple[str, str], GraphEdge]()
    for edge in whole.edges:
        one, other = sorted((edge.source, edge.target))
        if one != other and one in nodes and other in nodes:
            before = drawn.get((one, other))
            if before is None or rank(edge.type) < rank(before.type):
                drawn[one, other] = edge
    spokes, branches = dict[str, GraphEdge](), dict[str, GraphEdge]()
    ties = dict[str, list[Tie]]()
    for lane, ((one, other), edge) in enumerate(drawn.items()):
        if graph.center in (one, other):
            spokes[other if one == graph.center else one] = edge
            continue
        for child, parent in ((one, other), (other, one)):
            if nodes[child].parent == parent:
                branches[child] = edge
                break
        for end in (one, other):
            ties.setdefault(end, []).append(Tie(lane=lane, edge=edge))
    return Scene(
        graph=whole,
        nodes=nodes,
        spokes=spokes,
        branches=branches,
        ties=ties,
        numbers=numbers,
        opened=len(whole.nodes) - len(graph.nodes),
    )


def _with_opened(graph: Graph, opened: Mapping[str, Graph]) -> Graph:
    """Return the graph with the neighbours of opened rows added under them.

    An entity is drawn once, regardless of its channel, so a new node of a known name is replaced by the
    existing one."""
    nodes, edges = {node.id: node for node in graph.nodes}, list(graph.edges)
    names = {node.title.lower(): node.id for node in graph.nodes if node.kind == "entity"}
    for at, more in opened.items():
        if at not in nodes:
            continue
        entities = [node for node in more.nodes if node.kind == "entity"]
        same = {node.id: names.get(node.title.lower(), node.id) for node in entities}
        hop = nodes[at].hop + 1
        new = [node for node in more.nodes if same.get(node.id, node.id) not in nodes]
        nodes |= {node.id: replace(node, hop=hop, parent=at) for node in new}
        names |= {node.title.lower(): node.id for node in new if node.kind == "entity"}
        edges += [
            replace(
                edge, source=same.get(edge.source, edge.source), target=same.get(edge.target, edge.target)
            )
            for edge in more.edges
        ]
    return replace(graph, nodes=tuple(nodes.values()), edges=tuple(edges))
