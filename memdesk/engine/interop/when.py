"""Times in the forms of exports: ISO 8601, or a number of seconds, milliseconds or microseconds since 1970."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from memdesk.model.instant import SECOND, from_datetime

_EARLIEST, _LATEST = 100_000_000 * SECOND, 7_000_000_000 * SECOND
"""1973 to 2191: a number outside is an offset or an id, not a time."""
_UTC = re.compile(r"\s*(?:UTC|GMT)$", re.IGNORECASE)


def instant_of(value: Any) -> int | None:
    """Return UTC microseconds, None if the value is not a time. A time without a zone is read in the desk's
    own."""
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
        return _sane(from_datetime(datetime.fromisoformat(_UTC.sub("+00:00", text))))
    except (ValueError, OverflowError, OSError):
        return None


def _from_number(value: float) -> int | None:
    if not abs(value) < _LATEST * 1_000:
        return None  # No unit makes a time of it; NaN compares with nothing.
    for unit in (SECOND, 1_000, 1):
        if (found := _sane(round(value * unit))) is not None:
            return found
    return _sane(round(value / 1_000))


def _sane(at: int) -> int | None:
    return at if _EARLIEST <= at <= _LATEST else None
