"""Declaration of a tool: its name, its description for a model, and its schema, in the format of any vendor."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memdesk.model.tools import Misfit

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

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


MISFITS_TOLD = 20


def misfits(tool: Tool, arguments: Any) -> tuple[Misfit, ...]:
    """Return the arguments that break the tool's schema, in the order of their paths, at most 20; empty when
    all fit."""
    found = sorted(
        _validator(json.dumps(tool.schema)).iter_errors(arguments), key=lambda wrong: wrong.json_path
    )
    return tuple(misfit for wrong in found[:MISFITS_TOLD] for misfit in _misfits(wrong))[:MISFITS_TOLD]


@functools.cache
def _validator(schema: str) -> Draft202012Validator:
    # Needed by the first call of a tool, and to import it takes a twentieth of a second.
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(schema))


def _misfits(wrong: ValidationError) -> Iterator[Misfit]:
    place = wrong.json_path.removeprefix("$").removeprefix(".")
    match wrong.validator:
        case "type":
            yield Misfit(place=place, expected=str(wrong.validator_value), received=_type_of(wrong.instance))
        case "required":
            name = wrong.message.split("'")[1]
            known: dict[str, Any] = wrong.schema["properties"]
            below = f"{place}.{name}" if place else name
            yield Misfit(place=below, expected=str(known[name].get("type", "value")), received="undefined")
        case _:
            yield Misfit(place=place, says=_bounded(wrong))


def _bounded(wrong: ValidationError) -> str:
    """Return the rule that a value breaks. The value itself is not repeated, so that no memory leaks into
    errors."""
    match wrong.validator:
        case "enum":
            return f"must be one of {', '.join(map(str, wrong.validator_value))}"
        case "minimum":
            return f"must be at least {wrong.validator_value}"
        case "maximum":
            return f"must be at most {wrong.validator_value}"
        case "minItems" | "maxItems":
            most = "least" if wrong.validator == "minItems" else "most"
            return f"must have at {most} {wrong.validator_value} items"
        case _:
            return f"breaks the rule {wrong.validator}"


def _type_of(value: Any) -> str:
    """Return the JSON type of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    names = {str: "string", int: "number", float: "number", list: "array", dict: "object"}
    return names[type(value)]
