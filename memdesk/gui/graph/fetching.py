"""Fetches what a wish asks for: the drawing, its surroundings, and the neighbours of rows that were opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from memdesk.contract import memory
from memdesk.gui.graph.scene import grown
from memdesk.gui.graph.wish import Wish
from memdesk.gui.session import Session
from memdesk.model.errors import NotFound
from memdesk.model.graph import AskGraph, Graph


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A wish come true. shares: how much of the surroundings each channel holds. born: when each memory was.

    opened: the rows of the wish that are still there."""

    wish: Wish
    graph: Graph
    shares: Mapping[str, int]
    born: tuple[datetime, ...]
    opened: frozenset[str]


async def fetched(session: Session, wish: Wish) -> Fetched:
    """Ask for everything, one after the other: each takes milliseconds, and a failure leaves none behind.

    Raises NotFound or BadAsk when the wish has no graph."""
    visible = _visible(session, wish)
    around = await session.call(memory.GRAPH, wish.surroundings(session.channels))
    graph = await session.call(memory.GRAPH, wish.drawing(visible))
    if wish.hidden and not visible:
        graph = _center_alone(graph)
    for id in wish.opened:
        graph = await _with_neighbours(session, graph, id, wish.neighbours(id, visible))
    here = {node.id for node in graph.nodes}
    return Fetched(
        wish=wish, graph=graph, shares=_shares(around), opened=frozenset(here & set(wish.opened)),
        born=tuple(node.created_at for node in around.nodes if node.id != around.center),
    )  # fmt: skip


def _visible(session: Session, wish: Wish) -> tuple[str, ...]:
    """The channels to draw; () asks for all, and is also what is left when every channel is hidden."""
    if not wish.hidden:
        return session.channels
    known = tuple(row.name for row in session.status.channels) if session.status is not None else ()
    return wish.visible(session.channels or known)


def _center_alone(graph: Graph) -> Graph:
    alone = tuple(node for node in graph.nodes if node.id == graph.center)
    return replace(graph, nodes=alone, edges=(), total=1)


async def _with_neighbours(session: Session, graph: Graph, id: str, ask: AskGraph) -> Graph:
    """When the row is gone, somebody retired it meanwhile; it leaves the drawing with this load."""
    try:
        return grown(graph, id, await session.call(memory.GRAPH, ask))
    except NotFound:
        return graph


def _shares(around: Graph) -> dict[str, int]:
    """The surroundings by channel, without the centre itself."""
    own = next((node.channel for node in around.nodes if node.id == around.center), "")
    counts = {channel: count - (channel == own) for channel, count in around.by_channel.items()}
    return {channel: count for channel, count in counts.items() if count > 0}
