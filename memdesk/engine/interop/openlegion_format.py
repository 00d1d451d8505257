"""Import of OpenLegion's database: facts as key and value with their categories and use, and outcomes of tools."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memdesk.engine.interop import imported_records
from memdesk.engine.interop.batches import ImportedRecord, Item, Source, Used, left_out
from memdesk.engine.interop.imported_records import Fields, dumped, stable_id
from memdesk.engine.interop.reading import Peek, Row, other_version, rows_of, tables_of
from memdesk.engine.memory.claims import KEY_CHARACTERS, VALUE_CHARACTERS
from memdesk.model.fact import IMPORTED
from memdesk.model.message import message
from memdesk.model.tool_call import TOOL_CALL

VERSION = 1
"""Its `user_version`: 0 in the first databases, 1 since facts have a date."""
_SALIENCE = 0.5
_OTHERS = {
    "logs": message("Rows of a log are no memory"),
    "chat_checkpoint": message("The state of a chat under way is no memory"),
    "task_checkpoint": message("The state of a task under way is no memory"),
}


class OpenLegion:
    """Database of one agent, in any of its versions so far."""

    name = "openlegion"
    reads = message(
        "OpenLegion's database: pairs of key and value with their categories and use, tool outcomes"
    )

    def sniff(self, peek: Peek) -> bool:
        return {"key", "value", "decay_score"} <= tables_of(peek).get("facts", frozenset())

    def open(self, peek: Peek) -> Source:
        found, version = rows_of(peek, "facts", "categories", "tool_outcomes", *_OTHERS)
        if version > VERSION:
            raise other_version(peek.name, message("an OpenLegion database"), version, VERSION)
        return Source.of(self.name, message("OpenLegion database"), peek, *_items(found, peek.name))


def _items(found: dict[str, list[Row]], file: str) -> Iterator[Item]:
    categories = {row.get("id"): row.get("name") for row in found["categories"]}
    uses: list[Used] = []
    facts = [_fact(row, number, categories, file, uses) for number, row in enumerate(found["facts"], 1)]
    yield from imported_records.batches("facts", file, facts)
    calls = [_call(row, number, file) for number, row in enumerate(found["tool_outcomes"], 1)]
    yield from imported_records.batches("tool outcomes", file, calls)
    yield from imported_records.uses(file, uses)
    for table, what in _OTHERS.items():
        yield from left_out(f"{file}, {table}", what, len(found[table]))


def _fact(row: Row, number: int, categories: dict[Any, Any], file: str, uses: list[Used]) -> ImportedRecord:
    """Return a pair as a fact. Its category is from the table of categories, else its own; its boost is kept
    as an extra field."""
    fields = Fields(row, message("{file}, fact {count}", file=file, count=number))
    id, key, value = fields.needed("id"), fields.needed("key"), fields.needed("value")
    own = fields.text("category")
    category = categories.get(fields.count("category_id")) or own or "fact"
    uses.extend(imported_records.used(id, fields, _SALIENCE))
    pair = (
        {"key": key, "value": value} if len(key) <= KEY_CHARACTERS and len(value) <= VALUE_CHARACTERS else {}
    )
    return imported_records.fact(
        id,
        f"{key}: {value}",
        fields,
        category=str(category),
        source=fields.text("source") or IMPORTED,
        confidence=fields.share("confidence", 1.0),
        **pair,
        created_at=fields.at("created_at", "date"),
    )


def _call(row: Row, number: int, file: str) -> ImportedRecord:
    """Return a tool outcome as a tool call. Its number is unique only in this database, so the id also
    contains the call and its time."""
    fields = Fields(row, message("{file}, tool outcome {count}", file=file, count=number))
    name, outcome, at = fields.needed("tool_name"), fields.text("outcome"), fields.at("created_at")
    success = fields.boolean("success")
    id = stable_id(name, fields.text("params_hash"), outcome, str(at), fields.text("id"))
    return imported_records.creation(
        TOOL_CALL,
        f"{TOOL_CALL.prefix}_{id}",
        fields,
        tool_name=name,
        tool_output=dumped(outcome),
        tool_input=dumped({"params_hash": fields.text("params_hash")}),
        success=None if success is None else int(success),
        error_message="" if success else outcome,
        created_at=at,
    )


OPENLEGION = OpenLegion()
