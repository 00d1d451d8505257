"""Declaration of a tool: its name, its description for a model, and its schema, in the format of any vendor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """Tool that an agent can call.

    schema, output: JSON Schemas of its arguments and of the data it answers. reads: it changes nothing.
    destroys: it may remove memory. repeats: a second call changes nothing more. listed: shown to agents; an
    unlisted tool is another name or form of a listed one and still works. anthropic: name and type of the
    tool in Anthropic's API, where it is built in there."""

    name: str
    title: str
    description: str
    schema: Schema
    output: Schema | None = None
    reads: bool = False
    destroys: bool = False
    repeats: bool = False
    listed: bool = True
    anthropic: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolset:
    """Set of tools. directive: text for an agent's system prompt while they are on."""

    name: str
    says: str
    tools: tuple[Tool, ...]
    directive: str = ""

    def named(self, name: str) -> Tool | None:
        return next((tool for tool in self.tools if tool.name == name), None)


def openai(tool: Tool) -> dict[str, Any]:
    """Return a tool in the format of the field `tools` of a chat completion."""
    function = {"name": tool.name, "description": tool.description, "parameters": tool.schema}
    return {"type": "function", "function": function}


def anthropic(tool: Tool) -> dict[str, Any]:
    """Return a tool in the format of the field `tools` of a message request."""
    plain = {"name": tool.name, "description": tool.description, "input_schema": tool.schema}
    return dict(tool.anthropic) or plain


def mcp(tool: Tool) -> dict[str, Any]:
    """Return a tool in the format of the answer to `tools/list`."""
    shown = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.schema,
        "annotations": {
            "readOnlyHint": tool.reads,
            "destructiveHint": tool.destroys,
            "idempotentHint": tool.repeats,
            "openWorldHint": False,
        },
    }
    return shown if tool.output is None else shown | {"outputSchema": tool.output}


SHAPES: dict[str, Callable[[Tool], dict[str, Any]]] = {"openai": openai, "anthropic": anthropic, "mcp": mcp}


def obj(properties: dict[str, Schema], *, optional: tuple[str, ...] = ()) -> Schema:
    """Return the schema of an object whose properties are required unless listed as optional."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties} | ({"required": required} if required else {})


def array(items: Schema, says: str = "") -> Schema:
    return {"type": "array", "items": items} | ({"description": says} if says else {})


def text(says: str = "") -> Schema:
    return {"type": "string"} | ({"description": says} if says else {})


def whole(says: str, *, low: int | None = None, high: int | None = None) -> Schema:
    bounds = {"minimum": low, "maximum": high}
    return {"type": "integer", "description": says} | {k: v for k, v in bounds.items() if v is not None}
