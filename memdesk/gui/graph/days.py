"""Days of the time brush: the number of memories created in each bin, and the labels of the axis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memdesk.gui.frame import times
from memdesk.gui.language import tr

BINS_AT_MOST = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """Counts per bin of `step` days from `first` on. There is at least one bin, and the last one contains
    today."""

    first: date
    step: int
    counts: tuple[int, ...]

    @property
    def bins(self) -> int:
        """Number of bins."""
        return len(self.counts)

    def day(self, bin: int) -> date:
        """Return the first day of a bin."""
        return self.first + timedelta(days=bin * self.step)

    def moment(self, bin: int) -> datetime:
        """Return the first moment of a bin, in this machine's zone."""
        return datetime.combine(self.day(bin), datetime.min.time()).astimezone()

    def bin(self, when: datetime) -> int:
        """Return the bin of a moment, clamped to the existing bins."""
        passed = (times.local(when).date() - self.first).days // self.step
        return max(0, min(self.bins - 1, passed))

    def said(self, bin: int) -> str:
        """Return the first day of a bin as “3 Sep”; “today” for the end of the axis."""
        return tr("today") if bin >= self.bins else times.day(self.moment(bin))

    def labels(self, at_most: int) -> Iterator[tuple[int, str]]:
        """Yield bins and their labels, evenly spread: the first day, first days of months or the 15th, never
        too close."""
        yield 0, times.day(self.moment(0))
        apart = -(-self.bins // max(1, at_most))
        last = 0
        for bin in range(1, self.bins):
            if bin - last >= apart and self.bins - bin >= apart and self._is_round(bin):
                yield bin, times.day(self.moment(bin))
                last = bin

    def _is_round(self, bin: int) -> bool:
        """Return True if a bin contains the 1st or the 15th of a month; with fewer than 14 bins always."""
        days = (self.day(bin) + timedelta(days=more) for more in range(self.step))
        return self.bins < 14 or any(day.day in (1, 15) for day in days)


def counted(born: Sequence[datetime], today: date) -> Days:
    """Count creation times per day, or per few days if there are more than 120 days."""
    days = [min(today, times.local(when).date()) for when in born]
    first = min(days, default=today)
    span = (today - first).days + 1
    step = -(-span // BINS_AT_MOST)
    counts = [0] * -(-span // step)
    for day in days:
        counts[(day - first).days // step] += 1
    return Days(first=first, step=step, counts=tuple(counts))
