"""Records of an import, shared by all formats: the reader of a source's record, field by field, which keeps the fields
that were not read, and the constructors of the records that come of it."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from base64 import b32encode
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any

from memdesk.engine.interop.batches import (
    Batch,
    ImportedRecord,
    Used,
    Uses,
    check_record,
    pack_batches,
)
from memdesk.engine.memory.draft import CLAIM_CHARACTERS, NAME_CHARACTERS, TAG_CHARACTERS
from memdesk.engine.wording import shortened
from memdesk.files.reading import without_unstorable
from memdesk.model.curation import TAG
from memdesk.model.entity import ABOUT, ALIAS, DERIVED_FROM, ENTITY, RELATION, entity_type
from memdesk.model.errors import Refused
from memdesk.model.fact import FACT
from memdesk.model.instant import SECOND, from_datetime
from memdesk.model.kind import Kind
from memdesk.model.message import message

_EARLIEST, _LATEST = 100_000_000 * SECOND, 7_000_000_000 * SECOND
"""1973 to 2191: a number outside is an offset or an id, not a time."""
_UTC = re.compile(r"\s*(?:UTC|GMT)$", re.IGNORECASE)


def instant_of(value: Any) -> int | None:
    """Return UTC microseconds, None if the value is not a time. A time without a zone is read in the desk's own."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return _from_number(value)
    if not isinstance(value, str):
        return None
    text = value.strip()
    if re.fullmatch(r"\d{9,19}(?:\.\d+)?", text):
        return _from_number(float(text) if "." in text else int(text))
    try:
        return _in_range(from_datetime(datetime.fromisoformat(_UTC.sub("+00:00", text))))
    except (ValueError, OverflowError, OSError):
        return None


def _from_number(value: float) -> int | None:
    if not abs(value) < _LATEST * 1_000:
        return None  # No unit makes a time of it; NaN compares with nothing.
    for unit in (SECOND, 1_000, 1):
        if (found := _in_range(round(value * unit))) is not None:
            return found
    return _in_range(round(value / 1_000))


def _in_range(at: int) -> int | None:
    return at if _EARLIEST <= at <= _LATEST else None


COUNT_AT_MOST = 1_000_000_000


class Fields:
    """JSON object with its position in the source. Every reader raises Refused, naming the position, for a
    value of another type."""

    def __init__(self, row: Any, where: str) -> None:
        if not isinstance(row, Mapping):
            raise Refused(message("{where} is not a JSON object.", where=where))
        self.row: Mapping[str, Any] = row
        self.where = where
        self._read: set[str] = set()

    def text(self, *names: str) -> str:
        """Return the first of these fields that has a value, as text, "" if none has. A number becomes its text."""
        value = self._first(names)
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        if value is not None and not isinstance(value, str):
            raise self.wrong(names[0], "text")
        return without_unstorable(value).strip() if value else ""

    def optional(self, *names: str) -> str | None:
        return self.text(*names) or None

    def needed(self, *names: str) -> str:
        return self.text(*names) or self._missing(names[0])

    def share(self, name: str, otherwise: float) -> float:
        """Return a number from 0 to 1; a value outside is set to the nearer end."""
        value = self._first((name,))
        if value is None:
            return otherwise
        if not _is_number(value):
            raise self.wrong(name, message("a number"))
        return min(1.0, max(0.0, float(value)))

    def count(self, name: str, otherwise: int | None = None) -> int | None:
        """Return an integer, 0 or more."""
        value = self._first((name,))
        if value is None:
            return otherwise
        if not _is_number(value) or not 0 <= value <= COUNT_AT_MOST:
            raise self.wrong(name, message("a number, 0 or more"))
        return int(value)

    def boolean(self, name: str) -> bool | None:
        value = self._first((name,))
        if value is None or isinstance(value, bool):
            return value
        if value in (0, 1):
            return bool(value)
        raise self.wrong(name, message("true or false"))

    def at(self, *names: str) -> int | None:
        """Return a time in UTC microseconds; None if there is none."""
        value = self._first(names)
        found = instant_of(value)
        if value not in (None, "") and found is None:
            raise self.wrong(names[0], message("a time"))
        return found

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts, empty if there is none."""
        value = self._first((name,))
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.wrong(name, message("a list of texts"))
        return tuple(tidy for each in value if (tidy := without_unstorable(each).strip()))

    def rows(self, name: str) -> Iterator[Fields]:
        """Yield the objects of a list, none if there is no list."""
        value = self._first((name,))
        if value is not None and not isinstance(value, list):
            raise self.wrong(name, message("a list"))
        for number, row in enumerate(value or (), 1):
            yield Fields(row, f"{self.where}, {name} {number}")

    def object(self, name: str) -> dict[str, Any]:
        """Return a JSON object, also if it is written as text; empty if there is none."""
        value = self._first((name,))
        if isinstance(value, str):
            value = _parsed(value)
        if value is not None and not isinstance(value, dict):
            raise self.wrong(name, message("an object"))
        return dict(value or {})

    def json(self, name: str) -> str | None:
        """Return any JSON value as text, None if there is none. A text that is already valid JSON stays as it is."""
        value = self._first((name,))
        if isinstance(value, str) and _parsed(value) is not None:
            return without_unstorable(value)
        return None if value is None else dumped(value)

    def skip(self, *names: str) -> None:
        """Mark fields as read because other fields already contain their information."""
        self._read.update(names)

    @property
    def rest(self) -> dict[str, Any]:
        """Fields that were not read and are not empty."""
        return {
            name: value
            for name, value in self.row.items()
            if name not in self._read and value not in (None, "", [], {})
        }

    def wrong(self, name: str, wanted: str) -> Refused:
        return Refused(
            message("{where}: `{name}` is not {wanted}.", where=self.where, name=name, wanted=wanted)
        )

    def _first(self, names: tuple[str, ...]) -> Any:
        """Return the first of these fields that has a value; the fields after it are not read, and so are kept."""
        for name in names:
            self._read.add(name)
            if (value := self.row.get(name)) is not None:
                return value
        return None

    def _missing(self, name: str) -> str:
        raise Refused(message("{where} has no `{name}`.", where=self.where, name=name))


def dumped(value: Any) -> str:
    return without_unstorable(json.dumps(value, ensure_ascii=False))


def _is_number(value: Any) -> bool:
    # No isfinite: it raises for an integer that is too wide for a float.
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


SEPARATOR = "\x1f"
"""Separator of the parts that an id is made from."""


def stable_id(*parts: str) -> str:
    """Return 26 letters and digits, the length of a ULID, that are always the same for the same parts."""
    seed = SEPARATOR.join(parts).encode("utf-8", "surrogatepass")
    return b32encode(hashlib.blake2b(seed, digest_size=16).digest()).decode().rstrip("=")


USES_AT_ONCE = 1_000
TYPE_CHARACTERS = 60
RELATED_TO = "RELATED_TO"


_OF_IMPORT = ("created_at", "started_at", "channel")
"""Fields that a record gets from its import if the source has none."""


def creation(kind: Kind[Any], id: str, row: Fields, **fields: Any) -> ImportedRecord:
    """Return a record with the source's unread fields. Raises Refused, naming its position, if it cannot be stored."""
    return _record(kind, id, row.where, fields, row.rest)


def _record(
    kind: Kind[Any], id: str, where: str, fields: dict[str, Any], beside: dict[str, Any] | None = None
) -> ImportedRecord:
    known = {
        name: value for name, value in fields.items() if value not in (None, "") or name not in _OF_IMPORT
    }
    return check_record(ImportedRecord(kind=kind, id=id, fields=known, beside=beside or {}), where)


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


def entity(id: str, name: str, row: Fields, **fields: Any) -> ImportedRecord:
    values = fields | ({"type": entity_type(fields["type"])} if "type" in fields else {})
    return creation(ENTITY, id, row, name=shortened(name, NAME_CHARACTERS), **values)


def entity_id(name: str, scope: str) -> str:
    """Return the id of an entity that a format knows only by name. scope: the context of the name, such as a
    channel."""
    return f"{ENTITY.prefix}_{stable_id(scope, name.casefold())}"


def alias(entity_id: str, name: str, where: str, **fields: Any) -> ImportedRecord:
    id = f"{ALIAS.prefix}_{stable_id(entity_id, name.casefold())}"
    whole = {"entity_id": entity_id, "name": shortened(name, NAME_CHARACTERS), **fields}
    return _record(ALIAS, id, where, whole)


def relation(source_id: str, type: str, target_id: str, where: str, **fields: Any) -> ImportedRecord:
    """Return a relation that has no id in its format, under an id that is the same every time."""
    id = f"{RELATION.prefix}_{stable_id(source_id, type, target_id)}"
    whole = {"source_id": source_id, "target_id": target_id, "type": type, "confidence": 1.0, **fields}
    return _record(RELATION, id, where, whole)


def tags(record_id: str, names: Iterable[str], where: str, **fields: Any) -> Iterator[ImportedRecord]:
    for name in dict.fromkeys(shortened(name, TAG_CHARACTERS) for name in names):
        whole = {"record_id": record_id, "name": name, **fields}
        yield _record(TAG, f"{TAG.prefix}_{stable_id(record_id, name)}", where, whole)


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


def tie(source_id: str, given_type: str, target_id: str, where: str, **fields: Any) -> ImportedRecord:
    """Return a relation between two entities, its type in the desk's spelling and, if that differs, also as given."""
    type = "_".join(given_type.upper().split())[:TYPE_CHARACTERS] or RELATED_TO
    kept = {} if type == given_type else {"properties": dumped({"relationType": given_type})}
    return relation(source_id, type, target_id, where, **kept, **fields)


def batches(
    name: str, file: str, creations: Iterable[ImportedRecord], channel: str | None = None
) -> Iterator[Batch]:
    """Yield records in an order in which each can be applied, in batches that fit into a change."""
    yield from pack_batches(creations, Batch(name=name, file=file, steps=(), channel=channel))


def uses(file: str, rows: Iterable[Used]) -> Iterator[Uses]:
    """Yield the uses of memories, USES_AT_ONCE at a time."""
    left = iter(rows)
    while batch := tuple(islice(left, USES_AT_ONCE)):
        yield Uses(name="use", file=file, rows=batch)
