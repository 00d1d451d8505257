"""Export as the MCP memory server's file: a channel's graph, or those of all channels merged."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from memdesk.engine.interop import mcp_memory
from memdesk.engine.interop.exporting import Wanted
from memdesk.engine.interop.outward import every
from memdesk.engine.toolsets import knowledge
from memdesk.model.entity import ENTITY, RELATION
from memdesk.model.exports import ExportFormat
from memdesk.model.fact import FACT
from memdesk.store import archiving

Row = dict[str, Any]
UNTYPED = "Entity"
"""Type of an entity without a more specific one."""


class McpOut:
    """Entities with their observations, and their relations, one JSON object per line."""

    about = ExportFormat(
        name="mcp-memory", says="The MCP memory server's file: entities and relations, JSON Lines", suffix=".jsonl",
        comes_back=True, holds=("entities", "facts", "relations"),
        leaves="Facts become observations of the entities they are about; times, confidence and sources stay.",
    )  # fmt: skip
    everybody = False

    def write(self, wanted: Wanted, target: Path) -> Counter[str]:
        channels = _channels(wanted)
        entities: dict[str, Row] = {}
        relations: dict[tuple[str, ...], Row] = {}
        for number, channel in enumerate(channels):
            wanted.progress(number, len(channels), channel)
            graph = knowledge.whole(wanted.db, wanted.user, channel)
            told = mcp_memory.spoken(_narrowed(wanted, graph) if wanted.chosen.is_narrow else graph)
            for each in told["entities"]:
                _join(entities, each)
            for each in told["relations"]:
                ends = each["from"].casefold(), each["relationType"], each["to"].casefold()
                relations.setdefault(ends, each)
        whole = {"entities": list(entities.values()), "relations": list(relations.values())}
        target.write_text(mcp_memory.written(whole), "utf-8")
        return Counter({name: len(rows) for name, rows in whole.items()})


def _channels(wanted: Wanted) -> list[str]:
    one = wanted.chosen.channel
    return archiving.channels(wanted.db, wanted.user) if one is None else [one]


def _narrowed(wanted: Wanted, graph: knowledge.Graph) -> knowledge.Graph:
    """Return the chosen part of a graph: the entities, the facts about them, and the relations between them."""
    goes = {each.id for kind in (ENTITY, FACT, RELATION) for each in every(wanted, kind)}
    nodes = {
        id: replace(node, facts=[fact for fact in node.facts if fact.id in goes])
        for id, node in graph.nodes.items()
        if id in goes
    }
    return replace(graph, nodes=nodes, relations=[each for each in graph.relations if each.id in goes])


def _join(entities: dict[str, Row], each: Row) -> None:
    """Merge an entity into those of the same name, because the file identifies an entity by its name across
    channels."""
    known = entities.setdefault(each["name"].casefold(), each)
    if known is not each:
        known["entityType"] = next(
            (type for type in (known["entityType"], each["entityType"]) if type != UNTYPED), UNTYPED
        )
        known["observations"] = list(dict.fromkeys((*known["observations"], *each["observations"])))


MCP_OUT = McpOut()
