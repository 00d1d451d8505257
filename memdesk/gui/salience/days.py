"""Days of the heatmap: their dates, their merging into weeks in a narrow panel, and their words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.model.browse import SalienceCurve
from memdesk.model.heatmap import Heatmap, HeatRow

WEEK = 7


@dataclass(frozen=True, slots=True)
class Bin:
    """Days first to end - 1, shown as one cell."""

    first: int
    end: int
    is_ahead: bool

    @property
    def last(self) -> int:
        """Last day of the cell."""
        return self.end - 1


@dataclass(frozen=True, slots=True)
class Days:
    """Range of days: day 0 is `start`; `back` days end with today, `ahead` more are forecast."""

    start: date
    back: int
    ahead: int

    @classmethod
    def of(cls, shown: Heatmap) -> Days:
        """Return the days of an answer."""
        return cls(shown.start, shown.days_back, shown.days_ahead)

    @property
    def count(self) -> int:
        """Number of days."""
        return self.back + self.ahead

    @property
    def today(self) -> int:
        """Number of today, the last day measured."""
        return self.back - 1

    def date(self, day: int) -> date:
        """Return a day's date."""
        return self.start + timedelta(days=day)


@lru_cache(maxsize=16)
def bins(days: Days, size: int) -> tuple[Bin, ...]:
    """Return the cells of a row, `size` days each, counted from today both ways, so that no cell is half
    forecast."""
    past = [Bin(max(0, end - size), end, False) for end in range(days.back, 0, -size)]
    ahead = [Bin(first, min(days.count, first + size), True) for first in range(days.back, days.count, size)]
    return (*reversed(past), *ahead)


def value(curve: SalienceCurve, cell: Bin) -> float | None:
    """Return the salience in a cell, the mean of its days; None before the memory was created."""
    series = curve.ahead if cell.is_ahead else curve.past
    shift = len(curve.past) if cell.is_ahead else 0
    known = [each for each in series[cell.first - shift : cell.end - shift] if each is not None]
    return sum(known) / len(known) if known else None


def crossing(curve: SalienceCurve, fade_below: float) -> int | None:
    """Return the first day from which the salience stays below the threshold; None if it does not fall that
    far within the days.

    Before the first day it counts as day 0."""
    if curve.fades_in_days is None:
        return None
    if curve.now >= fade_below:
        ahead = (day for day, each in enumerate(curve.ahead) if each < fade_below)
        return next((len(curve.past) + day for day in ahead), None)
    strong = (day for day, each in reversed(list(enumerate(curve.past))) if each and each >= fade_below)
    return next(strong, -1) + 1


def short(day: date) -> str:
    """Return “18 Nov”."""
    return times.dated(day, tr("d MMM", times.PATTERN))


def said_days(days: Days, cell: Bin) -> str:
    """Return “18 Nov”, or “12 to 18 Nov” for a week."""
    first, last = days.date(cell.first), days.date(cell.last)
    if first == last:
        return short(last)
    if first.month == last.month:
        return tr("{first} to {last}", first=first.day, last=short(last))
    return tr("{first} to {last}", first=short(first), last=short(last))


def said_cell(row: HeatRow, days: Days, cell: Bin) -> str:
    """Return “Backup runbook, 18 Nov, 0.34”."""
    strength = value(row.curve, cell)
    number = tr("not yet known") if strength is None else f"{strength:.2f}"
    forecast = tr("{value} forecast", value=number) if cell.is_ahead else number
    return f"{row.title}, {said_days(days, cell)}, {forecast}"


def fades(row: HeatRow) -> str:
    """Return the time until the salience falls below the threshold: “8 d”, “19 d ago”, “today”, “pinned” or
    “never”."""
    in_days = row.curve.fades_in_days
    if in_days is None:
        return tr("pinned") if row.pinned else tr("never")
    whole = round(abs(in_days))
    if whole == 0:
        return tr("today")
    return tr("%Ln d", "days", whole) if in_days > 0 else tr("%Ln d ago", "days", whole)


def said_row(row: HeatRow) -> str:
    """Return the words of a row for a screen reader."""
    in_days = row.curve.fades_in_days
    if in_days is None:
        end = tr("pinned, does not fade") if row.pinned else tr("does not fade")
    elif (whole := round(abs(in_days))) == 0:
        end = tr("fades today")
    else:
        end = tr("fades in %Ln day(s)", "", whole) if in_days > 0 else tr("faded %Ln day(s) ago", "", whole)
    now = tr("{value} now", value=f"{row.curve.now:.2f}")
    return f"{row.title}, {row.channel}, {now}, {end}"


def has_faded(row: HeatRow) -> bool:
    """Return True if the salience is below the threshold now."""
    return row.curve.fades_in_days is not None and row.curve.fades_in_days < 0
