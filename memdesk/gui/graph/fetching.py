"""Fetching of the data for a wish: the drawing, its surroundings, and the neighbours of opened rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from memdesk.contract import memory
from memdesk.gui.graph.signs import Hidden
from memdesk.gui.graph.wish import Wish
from memdesk.gui.session import Session
from memdesk.model.errors import NotFound
from memdesk.model.graph import Graph


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """Fetched data of a wish. graph: without the neighbours of opened rows. shares: number of memories around
    the centre per channel.

    born: creation times of the memories around the centre. opened: the neighbours of opened rows, in the
    order in which they were opened."""

    wish: Wish
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


async def fetched(session: Session, wish: Wish) -> Fetched:
    """Fetch all parts one after the other: each takes milliseconds, and a failure leaves no request running.

    Raises NotFound or BadAsk when the wish has no graph."""
    visible = _visible(session, wish)
    around = await session.call(memory.GRAPH, wish.surroundings(session.channels))
    graph = await session.call(memory.GRAPH, wish.drawing(visible))
    if wish.hidden and not visible:
        graph = _center_alone(graph)
    it = Fetched(
        wish=replace(wish, opened={}), graph=graph, shares=_shares(around), opened={},
        born=tuple(node.created_at for node in around.nodes if node.id != around.center),
    )  # fmt: skip
    for id in wish.opened:
        it = await with_neighbours(session, it, wish, id)
    return it


async def with_neighbours(session: Session, it: Fetched, wish: Wish, id: str) -> Fetched:
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


def _visible(session: Session, wish: Wish) -> tuple[str, ...]:
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
