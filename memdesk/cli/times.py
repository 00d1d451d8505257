"""Parsing of times given on the command line."""

from __future__ import annotations

import argparse
import re
from datetime import datetime, timedelta

_AGO = re.compile(r"(\d{1,6})([mhdw])")
_UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}


def moment(text: str) -> datetime:
    """Return the time of a day, a time, or an age such as 30m, 24h, 7d or 2w.

    A time without a zone is in the local zone. For argparse: raises ArgumentTypeError."""
    try:
        if ago := _AGO.fullmatch(text):
            return datetime.now().astimezone() - int(ago[1]) * _UNITS[ago[2]]
        when = datetime.fromisoformat(text)
        return when if when.tzinfo else when.astimezone()
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time; write 2026-01-31, 2026-01-31T09:30, or 7d for seven days ago"
        ) from None
