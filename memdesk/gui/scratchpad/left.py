"""How long a key has left, in words that change as seldom as they can, and when they change next."""

from __future__ import annotations

from datetime import datetime

from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.model.working import HeldKey

BY_THE_SECOND = 10 * times.MINUTE
"""Below this the seconds are counted."""
SOON = 0.1
"""A key with less than this share of its life left is shown as near its end."""
AT_LEAST_MS, AT_MOST_MS = 50, 3_600_000


def seconds_left(row: HeldKey, now: datetime) -> float | None:
    """Until a key goes, unless it is used before; None for one that stays."""
    return None if row.expires_at is None else max(0.0, (row.expires_at - now).total_seconds())


def words(row: HeldKey, now: datetime) -> str:
    """“4:05”, “42 min”, “3 h”, “6 d”, or that it stays."""
    left = seconds_left(row, now)
    if left is None:
        return tr("stays")
    if left < BY_THE_SECOND:
        return f"{int(left) // 60}:{int(left) % 60:02d}"
    return times.span(left)


def spoken(row: HeldKey, now: datetime) -> str:
    """For a screen reader, which would read “4:05” as a time of day."""
    left = seconds_left(row, now)
    return tr("stays until it is forgotten") if left is None else tr("{time} left", time=times.span(left))


def share(row: HeldKey, now: datetime) -> float | None:
    """How much of its life a key has left, 0 to 1; None for one that stays."""
    left = seconds_left(row, now)
    return None if left is None or not row.ttl_seconds else min(1.0, left / row.ttl_seconds)


def next_change_ms(rows: tuple[HeldKey, ...], now: datetime) -> int | None:
    """In how many ms the words of one of these rows change next; None when they never do.

    Seconds are counted only near the end, so a desk whose keys live for hours is woken by the minute or the hour.
    """
    waits = [_wait(left) for row in rows if (left := seconds_left(row, now)) is not None]
    return max(AT_LEAST_MS, min(AT_MOST_MS, round(1000 * min(waits)) + 1)) if waits else None


def _wait(left: float) -> float:
    unit = 1 if left < BY_THE_SECOND else next(
        size for size in (times.DAY, times.HOUR, times.MINUTE) if left >= size
    )  # fmt: skip
    return left % unit
