"""Refusals of model servers: the reason, and the time to wait."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

REASON_CHARACTERS = 200


def retry_after(said: str) -> float:
    """Return the seconds that a Retry-After header requests, as a number or as a date (RFC 9110, 10.2.3); 0
    for none."""
    try:
        seconds = float(said) if said.strip()[:1].isdigit() else _until(said)
    except (ValueError, TypeError):
        return 0.0
    return seconds if 0 < seconds < math.inf else 0.0


def _until(said: str) -> float:
    when = parsedate_to_datetime(said)
    aware = when if when.tzinfo else when.replace(tzinfo=UTC)
    return aware.timestamp() - datetime.now(UTC).timestamp()


def reason_in(said: bytes) -> str:
    """Return the server's message about a refusal, "" if there is none."""
    try:
        told = json.loads(said)
        error = told.get("error", told) if isinstance(told, dict) else told
        words = error.get("message", "") if isinstance(error, dict) else error
    except (ValueError, RecursionError):
        return ""
    return " ".join(words.split())[:REASON_CHARACTERS] if isinstance(words, str) else ""
