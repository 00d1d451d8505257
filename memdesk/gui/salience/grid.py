"""Columns of the heatmap: title, days, columns at the right. Axis, rows and chart share one grid, so that a
day is at the same place in all three."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from memdesk.gui.salience.days import WEEK, Bin, Days, bins

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
        """Cells of a row."""
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
        """Right edge of the titles."""
        return self.cells_x - TITLE_GAP_PX

    @property
    def now_right(self) -> float:
        """Right edge of the column Now."""
        return self.width - 208

    @property
    def fades_right(self) -> float:
        """Right edge of the column Fades."""
        return self.width - 134

    @property
    def pin_x(self) -> float:
        """Middle of the column Pin."""
        return self.width - 93

    @property
    def rescue_x(self) -> float:
        """Middle of the column Rescue."""
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
        """Return the column at an x."""
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
    return Grid(
        width=width, dpr=dpr, days=days, cells_x=first, day_px=room / days.count, bin_days=WEEK
    )  # fmt: skip
