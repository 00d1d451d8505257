"""OpenAPI document: examples, descriptions and limits that FastAPI does not know."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import is_dataclass
from functools import cache
from typing import Any, get_args, get_type_hints

from memdesk.api.endpoint import adapter, declared
from memdesk.api.endpoints import ENDPOINTS, RESOURCES
from memdesk.api.fields import asked, common, field_descriptions
from memdesk.api.tools import calls
from memdesk.files.places import resource
from memdesk.model.names import NAME_CHARACTERS, OneLine
from memdesk.model.tools import ToolPlace
from memdesk.service.request_parsing import INTEGER, NOT_IN_A_NAME, names_of

Example = dict[str, Any]


@cache
def recorded() -> dict[str, Example]:
    """Return `{"ask": …, "answer": …}` by the name of the call."""
    found: dict[str, Example] = json.loads(resource("examples.json").read_text(encoding="utf-8"))
    return found


def illustrate(described: dict[str, Any]) -> None:
    """Add the examples to an OpenAPI document: the recorded ones, and declared requests that are not recorded yet."""
    examples = {
        call.name: {"ask": adapter(call.ask).dump_python(call.example, mode="json")}
        for call in ENDPOINTS
        if call.example is not None
    } | recorded()
    for path in described["paths"].values():
        for operation in path.values():
            example = examples.get(operation.get("operationId", ""))
            if example is not None:
                _illustrate(operation, example)


def _illustrate(operation: dict[str, Any], example: Example) -> None:
    body = operation.get("requestBody")
    if body is not None:
        body["content"]["application/json"]["example"] = example["ask"]
    for parameter in operation.get("parameters", ()):
        if parameter["name"] in example["ask"]:
            parameter["example"] = example["ask"][parameter["name"]]
    if "answer" in example:
        operation["responses"]["200"]["content"]["application/json"]["example"] = example["answer"]


TAGS = [
    {"name": name, "description": module.__doc__ or ""}
    for module in RESOURCES
    for name in dict.fromkeys(each.resource for each in declared(module))
]
"""Descriptions of the resources, in the order in which an agent needs them."""


def describe(document: dict[str, Any]) -> None:
    """Add the description of every field to an OpenAPI document."""
    asks = _asks()
    for operation in (each for path in document["paths"].values() for each in path.values()):
        ask = asks.get(operation.get("operationId", ""))
        if ask is not None:
            _describe(operation.get("parameters", ()), common() | asked(ask))
    schemas = document.get("components", {}).get("schemas", {})
    for tell, roots in (
        (field_descriptions, [each.answer for each in ENDPOINTS]),
        (asked, list(asks.values())),
    ):
        for record in _records(roots):
            properties = schemas.get(record.__name__, {}).get("properties", {})
            _describe(({"name": name, "of": of} for name, of in properties.items()), tell(record))


def _asks() -> dict[str, Any]:
    """Return the request of each call whose request is a record; for a tool and MCP, that of their query."""
    asks = {call.name: call.ask for call in ENDPOINTS if is_dataclass(call.ask)}
    return asks | {calls.CALL.name: ToolPlace, "mcp": ToolPlace}


def bound(document: dict[str, Any]) -> None:
    """Add the limits that AskReader enforces beyond types: no unknown fields, odd texts or wide numbers."""
    asks = _asks()
    for operation in (each for path in document["paths"].values() for each in path.values()):
        ask = asks.get(operation.get("operationId", ""))
        names = {} if ask is None else names_of(ask)
        for parameter in operation.get("parameters", ()):
            if parameter["in"] == "query":
                parameter["schema"] = _without_null(parameter["schema"])
                _bind(parameter["schema"], names.get(parameter["name"]))
    schemas = document.get("components", {}).get("schemas", {})
    for record in _records(list(asks.values())):
        described = schemas.get(record.__name__, {})
        if "properties" in described:
            described["additionalProperties"] = False
            names = names_of(record)
            for name, schema in described["properties"].items():
                _bind(schema, names.get(name))


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a parameter's schema without null, which a query string cannot express."""
    kinds: list[dict[str, Any]] = [each for each in schema.get("anyOf", ()) if each.get("type") != "null"]
    if len(kinds) != 1:
        return schema
    return {name: value for name, value in schema.items() if name != "anyOf"} | kinds[0]


def _bind(schema: dict[str, Any], rule: OneLine | None) -> None:
    for each in (schema, *schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else ())):
        match each.get("type"):
            case "integer":
                each.update(minimum=-INTEGER, maximum=INTEGER - 1)
            case "string" if rule is not None:
                one = f"[^{NOT_IN_A_NAME}]*"
                full = f"{one}[^{NOT_IN_A_NAME}\\s]{one}" if rule.filled else one
                each.update(maxLength=NAME_CHARACTERS, pattern=f"^{full}$")
            case "string" if not {"format", "enum"} & each.keys():
                each.update(pattern=r"^[^\x00]*$")
            case "array" if "items" in each and each is not schema:
                _bind(each, rule)


def _describe(shown: Iterable[dict[str, Any]], says: dict[str, str]) -> None:
    for each in shown:
        if each["name"] in says:
            each.get("of", each)["description"] = says[each["name"]]


def _records(roots: list[Any]) -> Iterator[Any]:
    """Yield every record among these types, and the records in their fields."""
    waiting, seen = roots, set[Any]()
    while waiting:
        kind = waiting.pop()
        if kind in seen:
            continue
        seen.add(kind)
        waiting.extend(get_args(kind))
        if is_dataclass(kind):
            yield kind
            waiting.extend(get_type_hints(kind).values())
