"""Details of one entity, and the graph around given entities. Reading them reinforces nothing."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.recall.rows import fact_rows, salience_now
from memdesk.engine.wording import shortened
from memdesk.model.channel import GLOBAL
from memdesk.model.entities import AskEntity, AskEntityGraph, EntityEdge, EntityGraph, EntityNode, EntityView
from memdesk.model.entity import ABOUT, ENTITY, Entity, Relation
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.fact import FACT, Fact
from memdesk.model.instant import optional_datetime, to_datetime
from memdesk.store import entities, recalls, records, semantic
from memdesk.store.connection import Connection

FACTS_AT_MOST = 500
BEGINNINGS_AT_MOST = 50
DEPTH_AT_MOST = 3
NODES_AT_MOST = 10_000
EDGES_PER_HOP = 5_000
"""Most relations followed per hop in one direction, the most confident first: a hub is shown in part."""
Node = Entity | Fact


def entity(engine: Engine, ask: AskEntity) -> EntityView:
    """Return an entity by id or name; a retired one is found by id only. Raises NotFound, or BadAsk for a
    number out of range."""
    if not 0 <= ask.facts <= FACTS_AT_MOST:
        raise BadAsk(f"facts lies between 0 and {FACTS_AT_MOST}.")
    with engine.store.reading() as db:
        found = _named(db, ask)
        use = recalls.uses(db, [found.seq]).get(found.seq)
        total, facts = entities.facts_about(db, found.id, ask.facts)
        return EntityView(
            id=found.id, name=found.name, type=found.type, aliases=tuple(semantic.aliases_of(db, found.id)),
            description=found.description, properties=json.loads(found.properties),
            salience=salience_now(engine, found, use), first_seen=to_datetime(found.created_at),
            last_accessed=optional_datetime(None if use is None else use.last_accessed),
            access_count=0 if use is None else use.access_count, channel=found.channel, agent_id=found.agent_id,
            pinned=bool(found.pinned), retired_at=optional_datetime(found.retired_at),
            facts=fact_rows(engine, db, facts), total_facts=total,
        )  # fmt: skip


def entity_graph(engine: Engine, ask: AskEntityGraph) -> EntityGraph:
    """Return the entities that relations lead to, breadth first, up to the asked depth or number of nodes.

    Raises NotFound for an id that names no current entity, BadAsk for a depth or a number out of range."""
    most = engine.settings.graph_nodes if ask.nodes is None else ask.nodes
    _check(ask, most)
    with engine.store.reading() as db:
        walk = _Walk(ask=ask, most=most)
        walk.begin(db)
        for hop in range(1, ask.depth + 1):
            walk.step(db, hop)
        return EntityGraph(nodes=_nodes(engine, db, walk), edges=walk.edges(db), cut=walk.cut)


@dataclass(slots=True, kw_only=True)
class _Walk:
    """Records reached so far, in order, with their hops; the next step starts from `front`."""

    ask: AskEntityGraph
    most: int
    found: dict[str, Node] = field(default_factory=dict)
    hop: dict[str, int] = field(default_factory=dict)
    front: list[str] = field(default_factory=list)
    cut: bool = False

    def begin(self, db: Connection) -> None:
        known = {
            id: record
            for id, (kind, record) in records.by_ids(db, self.ask.entity_ids).items()
            if kind is ENTITY
        }
        for id in dict.fromkeys(self.ask.entity_ids):
            entity = known.get(id)
            if entity is None or entity.user_id != self.ask.user_id or entity.retired_at is not None:
                raise NotFound(f"There is no entity {id}.")
            self._reach(entity, 0)
        self.front = list(self.found)

    def step(self, db: Connection, hop: int) -> None:
        """Follow relations one hop further, the most confident first."""
        if self.cut or not self.front:
            return
        relations = entities.relations_touching(db, self.front, self._types, EDGES_PER_HOP)
        ends = [end for each in relations for end in (each.source_id, each.target_id)]
        fresh = [id for id in dict.fromkeys(ends) if id not in self.found]
        wanted = {id: record for id, (_, record) in records.by_ids(db, fresh).items() if self._wanted(record)}
        self.front = [id for id in fresh if id in wanted]
        room = self.most - len(self.found)
        self.cut, self.front = len(self.front) > room, self.front[:room]
        for id in self.front:
            self._reach(wanted[id], hop)

    def edges(self, db: Connection) -> tuple[EntityEdge, ...]:
        """Return every relation between two reached records."""
        relations = entities.relations_touching(db, list(self.found), self._types, EDGES_PER_HOP)
        return tuple(
            _edge(each) for each in relations if each.source_id in self.found and each.target_id in self.found
        )

    @property
    def _types(self) -> tuple[str, ...]:
        """Relation types as stored; with `facts`, also the type that links a fact to its entity."""
        types = tuple(type.strip().upper().replace(" ", "_") for type in self.ask.types)
        return (*types, ABOUT) if types and self.ask.facts else types

    def _reach(self, record: Node, hop: int) -> None:
        self.found[record.id], self.hop[record.id] = record, hop

    def _wanted(self, record: Any) -> bool:
        if not isinstance(record, (Entity, Fact) if self.ask.facts else Entity):
            return False
        if record.user_id != self.ask.user_id or record.retired_at is not None:
            return False
        current = not isinstance(record, Fact) or record.superseded_by is None
        return current and (not self.ask.channels or record.channel in self.ask.channels)


def _named(db: Connection, ask: AskEntity) -> Entity:
    by_id: Entity | None = records.get(db, ENTITY, ask.entity)
    if by_id is not None and by_id.user_id == ask.user_id:
        return by_id
    channels = tuple(dict.fromkeys((*semantic.channels_standing(db, ask.user_id, (ask.channel,)), GLOBAL)))
    found = semantic.entity_named(db, ask.user_id, channels, " ".join(ask.entity.split()))
    if found is None:
        raise NotFound(f"There is no entity called “{shortened(ask.entity, 60)}” here.")
    return found


def _check(ask: AskEntityGraph, most: int) -> None:
    if not 1 <= len(ask.entity_ids) <= BEGINNINGS_AT_MOST:
        raise BadAsk(f"entity_ids names 1 to {BEGINNINGS_AT_MOST} entities.")
    if not 1 <= ask.depth <= DEPTH_AT_MOST:
        raise BadAsk(f"depth lies between 1 and {DEPTH_AT_MOST}.")
    if not len(ask.entity_ids) <= most <= NODES_AT_MOST:
        raise BadAsk(f"nodes lies between the number of entity_ids and {NODES_AT_MOST:,}.")


def _nodes(engine: Engine, db: Connection, walk: _Walk) -> tuple[EntityNode, ...]:
    used = recalls.uses(db, [record.seq for record in walk.found.values()])
    return tuple(
        EntityNode(
            id=id, kind=FACT.name if isinstance(record, Fact) else ENTITY.name,
            name=record.claim if isinstance(record, Fact) else record.name,
            type=record.category if isinstance(record, Fact) else record.type, channel=record.channel,
            salience=salience_now(engine, record, used.get(record.seq)), hop=walk.hop[id],
        )
        for id, record in walk.found.items()
    )  # fmt: skip


def _edge(relation: Relation) -> EntityEdge:
    return EntityEdge(
        id=relation.id, source=relation.source_id, target=relation.target_id, type=relation.type,
        confidence=relation.confidence, properties=json.loads(relation.properties),
    )  # fmt: skip
