"""Columns of the heatmap: title, days, columns at the right. Axis, rows and chart share one grid, so that a
day is at the same place in all three."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

from memdesk.gui import formatting
from memdesk.gui.language import tr
from memdesk.model.browse import SalienceCurve
from memdesk.model.graph import Heatmap, HeatRow

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
        return cls(shown.start, shown.days_back, shown.days_ahead)

    @property
    def count(self) -> int:
        return self.back + self.ahead

    @property
    def today(self) -> int:
        """Number of today, the last day measured."""
        return self.back - 1

    def date(self, day: int) -> date:
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


def fade_day(curve: SalienceCurve, fade_below: float) -> int | None:
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
    return formatting.dated(day, tr("d MMM", formatting.PATTERN))


def days_text(days: Days, cell: Bin) -> str:
    """Return “18 Nov”, or “12 to 18 Nov” for a week."""
    first, last = days.date(cell.first), days.date(cell.last)
    if first == last:
        return short(last)
    if first.month == last.month:
        return tr("{first} to {last}", first=first.day, last=short(last))
    return tr("{first} to {last}", first=short(first), last=short(last))


def cell_text(row: HeatRow, days: Days, cell: Bin) -> str:
    """Return “Backup runbook, 18 Nov, 0.34”."""
    strength = value(row.curve, cell)
    number = tr("not yet known") if strength is None else f"{strength:.2f}"
    forecast = tr("{value} forecast", value=number) if cell.is_ahead else number
    return f"{row.title}, {days_text(days, cell)}, {forecast}"


def fades_text(row: HeatRow) -> str:
    """Return the time until the salience falls below the threshold: “8 d”, “19 d ago”, “today”, “pinned” or
    “never”."""
    in_days = row.curve.fades_in_days
    if in_days is None:
        return tr("pinned") if row.pinned else tr("never")
    whole = round(abs(in_days))
    if whole == 0:
        return tr("today")
    return tr("%Ln d", "days", whole) if in_days > 0 else tr("%Ln d ago", "days", whole)


def row_text(row: HeatRow) -> str:
    """Return the words of a row for a screen reader."""
    in_days = row.curve.fades_in_days
    if in_days is None:
        end = tr("pinned, does not fade") if row.pinned else tr("does not fade")
    elif (whole := round(abs(in_days))) == 0:
        end = tr("fades today")
    else:
        end = tr("fades in %Ln day(s)", "", whole) if in_days > 0 else tr("faded %Ln day(s) ago", "", whole)
    now = tr("{value} now", value=f"{row.curve.now:.2f}")
    doubt = ", " + tr("contradicted") if row.question else ""
    return f"{row.title}, {row.channel}, {now}, {end}{doubt}"


def has_faded(row: HeatRow) -> bool:
    """Return True if the salience is below the threshold now."""
    return row.curve.fades_in_days is not None and row.curve.fades_in_days < 0


ROW_PX = 21
PAD_PX = 20
TITLE_X_PX = 52
TITLE_GAP_PX = 12
TITLE_PX = 148
TITLE_NARROW_PX = 96
TITLE_MOST_PX = 420
NARROW_PX = 900
"""Width of the panel below which titles are shorter."""
WIDE_PX = 1256
"""Width of the panel in a window of 1440 px. A quarter of any width above it goes to the titles."""
RIGHT_PX = 258
"""Width of the columns right of the days: now, fades, pin, rescue."""
DAY_LEAST_PX = 5
"""Width of a day below which days are merged to weeks."""

Part = Literal["title", "days", "now", "fades", "pin", "rescue"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Layout in px. day_px: width of a day; a whole number of device pixels unless days are merged to weeks."""

    width: int
    dpr: float
    days: Days
    cells_x: float
    day_px: float
    bin_days: int

    @property
    def bins(self) -> tuple[Bin, ...]:
        return bins(self.days, self.bin_days)

    @property
    def cells_right(self) -> float:
        """Right edge of the last day."""
        return self.x(self.days.count)

    @property
    def today_x(self) -> float:
        """Right edge of today, where the forecast begins."""
        return self.x(self.days.back)

    @property
    def title_right(self) -> float:
        return self.cells_x - TITLE_GAP_PX

    @property
    def now_right(self) -> float:
        return self.width - 208

    @property
    def fades_right(self) -> float:
        return self.width - 134

    @property
    def pin_x(self) -> float:
        return self.width - 93

    @property
    def rescue_x(self) -> float:
        return self.width - 40

    def x(self, day: float) -> float:
        """Return the left edge of a day, on a device pixel."""
        return round((self.cells_x + day * self.day_px) * self.dpr) / self.dpr

    def middle(self, day: float) -> float:
        """Return the middle of a day; also of a fraction of days past it."""
        return self.cells_x + (day + 0.5) * self.day_px

    def bin_at(self, x: float) -> int | None:
        """Return the cell at an x, None left or right of the days."""
        day = math.floor((x - self.cells_x) / self.day_px)
        if not 0 <= day < self.days.count:
            return None
        return next(place for place, cell in enumerate(self.bins) if cell.first <= day < cell.end)

    def part_at(self, x: float) -> Part:
        if x < self.cells_x:
            return "title"
        if x < self.cells_right:
            return "days"
        if x <= self.now_right + 8:
            return "now"
        if x < self.pin_x - 24:
            return "fades"
        return "pin" if x < (self.pin_x + self.rescue_x) / 2 else "rescue"


def lay_out(width: int, dpr: float, days: Days) -> Grid:
    """Return the grid of a panel of this width. The rest of the division into full pixels goes to the titles."""
    least = TITLE_NARROW_PX if width < NARROW_PX else TITLE_PX + max(0, width - WIDE_PX) / 4
    first = TITLE_X_PX + min(TITLE_MOST_PX, round(least)) + TITLE_GAP_PX
    end = width - RIGHT_PX
    room = max(float(days.count), end - first)
    day_px = math.floor(room * dpr / days.count) / dpr
    if day_px >= DAY_LEAST_PX:
        left = end - day_px * days.count
        return Grid(width=width, dpr=dpr, days=days, cells_x=left, day_px=day_px, bin_days=1)
    return Grid(width=width, dpr=dpr, days=days, cells_x=first, day_px=room / days.count, bin_days=WEEK)
