"""Tools: list the tool sets and their tools in a vendor's format, and call a tool with JSON arguments."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, urlencode

from memdesk.api.endpoint import Get, Post
from memdesk.model.status import Nothing
from memdesk.model.team import AGENT, READER
from memdesk.model.tools import (
    AskDirective,
    AskGraphFile,
    AskTools,
    GraphFile,
    GraphTakenIn,
    TakeInGraph,
    ToolAnswer,
    ToolDirective,
    ToolList,
    ToolsetList,
)


@dataclass(frozen=True, slots=True)
class ToolEndpoint(Post[dict[str, Any], ToolAnswer]):
    """Call of a tool. Its path has parameters, because several sets have tools of one name. query: a
    ToolPlace."""

    set: str = "{set}"
    tool: str = "{name}"
    query: str = ""

    @property
    def path(self) -> str:
        return f"/v1/tools/{self.set}/{self.tool}" + (f"?{self.query}" if self.query else "")


MESSAGE_BYTES = 16 * 1024 * 1024
"""Size limit of a tool's arguments, and of one message of the Model Context Protocol; far above any size in
use."""
MCP_PATH = "/v1/mcp/{set}"
"""Path to which messages of the Model Context Protocol are posted (streamable HTTP). The query is a
ToolPlace."""
LIST = Get(
    "tools",
    AskTools,
    ToolList,
    "The tools of a set in a vendor's shape",
    "service.tools:list_tools",
    role=READER,
)
SETS = Get("tools.sets", Nothing, ToolsetList, "The sets of tools", "service.tools:list_sets", role=READER)
DIRECTIVE = Get(
    "tools.directive",
    AskDirective,
    ToolDirective,
    "What a set adds to an agent's system prompt",
    "service.tools:directive",
    role=READER,
)
CALL = ToolEndpoint("tools.call", dict, ToolAnswer, "Call a tool with its own JSON arguments", "", role=AGENT)
EXPORT_GRAPH = Get(
    "tools.export_graph",
    AskGraphFile,
    GraphFile,
    "A channel's graph as the MCP memory server's file",
    "interop.mcp_format:write_out",
    role=READER,
)
IMPORT_GRAPH = Post(
    "tools.import_graph",
    TakeInGraph,
    GraphTakenIn,
    "Bring the MCP memory server's file into a channel",
    "interop.mcp_format:take_in",
    role=AGENT,
)


def mcp_path(set: str, **place: str | list[str]) -> str:
    """Return the path to which an agent posts its messages for one set. place: fields of a ToolPlace."""
    return MCP_PATH.format(set=quote(set, safe="")) + (f"?{urlencode(place, doseq=True)}" if place else "")


def call_of(set: str, tool: str, **place: str | list[str]) -> ToolEndpoint:
    """Return the call of one tool. place: fields of a ToolPlace, for whom and where it is called."""
    return replace(
        CALL, set=quote(set, safe=""), tool=quote(tool, safe=""), query=urlencode(place, doseq=True)
    )
