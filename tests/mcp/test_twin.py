"""Twin of the reference memory server: each row is one of its behaviours, over the protocol, in a graph of its own."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from memdesk.api.tools.toolsets import NAMES, toolset
from memdesk.files.places import Desk
from tests.mcp.runtimes import over_http

Step = tuple[str, dict[str, Any]]
ADA = {"name": "Ada", "entityType": "engineer", "observations": ["repairs pumps", "speaks Welsh"]}
BO = {"name": "Bo", "entityType": "diver", "observations": ["knows the harbour"]}
DOCK = {"name": "Dock 4", "entityType": "place", "observations": []}
HELPS = {"from": "Ada", "to": "Bo", "relationType": "helps"}
WORKS = {"from": "Bo", "to": "Dock 4", "relationType": "works at"}
PEOPLE: Step = ("create_entities", {"entities": [ADA, BO, DOCK]})
TIES: Step = ("create_relations", {"relations": [HELPS, WORKS]})
LONG = "the pump sings " * 2_000


def graph(entities: Any = (), relations: Any = ()) -> dict[str, Any]:
    return {"entities": list(entities), "relations": list(relations)}


def without(entity: dict[str, Any], gone: str) -> dict[str, Any]:
    return {**entity, "observations": [each for each in entity["observations"] if each != gone]}


def deleted(what: str) -> dict[str, Any]:
    return {"success": True, "message": f"{what} deleted successfully"}


@dataclass(frozen=True, kw_only=True)
class Case:
    """Behaviour of the server. before: earlier calls. gives: the answer of the step; an error if it is a text.

    leaves: the graph afterwards; None if it is as before."""

    says: str
    before: tuple[Step, ...] = ()
    step: Step
    gives: Any
    leaves: Any = None


def creates(says: str, kind: str, items: list[Any], *, before: tuple[Step, ...] = (), new: Any) -> Case:
    return Case(says=says, before=before, step=(f"create_{kind}", {kind: items}), gives={kind: list(new)})


def finds(says: str, tool: str, wanted: Any, entities: Any, relations: Any = ()) -> Case:
    name = "query" if tool == "search_nodes" else "names"
    told = graph(entities, relations)
    return Case(says=says, before=(PEOPLE, TIES), step=(tool, {name: wanted}), gives=told)


def adds(says: str, entity: str, contents: list[str], gives: Any) -> Case:
    asked = {"observations": [{"entityName": entity, "contents": contents}]}
    answer = (
        gives if isinstance(gives, str) else {"results": [{"entityName": entity, "addedObservations": gives}]}
    )
    return Case(says=says, before=(PEOPLE,), step=("add_observations", asked), gives=answer)


def deletes(says: str, kind: str, arguments: Any, leaves: Any) -> Case:
    name = {"entities": "entityNames", "observations": "deletions"}.get(kind, kind)
    step = (f"delete_{kind}", {name: arguments})
    return Case(says=says, before=(PEOPLE, TIES), step=step, gives=deleted(kind.title()), leaves=leaves)


CASES = (
    creates("new entities are returned", "entities", [ADA, BO], new=[ADA, BO]),
    creates("a known entity is not", "entities", [ADA, BO], before=(PEOPLE,), new=[]),
    creates("nor one that is named twice", "entities", [BO, BO], new=[BO]),
    creates("no entities are fine", "entities", [], new=[]),
    creates(
        "letter case makes another entity",
        "entities",
        [{**ADA, "name": "ada"}],
        before=(PEOPLE,),
        new=[{**ADA, "name": "ada"}],
    ),
    creates(
        "empty and long observations are kept",
        "entities",
        [{**DOCK, "observations": ["", LONG]}],
        new=[{**DOCK, "observations": ["", LONG]}],
    ),
    creates("new relations are returned", "relations", [HELPS, WORKS], before=(PEOPLE,), new=[HELPS, WORKS]),
    creates("a known relation is not", "relations", [HELPS], before=(PEOPLE, TIES), new=[]),
    creates(
        "the same ends may be related otherwise",
        "relations",
        [{**HELPS, "relationType": "teaches"}],
        before=(PEOPLE, TIES),
        new=[{**HELPS, "relationType": "teaches"}],
    ),
    creates(
        "an entity may be related to itself",
        "relations",
        [{"from": "Ada", "to": "Ada", "relationType": "trusts"}],
        before=(PEOPLE,),
        new=[{"from": "Ada", "to": "Ada", "relationType": "trusts"}],
    ),
    creates(
        "a relation may name what is not there yet",
        "relations",
        [{"from": "Ada", "to": "Nessie", "relationType": "looks for"}],
        before=(PEOPLE,),
        new=[{"from": "Ada", "to": "Nessie", "relationType": "looks for"}],
    ),
    creates("no relations are fine", "relations", [], new=[]),
    adds("new observations are returned", "Bo", ["is tall", "swims"], ["is tall", "swims"]),
    adds("known ones are not", "Ada", ["repairs pumps", "swims"], ["swims"]),
    adds("none are fine", "Ada", [], []),
    adds("an unknown entity has none", "Nessie", ["swims"], "Entity with name Nessie not found"),
    adds("and its name is compared by letter case", "ADA", ["swims"], "Entity with name ADA not found"),
    deletes("entities take their relations along", "entities", ["Ada"], graph([BO, DOCK], [WORKS])),
    deletes("several at once", "entities", ["Ada", "Bo"], graph([DOCK])),
    deletes("an unknown entity is no error", "entities", ["Nessie"], None),
    deletes(
        "observations go one by one",
        "observations",
        [{"entityName": "Ada", "observations": ["speaks Welsh", "never said"]}],
        graph([without(ADA, "speaks Welsh"), BO, DOCK], [HELPS, WORKS]),
    ),
    deletes(
        "those of an unknown entity are no error",
        "observations",
        [{"entityName": "Nessie", "observations": ["swims"]}],
        None,
    ),
    deletes("relations go one by one", "relations", [HELPS], graph([ADA, BO, DOCK], [WORKS])),
    deletes(
        "a relation that there is not is no error", "relations", [{**HELPS, "relationType": "pays"}], None
    ),
    Case(says="an empty graph is read", step=("read_graph", {}), gives=graph()),
    Case(
        says="all of the graph is read",
        before=(PEOPLE, TIES),
        step=("read_graph", {}),
        gives=graph([ADA, BO, DOCK], [HELPS, WORKS]),
    ),
    finds("names are searched", "search_nodes", "Ada", [ADA], [HELPS]),
    finds("types are searched", "search_nodes", "diver", [BO], [HELPS, WORKS]),
    finds("observations are searched", "search_nodes", "pumps", [ADA], [HELPS]),
    finds("in any letter case", "search_nodes", "WELSH", [ADA], [HELPS]),
    finds("relations from a found entity come along", "search_nodes", "harbour", [BO], [HELPS, WORKS]),
    finds("those to one too", "search_nodes", "dock", [DOCK], [WORKS]),
    finds("an empty query finds all", "search_nodes", "", [ADA, BO, DOCK], [HELPS, WORKS]),
    finds("nothing may be found", "search_nodes", "zebra", []),
    finds("entities are opened by name", "open_nodes", ["Ada", "Bo"], [ADA, BO], [HELPS, WORKS]),
    finds("with the relations that leave them", "open_nodes", ["Ada"], [ADA], [HELPS]),
    finds("and those that reach them", "open_nodes", ["Dock 4"], [DOCK], [WORKS]),
    finds("an unknown name opens nothing", "open_nodes", ["Nessie", "Ada"], [ADA], [HELPS]),
    finds("letter case counts in a name", "open_nodes", ["ada"], []),
    finds("no names open nothing", "open_nodes", [], []),
)


def test_each_behaviour_of_the_reference_server_is_that_of_the_twin(desk: Desk) -> None:
    async def answered(case: Case, number: int) -> tuple[Any, Any, Any]:
        async with over_http(desk, "mcp-memory", channel=f"twin-{number}") as client:
            for tool, arguments in case.before:
                await client.call_tool(tool, arguments)
            before = (await client.call_tool("read_graph", {})).structured_content
            tool, arguments = case.step
            said = await client.call_tool(tool, arguments)
            after = (await client.call_tool("read_graph", {})).structured_content
        return before, said.content[0].text if said.is_error else said.structured_content, after

    async def go() -> list[str]:
        wrong = []
        for number, case in enumerate(CASES):
            before, said, after = await answered(case, number)
            if said != case.gives:
                wrong.append(f"{case.says}: {said}")
            reads = not case.step[0].startswith(("create", "add"))
            if reads and after != (before if case.leaves is None else case.leaves):
                wrong.append(f"{case.says}, afterwards: {after}")
        return wrong

    assert not asyncio.run(go())


def test_every_set_says_in_its_instructions_how_it_is_used() -> None:
    assert [each.name for each in map(toolset, NAMES) if not each.directive] == []
