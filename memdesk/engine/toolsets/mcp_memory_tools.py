"""mcp-memory: the MCP memory server's nine tools on a channel's entities, relations and facts.

Its deletions retire records, and records that a person pinned or wrote are left to people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.draft import Draft
from memdesk.engine.recall.agent_search import reader_of
from memdesk.engine.toolsets import knowledge
from memdesk.engine.toolsets.graph_changes import Finder, Move, Moves, add, graph_channel, retire
from memdesk.engine.toolsets.knowledge import Graph, Node
from memdesk.engine.toolsets.toolset import ToolFault, WorkingSet
from memdesk.engine.wording import titled
from memdesk.model.entity import ENTITY, RELATION, Relation
from memdesk.model.fact import FACT
from memdesk.model.message import Message, message
from memdesk.model.tools import Misfit, ToolAnswer, ToolCall
from memdesk.store import records, semantic
from memdesk.store.connection import Connection

_INVALID_PARAMS = -32602
"""JSON-RPC 2.0's error code that the reference server returns for wrong arguments."""


def create_entities(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Add entities with their observations. A known entity gains the observations, and is not returned as
    new."""
    asked: list[dict[str, Any]] = call.arguments["entities"]

    def fill(draft: Draft) -> list[dict[str, Any]]:
        fresh: dict[str, dict[str, Any]] = {}
        for entity in asked:
            id, name, new = knowledge.introduce(draft, entity["name"], entity["entityType"])
            said = dict.fromkeys(entity["observations"])
            added = [each for each in said if knowledge.observe(draft, id, name, each)]
            if new:
                fresh[id] = {**_only(entity, "name", "entityType"), "observations": added}
            elif id in fresh:
                fresh[id]["observations"].extend(added)
        return list(fresh.values())

    title = _listed("Entities", [entity["name"] for entity in asked])
    return _added("entities", *add(engine, call, title, fill))


def create_relations(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Add relations; an end of a relation may be a name that was not introduced yet."""
    asked: list[dict[str, str]] = call.arguments["relations"]

    def fill(draft: Draft) -> list[dict[str, str]]:
        return [
            _only(each, "from", "to", "relationType")
            for each in asked
            if knowledge.relate(draft, each["from"], each["to"], each["relationType"])
        ]

    title = _listed("Relations", [f"{each['from']} {each['relationType']} {each['to']}" for each in asked])
    return _added("relations", *add(engine, call, title, fill))


def add_observations(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Add observations to existing entities; one unknown name refuses the complete call."""
    asked: list[dict[str, Any]] = call.arguments["observations"]

    def fill(draft: Draft) -> list[dict[str, Any]]:
        return [
            {"entityName": each["entityName"], "addedObservations": _observed(draft, each)} for each in asked
        ]

    title = _listed("Observations about", [each["entityName"] for each in asked])
    return _added("results", *add(engine, call, title, fill))


def delete_entities(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Retire entities with the facts that are only about them. Unknown names are no error."""
    names: list[str] = call.arguments["entityNames"]

    def gone(db: Connection, channel: str) -> Moves:
        nodes = knowledge.nodes_named(db, call.place.user_id, channel, names)
        facts = [fact for node in nodes for fact in node.facts]
        ids = {node.entity.id for node in nodes}
        retired = {fact.id: Move(FACT, fact) for fact in knowledge.only_about(db, facts, ids)}
        return [*retired.values(), *(Move(ENTITY, node.entity) for node in nodes)]

    return _retired(engine, call, "Entities", names, gone)


def delete_observations(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Retire observations. A fact that is also about another entity is only detached from this one."""
    asked: list[dict[str, Any]] = call.arguments["deletions"]

    def gone(db: Connection, channel: str) -> Moves:
        return [
            move
            for each in asked
            for node in knowledge.nodes_named(db, call.place.user_id, channel, [each["entityName"]])
            for move in _unsaid(db, node, each["observations"])
        ]

    return _retired(engine, call, "Observations", [each["entityName"] for each in asked], gone)


def delete_relations(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Retire relations between entities."""
    asked: list[dict[str, str]] = call.arguments["relations"]

    def gone(db: Connection, channel: str) -> Moves:
        return [
            Move(RELATION, relation)
            for each in asked
            for relation in _between(db, call.place.user_id, channel, each)
        ]

    titles = [f"{each['from']} {each['relationType']} {each['to']}" for each in asked]
    return _retired(engine, call, "Relations", titles, gone)


def read_graph(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return the complete graph of the channel."""
    with engine.store.reading() as db:
        graph = knowledge.channel_graph(db, call.place.user_id, graph_channel(db, call))
    return _graph_answer(graph.spoken(graph.nodes.values(), reader_of(call), touching=False))


def search_nodes(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return entities whose name, type or observations contain the query, with their relations."""
    wanted = str(call.arguments["query"]).lower()
    with engine.store.reading() as db:
        graph = knowledge.channel_graph(db, call.place.user_id, graph_channel(db, call))
    return _graph_answer(graph.spoken(_holding(graph, wanted), reader_of(call), touching=True))


def open_nodes(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Return entities by name, with their relations."""
    with engine.store.reading() as db:
        graph = knowledge.opened(db, call.place.user_id, graph_channel(db, call), call.arguments["names"])
    return _graph_answer(graph.spoken(graph.nodes.values(), reader_of(call), touching=True))


def _added(name: str, made: list[dict[str, Any]], change: int | None) -> ToolAnswer:
    return ToolAnswer(text=_json(made), data={name: made}, change=change)


def _retired(engine: Engine, call: ToolCall, what: str, names: Sequence[str], find: Finder) -> ToolAnswer:
    change = retire(engine, call, _listed(f"Retired {what.lower()}", names), find)
    says = f"{what} deleted successfully"
    return ToolAnswer(text=says, data={"success": True, "message": says}, change=change)


def _observed(draft: Draft, asked: dict[str, Any]) -> list[str]:
    nodes = knowledge.nodes_named(draft.db, draft.user_id, draft.channel, [asked["entityName"]])
    if not nodes or not nodes[0].introduced:
        raise ToolFault(f"Entity with name {asked['entityName']} not found")
    entity = nodes[0].entity
    said = dict.fromkeys(asked["contents"])
    return [each for each in said if knowledge.observe(draft, entity.id, entity.name, each)]


def _unsaid(db: Connection, node: Node, observations: Sequence[str]) -> Moves:
    """Return the records to retire so that a node no longer has these observations."""
    gone = [found for each in observations if (found := node.saying(each)) is not None]
    moves, facts = node.without(gone)
    alone = {fact.id for fact in knowledge.only_about(db, facts, {node.entity.id})}
    links = [node.links[fact.id] for fact in facts if fact.id not in alone]
    return [
        *moves,
        *(Move(FACT, fact) for fact in facts if fact.id in alone),
        *(Move(RELATION, link) for link in links),
    ]


def _between(db: Connection, user_id: str, channel: str, asked: dict[str, str]) -> list[Relation]:
    ends = [
        semantic.entity_called(db, user_id, channel, " ".join(asked[end].split())) for end in ("from", "to")
    ]
    if ends[0] is None or ends[1] is None or not asked["relationType"].strip():
        return []
    type = knowledge.folded(asked["relationType"])
    return records.find(db, RELATION, source_id=ends[0].id, target_id=ends[1].id, type=type, retired_at=None)


def _holding(graph: Graph, wanted: str) -> list[Node]:
    def holds(node: Node) -> bool:
        return any(wanted in text.lower() for text in (node.entity.name, node.type, *node.observations))

    return [node for node in graph.nodes.values() if node.introduced and holds(node)]


def _graph_answer(graph: dict[str, Any]) -> ToolAnswer:
    return ToolAnswer(text=_json(graph), data=graph)


def _listed(what: str, names: Sequence[str]) -> Message:
    return titled(message("{what}: {list}", what=what, list=", ".join(dict.fromkeys(names))), 120)


def _only(item: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: item[name] for name in names}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _misfits(tool: str, misfits: Sequence[Misfit]) -> str:
    """Return the message for wrong arguments in the reference server's wording."""
    lines = (
        f"Invalid input: {each.says or f'expected {each.expected}, received {each.received}'}"
        + (f" at {each.place}" if each.place else "")
        for each in misfits
    )
    says = f"Input validation error: Invalid arguments for tool {tool}: "
    return f"MCP error {_INVALID_PARAMS}: {says}" + "\n".join(lines)


WORKING = WorkingSet(
    verbs={
        "create_entities": create_entities,
        "create_relations": create_relations,
        "add_observations": add_observations,
        "delete_entities": delete_entities,
        "delete_observations": delete_observations,
        "delete_relations": delete_relations,
        "read_graph": read_graph,
        "search_nodes": search_nodes,
        "open_nodes": open_nodes,
    },
    misfits=_misfits,
    failure=attrgetter("sentence"),
)
