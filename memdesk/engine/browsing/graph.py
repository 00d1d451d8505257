"""The graph around one memory: breadth first, capped, with what was left out counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.recall.rows import salience_now
from memdesk.engine.wording import shortened
from memdesk.model.entity import ENTITY
from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT
from memdesk.model.graph import AskGraph, Graph, GraphEdge, GraphNode
from memdesk.model.instant import from_datetime, to_datetime
from memdesk.model.kind import Kind
from memdesk.store import browsing, recalls, records, semantic
from memdesk.store.connection import Connection

REACHED_AT_MOST = 2_000
"""Once a walk has reached this many it goes no hop further: a hub's neighbours are not asked for theirs."""
EDGES_AT_MOST = 5_000
"""Followed from the records of one hop in one direction; a larger hub is shown in part."""
HOPS_AT_MOST = 3
FRONT_AT_MOST = 500
"""Of the outermost records, how many are asked for the edges between them."""
PER_HOP = 0.6
"""What a hop leaves of salience × confidence when room is short."""
FACTS_PER_ENTITY = 2
"""What is believed matters more than what it names, but a graph of facts alone leads nowhere."""
SUGGESTIONS = 8
Edge = tuple[str, str, str, float]


@dataclass(slots=True, kw_only=True)
class _Walk:
    """What a walk has reached: each record with its hop and the record it was reached from.

    An entity of the same name in another channel is the same thing to a person, so it is drawn once: `stands_for`
    leads from every id that was met to the one that is drawn, `by_name` from an entity's name to it. `ties` counts
    the edges of every id that was met.
    """

    found: dict[str, tuple[Kind, Any]] = field(default_factory=dict)
    hop: dict[str, int] = field(default_factory=dict)
    parent: dict[str, str | None] = field(default_factory=dict)
    edges: dict[tuple[str, str, str], float] = field(default_factory=dict)
    stands_for: dict[str, str] = field(default_factory=dict)
    by_name: dict[str, str] = field(default_factory=dict)
    twins: dict[str, list[Any]] = field(default_factory=dict)
    ties: Counter[str] = field(default_factory=Counter)

    def reach(self, kind: Kind, record: Any, hop: int, parent: str | None) -> None:
        """Draw a record, or let the entity of its name that is drawn already stand for it."""
        drawn = self.by_name.get(record.name.lower()) if kind is ENTITY else None
        self.stands_for[record.id] = drawn or record.id
        if drawn is not None:
            self.twins.setdefault(drawn, []).append(record)
        else:
            self.found[record.id], self.hop[record.id], self.parent[record.id] = (kind, record), hop, parent
            if kind is ENTITY:
                self.by_name[record.name.lower()] = record.id

    def settle(self, center: str) -> None:
        """Draw every entity where it is most at home: as the namesake with the most edges. The centre stays."""
        homes = {
            id: max((self.found[id][1], *twins), key=lambda each: self.ties[each.id])
            for id, twins in self.twins.items()
            if id != center
        }
        moved = {id: home.id for id, home in homes.items() if home.id != id}
        for id, home in moved.items():
            self.found[home], self.hop[home] = (ENTITY, homes[id]), self.hop.pop(id)
            self.parent[home] = self.parent.pop(id)
            del self.found[id]
        self.parent = {id: moved.get(above, above) if above else None for id, above in self.parent.items()}
        self.edges = {(moved.get(s, s), moved.get(t, t), type): c for (s, t, type), c in self.edges.items()}


def graph(engine: Engine, ask: AskGraph) -> Graph:
    """The neighbourhood of a fact or an entity; without a centre, where one might begin. Raises NotFound."""
    if not 1 <= ask.hops <= HOPS_AT_MOST or not 1 <= ask.limit <= REACHED_AT_MOST:
        raise BadAsk(f"hops lies between 1 and {HOPS_AT_MOST}, limit between 1 and {REACHED_AT_MOST}.")
    with engine.store.reading() as db:
        if ask.center is None:
            return _beginnings(engine, db, ask)
        kind, record = records.any_record(db, ask.center)
        if kind not in (FACT, ENTITY):
            raise BadAsk(f"A {kind.label.lower()} has no graph; name a fact or an entity.")
        walk = _walk(db, kind, record, ask)
        return _drawn(engine, db, walk, ask)


def _walk(db: Connection, kind: Kind, record: Any, ask: AskGraph) -> _Walk:
    walk = _Walk()
    walk.reach(kind, record, 0, None)
    front = [record.id, *_meet_namesakes(db, walk, [record], ask)]
    for hop in range(1, ask.hops + 1):
        front = _step(db, walk, front, hop, ask)
        if not front or len(walk.found) >= REACHED_AT_MOST:
            break
    for source, target, type, confidence in _edges(db, front[:FRONT_AT_MOST], ask.edges):
        _tie(walk, source, target, type, confidence)
    walk.settle(record.id)
    return walk


def _step(db: Connection, walk: _Walk, front: Sequence[str], hop: int, ask: AskGraph) -> list[str]:
    """Go one hop further from these records; returns the ids to go on from."""
    edges = _edges(db, front, ask.edges)
    ends = {end for source, target, _, _ in edges for end in (source, target)}
    fresh = {
        id: pair
        for id, pair in records.by_ids(db, ends - walk.stands_for.keys()).items()
        if _wanted(*pair, ask)
    }
    before = set(walk.stands_for)
    for source, target, _, _ in edges:
        for near, far in ((source, target), (target, source)):
            if near in before and far in fresh and far not in walk.stands_for:
                walk.reach(*fresh[far], hop, walk.stands_for[near])
    for source, target, type, confidence in edges:
        _tie(walk, source, target, type, confidence)
    reached = [id for id in fresh if id in walk.stands_for]
    named = [fresh[id][1] for id in reached if fresh[id][0] is ENTITY]
    return [*reached, *_meet_namesakes(db, walk, named, ask)]


def _meet_namesakes(db: Connection, walk: _Walk, reached: Sequence[Any], ask: AskGraph) -> list[str]:
    """Let entities stand for those of their name in other channels; returns the ids of these."""
    names = [record.name for record in reached if hasattr(record, "name")]
    met = []
    for twin in semantic.entities_named(db, ask.user_id, names):
        if twin.id not in walk.stands_for and _wanted(ENTITY, twin, ask):
            walk.reach(ENTITY, twin, 0, None)
            met.append(twin.id)
    return met


def _tie(walk: _Walk, source: str, target: str, type: str, confidence: float) -> None:
    """Note an edge between what stands for its two ends, if both were reached."""
    ends = walk.stands_for.get(source), walk.stands_for.get(target)
    if ends[0] is not None and ends[1] is not None and ends[0] != ends[1]:
        walk.edges[ends[0], ends[1], type] = max(confidence, walk.edges.get((ends[0], ends[1], type), 0.0))
        walk.ties.update((source, target))


def _edges(db: Connection, ids: Sequence[str], types: Sequence[str]) -> list[Edge]:
    edges = browsing.relations_of(db, ids, EDGES_AT_MOST)
    edges += [(source, target, type, 1.0) for source, target, type in browsing.lineage_of(db, ids)]
    return [edge for edge in edges if not types or edge[2] in types]


def _wanted(kind: Kind, record: Any, ask: AskGraph) -> bool:
    if kind not in (FACT, ENTITY) or record.user_id != ask.user_id or record.retired_at is not None:
        return False
    if ask.channels and record.channel not in ask.channels:
        return False
    if kind is FACT and (record.confidence < ask.min_confidence or (not ask.past and _past(kind, record))):
        return False
    after = ask.since is None or record.created_at >= from_datetime(ask.since)
    return after and (ask.until is None or record.created_at < from_datetime(ask.until))


def _past(kind: Kind, record: Any) -> bool:
    return kind is FACT and (record.temporal == "past" or record.superseded_by is not None)


def _drawn(engine: Engine, db: Connection, walk: _Walk, ask: AskGraph) -> Graph:
    """The strongest `limit` of what was reached, each with the chain that leads to it.

    A record counts less with each hop, so that the centre's own come first and yet leave room for theirs.
    """
    nodes = {
        id: _node(engine, pair, strength, walk) for id, pair, strength in _with_strength(engine, db, walk)
    }
    shown: dict[str, GraphNode] = {}
    for node in _ranked(nodes.values()):
        chain = _chain(node, nodes, shown)
        if len(shown) + len(chain) <= ask.limit:
            shown.update((each.id, each) for each in reversed(chain))
    edges = tuple(
        GraphEdge(source=source, target=target, type=type, confidence=confidence)
        for (source, target, type), confidence in sorted(walk.edges.items())
        if source in shown and target in shown
    )
    return Graph(
        center=ask.center, nodes=tuple(shown.values()), edges=edges, total=len(nodes),
        by_channel=dict(Counter(node.channel for node in nodes.values())),
    )  # fmt: skip


def _ranked(nodes: Iterable[GraphNode]) -> list[GraphNode]:
    """The centre, then the strongest of each kind in turn: FACTS_PER_ENTITY facts to an entity while both last."""
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
    """A node and those between it and what is shown already; empty when it is shown itself."""
    chain: list[GraphNode] = []
    step: str | None = node.id
    while step is not None and step not in shown:
        chain.append(nodes[step])
        step = nodes[step].parent
    return chain


def _with_strength(engine: Engine, db: Connection, walk: _Walk) -> list[tuple[str, tuple[Kind, Any], float]]:
    used = recalls.uses(db, [record.seq for _, record in walk.found.values()])
    return [
        (id, (kind, record), salience_now(engine, record, used.get(record.seq)))
        for id, (kind, record) in walk.found.items()
    ]


def _node(engine: Engine, pair: tuple[Kind, Any], strength: float, walk: _Walk) -> GraphNode:
    kind, record = pair
    return GraphNode(
        id=record.id, kind=kind.name, title=shortened(str(getattr(record, kind.title)), 160),
        category=record.category if kind is FACT else record.type, channel=record.channel,
        confidence=record.confidence if kind is FACT else 1.0, salience=strength,
        hop=walk.hop.get(record.id, 0), parent=walk.parent.get(record.id), past=_past(kind, record),
        created_at=to_datetime(record.created_at),
    )  # fmt: skip


def _beginnings(engine: Engine, db: Connection, ask: AskGraph) -> Graph:
    """Where to begin: the entities that most points to, and those recalled most."""
    connected = records.by_ids(db, browsing.most_connected(db, ask.user_id, ask.channels, SUGGESTIONS))
    used = browsing.most_used(db, ENTITY, ask.user_id, ask.channels, SUGGESTIONS)
    walk = _Walk()
    for kind, record in [*connected.values(), *((ENTITY, entity) for entity in used)]:
        walk.reach(kind, record, 0, None)
    nodes = [_node(engine, pair, strength, walk) for _, pair, strength in _with_strength(engine, db, walk)]
    return Graph(
        center=None, nodes=(), edges=(), total=0, by_channel={}, suggestions=tuple(nodes[:SUGGESTIONS])
    )
