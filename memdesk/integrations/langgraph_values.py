"""Values of LangGraph's channels as JSON that a person reads: plain values and messages as they are, others as bytes
with their type, their size and the beginning of their text."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import BaseMessage, message_to_dict, messages_from_dict
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

MARK = "$memdesk"
"""Key of an object that represents another value: `message`, `tuple`, or the type of the bytes."""
MESSAGE, TUPLE = "message", "tuple"
SAYS_CHARACTERS = 200
_LARGEST = 2**63


class ValueCodec:
    """Translator between a channel's value and JSON, exact in both directions.

    serde: LangGraph's serializer, for what JSON has no form of. One of another kind, such as LangGraph's encrypted one,
    writes every value: nothing is then readable."""

    def __init__(self, serde: SerializerProtocol) -> None:
        self._serde = serde
        self._readable = type(serde) is JsonPlusSerializer

    def encode(self, value: Any) -> Any:
        """Return a value as JSON."""
        return self._plain(value) if self._readable else self._bytes(value)

    def decode(self, held: Any) -> Any:
        """Return the value of some JSON of `encode`."""
        if isinstance(held, list):
            return [self.decode(each) for each in held]
        if not isinstance(held, dict):
            return held
        match held.get(MARK):
            case None:
                return {name: self.decode(each) for name, each in held.items()}
            case "message":
                return messages_from_dict([held["data"]])[0]
            case "tuple":
                return tuple(self.decode(each) for each in held["items"])
        return self._serde.loads_typed((held["form"], base64.b64decode(held["base64"])))

    def _plain(self, value: Any) -> Any:
        kind = type(value)
        if value is None or kind is bool or (kind is str and _is_text(value)):
            return value
        if (kind is int and -_LARGEST <= value < _LARGEST) or (kind is float and math.isfinite(value)):
            return value
        if kind is list:
            return [self._plain(each) for each in value]
        if kind is tuple:
            return {MARK: TUPLE, "items": [self._plain(each) for each in value]}
        if kind is dict and MARK not in value and all(type(name) is str and _is_text(name) for name in value):
            return {name: self._plain(each) for name, each in value.items()}
        if isinstance(value, BaseMessage) and (data := _message(value)) is not None:
            return {MARK: MESSAGE, "data": data}
        return self._bytes(value)

    def _bytes(self, value: Any) -> dict[str, Any]:
        form, data = self._serde.dumps_typed(value)
        kind = type(value)
        fields = {MARK: f"{kind.__module__}.{kind.__qualname__}", "bytes": len(data), "form": form}
        if self._readable:
            fields["says"] = _beginning(value)
        return {**fields, "base64": base64.b64encode(data).decode()}


def _message(message: BaseMessage) -> dict[str, Any] | None:
    """Return a message as JSON; None if it does not come back as it was."""
    data = message_to_dict(message)
    try:
        again: dict[str, Any] = json.loads(json.dumps(data, allow_nan=False))
        same = messages_from_dict([again])[0]
    except (TypeError, ValueError):
        return None
    return again if type(same) is type(message) and same == message and _is_text(json.dumps(again)) else None


def _is_text(text: str) -> bool:
    """Return True for a text that the desk keeps as it is."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text and "\\u0000" not in text


def _beginning(value: Any) -> str:
    fields: Mapping[str, Any] = getattr(value, "__dict__", {})
    said = repr(fields or value)
    return said if len(said) <= SAYS_CHARACTERS else said[:SAYS_CHARACTERS] + "…"
