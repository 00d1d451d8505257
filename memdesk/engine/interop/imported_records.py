"""Constructors of imported records, shared by all formats, so that each format provides only its own fields."""

from __future__ import annotations

import hashlib
from base64 import b32encode
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from memdesk.engine.interop.batches import (
    Batch,
    ImportedRecord,
    Item,
    Source,
    Used,
    Uses,
    check_record,
    order_references,
    pack_batches,
)
from memdesk.engine.interop.fields import Fields, dumped
from memdesk.engine.interop.reading import Peek
from memdesk.engine.memory.draft import CLAIM_CHARACTERS, NAME_CHARACTERS, TAG_CHARACTERS
from memdesk.engine.wording import shortened
from memdesk.engine.workspace.layouts import slug
from memdesk.model.curation import TAG
from memdesk.model.entity import ABOUT, ALIAS, DERIVED_FROM, ENTITY, RELATION, entity_type
from memdesk.model.fact import FACT, TEMPORAL
from memdesk.model.kind import Kind
from memdesk.model.message import Message

SEPARATOR = "\x1f"
"""Separator of the parts that an id is made from."""


def stable_id(*parts: str) -> str:
    """Return 26 letters and digits, the length of a ULID, that are always the same for the same parts."""
    seed = SEPARATOR.join(parts).encode("utf-8", "surrogatepass")
    return b32encode(hashlib.blake2b(seed, digest_size=16).digest()).decode().rstrip("=")


USES_AT_ONCE = 1_000
TYPE_CHARACTERS = 60
RELATED_TO = "RELATED_TO"


def creation(kind: Kind[Any], id: str, row: Fields, **fields: Any) -> ImportedRecord:
    """Return a record with the source's unread fields. Raises Refused, naming its position, if it cannot be
    stored."""
    return check_record(ImportedRecord(kind=kind, id=id, fields=fields, beside=row.rest), row.where)


def fact(id: str, text: str, row: Fields, **fields: Any) -> ImportedRecord:
    """Return a fact whose claim is one line; if the source's text is longer or has several lines, it becomes
    the quote."""
    claim = shortened(text, CLAIM_CHARACTERS)
    if claim != text:
        fields.setdefault("quote", text)
    return creation(FACT, id, row, claim=claim, **fields)


def text_of(claim: str, quote: str) -> str:
    """Return the source's text of a claim; see `fact`."""
    return quote if quote and shortened(quote, CLAIM_CHARACTERS) == claim else claim


def temporal(word: str | None) -> str | None:
    return word if word in TEMPORAL else None


def entity(id: str, name: str, row: Fields, **fields: Any) -> ImportedRecord:
    values = fields | ({"type": entity_type(fields["type"])} if "type" in fields else {})
    return creation(ENTITY, id, row, name=shortened(name, NAME_CHARACTERS), **values)


def named(name: str, scope: str) -> str:
    """Return the id of an entity that a format knows only by name. scope: the context of the name, such as a
    channel."""
    return f"{ENTITY.prefix}_{stable_id(scope, name.casefold())}"


def alias(entity_id: str, name: str, where: str, **fields: Any) -> ImportedRecord:
    id = f"{ALIAS.prefix}_{stable_id(entity_id, name.casefold())}"
    whole = {"entity_id": entity_id, "name": shortened(name, NAME_CHARACTERS), **fields}
    return check_record(ImportedRecord(kind=ALIAS, id=id, fields=whole), where)


def relation(source_id: str, type: str, target_id: str, where: str, **fields: Any) -> ImportedRecord:
    """Return a relation that has no id in its format, under an id that is the same every time."""
    id = f"{RELATION.prefix}_{stable_id(source_id, type, target_id)}"
    whole = {"source_id": source_id, "target_id": target_id, "type": type, "confidence": 1.0, **fields}
    return check_record(ImportedRecord(kind=RELATION, id=id, fields=whole), where)


def tags(record_id: str, names: Iterable[str], where: str, **fields: Any) -> Iterator[ImportedRecord]:
    for name in dict.fromkeys(shortened(name, TAG_CHARACTERS) for name in names):
        whole = {"record_id": record_id, "name": name, **fields}
        yield check_record(
            ImportedRecord(kind=TAG, id=f"{TAG.prefix}_{stable_id(record_id, name)}", fields=whole), where
        )


def about(fact_id: str, entity_ids: Iterable[str], where: str, **fields: Any) -> Iterator[ImportedRecord]:
    for entity_id in dict.fromkeys(entity_ids):
        yield relation(fact_id, ABOUT, entity_id, where, **fields)


def derived(fact_id: str, turn_id: str | None, where: str, **fields: Any) -> Iterator[ImportedRecord]:
    if turn_id is not None:
        yield relation(fact_id, DERIVED_FROM, turn_id, where, source_turn_id=turn_id, **fields)


def used(id: str, row: Fields, salience: float) -> Iterator[Used]:
    """Yield the use of a record, if its source counts it."""
    count, at = row.count("access_count"), row.at("last_accessed")
    if count and at is not None:
        yield Used(id=id, lines=None, access_count=count, last_accessed=at, salience=salience)


def source(format: str, says: Message, peek: Peek, *items: Item, channel: str | None = None) -> Source:
    """Return a source that was read completely. channel: for records that name none; by default the file's
    own name."""
    return Source(
        format=format, says=says, total=len(items), channel=channel or slug(peek.path.stem), items=items
    )


def tie(source_id: str, given_type: str, target_id: str, where: str, **fields: Any) -> ImportedRecord:
    """Return a relation between two entities, its type in the desk's spelling and, if that differs, also as
    given."""
    type = "_".join(given_type.upper().split())[:TYPE_CHARACTERS] or RELATED_TO
    kept = {} if type == given_type else {"properties": dumped({"relationType": given_type})}
    return relation(source_id, type, target_id, where, **kept, **fields)


def batches(
    name: str, file: str, creations: Iterable[ImportedRecord], channel: str | None = None
) -> Iterator[Batch]:
    """Yield records in an order in which each can be applied, in batches that fit into a change."""
    yield from pack_batches(
        order_references(creations), Batch(name=name, file=file, steps=(), channel=channel)
    )


def uses(file: str, rows: Iterable[Used]) -> Iterator[Uses]:
    left = iter(rows)
    while batch := tuple(islice(left, USES_AT_ONCE)):
        yield Uses(name="use", file=file, rows=batch)
