"""Dialects of the knowledge graph file: entities and relations under the names that other servers give their
fields, turned into the names of the MCP memory server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Line = dict[str, Any]
ENTITY, RELATION = "entity", "relation"
_TYPES = {"entity": ENTITY, "node": ENTITY, "relation": RELATION, "relationship": RELATION, "edge": RELATION}
_NAME = ("name", "entityName", "entity_name", "id")
_ENTITY_TYPE = ("entityType", "entity_type")
_OBSERVATIONS = ("observations", "contents", "content")
_FROM = ("from", "from_entity", "fromEntity", "source", "from_id", "start")
_TO = ("to", "to_entity", "toEntity", "target", "to_id", "end")
_RELATION_TYPE = ("relationType", "relation_type", "label", "relation", "name")
UNTYPED = "Entity"


def is_graph(values: Iterable[Any]) -> bool:
    """Return True if these are lines of a knowledge graph in some dialect, a few others among them."""
    rows = [value for value in values if isinstance(value, dict)]
    known = sum(isinstance(row.get("type"), str) and row["type"] in _TYPES and _has_ends(row) for row in rows)
    return known > 0 and known * 2 > len(rows)


def _has_ends(row: Line) -> bool:
    """Return True if a row has the fields of its kind, so that chats with a `type` are not taken for a graph."""
    if _TYPES[row["type"]] == RELATION:
        return any(name in row for name in _FROM) and any(name in row for name in _TO)
    return any(name in row for name in _NAME) and any(
        name in row for name in (*_ENTITY_TYPE, "labels", "properties", *_OBSERVATIONS)
    )


def names_by_id(values: Iterable[Any]) -> dict[str, str]:
    """Return the names of the entities that have an id, by which relations may refer to them."""
    found = {}
    for value in values:
        if isinstance(value, dict) and _TYPES.get(str(value.get("type"))) == ENTITY and "id" in value:
            found[str(value["id"])] = str(_entity_name(value))
    return found


def in_server_form(line: Any, names: Mapping[str, str]) -> Any:
    """Return a line with the names of the MCP memory server; one that has them, or is no line of a graph,
    unchanged.

    names: as by `names_by_id`."""
    kind = _TYPES.get(str(line.get("type"))) if isinstance(line, dict) else None
    if kind == ENTITY and not {"name", "entityType", "observations"} <= line.keys():
        return _entity(line)
    if kind == RELATION and not {"from", "to", "relationType"} <= line.keys():
        return _relation(line, names)
    return line


def _entity(line: Line) -> Line:
    labels: list[Any] = line["labels"] if isinstance(line.get("labels"), list) else []
    properties = line["properties"] if isinstance(line.get("properties"), dict) else {}
    said = _first(line, _OBSERVATIONS)
    observations = [*said] if isinstance(said, list) else [said] if isinstance(said, str) else []
    for name, value in properties.items():
        if name not in (*_NAME, "type") and value not in (None, "", [], {}):
            observations += _observed(name, value)
    fields = {
        "type": ENTITY,
        "name": _entity_name(line),
        "entityType": _first(line, _ENTITY_TYPE)
        or next(iter(labels), None)
        or properties.get("type")
        or UNTYPED,
        "observations": observations,
    }
    read = {"type", "labels", "properties", *_NAME, *_ENTITY_TYPE, *_OBSERVATIONS}
    return fields | {name: value for name, value in line.items() if name not in read}


def _observed(name: str, value: Any) -> list[str]:
    """Return a property as observations: the texts of `observations`, else `name: value`."""
    values = [each for each in value if each] if isinstance(value, list) else [value]
    if name in _OBSERVATIONS:
        return [str(each) for each in values]
    return [f"{name}: {', '.join(map(str, values))}"] if values else []


def _entity_name(line: Line) -> Any:
    properties = line["properties"] if isinstance(line.get("properties"), dict) else {}
    return _first(line, _NAME[:-1]) or properties.get("name") or properties.get("title") or line.get("id")


def _relation(line: Line, names: Mapping[str, str]) -> Line:
    fields = {
        "type": RELATION,
        "from": _end(_first(line, _FROM), names),
        "to": _end(_first(line, _TO), names),
        "relationType": _first(line, _RELATION_TYPE),
    }
    read = {"type", *_FROM, *_TO, *_RELATION_TYPE}
    return fields | {name: value for name, value in line.items() if name not in read}


def _end(value: Any, names: Mapping[str, str]) -> Any:
    """Return the name of a relation's end, given by name, by id, or as its own entity."""
    if isinstance(value, dict):
        return names.get(str(value.get("id"))) or _entity_name(value)
    return names.get(str(value), value)


def _first(line: Line, fields: Iterable[str]) -> Any:
    return next((line[name] for name in fields if line.get(name) not in (None, "")), None)
