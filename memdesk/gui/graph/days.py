"""Days as the time brush counts them: how many memories were born in each bin, and what the axis says below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memdesk.gui.frame import times
from memdesk.gui.language import tr

BINS_AT_MOST = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """Counts per bin of `step` days from `first` on. There is always a bin, and the last one holds today."""

    first: date
    step: int
    counts: tuple[int, ...]

    @property
    def bins(self) -> int:
        """How many bins there are."""
        return len(self.counts)

    def day(self, bin: int) -> date:
        """The first day of a bin."""
        return self.first + timedelta(days=bin * self.step)

    def moment(self, bin: int) -> datetime:
        """The first moment of a bin, in this machine's zone."""
        return datetime.combine(self.day(bin), datetime.min.time()).astimezone()

    def bin(self, when: datetime) -> int:
        """The bin a moment falls into, clamped to those there are."""
        passed = (times.local(when).date() - self.first).days // self.step
        return max(0, min(self.bins - 1, passed))

    def said(self, bin: int) -> str:
        """“3 Sep”; “today” for the end of the axis."""
        return tr("today") if bin >= self.bins else times.day(self.moment(bin))

    def labels(self, at_most: int) -> Iterator[tuple[int, str]]:
        """Bins and their names, evenly spread: the first day, first days of months or the 15th, never too close."""
        yield 0, times.day(self.moment(0))
        apart = -(-self.bins // max(1, at_most))
        last = 0
        for bin in range(1, self.bins):
            if bin - last >= apart and self.bins - bin >= apart and self._is_round(bin):
                yield bin, times.day(self.moment(bin))
                last = bin

    def _is_round(self, bin: int) -> bool:
        """Whether a bin holds the first or the middle of a month; with few bins every day will do."""
        days = (self.day(bin) + timedelta(days=more) for more in range(self.step))
        return self.bins < 14 or any(day.day in (1, 15) for day in days)


def counted(born: Sequence[datetime], today: date) -> Days:
    """Births per day, or per few days where there were many days."""
    days = [min(today, times.local(when).date()) for when in born]
    first = min(days, default=today)
    span = (today - first).days + 1
    step = -(-span // BINS_AT_MOST)
    counts = [0] * -(-span // step)
    for day in days:
        counts[(day - first).days // step] += 1
    return Days(first=first, step=step, counts=tuple(counts))
