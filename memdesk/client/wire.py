"""Encoding of requests and decoding of answers and errors, without any I/O."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, fields
from datetime import date, datetime
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from memdesk.contract.adapters import adapter
from memdesk.contract.endpoint import Wrong
from memdesk.model.errors import BY_CODE, BadAsk, BugError, MemDeskError


def spoken_query(ask: Any) -> tuple[tuple[str, str], ...]:
    """Return a request as query parameters, without fields that have their default value. Raises BadAsk for
    text that is not Unicode."""
    return tuple((name, _utf8(text)) for name, text in _parameters(ask))


def spoken_body(ask: Any) -> bytes:
    """Return a request as JSON. Raises BadAsk for text that is not Unicode."""
    kind: Any = type(ask)
    try:
        return adapter(kind).dump_json(ask)
    except (PydanticSerializationError, UnicodeEncodeError):
        raise _not_unicode() from None


def understood(kind: Any, said: bytes) -> Any:
    """Return an answer as a record of `kind`. Raises BugError when it has another shape, as from another
    version of the service."""
    try:
        return adapter(kind).validate_json(said)
    except ValidationError as wrong:
        raise BugError(
            "The service answered in a way this program does not know; it may be another version.",
            next="End it with `memdesk stop` and try again.",
            details={"fields": [".".join(map(str, item["loc"])) for item in wrong.errors()[:20]]},
        ) from wrong


def error_in(said: bytes, status: int) -> MemDeskError:
    """Return the error in a response, in its own class."""
    try:
        wrong: Wrong = adapter(Wrong).validate_json(said)
    except ValidationError:
        return BugError(f"The service answered with HTTP {status} and no reason.")
    kind = BY_CODE.get(wrong.code, BugError)
    return kind(wrong.says, next=wrong.next, details=wrong.details)


def _parameters(ask: Any) -> Iterator[tuple[str, str]]:
    for item in fields(ask):
        value = getattr(ask, item.name)
        if item.default is not MISSING and value == item.default:
            continue
        if isinstance(value, tuple):
            # One empty parameter is how a query string says "an empty list".
            yield from ((item.name, _text(each)) for each in value or ("",))
        elif value is not None:
            yield item.name, _text(value)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date | datetime) else str(value)


def _utf8(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _not_unicode() from None
    return text


def _not_unicode() -> BadAsk:
    return BadAsk("What was asked holds bytes that are no text.", next="Write it in UTF-8.")
