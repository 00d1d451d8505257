"""Time left of a key, in words that change as rarely as possible, and the time of their next change."""

from __future__ import annotations

from datetime import datetime

from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.model.working import HeldKey

BY_THE_SECOND = 10 * times.MINUTE
"""Time left in seconds below which seconds are shown."""
SOON = 0.1
"""Share of the lifetime below which a key is shown as close to its end."""
AT_LEAST_MS, AT_MOST_MS = 50, 3_600_000


def seconds_left(row: HeldKey, now: datetime) -> float | None:
    """Return the seconds until a key expires if it is not used before; None if it does not expire."""
    return None if row.expires_at is None else max(0.0, (row.expires_at - now).total_seconds())


def words(row: HeldKey, now: datetime) -> str:
    """Return the time left: “4:05”, “42 min”, “3 h”, “6 d”, or “stays”."""
    left = seconds_left(row, now)
    if left is None:
        return tr("stays")
    if left < BY_THE_SECOND:
        return f"{int(left) // 60}:{int(left) % 60:02d}"
    return times.span(left)


def spoken(row: HeldKey, now: datetime) -> str:
    """Return the time left for a screen reader, which would read “4:05” as a time of day."""
    left = seconds_left(row, now)
    return tr("stays until it is forgotten") if left is None else tr("{time} left", time=times.span(left))


def share(row: HeldKey, now: datetime) -> float | None:
    """Return the share of its lifetime that a key has left, 0 to 1; None if it does not expire."""
    left = seconds_left(row, now)
    return None if left is None or not row.ttl_seconds else min(1.0, left / row.ttl_seconds)


def next_change_ms(rows: tuple[HeldKey, ...], now: datetime) -> int | None:
    """Return the ms until the text of one of these rows changes next; None if no row expires.

    Seconds are shown only near the end, so for keys with hours left the timer wakes once a minute or an hour.
    """
    waits = [_wait(left) for row in rows if (left := seconds_left(row, now)) is not None]
    return max(AT_LEAST_MS, min(AT_MOST_MS, round(1000 * min(waits)) + 1)) if waits else None


def _wait(left: float) -> float:
    unit = 1 if left < BY_THE_SECOND else next(
        size for size in (times.DAY, times.HOUR, times.MINUTE) if left >= size
    )  # fmt: skip
    return left % unit
