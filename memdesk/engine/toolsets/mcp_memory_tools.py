"""mcp-memory: the MCP memory server's nine tools on a channel's entities, relations and facts.

Its deletions retire records, and records that a person pinned or wrote are left to people."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, TypeVar

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft, protected
from memdesk.engine.recall.agent_search import reader_of
from memdesk.engine.toolsets import knowledge
from memdesk.engine.toolsets.knowledge import Graph, Move, Node
from memdesk.engine.toolsets.toolset import ToolFault, WorkingSet
from memdesk.engine.wording import shortened, titled
from memdesk.model.change import EDITS_AT_MOST, Change, Edit
from memdesk.model.entity import ENTITY, RELATION, Relation
from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT
from memdesk.model.kind import new_id
from memdesk.model.message import Message, message
from memdesk.model.tools import Misfit, ToolAnswer, ToolCall
from memdesk.model.trust import of_author
from memdesk.store import records, semantic
from memdesk.store.connection import Connection

T = TypeVar("T")


Moves = list[Move]
Finder = Callable[[Connection, str], Moves]
"""Finds what to retire or to change in a channel."""


def add_records(
    engine: Engine, call: ToolCall, title: Message, fill: Callable[[Draft], T]
) -> tuple[T, int | None]:
    """Add the records that `fill` drafts, in one change; return its result, and the change. Raises BadAsk for
    too many records."""
    channel = ensure_channel(engine, call.place.user_id, call.channel, author=call.author)

    def verb(db: Connection) -> tuple[Change | None, T]:
        draft = Draft(
            engine=engine,
            db=db,
            user_id=call.place.user_id,
            channel=channel,
            agent_id=call.agent or None,
            at=engine.clock(),
            door=of_author(call.author),
        )
        made = fill(draft)
        if len(draft.edits) > EDITS_AT_MOST:
            raise BadAsk(
                message(
                    "This would write {count} records at once; {most} at most.",
                    count=len(draft.edits),
                    most=EDITS_AT_MOST,
                ),
                next=message("Send it in several calls."),
            )
        return _change(call, "learn", title, channel, draft.edits), made

    applied, made = engine.store.decide(verb)
    return made, None if applied is None else applied.id


def retire_records(engine: Engine, call: ToolCall, title: Message, find: Finder) -> int | None:
    """Retire the records that `find` returns, in one change, or in a run of several if there are too many;
    return the last change.

    Raises ToolFault if an agent would retire records that a person pinned or wrote."""
    run, last = new_id("run", engine.clock()), None
    more = True
    while more:
        change, more = _retire_some(engine, call, title, find, run, going_on=last is not None)
        last = change or last
    return last


def graph_channel(db: Connection, call: ToolCall) -> str:
    """Return the channel whose graph a call is about."""
    return semantic.current_channel(db, call.place.user_id, call.channel)


def _retire_some(
    engine: Engine, call: ToolCall, title: Message, find: Finder, run: str, *, going_on: bool
) -> tuple[int | None, bool]:
    """Retire as many records as one change permits; return the change, and True if there are more."""

    def verb(db: Connection) -> tuple[Change | None, bool]:
        channel = graph_channel(db, call)
        moves = list({each.record.id: each for each in find(db, channel)}.values())
        if not call.owner:
            _refuse_protected(db, call, moves)
        more, at = len(moves) > EDITS_AT_MOST, engine.clock()
        edits = [
            records.update_edit(each.kind, each.record, **(each.fields or {"retired_at": at}))
            for each in moves[:EDITS_AT_MOST]
        ]
        return _change(call, "retire", title, channel, edits, run=run if more or going_on else None), more

    applied, more = engine.store.decide(verb)
    return (None if applied is None else applied.id), more


def _refuse_protected(db: Connection, call: ToolCall, moves: Moves) -> None:
    kept = protected(db, [each.record.id for each in moves])
    for kind, record in ((each.kind, each.record) for each in moves):
        if not call.may_change(getattr(record, "agent_id", None)):
            raise ToolFault(
                f"“{shortened(str(getattr(record, kind.title)))}” is of the agent {record.agent_id} "
                "and is kept. Ask the person to retire it."
            )
        if record.id in kept:
            raise ToolFault(
                f"“{shortened(str(getattr(record, kind.title)))}” was pinned or written by a person and is kept. "
                "Ask them to retire it."
            )


def _change(
    call: ToolCall, op: str, title: Message, channel: str, edits: Sequence[Edit], run: str | None = None
) -> Change | None:
    if not edits:
        return None
    return Change(
        op=op,
        title=title,
        author=call.author,
        edits=tuple(edits),
        channel=channel,
        user_id=call.place.user_id,
        run=run,
    )


_INVALID_PARAMS = -32602
"""JSON-RPC 2.0's error code that the reference server returns for wrong arguments."""


def create_entities(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Add entities with their observations. A known entity gains the observations, and is not returned as new."""
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
    return _added("entities", *add_records(engine, call, title, fill))


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
    return _added("relations", *add_records(engine, call, title, fill))


def add_observations(engine: Engine, call: ToolCall) -> ToolAnswer:
    """Add observations to existing entities; one unknown name refuses the complete call."""
    asked: list[dict[str, Any]] = call.arguments["observations"]

    def fill(draft: Draft) -> list[dict[str, Any]]:
        return [
            {"entityName": each["entityName"], "addedObservations": _observed(draft, each)} for each in asked
        ]

    title = _listed("Observations about", [each["entityName"] for each in asked])
    return _added("results", *add_records(engine, call, title, fill))


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
    change = retire_records(engine, call, _listed(f"Retired {what.lower()}", names), find)
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
