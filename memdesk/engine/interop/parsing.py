"""Parser of JSON from other programs: the values are made safe for every column."""

from __future__ import annotations

import json
import math
from typing import Any, Final

from memdesk.files.reading import sound

NOT_JSON: Final = object()
"""Result for a text that is not one JSON value; None is a JSON value."""
DEEPEST = 200
"""Most levels of lists and objects: far above any export, and far below the limit at which Python can write
JSON."""


def parsed(text: str) -> Any:
    """Return the JSON value of a text, NOT_JSON if it has none. NaN and infinities become None, as JSON has
    neither."""
    try:
        value = json.loads(text, parse_constant=_nothing, parse_float=_finite)
    except (ValueError, RecursionError):
        return NOT_JSON
    if _is_too_deep(value):
        return NOT_JSON
    # An escape can spell a NUL or half a character, which the text of the file does not show.
    return tidy(value) if "\\u" in text else value


def _nothing(_name: str) -> None:
    return None


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return True


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [inner for inner in value.values() if isinstance(inner, dict | list)]
    return [inner for inner in value if isinstance(inner, dict | list)] if isinstance(value, list) else []


def tidy(value: Any) -> Any:
    """Return the value without NUL, half characters and infinities."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, str):
        return sound(value)
    if isinstance(value, list):
        return [tidy(each) for each in value]
    return {sound(name): tidy(each) for name, each in value.items()} if isinstance(value, dict) else value
