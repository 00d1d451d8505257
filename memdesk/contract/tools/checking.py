"""Check of a tool's arguments against its schema, reported in a form that each set can word in its own way."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator, ValidationError

from memdesk.contract.tools.tool import Tool
from memdesk.model.tools import Misfit

MISFITS_TOLD = 20


def misfits(tool: Tool, arguments: Any) -> tuple[Misfit, ...]:
    """Return the arguments that break the tool's schema, in the order of their paths, at most 20; empty when
    all fit."""
    found = sorted(
        _validator(json.dumps(tool.schema)).iter_errors(arguments), key=lambda wrong: wrong.json_path
    )
    return tuple(misfit for wrong in found[:MISFITS_TOLD] for misfit in _told(wrong))[:MISFITS_TOLD]


@functools.cache
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema))


def _told(wrong: ValidationError) -> Iterator[Misfit]:
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
