"""Reading settings.toml: what a person may turn, checked against its range."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

from memdesk.model.errors import BadAsk
from memdesk.model.settings import DEFAULTS, Settings

FIELDS = {item.name: item for item in fields(Settings)}
_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


def load_settings(path: Path) -> Settings:
    """The desk's settings, with defaults for what the file does not name. Raises BadAsk naming the bad field."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return DEFAULTS
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadAsk(f"{path.name} cannot be read: {error}.", next=f"Correct {path} or remove it.") from error
    strange = next((name for name in given if name not in FIELDS), None)
    if strange is not None:
        raise BadAsk(f"{path.name} has a setting nobody knows: {strange}.", next=f"Correct {path}.")
    try:
        return Settings(**{name: checked(name, value) for name, value in given.items()})
    except BadAsk as wrong:
        raise BadAsk(f"{path.name}: {wrong.says}", next=f"Correct {path}.") from None


def checked(name: str, value: Any) -> Any:
    """A value as its setting holds it. Raises BadAsk for another type, or naming the range or the choices it missed."""
    item = FIELDS[name]
    expected: type[Any] = type(item.default)
    about = item.metadata
    number = expected in (int, float) and isinstance(value, int | float) and not isinstance(value, bool)
    if (not number and not isinstance(value, expected)) or (
        expected is int and isinstance(value, float) and not value.is_integer()
    ):
        raise BadAsk(f"{name} should be {_NAMES[expected]}.")
    low, high = about["low"], about["high"]
    if number and not (low <= value <= high):
        unit = f" {about['unit']}" if about["unit"] else ""
        raise BadAsk(f"{name} should lie between {low:g} and {high:g}{unit}.")
    if about["choices"] and value not in about["choices"]:
        raise BadAsk(f"{name} should be one of {', '.join(about['choices'])}.")
    return expected(value)
