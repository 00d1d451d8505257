"""Graph around one memory, strongest nodes first, with the omitted ones counted; or a path from it to another
memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from memdesk.engine.browsing.path import path
from memdesk.engine.browsing.walk import EDGES_AT_MOST, Walk, past, walk
from memdesk.engine.engine import Engine
from memdesk.engine.recall.rows import salience_now
from memdesk.engine.wording import shortened
from memdesk.model.entity import ENTITY
from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT
from memdesk.model.graph import AskGraph, Graph, GraphEdge, GraphNode
from memdesk.model.instant import to_datetime
from memdesk.model.kind import Kind
from memdesk.store import browsing, recalls, records
from memdesk.store.connection import Connection

HOPS_AT_MOST = 3
DRAWN_AT_MOST = EDGES_AT_MOST
"""Most nodes drawn: as many as a walk follows from a hub, which it has reached and scored anyway: 0.15 s and
1.9 MB. Twice as many would take four times as long."""
PER_HOP = 0.6
"""Factor per hop on salience × confidence when there are more nodes than may be drawn."""
FACTS_PER_ENTITY = 2
"""Facts drawn for each entity. Facts matter more than the entities they name, but a graph of facts alone
leads nowhere."""
SUGGESTIONS = 8


def graph(engine: Engine, ask: AskGraph) -> Graph:
    """Return the neighbourhood of a fact or an entity, or a path from it; without a centre, suggested
    starting points.

    Raises NotFound, BadAsk."""
    if not 1 <= ask.hops <= HOPS_AT_MOST or not 1 <= ask.limit <= DRAWN_AT_MOST:
        raise BadAsk(f"hops lies between 1 and {HOPS_AT_MOST}, limit between 1 and {DRAWN_AT_MOST}.")
    with engine.store.reading() as db:
        if ask.center is None:
            return _beginnings(engine, db, ask)
        kind, record = records.any_record(db, ask.center)
        if kind not in (FACT, ENTITY):
            raise BadAsk(f"A {kind.label.lower()} has no graph; name a fact or an entity.")
        if ask.to is not None:
            return _way(engine, db, path(db, (kind, record), _ended(db, ask.to), ask), ask)
        return _drawn(engine, db, walk(db, kind, record, ask), ask)


def _ended(db: Connection, id: str) -> tuple[Kind, Any]:
    """Return the other end of a path. Raises NotFound, or BadAsk for a record that is not in the graph."""
    kind, record = records.any_record(db, id)
    if kind not in (FACT, ENTITY):
        raise BadAsk(f"No way leads to a {kind.label.lower()}; name a fact or an entity.")
    return kind, record


def _way(engine: Engine, db: Connection, found: Walk, ask: AskGraph) -> Graph:
    """Return the complete path in its order; only the centre if there is no path."""
    nodes = tuple(
        _node(engine, pair, strength, found) for _, pair, strength in _with_strength(engine, db, found)
    )
    edges = tuple(
        GraphEdge(source=source, target=target, type=type, confidence=confidence)
        for (source, target, type), confidence in sorted(found.edges.items())
    )
    return Graph(
        center=ask.center, nodes=nodes, edges=edges, total=len(nodes), more=found.broke_off,
        by_channel=dict(Counter(node.channel for node in nodes)),
    )  # fmt: skip


def _drawn(engine: Engine, db: Connection, found: Walk, ask: AskGraph) -> Graph:
    """Return the `limit` strongest nodes that were reached, each with the chain that leads to it.

    A record counts less with each hop, so that the centre's own neighbours come first but leave space for
    theirs."""
    nodes = {
        id: _node(engine, pair, strength, found) for id, pair, strength in _with_strength(engine, db, found)
    }
    shown: dict[str, GraphNode] = {}
    for node in _ranked(nodes.values()):
        chain = _chain(node, nodes, shown)
        if len(shown) + len(chain) <= ask.limit:
            shown.update((each.id, each) for each in reversed(chain))
    edges = tuple(
        GraphEdge(source=source, target=target, type=type, confidence=confidence)
        for (source, target, type), confidence in sorted(found.edges.items())
        if source in shown and target in shown
    )
    return Graph(
        center=ask.center, nodes=tuple(shown.values()), edges=edges, total=len(nodes), more=found.broke_off,
        by_channel=dict(Counter(node.channel for node in nodes.values())),
    )  # fmt: skip


def _ranked(nodes: Iterable[GraphNode]) -> list[GraphNode]:
    """Return the centre, then the strongest of each kind in turn: FACTS_PER_ENTITY facts per entity while
    both last."""
    strongest = sorted(nodes, key=lambda n: (n.hop > 0, -n.salience * n.confidence * PER_HOP**n.hop, n.id))
    seen: Counter[str] = Counter()
    turn: dict[str, float] = {}
    for node in strongest:
        turn[node.id] = (
            seen[node.kind] / (FACTS_PER_ENTITY if node.kind == FACT.name else 1) if node.hop else -1.0
        )
        seen[node.kind] += bool(node.hop)
    return sorted(strongest, key=lambda n: turn[n.id])


def _chain(node: GraphNode, nodes: dict[str, GraphNode], shown: dict[str, GraphNode]) -> list[GraphNode]:
    """Return a node and the nodes between it and those already shown; empty if the node is shown already."""
    chain: list[GraphNode] = []
    step: str | None = node.id
    while step is not None and step not in shown:
        chain.append(nodes[step])
        step = nodes[step].parent
    return chain


def _with_strength(engine: Engine, db: Connection, found: Walk) -> list[tuple[str, tuple[Kind, Any], float]]:
    used = recalls.uses(db, [record.seq for _, record in found.found.values()])
    return [
        (id, (kind, record), salience_now(engine, record, used.get(record.seq)))
        for id, (kind, record) in found.found.items()
    ]


def _node(engine: Engine, pair: tuple[Kind, Any], strength: float, found: Walk) -> GraphNode:
    kind, record = pair
    return GraphNode(
        id=record.id, kind=kind.name, title=shortened(str(getattr(record, kind.title)), 160),
        category=record.category if kind is FACT else record.type, channel=record.channel,
        confidence=record.confidence if kind is FACT else 1.0, salience=strength,
        hop=found.hop.get(record.id, 0), parent=found.parent.get(record.id), past=past(kind, record),
        created_at=to_datetime(record.created_at),
    )  # fmt: skip


def _beginnings(engine: Engine, db: Connection, ask: AskGraph) -> Graph:
    """Suggest starting points: the entities with the most relations, then those recalled most."""
    connected = records.by_ids(db, browsing.most_connected(db, ask.user_id, ask.channels, SUGGESTIONS))
    used = browsing.most_used(db, ENTITY, ask.user_id, ask.channels, SUGGESTIONS)
    found = Walk()
    for kind, record in [*connected.values(), *((ENTITY, entity) for entity in used)]:
        found.reach(kind, record, 0, None)
    nodes = [_node(engine, pair, strength, found) for _, pair, strength in _with_strength(engine, db, found)]
    return Graph(
        center=None, nodes=(), edges=(), total=0, by_channel={}, suggestions=tuple(nodes[:SUGGESTIONS])
    )
