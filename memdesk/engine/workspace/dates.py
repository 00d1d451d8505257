"""Dates written in a line or a heading of a file, in the forms that people and programs use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime

from memdesk.model.instant import from_datetime

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janner enero ene janvier gennaio",
            "february feb februar febrero fevrier febbraio",
            "march mar marz maerz marzo mars",
            "april apr abril avril aprile",
            "may mai mayo maggio",
            "june jun juni junio juin giugno",
            "july jul juli julio juillet luglio",
            "august aug agosto aout",
            "september sep sept septiembre septembre settembre",
            "october oct okt oktober octubre octobre ottobre",
            "november nov noviembre novembre",
            "december dec dez dezember diciembre dic decembre dicembre",
        ),
        1,
    )
    for name in names.split()
}
_PLAIN = str.maketrans("äéûôâ", "aeuoa")
_MONTH = r"(?P<month{n}>[^\W\d_]{{3,10}})\.?"
_DATES = re.compile(
    r"(?<![\d-])(?P<year1>(?:19|20)\d\d)(?P<joint>[-/.])(?P<month1>\d{1,2})(?P=joint)(?P<day1>\d{1,2})(?![\d-])"
    r"|(?P<year2>(?:19|20)\d\d)年(?P<month2>\d{1,2})月(?P<day2>\d{1,2})日"
    r"|(?<![\d.])(?P<day3>\d{1,2})\.(?P<month3>\d{1,2})\.(?P<year3>(?:19|20)\d\d)(?!\d)"
    rf"|\b(?P<day4>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: (?:of"
    rf"|de))? {_MONTH.format(n=4)},?(?: de)? (?P<year4>(?:19|20)\d\d)\b"
    rf"|\b{_MONTH.format(n=5)} (?P<day5>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year5>(?:19|20)\d\d)\b"
    r"|(?<=-)(?P<year6>20\d\d)(?P<month6>\d\d)(?P<day6>\d\d)(?=-)",
    re.IGNORECASE,
)
_FORMS = 6


@dataclass(frozen=True, slots=True)
class WrittenDay:
    """Day as written from `start` to `end` of a text."""

    start: int
    end: int
    day: date


def days_in(text: str) -> Iterator[WrittenDay]:
    """Yield the full dates in a text, in order: 2026-02-11, 2026年2月11日, 11 February 2026, 11.02.2026, and
    the date in an id such as LRN-20260211-001."""
    for found in _DATES.finditer(text):
        form = next(n for n in range(1, _FORMS + 1) if found[f"day{n}"])
        month = found[f"month{form}"].casefold().translate(_PLAIN)
        number = int(month) if month.isdigit() else _MONTHS.get(month, 0)
        try:
            day = date(int(found[f"year{form}"]), number, int(found[f"day{form}"]))
        except ValueError:
            continue
        yield WrittenDay(found.start(), found.end(), day)


def start_of(day: date) -> int:
    """Return the beginning of a day in UTC microseconds."""
    return from_datetime(datetime(day.year, day.month, day.day, tzinfo=UTC))
