"""Salience curve of a memory: past days replayed from its creation, recalls and rescues, coming days without
recalls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memdesk.engine import salience
from memdesk.model.browse import SalienceCurve
from memdesk.model.instant import DAY, SECOND
from memdesk.model.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """Data that a memory's salience is computed from. now: its present salience; recalls: their times, oldest
    first."""

    now: float
    pinned: bool
    created_at: int
    set_to: float
    set_at: int
    recalls: Sequence[int]


def day_start(moment: int, utc_offset_minutes: int) -> int:
    """Return the start of the viewer's day that contains a moment (UTC microseconds)."""
    offset = utc_offset_minutes * 60 * SECOND
    local = moment + offset
    return local - local % DAY - offset


def curve(
    life: Life, *, moment: int, day_start: int, days_back: int, days_ahead: int, settings: Settings
) -> SalienceCurve:
    """Return salience at the end of each day. day_start: start of the viewer's current day (UTC
    microseconds).

    A recall raises salience as it does when it happens; a value set by hand (at creation, by a rescue)
    replaces it at its time. A pinned memory has its present value since the last of these events."""
    first = day_start - (days_back - 1) * DAY
    ends = [min(first + (day + 1) * DAY, moment) for day in range(days_back)]
    past = _replayed(life, ends, settings)
    past[-1] = life.now
    ahead = [
        life.now if life.pinned else salience.faded(life.now, day_start + (day + 1) * DAY - moment, settings)
        for day in range(1, days_ahead + 1)
    ]
    return SalienceCurve(
        past=tuple(past), ahead=tuple(ahead), now=life.now,
        recall_days=tuple((at - first) // DAY for at in life.recalls if at >= first),
        fades_in_days=salience.fades_in_days(life.now, settings, pinned=life.pinned),
    )  # fmt: skip


def _replayed(life: Life, ends: Sequence[int], settings: Settings) -> list[float | None]:
    """Return the salience at these times; None before the memory was created."""
    # Of one moment, what was set by hand comes first: a recall lifts what it finds.
    events = sorted([(life.set_at, 0, "set"), *((at, 1, "recall") for at in life.recalls)])
    value = life.set_to if life.set_at <= life.created_at else settings.new_salience
    at = life.created_at
    found: list[float | None] = []
    upcoming = iter([*events, (1 << 62, 2, "end")])
    when, _, what = next(upcoming)
    for end in ends:
        while when <= end:
            value = salience.faded(value, when - at, settings)
            value = life.set_to if what == "set" else salience.lifted(value, settings)
            at = max(at, when)
            when, _, what = next(upcoming)
        if end <= life.created_at:
            found.append(None)
        elif life.pinned and what == "end":
            found.append(life.now)
        else:
            found.append(salience.faded(value, end - at, settings))
    return found
