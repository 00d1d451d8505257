"""Times as people type them."""

from __future__ import annotations

import argparse
from datetime import datetime


def moment(text: str) -> datetime:
    """A day or a time, in the reader's own zone unless it names one. For argparse: raises ArgumentTypeError."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time; write 2026-01-31 or 2026-01-31T09:30"
        ) from None
    return when if when.tzinfo else when.astimezone()
