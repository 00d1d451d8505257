"""Time as MemDesk stores it: UTC microseconds in records, aware datetimes in requests and answers."""

from __future__ import annotations

from datetime import UTC, datetime

SECOND = 1_000_000
MINUTE = 60 * SECOND
DAY = 86_400 * SECOND


def from_datetime(when: datetime) -> int:
    """Return microseconds since 1970 UTC. A naive time is read in the desk's own time zone."""
    aware = when if when.tzinfo else when.astimezone()
    return round(aware.timestamp() * SECOND)


def to_datetime(at: int) -> datetime:
    return datetime.fromtimestamp(at / SECOND, UTC)


def optional_datetime(at: int | None) -> datetime | None:
    return None if at is None else to_datetime(at)


def optional_instant(when: datetime | None) -> int | None:
    return None if when is None else from_datetime(when)
