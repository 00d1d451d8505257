"""Graph around one memory, strongest nodes first, with the omitted ones counted; or a path from it to
another memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.rows import salience_now
from memdesk.engine.wording import shortened
from memdesk.model.entity import ENTITY
from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT
from memdesk.model.graph import AskGraph, Graph, GraphEdge, GraphNode
from memdesk.model.instant import from_datetime, to_datetime
from memdesk.model.kind import Kind
from memdesk.model.message import message
from memdesk.store import browsing, proposing, recalls, records, semantic
from memdesk.store.connection import Connection

REACHED_AT_MOST = 2_000
"""Records after which a walk goes no hop further: a hub's neighbours are not asked for their own neighbours."""
EDGES_AT_MOST = 5_000
"""Most edges followed from the records of one hop in one direction; a larger hub is shown in part."""
FRONT_AT_MOST = 500
"""Most of the outermost records that are asked for the edges between them."""
Edge = tuple[str, str, str, float, str]
"""Source, target, type, confidence and id; "" for the id of a lineage."""


@dataclass(slots=True, kw_only=True)
class Walk:
    """Records reached by a walk, each with its hop and the record it was reached from.

    Entities of the same name in different channels are the same to a person, so they are drawn once:
    `stands_for` maps every id that was met to the id that is drawn, `by_name` maps an entity's name to it.
    `ties` counts the edges of every id that was met. `broke_off`: the graph continues beyond the walk."""

    found: dict[str, tuple[Kind[Any], Any]] = field(default_factory=dict)
    hop: dict[str, int] = field(default_factory=dict)
    parent: dict[str, str | None] = field(default_factory=dict)
    edges: dict[tuple[str, str, str], tuple[float, str]] = field(default_factory=dict)
    stands_for: dict[str, str] = field(default_factory=dict)
    by_name: dict[str, str] = field(default_factory=dict)
    twins: dict[str, list[Any]] = field(default_factory=dict)
    ties: Counter[str] = field(default_factory=Counter)
    broke_off: bool = False

    def reach(self, kind: Kind[Any], record: Any, hop: int, parent: str | None) -> None:
        """Draw a record; if an entity of the same name is drawn already, map the record to that one instead."""
        drawn = self.by_name.get(record.name.lower()) if kind is ENTITY else None
        self.stands_for[record.id] = drawn or record.id
        if drawn is not None:
            self.twins.setdefault(drawn, []).append(record)
        else:
            self.found[record.id], self.hop[record.id], self.parent[record.id] = (kind, record), hop, parent
            if kind is ENTITY:
                self.by_name[record.name.lower()] = record.id

    def settle(self, center: str) -> None:
        """Draw every entity as the namesake that has the most edges. The centre stays as it is."""
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
        self.stands_for = {id: moved.get(drawn, drawn) for id, drawn in self.stands_for.items()}
        self.edges = {(moved.get(s, s), moved.get(t, t), type): c for (s, t, type), c in self.edges.items()}

    def chain(self, id: str) -> list[str]:
        """Return a record and those it was reached through, back to the start of the walk."""
        made, step = list[str](), id if id in self.found else None
        while step is not None:
            made.append(step)
            step = self.parent[step]
        return made


def walk(db: Connection, kind: Kind[Any], record: Any, ask: AskGraph) -> Walk:
    """Walk from a record to the records within the asked hops, as far as the limits allow."""
    made = Walk()
    made.reach(kind, record, 0, None)
    front = [record.id, *_meet_namesakes(db, made, [record], ask)]
    for hop in range(1, ask.hops + 1):
        front = _step(db, made, front, hop, ask)
        if not front or len(made.found) >= REACHED_AT_MOST:
            made.broke_off |= bool(front) and hop < ask.hops
            break
    for edge in _edges(db, front[:FRONT_AT_MOST], ask.edges):
        _tie(made, edge)
    made.settle(record.id)
    return made


def _step(db: Connection, made: Walk, front: Sequence[str], hop: int, ask: AskGraph) -> list[str]:
    """Go one hop further from these records; return the ids to continue from."""
    edges = _edges(db, front, ask.edges)
    made.broke_off |= len(edges) >= EDGES_AT_MOST
    ends = {end for source, target, *_ in edges for end in (source, target)}
    fresh = {
        id: pair
        for id, pair in records.by_ids(db, ends - made.stands_for.keys()).items()
        if _wanted(*pair, ask)
    }
    before = set(made.stands_for)
    for source, target, *_ in edges:
        for near, far in ((source, target), (target, source)):
            if near in before and far in fresh and far not in made.stands_for:
                made.reach(*fresh[far], hop, made.stands_for[near])
    for edge in edges:
        _tie(made, edge)
    reached = [id for id in fresh if id in made.stands_for]
    named = [fresh[id][1] for id in reached if fresh[id][0] is ENTITY]
    return [*reached, *_meet_namesakes(db, made, named, ask)]


def _meet_namesakes(db: Connection, made: Walk, reached: Sequence[Any], ask: AskGraph) -> list[str]:
    """Map the entities of the same names in other channels to those reached; return the ids of the namesakes."""
    names = [record.name for record in reached if hasattr(record, "name")]
    met = []
    for twin in semantic.entities_named(db, ask.user_id, names):
        if twin.id not in made.stands_for and _wanted(ENTITY, twin, ask):
            made.reach(ENTITY, twin, 0, None)
            met.append(twin.id)
    return met


def _tie(made: Walk, edge: Edge) -> None:
    """Record an edge between the drawn records of its two ends, if both were reached."""
    source, target, type, *_ = edge
    ends = made.stands_for.get(source), made.stands_for.get(target)
    if ends[0] is not None and ends[1] is not None and ends[0] != ends[1]:
        key = ends[0], ends[1], type
        made.edges[key] = max((edge[3], edge[4]), made.edges.get(key, (0.0, "")))
        made.ties.update((source, target))


def _edges(db: Connection, ids: Sequence[str], types: Sequence[str]) -> list[Edge]:
    edges = browsing.relations_of(db, ids, EDGES_AT_MOST)
    edges += [(source, target, type, 1.0, "") for source, target, type in browsing.lineage_of(db, ids)]
    return [edge for edge in edges if not types or edge[2] in types]


def _wanted(kind: Kind[Any], record: Any, ask: AskGraph) -> bool:
    if kind not in (FACT, ENTITY) or record.user_id != ask.user_id or record.retired_at is not None:
        return False
    if ask.channels and record.channel not in ask.channels:
        return False
    if kind is FACT and (record.confidence < ask.min_confidence or (not ask.past and past(kind, record))):
        return False
    after = ask.since is None or record.created_at >= from_datetime(ask.since)
    return after and (ask.until is None or record.created_at < from_datetime(ask.until))


def past(kind: Kind[Any], record: Any) -> bool:
    return kind is FACT and (record.temporal == "past" or record.superseded_by is not None)


Pair = tuple[Kind[Any], Any]


def path(db: Connection, start: Pair, end: Pair, ask: AskGraph) -> Walk:
    """Return a shortest path of at most twice the asked hops, as a walk with only the path's records, in
    order from the start.

    If none was found, the walk has only the start; `broke_off` is then true if a longer search might find
    one."""
    near, far = walk(db, *start, ask), walk(db, *end, ask)
    meetings = near.stands_for.keys() & far.stands_for.keys()
    steps = {
        id: near.hop[near.stands_for[id]] + far.hop[far.stands_for[id]]
        for id in meetings
        if near.stands_for[id] in near.hop and far.stands_for[id] in far.hop
    }
    found = Walk(broke_off=near.broke_off or far.broke_off)
    if not steps:
        found.reach(*start, 0, None)
        return found
    meeting = min(steps, key=lambda id: (steps[id], id))
    there, back = near.chain(near.stands_for[meeting])[::-1], far.chain(far.stands_for[meeting])
    same = {back[0]: there[-1]}
    order = [*there, *back[1:]]
    for place, id in enumerate(order):
        kind, record = near.found[id] if place < len(there) else far.found[id]
        found.reach(kind, record, place, order[place - 1] if place else None)
    for source, target, type in near.edges.keys() | far.edges.keys():
        ends = same.get(source, source), same.get(target, target)
        if ends[0] in found.found and ends[1] in found.found:
            key = source, target, type
            found.edges[ends[0], ends[1], type] = near.edges.get(key) or far.edges[key]
    return found


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
        raise BadAsk(
            message(
                "hops lies between 1 and {count}, limit between 1 and {drawn_at_most}.",
                count=HOPS_AT_MOST,
                drawn_at_most=DRAWN_AT_MOST,
            )
        )
    with engine.store.reading() as db:
        if ask.center is None:
            return _beginnings(engine, db, ask)
        kind, record = records.any_record(db, ask.center)
        if kind not in (FACT, ENTITY):
            raise BadAsk(
                message("A {label} has no graph; name a fact or an entity.", label=kind.label.lower())
            )
        if ask.to is not None:
            return _way(engine, db, path(db, (kind, record), _path_end(db, ask.to), ask), ask)
        return _drawn(engine, db, walk(db, kind, record, ask), ask)


def _path_end(db: Connection, id: str) -> tuple[Kind[Any], Any]:
    """Return the other end of a path. Raises NotFound, or BadAsk for a record that is not in the graph."""
    kind, record = records.any_record(db, id)
    if kind not in (FACT, ENTITY):
        raise BadAsk(
            message("No way leads to a {label}; name a fact or an entity.", label=kind.label.lower())
        )
    return kind, record


def _way(engine: Engine, db: Connection, found: Walk, ask: AskGraph) -> Graph:
    """Return the complete path in its order; only the centre if there is no path."""
    nodes = tuple(
        _node(engine, pair, strength, found) for _, pair, strength in _with_strength(engine, db, found)
    )
    edges = tuple(
        GraphEdge(source=source, target=target, type=type, confidence=sure, id=id)
        for (source, target, type), (sure, id) in sorted(found.edges.items())
    )
    return Graph(
        center=ask.center,
        nodes=_with_questions(db, nodes),
        edges=edges,
        total=len(nodes),
        more=found.broke_off,
        by_channel=dict(Counter(node.channel for node in nodes)),
    )


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
        GraphEdge(source=source, target=target, type=type, confidence=sure, id=id)
        for (source, target, type), (sure, id) in sorted(found.edges.items())
        if source in shown and target in shown
    )
    return Graph(
        center=ask.center,
        nodes=_with_questions(db, tuple(shown.values())),
        edges=edges,
        total=len(nodes),
        more=found.broke_off,
        by_channel=dict(Counter(node.channel for node in nodes.values())),
    )


def _ranked(nodes: Iterable[GraphNode]) -> list[GraphNode]:
    """Return the centre, then the strongest of each kind in turn: FACTS_PER_ENTITY facts per entity while both last."""
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


def _with_strength(
    engine: Engine, db: Connection, found: Walk
) -> list[tuple[str, tuple[Kind[Any], Any], float]]:
    used = recalls.uses(db, [record.seq for _, record in found.found.values()])
    return [
        (id, (kind, record), salience_now(engine, record, used.get(record.seq)))
        for id, (kind, record) in found.found.items()
    ]


def _with_questions(db: Connection, nodes: tuple[GraphNode, ...]) -> tuple[GraphNode, ...]:
    """Return these nodes, facts with the open question about what contradicts them."""
    asked = proposing.contradicted_among(db, [node.id for node in nodes if node.kind == FACT.name])
    return tuple(replace(node, question=asked[node.id]) if node.id in asked else node for node in nodes)


def _node(engine: Engine, pair: tuple[Kind[Any], Any], strength: float, found: Walk) -> GraphNode:
    kind, record = pair
    return GraphNode(
        id=record.id,
        kind=kind.name,
        title=shortened(str(getattr(record, kind.title)), 160),
        category=record.category if kind is FACT else record.type,
        channel=record.channel,
        confidence=record.confidence if kind is FACT else 1.0,
        salience=strength,
        hop=found.hop.get(record.id, 0),
        parent=found.parent.get(record.id),
        past=past(kind, record),
        created_at=to_datetime(record.created_at),
    )


def _beginnings(engine: Engine, db: Connection, ask: AskGraph) -> Graph:
    """Suggest starting points: the entities with the most relations, then those recalled most; without an entity,
    the newest facts."""
    connected = records.by_ids(db, browsing.most_connected(db, ask.user_id, ask.channels, SUGGESTIONS))
    used = browsing.most_used(db, ENTITY, ask.user_id, ask.channels, SUGGESTIONS)
    found = Walk()
    for kind, record in [*connected.values(), *((ENTITY, entity) for entity in used)]:
        found.reach(kind, record, 0, None)
    if not found.found:
        for fact in browsing.newest_records(db, FACT, ask.user_id, ask.channels, SUGGESTIONS):
            found.reach(FACT, fact, 0, None)
    nodes = [_node(engine, pair, strength, found) for _, pair, strength in _with_strength(engine, db, found)]
    return Graph(
        center=None, nodes=(), edges=(), total=0, by_channel={}, suggestions=tuple(nodes[:SUGGESTIONS])
    )
