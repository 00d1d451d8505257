"""What was asked, read once at the door: JSON or a query string becomes the endpoint's ask, or a sentence.

Every sentence names the field and never repeats what was sent, so that no memory leaks into errors and logs."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from memdesk.model.errors import BadAsk

Ask = TypeVar("Ask")

NAME_CHARACTERS = 500
"""A name or an id is one line; nothing that people or runtimes call things comes near this."""
NAMES = frozenset(
    ("channel", "channels", "user_id", "agent_id", "agents", "authors", "speaker", "role", "model")
    + ("id", "conversation_id", "turn_id", "fact_id", "document_id", "source_turn_id", "supersedes", "key")
    + ("name", "type", "aliases", "about", "source", "target", "category", "categories", "kinds", "edges")
    + ("invocation_id", "tool_name", "task_type", "tool_sequence", "strategy_id", "retry_key", "entity")
    + ("entity_ids", "types", "after")
    + ("into", "into_id", "entity_id", "subject_id", "tag", "tags", "decision", "techniques")
    + ("goal_id", "parent_id", "blocker_id", "blocked_by", "status", "statuses")
    + ("session_id", "aspect", "prefix", "memory_types", "confirm", "reset")
    + ("center", "record", "operations", "layers", "content_hash", "base_hash")
    + ("set", "format", "dialect", "memory", "allowed_tools", "disallowed_tools")
    + ("workspace_id", "conflict_id", "side")
)
NEVER_EMPTY = frozenset(("channel", "user_id", "agent_id", "session_id"))
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_INTEGER = 2**63
"""SQLite's integers are 64 bits wide."""

_MUST_BE = {
    "string": "text",
    "int": "a whole number",
    "float": "a number",
    "finite": "a finite number",
    "bool": "true or false",
    "datetime": "a time such as 2026-01-31T09:30:00Z",
    "timezone": "a time such as 2026-01-31T09:30:00Z",
    "date": "a day such as 2026-01-31",
    "tuple": "a list",
    "list": "a list",
    "dict": "an object",
    "dataclass": "an object",
}
"""What a field must be, by the first word of pydantic's error type."""


class AskReader(Generic[Ask]):
    """Reads the asks of one kind. Raises BadAsk for whatever is not one."""

    def __init__(self, kind: type[Ask]) -> None:
        self._kind = kind
        self._adapter = TypeAdapter(kind)
        self._lists = lists_of(kind)

    def body(self, body: bytes) -> Ask:
        """Read a JSON body; an empty one is an empty object."""
        try:
            said = from_json(body or b"{}", allow_inf_nan=False)
        except ValueError as wrong:
            raise BadAsk(
                f"The body is not JSON: {wrong}.", next="Send one JSON object, encoded as UTF-8."
            ) from None
        return self._understood(said)

    def query(self, pairs: Iterable[tuple[str, str]]) -> Ask:
        """Read query parameters. A repeated parameter is a list; `name=` alone is an empty one."""
        said: dict[str, Any] = {}
        for name, value in pairs:
            if name in self._lists:
                said.setdefault(name, []).extend([value] if value else [])
            elif name in said:
                raise BadAsk(f"`{name[:60]}` was given twice.", next="Give it once.")
            else:
                said[name] = value
        return self._understood(said)

    def _understood(self, said: Any) -> Ask:
        _refuse_unknown(self._kind, said, "")
        try:
            ask = self._adapter.validate_python(said)
        except ValidationError as wrong:
            raise _misunderstood(wrong) from None
        _refuse_odd(ask, "")
        return ask


def lists_of(kind: type[Any]) -> frozenset[str]:
    """The fields of an ask that hold lists."""
    return frozenset(name for name, hint in get_type_hints(kind).items() if get_origin(hint) is tuple)


def signed(ask: Any, agent: str) -> Any:
    """What an agent asks to be written is its own where it does not say whose: `agent_id` becomes its name."""
    own = {item.name: _signed(item.name, getattr(ask, item.name), agent) for item in fields(ask)}
    return replace(ask, **own)


def _signed(name: str, value: Any, agent: str) -> Any:
    if name == "agent_id":
        return agent if value is None else value
    if isinstance(value, tuple):
        return tuple(_signed("", item, agent) for item in value)
    return signed(value, agent) if is_dataclass(value) else value


def _refuse_unknown(kind: Any, said: Any, place: str) -> None:
    """Refuse fields that no ask of this kind has, nested ones too."""
    if get_origin(kind) is tuple and isinstance(said, list):
        for number, item in enumerate(said):
            _refuse_unknown(get_args(kind)[0], item, f"{place}[{number}]")
    elif is_dataclass(kind) and isinstance(said, Mapping):
        hints = get_type_hints(kind)
        for name, value in said.items():
            if name not in hints:
                raise _unknown(name, place, hints)
            _refuse_unknown(hints[name], value, f"{place}.{name}" if place else name)


def _unknown(name: str, place: str, known: Iterable[str]) -> BadAsk:
    close = difflib.get_close_matches(name[:100], known, n=1)
    meant = f"Did you mean `{close[0]}`?" if close else f"Known fields: {', '.join(known) or 'none'}."
    where = f" in `{place}`" if place else ""
    shown = name if len(name) <= 60 else name[:60] + "…"
    return BadAsk(f"There is no field `{shown}`{where}.", next=meant)


def _misunderstood(wrong: ValidationError) -> BadAsk:
    """The sentence of the first thing wrong, with all the fields in the details."""
    found = wrong.errors(include_url=False, include_input=False, include_context=False)
    sentences = [_sentence(item["type"], _path(item["loc"]), item["msg"]) for item in found]
    more = f" And {len(found) - 1} more." if len(found) > 1 else ""
    return BadAsk(
        sentences[0] + more,
        next="The call is described in /openapi.json.",
        details={"fields": [_path(item["loc"]) for item in found[:20]]},
    )


def _sentence(kind: str, place: str, otherwise: str) -> str:
    if place == "":
        return "The body must be a JSON object."
    if kind in ("missing", "missing_keyword_only_argument"):
        return f"`{place}` is missing."
    must_be = _MUST_BE.get(kind.split("_")[0])
    return f"`{place}` must be {must_be}." if must_be else f"`{place}`: {otherwise}."


def _path(location: tuple[int | str, ...]) -> str:
    path = ""
    for step in location:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
    return path


def _refuse_odd(value: Any, place: str, name: str = "") -> None:
    """Refuse what parses and yet cannot be kept: NUL, lone surrogates, infinities, integers too wide, odd names."""
    if is_dataclass(value):
        for item in fields(value):
            inner = f"{place}.{item.name}" if place else item.name
            _refuse_odd(getattr(value, item.name), inner, item.name)
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):
            _refuse_odd(item, f"{place}[{number}]", name)
    elif isinstance(value, dict):
        for key, item in value.items():
            _refuse_odd_text(key, f"a key of {place}")
            _refuse_odd(item, place)
    elif isinstance(value, str):
        _refuse_odd_text(value, place)
        if name in NAMES:
            _refuse_odd_name(value, place, name)
    elif isinstance(value, int | float):
        _refuse_odd_number(value, place)
    elif isinstance(value, datetime):
        _refuse_odd_time(value, place)


def _refuse_odd_text(text: str, place: str) -> None:
    if "\x00" in text:
        raise BadAsk(f"`{place}` holds a NUL character, which no text may.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadAsk(f"`{place}` holds half a character (a lone surrogate).") from None


def _refuse_odd_name(text: str, place: str, name: str) -> None:
    if len(text) > NAME_CHARACTERS:
        raise BadAsk(f"`{place}` is longer than {NAME_CHARACTERS} characters.")
    if len(text.splitlines()) > 1 or _CONTROL.search(text):
        raise BadAsk(f"`{place}` must be one line without control characters.")
    if name in NEVER_EMPTY and not text.strip():
        raise BadAsk(f"`{place}` must not be empty.")


def _refuse_odd_number(number: float, place: str) -> None:
    if not math.isfinite(number):
        raise BadAsk(f"`{place}` must be a finite number.")
    if isinstance(number, int) and not -_INTEGER <= number < _INTEGER:
        raise BadAsk(f"`{place}` is too large a number.")


def _refuse_odd_time(when: datetime, place: str) -> None:
    try:
        when.astimezone(UTC)
    except (OverflowError, ValueError):
        raise BadAsk(f"`{place}` lies outside the years 1 to 9999.") from None
