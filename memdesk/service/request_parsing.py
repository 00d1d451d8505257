"""Parsing of requests: JSON or a query string becomes the endpoint's request record, or an error sentence.

Every sentence names the field and never repeats the value, so that no memory leaks into errors and logs."""

from __future__ import annotations

import difflib
import functools
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, date, datetime
from typing import Any, Generic, TypeVar, get_args, get_origin, get_type_hints
from urllib.parse import parse_qsl

from pydantic import ValidationError
from pydantic_core import from_json

from memdesk.api.endpoint import adapter
from memdesk.model.errors import BadAsk
from memdesk.model.message import NO_MESSAGE, Message, joined, message
from memdesk.model.names import NAME_CHARACTERS, OneLine

Ask = TypeVar("Ask")

NOT_IN_A_NAME = "\\x00-\\x1f\\x7f\\x85\\u2028\\u2029"
"""Control characters and line ends, as a part of a regular expression."""
_CONTROL = re.compile(f"[{NOT_IN_A_NAME}]")
_A_NUMBER = re.compile(r"\s*[-+]?[\d_.]+(?:[eE][-+]?\d+)?\s*")
INTEGER = 2**63
"""Bound of integers: SQLite's are 64 bits wide."""

_MUST_BE = {
    "string": "text",
    "int": message("a whole number"),
    "float": message("a number"),
    "finite": "a finite number",
    "bool": message("true or false"),
    "datetime": "a time such as 2026-01-31T09:30:00Z",
    "timezone": "a time such as 2026-01-31T09:30:00Z",
    "date": "a day such as 2026-01-31",
    "tuple": message("a list"),
    "list": message("a list"),
    "dict": message("an object"),
    "dataclass": message("an object"),
}
"""Expected value of a field in words, by the first word of pydantic's error type."""


def pairs_of(query: bytes) -> list[tuple[str, str]]:
    """Return a query string as names and values. Raises BadAsk where it is not percent-encoded UTF-8."""
    try:
        return parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict")
    except UnicodeError:
        raise BadAsk(
            message("A parameter holds bytes that are not UTF-8."),
            next=message("Percent-encode it as UTF-8."),
        ) from None


class AskReader(Generic[Ask]):
    """Parser of one kind of request. Raises BadAsk for anything else."""

    def __init__(self, kind: type[Ask]) -> None:
        self._kind = kind

    @functools.cached_property
    def _lists(self) -> frozenset[str]:
        return lists_of(self._kind)

    def body(self, body: bytes) -> Ask:
        """Read a JSON body; an empty one counts as an empty object."""
        try:
            said = from_json(body or b"{}", allow_inf_nan=False)
        except ValueError as wrong:
            raise BadAsk(
                message("The body is not JSON: {wrong}.", wrong=wrong),
                next=message("Send one JSON object, encoded as UTF-8."),
            ) from None
        ask = self._understood(said)
        _refuse_texts(self._kind, said, "")
        return ask

    def query(self, pairs: Iterable[tuple[str, str]]) -> Ask:
        """Read query parameters. A repeated parameter is a list; `name=` alone is an empty one."""
        said: dict[str, Any] = {}
        for name, value in pairs:
            if name in self._lists:
                said.setdefault(name, []).extend([value] if value else [])
            elif name in said:
                raise BadAsk(
                    message("`{name}` was given twice.", name=name[:60]), next=message("Give it once.")
                )
            else:
                said[name] = value
        return self._understood(said)

    def _understood(self, said: Any) -> Ask:
        _refuse_misfits(self._kind, said, "")
        try:
            ask: Ask = adapter(self._kind).validate_python(said)
        except ValidationError as wrong:
            raise _invalid(wrong) from None
        _refuse_odd(ask, "")
        return ask


def lists_of(kind: type[Any]) -> frozenset[str]:
    """Return the names of a request's fields that are lists."""
    return frozenset(name for name, hint in _hints_of(kind).items() if get_origin(hint) is tuple)


def _hints_of(kind: Any) -> Mapping[str, Any]:
    """Return the type of each field."""
    return _worked_out(kind)


@functools.cache
def _worked_out(kind: Any) -> Mapping[str, Any]:
    # This takes longer than the rest of reading an ask.
    return get_type_hints(kind)


def names_of(kind: Any) -> Mapping[str, OneLine]:
    """Return the rule of each field that is a name, a list of names or a name that may be left out."""
    return _names_found(kind)


@functools.cache
def _names_found(kind: Any) -> Mapping[str, OneLine]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: rule for name, hint in hints.items() if (rule := _rule_in(hint)) is not None}


def _rule_in(hint: Any) -> OneLine | None:
    rules = (each for each in getattr(hint, "__metadata__", ()) if isinstance(each, OneLine))
    return next(rules, None) or next(filter(None, map(_rule_in, get_args(hint))), None)


def with_agent_id(ask: Any, agent: str) -> Any:
    """Return a request with the agent's name as `agent_id` wherever that is not given."""
    own = {
        item.name: signed
        for item in fields(ask)
        if (signed := _signed(item.name, value := getattr(ask, item.name), agent)) is not value
    }
    return replace(ask, **own) if own else ask


def _signed(name: str, value: Any, agent: str) -> Any:
    if name == "agent_id":
        return agent if value is None else value
    if isinstance(value, tuple):
        return tuple(_signed("", item, agent) for item in value)
    return with_agent_id(value, agent) if is_dataclass(value) else value


def _refuse_misfits(kind: Any, said: Any, place: str) -> None:
    """Raise BadAsk for unknown fields, nested ones too, and for values that pydantic would convert."""
    if get_origin(kind) is tuple and isinstance(said, list):
        for number, item in enumerate(said):
            _refuse_misfits(get_args(kind)[0], item, f"{place}[{number}]")
    elif is_dataclass(kind) and isinstance(said, Mapping):
        hints = _hints_of(kind)
        for name, value in said.items():
            if name not in hints:
                raise _unknown(name, place, hints)
            _refuse_misfits(hints[name], value, f"{place}.{name}" if place else name)
    elif isinstance(said, bool | int | float | str):
        _refuse_other_type({kind, *get_args(kind)}, said, place)


def _refuse_texts(kind: Any, said: Any, place: str) -> None:
    """Raise BadAsk for a text where a body should have a number or a boolean; in a query string all values
    are texts."""
    if get_origin(kind) is tuple and isinstance(said, list):
        for number, item in enumerate(said):
            _refuse_texts(get_args(kind)[0], item, f"{place}[{number}]")
    elif is_dataclass(kind) and isinstance(said, Mapping):
        hints = _hints_of(kind)
        for name in hints.keys() & said.keys():
            _refuse_texts(hints[name], said[name], f"{place}.{name}" if place else name)
    elif isinstance(said, str):
        kinds = {kind, *get_args(kind)}
        if str not in kinds and (wanted := [each for each in (int, float, bool) if each in kinds]):
            raise BadAsk(
                message("`{place}` must be {must_be}.", place=place, must_be=_MUST_BE[wanted[0].__name__])
            )


def _refuse_other_type(kinds: set[Any], said: bool | int | float | str, place: str) -> None:
    """Raise BadAsk for a number as a time, a boolean as a number, and a number as a boolean."""
    for time in kinds & {datetime, date}:
        if not isinstance(said, str) or _A_NUMBER.fullmatch(said):
            raise BadAsk(
                message("`{place}` must be {must_be}.", place=place, must_be=_MUST_BE[time.__name__])
            )
    numbers = kinds & {int, float}
    if isinstance(said, bool) and numbers and bool not in kinds:
        raise BadAsk(
            message(
                "`{place}` must be {must_be}.",
                place=place,
                must_be=_MUST_BE["int" if int in kinds else "float"],
            )
        )
    if bool in kinds and not numbers and isinstance(said, int | float) and not isinstance(said, bool):
        raise BadAsk(message("`{place}` must be {must_be}.", place=place, must_be=_MUST_BE["bool"]))


def _unknown(name: str, place: str, known: Iterable[str]) -> BadAsk:
    close = difflib.get_close_matches(name[:100], known, n=1)
    meant = (
        message("Did you mean `{close}`?", close=close[0])
        if close
        else message("Known fields: {what}.", what=", ".join(known) or message("none"))
    )
    shown = name if len(name) <= 60 else name[:60] + "…"
    return BadAsk(
        message("There is no field `{shown}` in `{place}`.", shown=shown, place=place)
        if place
        else message("There is no field `{shown}`.", shown=shown),
        next=meant,
    )


def _invalid(wrong: ValidationError) -> BadAsk:
    """Return an error with the sentence for the first wrong field, and all wrong fields in the details."""
    found = wrong.errors(include_url=False, include_input=False, include_context=False)
    sentences = [_sentence(item["type"], _path(item["loc"]), item["msg"]) for item in found]
    more = message("And {count} more.", count=len(found) - 1) if len(found) > 1 else NO_MESSAGE
    return BadAsk(
        joined(sentences[0], more),
        next=message("The call is described in /openapi.json."),
        details={"fields": [_path(item["loc"]) for item in found[:20]]},
    )


def _sentence(kind: str, place: str, otherwise: str) -> Message:
    if place == "":
        return message("The body must be a JSON object.")
    if kind in ("missing", "missing_keyword_only_argument"):
        return message("`{place}` is missing.", place=place)
    must_be = _MUST_BE.get(kind.split("_")[0])
    if must_be:
        return message("`{place}` must be {must_be}.", place=place, must_be=must_be)
    return message("`{place}`: {otherwise}.", place=place, otherwise=otherwise)


def _path(location: tuple[int | str, ...]) -> str:
    path = ""
    for step in location:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
    return path


def _refuse_odd(value: Any, place: str, rule: OneLine | None = None) -> None:
    """Raise BadAsk for values that cannot be stored: NUL, lone surrogates, infinities, integers too wide, odd
    names."""
    if is_dataclass(value):
        names = names_of(type(value))
        for item in fields(value):
            inner = f"{place}.{item.name}" if place else item.name
            _refuse_odd(getattr(value, item.name), inner, names.get(item.name))
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):
            _refuse_odd(item, f"{place}[{number}]", rule)
    elif isinstance(value, dict):
        for key, item in value.items():
            _refuse_odd_text(key, f"a key of {place}")
            _refuse_odd(item, place)
    elif isinstance(value, str):
        _refuse_odd_text(value, place)
        if rule is not None:
            _refuse_odd_name(value, place, rule)
    elif isinstance(value, int | float):
        _refuse_odd_number(value, place)
    elif isinstance(value, datetime):
        _refuse_odd_time(value, place)


def _refuse_odd_text(text: str, place: str) -> None:
    if "\x00" in text:
        raise BadAsk(message("`{place}` holds a NUL character, which no text may.", place=place))
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadAsk(message("`{place}` holds half a character (a lone surrogate).", place=place)) from None


def _refuse_odd_name(text: str, place: str, rule: OneLine) -> None:
    if len(text) > NAME_CHARACTERS:
        raise BadAsk(
            message("`{place}` is longer than {count} characters.", place=place, count=NAME_CHARACTERS)
        )
    if _CONTROL.search(text):
        raise BadAsk(message("`{place}` must be one line without control characters.", place=place))
    if rule.filled and not text.strip():
        raise BadAsk(message("`{place}` must not be empty.", place=place))


def _refuse_odd_number(number: float, place: str) -> None:
    if isinstance(number, int):
        # An integer too wide for a float cannot even be asked whether it is finite.
        if not -INTEGER <= number < INTEGER:
            raise BadAsk(message("`{place}` is too large a number.", place=place))
    elif not math.isfinite(number):
        raise BadAsk(message("`{place}` must be a finite number.", place=place))


def _refuse_odd_time(when: datetime, place: str) -> None:
    try:
        when.astimezone(UTC)
    except (OverflowError, ValueError):
        raise BadAsk(message("`{place}` lies outside the years 1 to 9999.", place=place)) from None
