"""Times as people type them."""

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
    """A day or a time, in the reader's own zone unless it names one; or how long ago, such as 30m, 24h, 7d or 2w.

    For argparse: raises ArgumentTypeError.
    """
    try:
        if ago := _AGO.fullmatch(text):
            return datetime.now().astimezone() - int(ago[1]) * _UNITS[ago[2]]
        when = datetime.fromisoformat(text)
        return when if when.tzinfo else when.astimezone()
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time; write 2026-01-31, 2026-01-31T09:30, or 7d for seven days ago"
        ) from None
