"""Reading settings.toml: what a person may turn, checked against its range."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

from memdesk.model.errors import BadAsk
from memdesk.model.settings import DEFAULTS, Settings


def load_settings(path: Path) -> Settings:
    """The desk's settings, with defaults for what the file does not name. Raises BadAsk naming the bad field."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return DEFAULTS
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadAsk(f"{path.name} cannot be read: {error}.", next=f"Correct {path} or remove it.") from error
    known = {item.name: item for item in fields(Settings)}
    if strange := [name for name in given if name not in known]:
        raise BadAsk(f"{path.name} has a setting nobody knows: {strange[0]}.", next=f"Correct {path}.")
    return Settings(**{name: _checked(path, known[name], value) for name, value in given.items()})


def _checked(path: Path, item: Any, value: Any) -> Any:
    expected = type(item.default)
    number = expected in (int, float) and isinstance(value, int | float) and not isinstance(value, bool)
    if not number and not isinstance(value, expected):
        raise BadAsk(f"{item.name} in {path.name} should be a {expected.__name__}.", next=f"Correct {path}.")
    low, high = item.metadata["low"], item.metadata["high"]
    if number and (low is not None and value < low or high is not None and value > high):
        raise BadAsk(
            f"{item.name} in {path.name} should lie between {low} and {high}.", next=f"Correct {path}."
        )
    return expected(value)
