"""Walk of the fact graph from one memory: breadth first, within limits, noting if it stopped early."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from memdesk.model.entity import ENTITY
from memdesk.model.fact import FACT
from memdesk.model.graph import AskGraph
from memdesk.model.instant import from_datetime
from memdesk.model.kind import Kind
from memdesk.store import browsing, records, semantic
from memdesk.store.connection import Connection

REACHED_AT_MOST = 2_000
"""Records after which a walk goes no hop further: a hub's neighbours are not asked for their own neighbours."""
EDGES_AT_MOST = 5_000
"""Most edges followed from the records of one hop in one direction; a larger hub is shown in part."""
FRONT_AT_MOST = 500
"""Most of the outermost records that are asked for the edges between them."""
Edge = tuple[str, str, str, float]


@dataclass(slots=True, kw_only=True)
class Walk:
    """Records reached by a walk, each with its hop and the record it was reached from.

    Entities of the same name in different channels are the same to a person, so they are drawn once:
    `stands_for` maps every id that was met to the id that is drawn, `by_name` maps an entity's name to it.
    `ties` counts the edges of every id that was met. `broke_off`: the graph continues beyond the walk."""

    found: dict[str, tuple[Kind, Any]] = field(default_factory=dict)
    hop: dict[str, int] = field(default_factory=dict)
    parent: dict[str, str | None] = field(default_factory=dict)
    edges: dict[tuple[str, str, str], float] = field(default_factory=dict)
    stands_for: dict[str, str] = field(default_factory=dict)
    by_name: dict[str, str] = field(default_factory=dict)
    twins: dict[str, list[Any]] = field(default_factory=dict)
    ties: Counter[str] = field(default_factory=Counter)
    broke_off: bool = False

    def reach(self, kind: Kind, record: Any, hop: int, parent: str | None) -> None:
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


def walk(db: Connection, kind: Kind, record: Any, ask: AskGraph) -> Walk:
    """Walk from a record to the records within the asked hops, as far as the limits allow."""
    made = Walk()
    made.reach(kind, record, 0, None)
    front = [record.id, *_meet_namesakes(db, made, [record], ask)]
    for hop in range(1, ask.hops + 1):
        front = _step(db, made, front, hop, ask)
        if not front or len(made.found) >= REACHED_AT_MOST:
            made.broke_off |= bool(front) and hop < ask.hops
            break
    for source, target, type, confidence in _edges(db, front[:FRONT_AT_MOST], ask.edges):
        _tie(made, source, target, type, confidence)
    made.settle(record.id)
    return made


def _step(db: Connection, made: Walk, front: Sequence[str], hop: int, ask: AskGraph) -> list[str]:
    """Go one hop further from these records; return the ids to continue from."""
    edges = _edges(db, front, ask.edges)
    made.broke_off |= len(edges) >= EDGES_AT_MOST
    ends = {end for source, target, _, _ in edges for end in (source, target)}
    fresh = {
        id: pair
        for id, pair in records.by_ids(db, ends - made.stands_for.keys()).items()
        if _wanted(*pair, ask)
    }
    before = set(made.stands_for)
    for source, target, _, _ in edges:
        for near, far in ((source, target), (target, source)):
            if near in before and far in fresh and far not in made.stands_for:
                made.reach(*fresh[far], hop, made.stands_for[near])
    for source, target, type, confidence in edges:
        _tie(made, source, target, type, confidence)
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


def _tie(made: Walk, source: str, target: str, type: str, confidence: float) -> None:
    """Record an edge between the drawn records of its two ends, if both were reached."""
    ends = made.stands_for.get(source), made.stands_for.get(target)
    if ends[0] is not None and ends[1] is not None and ends[0] != ends[1]:
        made.edges[ends[0], ends[1], type] = max(confidence, made.edges.get((ends[0], ends[1], type), 0.0))
        made.ties.update((source, target))


def _edges(db: Connection, ids: Sequence[str], types: Sequence[str]) -> list[Edge]:
    edges = browsing.relations_of(db, ids, EDGES_AT_MOST)
    edges += [(source, target, type, 1.0) for source, target, type in browsing.lineage_of(db, ids)]
    return [edge for edge in edges if not types or edge[2] in types]


def _wanted(kind: Kind, record: Any, ask: AskGraph) -> bool:
    if kind not in (FACT, ENTITY) or record.user_id != ask.user_id or record.retired_at is not None:
        return False
    if ask.channels and record.channel not in ask.channels:
        return False
    if kind is FACT and (record.confidence < ask.min_confidence or (not ask.past and past(kind, record))):
        return False
    after = ask.since is None or record.created_at >= from_datetime(ask.since)
    return after and (ask.until is None or record.created_at < from_datetime(ask.until))


def past(kind: Kind, record: Any) -> bool:
    return kind is FACT and (record.temporal == "past" or record.superseded_by is not None)
