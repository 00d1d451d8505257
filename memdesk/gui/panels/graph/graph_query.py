"""Fetching of the data for a wish: the drawing, its surroundings, and the neighbours of opened rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from memdesk.api import memory
from memdesk.gui.panels.graph.graph_layout import Hidden
from memdesk.gui.session import Session
from memdesk.model.errors import NotFound
from memdesk.model.graph import AskGraph, Graph

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
        """Return True if the other wish differs only in the number of rows shown, so that new rows are
        tinted."""
        return replace(self, limit=0, opened={}) == replace(other, limit=0, opened={})

    @property
    def narrows(self) -> bool:
        """True if a filter leaves anything out."""
        return bool(
            self.hidden or self.edges or self.since or self.until or not self.past or self.min_confidence > 0
        )

    def visible(self, channels: Iterable[str]) -> tuple[str, ...]:
        """Return the channels that are not hidden."""
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
        """Return the request for the drawing."""
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
    """Fetched data of a wish. graph: without the neighbours of opened rows. shares: number of memories around
    the centre per channel.

    born: creation times of the memories around the centre. opened: the neighbours of opened rows, in the
    order in which they were opened."""

    wish: GraphQuery
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


async def fetch(session: Session, wish: GraphQuery) -> Fetched:
    """Fetch all parts one after the other: each takes milliseconds, and a failure leaves no request running.

    Raises NotFound or BadAsk when the wish has no graph."""
    visible = _visible(session, wish)
    around = await session.call(memory.GRAPH, wish.surroundings(session.channels))
    graph = await session.call(memory.GRAPH, wish.drawing(visible))
    if wish.hidden and not visible:
        graph = _center_alone(graph)
    it = Fetched(
        wish=replace(wish, opened={}),
        graph=graph,
        shares=_shares(around),
        opened={},
        born=tuple(node.created_at for node in around.nodes if node.id != around.center),
    )
    for id in wish.opened:
        it = await with_neighbours(session, it, wish, id)
    return it


async def with_neighbours(session: Session, it: Fetched, wish: GraphQuery, id: str) -> Fetched:
    """Return the same data with a row opened as far as a wish asks; no other part is fetched again.

    If the row no longer exists, the data is returned unchanged: someone retired it meanwhile, and it leaves
    the drawing with the next load."""
    try:
        more = await session.call(memory.GRAPH, wish.neighbours(id, _visible(session, wish)))
    except NotFound:
        return it
    opened = {**it.wish.opened, id: wish.opened[id]}
    return replace(it, wish=replace(it.wish, opened=opened), opened={**it.opened, id: more})


def without_neighbours(it: Fetched, id: str) -> Fetched:
    """Return the same data with a row closed."""
    opened = {each: more for each, more in it.opened.items() if each != id}
    return replace(it, wish=it.wish.closing(id), opened=opened)


def _visible(session: Session, wish: GraphQuery) -> tuple[str, ...]:
    """Return the channels to draw; () asks for all, and is also the result when every channel is hidden."""
    if not wish.hidden:
        return session.channels
    known = tuple(row.name for row in session.status.channels) if session.status is not None else ()
    return wish.visible(session.channels or known)


def _center_alone(graph: Graph) -> Graph:
    alone = tuple(node for node in graph.nodes if node.id == graph.center)
    return replace(graph, nodes=alone, edges=(), total=1)


def _shares(around: Graph) -> dict[str, int]:
    """Return the number of memories around the centre per channel, without the centre."""
    own = next((node.channel for node in around.nodes if node.id == around.center), "")
    counts = {channel: count - (channel == own) for channel, count in around.by_channel.items()}
    return {channel: count for channel, count in counts.items() if count > 0}
