"""Preparation of records for import: checked against their kinds, put in order, and packed into parcels of
one change each."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, get_type_hints

from memdesk.engine.interop.items import Birth, Move, Parcel, Step
from memdesk.files.reading import sound
from memdesk.model.errors import Refused
from memdesk.model.instant import DAY
from memdesk.model.kind import Kind
from memdesk.model.kinds import BY_NAME

EDITS_AT_ONCE = 400
"""Most edits of one parcel; a change allows far more."""
ID_CHARACTERS = 200
_JSON = {"metadata": dict, "properties": dict, "details": dict, "tool_sequence": list}
"""Columns that store JSON of this type as text."""
_JSON_OF_ANY_TYPE = frozenset(("tool_input", "tool_output", "value"))
_SHARES = frozenset(("confidence", "salience"))
_LATEST = 250_000 * 365 * DAY // 1000
"""Upper limit of an integer column; as a time in microseconds it is in the year 2219."""


def checked(birth: Birth, where: str) -> Birth:
    """Return the birth if each field is valid for its column. Raises Refused, naming the position in the
    source."""
    if not birth.id.strip() or len(birth.id) > ID_CHARACTERS or sound(birth.id) != birth.id:
        raise Refused(f"{where}: an id must be text of 1 to {ID_CHARACTERS} characters.")
    hints = types_of(birth.kind)
    for name, value in birth.fields.items():
        if name not in hints or not isinstance(value, hints[name]) or isinstance(value, bool):
            raise Refused(f"{where}: `{name}` of a {birth.kind.label.lower()} is not what it should be.")
        if why := _odd(birth.kind, name, value):
            raise Refused(f"{where}: `{name}` {why}.")
    return birth


def types_of(kind: Kind) -> dict[str, tuple[type, ...]]:
    """Return the types that each column of a kind accepts; a float column accepts an int too."""
    return _types(kind.name)


@cache
def _types(kind: str) -> dict[str, tuple[type, ...]]:
    return {
        name: tuple(
            part
            for part in (int, float, str, type(None))
            if part is hint or part in getattr(hint, "__args__", ()) or (hint is float and part is int)
        )
        for name, hint in get_type_hints(BY_NAME[kind].record).items()
    }


def linked(births: Iterable[Birth]) -> Iterator[Birth]:
    """Yield births in an order in which each can be applied; a reference to a later record of the same kind
    is set afterwards."""
    seen: set[str] = set()
    waiting: dict[str, list[Move]] = {}
    for birth in births:
        seen.add(birth.id)
        fields = dict(birth.fields)
        for column, kind in birth.kind.references:
            target = fields.get(column)
            if kind == birth.kind.name and target is not None and target not in seen:
                fields[column] = None
                move = Move(kind=birth.kind, id=birth.id, before={column: None}, after={column: target})
                waiting.setdefault(target, []).append(move)
        yield replace(birth, fields=fields, then=(*birth.then, *waiting.pop(birth.id, ())))


def packed(steps: Iterable[Step], parcel: Parcel) -> Iterator[Parcel]:
    """Yield the steps in parcels like this one, in order."""
    batch: list[Step] = []
    weight = 0
    for step in steps:
        heavy = 1 + len(step.then) if isinstance(step, Birth) else 1
        if batch and weight + heavy > EDITS_AT_ONCE:
            yield replace(parcel, steps=tuple(batch))
            batch, weight = [], 0
        batch.append(step)
        weight += heavy
    if batch:
        yield replace(parcel, steps=tuple(batch))


def _odd(kind: Kind, name: str, value: Any) -> str:
    """Return the reason why a value of the right type cannot be stored, "" if it can."""
    if isinstance(value, str):
        return _odd_text(kind, name, value)
    if isinstance(value, float) and not math.isfinite(value):
        return "is no finite number"
    if name in _SHARES and not 0 <= value <= 1:
        return "does not lie between 0 and 1"
    if isinstance(value, int) and not -1 <= value < _LATEST:
        return "is out of range"
    return ""


def _odd_text(kind: Kind, name: str, text: str) -> str:
    if sound(text) != text:
        return "holds a NUL or half a character"
    wanted = (
        object if name in _JSON_OF_ANY_TYPE and (kind.name, name) != ("fact", "value") else _JSON.get(name)
    )
    if wanted is None:
        return ""
    try:
        return "" if isinstance(json.loads(text), wanted) else "holds other JSON than it should"
    except (ValueError, RecursionError):
        return "is not JSON"
