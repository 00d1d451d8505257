"""Tool sets by their names: each is declared in a file of `sets/`, and mcp-memory here, since its tools also declare
what they answer: the nine tools of the reference knowledge-graph server, with its names and its JSON."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from memdesk.api.tools.tool import Schema, Tool, Toolset, array, obj, text

_ENTITY = obj(
    {
        "name": text("What the entity is called"),
        "entityType": text("What sort of thing it is"),
        "observations": array(text(), "What is known about it, one statement each"),
    }
)
_RELATION = obj(
    {
        "from": text("The entity where the relation begins"),
        "to": text("The entity where it ends"),
        "relationType": text("How the first stands to the second, in active voice"),
    }
)
_ENTITY_NAMES = array(text())
_GRAPH = obj({"entities": array(_ENTITY), "relations": array(_RELATION)})
_DONE = obj({"success": {"type": "boolean"}, "message": text()})


def _added(entities: Schema) -> Schema:
    return obj({"results": array(entities)})


GRAPH_URI = "memory://knowledge-graph"
"""Address of the resource that is all of the graph; a client subscribes to it."""
DIRECTIVE = """\
Your memory is a knowledge graph. At the beginning look for what you know of the person and the task with search_nodes,
or open_nodes where you know the names. Keep what will matter later: create_entities for people, organisations, projects
and events that come up again, create_relations for how they stand to each other, and add_observations for what you
learn, one statement each. Take out what is no longer true with delete_observations."""
MCP_MEMORY = Toolset(
    name="mcp-memory",
    says="A knowledge graph of entities, relations and observations, as the MCP memory server has it.",
    directive=DIRECTIVE,
    tools=(
        Tool(
            name="create_entities",
            title="Create Entities",
            description="Add new entities to the knowledge graph, each with its type and what is known about it.",
            schema=obj({"entities": array(_ENTITY)}),
            output=obj({"entities": array(_ENTITY)}),
        ),
        Tool(
            name="create_relations",
            title="Create Relations",
            description="Relate entities of the knowledge graph to each other. Put the relation in active voice.",
            schema=obj({"relations": array(_RELATION)}),
            output=obj({"relations": array(_RELATION)}),
        ),
        Tool(
            name="add_observations",
            title="Add Observations",
            description="Add what was learned about entities that the knowledge graph has.",
            schema=obj(
                {
                    "observations": array(
                        obj(
                            {
                                "entityName": text("The entity it was learned about"),
                                "contents": array(text(), "What was learned, one statement each"),
                            }
                        )
                    )
                }
            ),
            output=_added(obj({"entityName": text(), "addedObservations": _ENTITY_NAMES})),
        ),
        Tool(
            name="delete_entities",
            title="Delete Entities",
            description="Take entities out of the knowledge graph, with their observations and relations.",
            schema=obj({"entityNames": array(text(), "The entities to take out")}),
            output=_DONE,
            destroys=True,
            repeats=True,
        ),
        Tool(
            name="delete_observations",
            title="Delete Observations",
            description="Take observations about entities out of the knowledge graph.",
            schema=obj(
                {
                    "deletions": array(
                        obj(
                            {
                                "entityName": text("The entity they are about"),
                                "observations": array(text(), "The observations, word for word"),
                            }
                        )
                    )
                }
            ),
            output=_DONE,
            destroys=True,
            repeats=True,
        ),
        Tool(
            name="delete_relations",
            title="Delete Relations",
            description="Take relations out of the knowledge graph.",
            schema=obj({"relations": array(_RELATION, "The relations to take out")}),
            output=_DONE,
            destroys=True,
            repeats=True,
        ),
        Tool(
            name="read_graph",
            title="Read Graph",
            description="Read the whole knowledge graph.",
            schema=obj({}),
            output=_GRAPH,
            reads=True,
            repeats=True,
        ),
        Tool(
            name="search_nodes",
            title="Search Nodes",
            description="Find entities whose name, type or observations hold these words.",
            schema=obj({"query": text("What to look for")}),
            output=_GRAPH,
            reads=True,
            repeats=True,
        ),
        Tool(
            name="open_nodes",
            title="Open Nodes",
            description="Read entities by their names, with their relations.",
            schema=obj({"names": array(text(), "The entities to read")}),
            output=_GRAPH,
            reads=True,
            repeats=True,
        ),
    ),
)


NAMES = (
    MCP_MEMORY.name,
    *("anthropic", "agentix", "agentx", "agnx", "openlegion", "openclaw", "agenticx", "mem0"),
)


@cache
def toolset(name: str) -> Toolset:
    """Return the set of this name, one of NAMES.

    Its file has the fields of Toolset and Tool; `arguments` has the JSON Schema of each argument by its name, where a
    description alone is that of a text. Arguments that are not `optional` are required."""
    if name == MCP_MEMORY.name:
        return MCP_MEMORY
    raw = tomllib.loads((Path(__file__).parent / "sets" / f"{name}.toml").read_text("utf-8"))
    return Toolset(name=name, tools=tuple(map(_tool, raw.pop("tools"))), **raw)


def _tool(raw: dict[str, Any]) -> Tool:
    arguments = {
        name: text(schema) if isinstance(schema, str) else schema
        for name, schema in raw.pop("arguments", {}).items()
    }
    return Tool(schema=obj(arguments, optional=tuple(raw.pop("optional", ()))), **raw)
