"""Details of one record: its content, provenance, use and versions; an entity with its graph, a goal with
its related goals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memdesk.engine.browsing.heatmap import Life, curve, day_start, lifts_since
from memdesk.engine.browsing.lists import check_window, turn_rows
from memdesk.engine.engine import Engine
from memdesk.engine.memory.duplicates import similar_to
from memdesk.engine.memory.goals import own_goal, refs
from memdesk.engine.memory.rows import fact_rows, moves_of, origins, row_of, salience_now, thresholds
from memdesk.engine.wording import shortened
from memdesk.model.browse import FieldValue, Inspect, Inspection, RecalledBy, Related, SalienceCurve, Version
from memdesk.model.channel import GLOBAL
from memdesk.model.entity import ABOUT, ENTITY, Entity, Relation
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.fact import FACT, Fact
from memdesk.model.goal import GOAL, OPEN, STATUSES, AskGoal, Goal, GoalRow, GoalsPage, GoalView, ListGoals
from memdesk.model.graph import AskEntity, AskEntityGraph, EntityEdge, EntityGraph, EntityNode, EntityView
from memdesk.model.history import RecordRef
from memdesk.model.instant import optional_datetime, to_datetime
from memdesk.model.kind import Kind, is_time
from memdesk.model.message import message
from memdesk.model.recall import Provenance
from memdesk.model.trust import of_record
from memdesk.model.turn import TURN, Turn
from memdesk.store import browsing, events, goals, proposing, recalls, records, search, semantic
from memdesk.store.connection import Connection
from memdesk.store.journal import edits_of
from memdesk.store.recalls import Use
from memdesk.store.semantic import tags_on

CURVE_BACK = 91
CURVE_AHEAD = 30
VERSIONS_SHOWN = 50
RELATED_SHOWN = 100
CONTEXT_TURNS = 1
"""Turns shown before and after a memory's source turn."""


def inspect(engine: Engine, ask: Inspect) -> Inspection:
    """Return the details of a record of any kind by its id. Raises NotFound."""
    with engine.store.reading() as db:
        kind, record = records.any_record(db, ask.id)
        return _inspection(engine, db, kind, record, ask.utc_offset_minutes)


def _inspection(
    engine: Engine, db: Connection, kind: Kind[Any], record: Any, utc_offset_minutes: int
) -> Inspection:
    use = recalls.uses(db, [record.seq]).get(record.seq)
    recalled_by = recalls.recalled_by(db, record.seq)
    source = _source_turn(db, kind, record)
    row = fact_rows(engine, db, [record])[0] if kind is FACT else None
    edges = _edges(db, record.id)
    others = _others(db, edges, record.id)
    related = _related(edges, others, record.id)
    return Inspection(
        id=record.id,
        kind=kind.name,
        label=kind.label,
        title=str(getattr(record, kind.title)),
        category=_category(record),
        channel=getattr(record, "channel", ""),
        agent_id=getattr(record, "agent_id", None),
        created_at=to_datetime(_born_at(record)),
        retired=record.retired_at is not None,
        quarantined=record.retired_at is not None and bool(proposing.quarantined_among(db, [record.id])),
        origin=of_record(record)[0],
        trust=of_record(record)[1] if "trust" in kind.columns else None,
        pinned=bool(getattr(record, "pinned", 0)),
        fields=(*_fields(db, kind, record), *_first_mention(db, kind, others)),
        about=tuple(r for r in related if r.relation == ABOUT and r.outgoing),
        related=tuple(r for r in related if not (r.relation == ABOUT and r.outgoing)),
        provenance=_provenance(db, source, record),
        context=_context(db, source),
        recalled=0 if use is None else use.access_count,
        recalled_by=tuple(RecalledBy(agent=author, times=times) for author, times, _ in recalled_by),
        last_recalled_at=optional_datetime(max((last for *_, last in recalled_by), default=None)),
        curve=_curve(engine, db, record, use, utc_offset_minutes) if kind.fades else None,
        versions=_versions(db, kind, record),
        duplicates=_duplicates(engine, db, record),
        fact=row,
        tags=tags_on(db, [record.id]).get(record.id, ()),
        known_as=tuple(semantic.aliases_of(db, record.id)) if kind is ENTITY else (),
        thresholds=() if row is None else thresholds(row, engine.settings),
    )


def _category(record: Any) -> str:
    return str(getattr(record, "category", getattr(record, "type", getattr(record, "role", ""))))


def _born_at(record: Any) -> int:
    return int(getattr(record, "created_at", getattr(record, "started_at", 0)))


def _source_turn(db: Connection, kind: Kind[Any], record: Any) -> Turn | None:
    if kind is TURN:
        turn: Turn = record
        return turn
    id = getattr(record, "source_turn_id", None)
    return None if id is None else records.get(db, TURN, id)


def _provenance(db: Connection, source: Turn | None, record: Any) -> Provenance | None:
    """Return the provenance of a fact or a turn; for other records, that of their source turn."""
    found = origins(db, [record, source])
    place = found.get(record.id) or (None if source is None else found[source.id])
    if place is None or place.quote:
        return place
    return replace(place, quote="" if source is None else source.content)


def _context(db: Connection, source: Turn | None) -> Any:
    if source is None:
        return ()
    first = max(0, source.turn_index - CONTEXT_TURNS)
    return turn_rows(db, source.conversation_id, first, 2 * CONTEXT_TURNS + 1)


def _fields(db: Connection, kind: Kind[Any], record: Any) -> tuple[FieldValue, ...]:
    """Return the fields shown to a person in addition to the title, in a stable order."""
    values: dict[str, str] = {}
    for column in kind.described if kind.timeline else ():
        values |= _shown(column, kind.label_of(column), getattr(record, column))
        if kind is ENTITY and column == "description":
            values["also known as"] = ", ".join(semantic.aliases_of(db, record.id))
    return tuple(FieldValue(name=name, value=value) for name, value in values.items() if value)


def _shown(column: str, label: str, value: Any) -> dict[str, str]:
    """Return a column's value by its label; of a JSON object, each of its values."""
    if value is None:
        return {}
    if is_time(column):
        return {label: to_datetime(value).isoformat(timespec="minutes")}
    match column:
        case "metadata" | "properties":
            return {str(name): str(each) for name, each in json.loads(value).items()}
        case "tool_sequence":
            return {label: " → ".join(json.loads(value))}
        case "success":
            return {label: "well" if value else "badly"}
        case "latency_ms":
            return {label: f"{value} ms"}
        case "token_count" if not value:
            return {}
        case _:
            return {label: str(value)}


def _first_mention(db: Connection, kind: Kind[Any], others: dict[str, Any]) -> tuple[FieldValue, ...]:
    """Return the time when an entity was first mentioned: the earliest source of the facts about it."""
    facts = [record for other, record in others.values() if other is FACT and kind is ENTITY]
    said = origins(db, facts)
    times = [
        (said[fact.id].at if fact.id in said else None) or to_datetime(fact.created_at) for fact in facts
    ]
    first = min(times, default=None)
    name = "first_mentioned_at"
    return () if first is None else (FieldValue(name=name, value=first.isoformat(timespec="minutes")),)


def _edges(db: Connection, id: str) -> list[tuple[str, str, str, str]]:
    """Return the edges of a record in the graph and in its lineage: source, target, type, id of the relation."""
    edges = [(s, t, kind, edge) for s, t, kind, _, edge in browsing.relations_of(db, [id], RELATED_SHOWN)]
    return [*edges, *((*edge, "") for edge in browsing.lineage_of(db, [id]))][:RELATED_SHOWN]


def _others(db: Connection, edges: Sequence[tuple[str, str, str, str]], id: str) -> dict[str, Any]:
    """Return kind and record at the other end of each edge, by id."""
    return dict(records.by_ids(db, [target if source == id else source for source, target, *_ in edges]))


def _related(edges: Sequence[tuple[str, str, str, str]], others: dict[str, Any], id: str) -> list[Related]:
    found = []
    for source, target, type, edge in edges:
        outgoing = source == id
        other = others.get(target if outgoing else source)
        if other is not None and getattr(other[1], "retired_at", None) is None:
            found.append(_neighbour(other[0], other[1], type, outgoing, edge))
    return found


def _neighbour(kind: Kind[Any], record: Any, relation: str, outgoing: bool, edge: str) -> Related:
    return Related(
        id=record.id,
        kind=kind.name,
        title=shortened(str(getattr(record, kind.title)), 160),
        channel=record.channel,
        category=_category(record),
        relation=relation,
        outgoing=outgoing,
        relation_id=edge,
    )


def _curve(
    engine: Engine, db: Connection, record: Any, use: Use | None, utc_offset_minutes: int
) -> SalienceCurve:
    moment = engine.clock()
    today = day_start(moment, utc_offset_minutes)
    times = recalls.recall_times(db, [record.seq])[record.seq]
    lifts = recalls.lift_times(db, [record.seq], lifts_since(today, CURVE_BACK))
    life = Life(
        now=salience_now(engine, record, use),
        pinned=bool(record.pinned),
        created_at=record.created_at,
        set_to=record.salience,
        set_at=record.salience_at,
        recalls=[at for at, _ in times],
        lifts=lifts.get(record.seq, ()),
    )
    return curve(
        life,
        moment=moment,
        day_start=today,
        days_back=CURVE_BACK,
        days_ahead=CURVE_AHEAD,
        settings=engine.settings,
    )


def _versions(db: Connection, kind: Kind[Any], record: Any) -> tuple[Version, ...]:
    """Return the changes to this record itself, newest first."""
    ref = RecordRef(id=record.id, kind=kind.name, title=str(getattr(record, kind.title)), channel="")
    found = []
    for event in events.changing(db, record.id, VERSIONS_SHOWN):
        moves = [
            move
            for edit in edits_of(db, event.id)
            if edit.id == record.id
            for move in moves_of(edit, {ref.id: ref})
        ]
        found.append(Version(event=event, moves=tuple(moves)))
    return tuple(found)


def _duplicates(engine: Engine, db: Connection, record: Any) -> Any:
    if not isinstance(record, Fact) or record.retired_at is not None:
        return ()
    return similar_to(engine, db, record, channels=search.channels_of(db, record.user_id))


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
        raise BadAsk(message("facts lies between 0 and {count}.", count=FACTS_AT_MOST))
    with engine.store.reading() as db:
        found = _named(db, ask)
        use = recalls.uses(db, [found.seq]).get(found.seq)
        total, facts = semantic.surest_facts_about(db, found.id, ask.facts)
        return row_of(
            EntityView,
            found,
            aliases=tuple(semantic.aliases_of(db, found.id)),
            properties=json.loads(found.properties),
            salience=salience_now(engine, found, use),
            first_seen=to_datetime(found.created_at),
            last_accessed=optional_datetime(None if use is None else use.last_accessed),
            access_count=0 if use is None else use.access_count,
            facts=fact_rows(engine, db, facts),
            total_facts=total,
        )


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
                raise NotFound(message("There is no entity {id}.", id=id))
            self._reach(entity, 0)
        self.front = list(self.found)

    def step(self, db: Connection, hop: int) -> None:
        """Follow relations one hop further, the most confident first."""
        if self.cut or not self.front:
            return
        relations = semantic.relations_touching(db, self.front, self._types, EDGES_PER_HOP)
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
        relations = semantic.relations_touching(db, list(self.found), self._types, EDGES_PER_HOP)
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
    by_id = records.get(db, ENTITY, ask.entity)
    if by_id is not None and by_id.user_id == ask.user_id:
        return by_id
    channels = tuple(dict.fromkeys((*semantic.current_channels(db, ask.user_id, (ask.channel,)), GLOBAL)))
    found = semantic.entity_named(db, ask.user_id, channels, " ".join(ask.entity.split()))
    if found is None:
        raise NotFound(
            message("There is no entity called “{entity}” here.", entity=shortened(ask.entity, 60))
        )
    return found


def _check(ask: AskEntityGraph, most: int) -> None:
    if not 1 <= len(ask.entity_ids) <= BEGINNINGS_AT_MOST:
        raise BadAsk(message("entity_ids names 1 to {count} entities.", count=BEGINNINGS_AT_MOST))
    if not 1 <= ask.depth <= DEPTH_AT_MOST:
        raise BadAsk(message("depth lies between 1 and {count}.", count=DEPTH_AT_MOST))
    if not len(ask.entity_ids) <= most <= NODES_AT_MOST:
        raise BadAsk(
            message("nodes lies between the number of entity_ids and {count}.", count=f"{NODES_AT_MOST:,}")
        )


def _nodes(engine: Engine, db: Connection, walk: _Walk) -> tuple[EntityNode, ...]:
    used = recalls.uses(db, [record.seq for record in walk.found.values()])
    return tuple(
        EntityNode(
            id=id,
            kind=FACT.name if isinstance(record, Fact) else ENTITY.name,
            name=record.claim if isinstance(record, Fact) else record.name,
            type=record.category if isinstance(record, Fact) else record.type,
            channel=record.channel,
            salience=salience_now(engine, record, used.get(record.seq)),
            hop=walk.hop[id],
        )
        for id, record in walk.found.items()
    )


def _edge(relation: Relation) -> EntityEdge:
    return EntityEdge(
        id=relation.id,
        source=relation.source_id,
        target=relation.target_id,
        type=relation.type,
        confidence=relation.confidence,
        properties=json.loads(relation.properties),
    )


def list_goals(engine: Engine, ask: ListGoals) -> GoalsPage:
    """Return goals by priority, then by deadline. A passed deadline is shown and changes nothing."""
    check_window(ask.first, ask.limit)
    if strange := [name for name in ask.statuses if name not in STATUSES]:
        raise BadAsk(
            message(
                "“{strange}” is no status; there are {statuses}.",
                strange=strange[0],
                statuses=", ".join(STATUSES),
            )
        )
    now = engine.clock()
    with engine.store.reading() as db:
        channels = [
            name
            for each in ask.channels
            for name in semantic.channels_read(db, ask.user_id, " ".join(each.split()))
        ]
        total, found = goals.listed(db, replace(ask, channels=tuple(channels)))
    return GoalsPage(first=ask.first, total=total, rows=tuple(row(goal, now) for goal in found))


def get_goal(engine: Engine, ask: AskGoal) -> GoalView:
    """Return a goal with its parent, its subgoals and its obstacles. Raises NotFound for a goal of another
    user or channel."""
    now = engine.clock()
    with engine.store.reading() as db:
        goal = own_goal(db, ask.goal_id, ask.user_id, ask.channel)
        parent: Goal | None = None if goal.parent_id is None else records.get(db, GOAL, goal.parent_id)
        return GoalView(
            goal=row(goal, now),
            parent=None if parent is None or parent.retired_at else refs([parent])[0],
            subgoals=refs(goals.subgoals(db, goal.id)),
            waits_for=refs(goals.blockers(db, goal.id)),
            holds_up=refs(goals.blocked_by(db, goal.id)),
        )


def row(goal: Goal, now: int) -> GoalRow:
    """Return a goal as a list row at this instant."""
    overdue = goal.deadline is not None and goal.deadline < now and goal.status in OPEN
    return row_of(GoalRow, goal, overdue=overdue)
