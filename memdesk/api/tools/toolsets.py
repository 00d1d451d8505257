"""Tool sets by their names. A set is declared in a file of `sets/`; that of the MCP memory server, whose tools also
declare what they answer, in `mcp_memory`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from memdesk.api.tools import mcp_memory
from memdesk.api.tools.tool import Tool, Toolset, obj, text

NAMES = (
    mcp_memory.TOOLSET.name,
    *("anthropic", "agentix", "agentx", "agnx", "openlegion", "openclaw", "agenticx", "mem0"),
)


@cache
def toolset(name: str) -> Toolset:
    """Return the set of this name, one of NAMES.

    Its file has the fields of Toolset and Tool; `arguments` has the JSON Schema of each argument by its name, where a
    description alone is that of a text. Arguments that are not `optional` are required."""
    if name == mcp_memory.TOOLSET.name:
        return mcp_memory.TOOLSET
    raw = tomllib.loads((Path(__file__).parent / "sets" / f"{name}.toml").read_text("utf-8"))
    return Toolset(name=name, tools=tuple(map(_tool, raw.pop("tools"))), **raw)


def _tool(raw: dict[str, Any]) -> Tool:
    arguments = {
        name: text(schema) if isinstance(schema, str) else schema
        for name, schema in raw.pop("arguments", {}).items()
    }
    return Tool(schema=obj(arguments, optional=tuple(raw.pop("optional", ()))), **raw)
