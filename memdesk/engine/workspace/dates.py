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
    r"|(?<=-)(?P<year6>20\d\d)(?P<month6>\d\d)(?P<day6>\d\d)(?=-)"
    r"|(?<![\d/.-])(?P<first>\d{1,2})(?P<slash>[/-])(?P<second>\d{1,2})(?P=slash)(?P<year7>(?:19|20)\d\d)(?![\d/-])",
    re.IGNORECASE,
)
_FORMS = 6
_WITHOUT_YEAR = re.compile(
    rf"\b(?P<day1>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: (?:of|de))? {_MONTH.format(n=1)}(?![\w-])"
    rf"|\b{_MONTH.format(n=2)} (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?![\w:.-])"
    r"|(?P<month3>\d{1,2})月(?P<day3>\d{1,2})[日号]"
    r"|(?<![\d/])(?P<month4>\d{1,2})/(?P<day4>\d{1,2}) ?[(（][月火水木金土日]",
    re.IGNORECASE,
)
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


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
        if _is_version(found, text):
            continue
        try:
            yield WrittenDay(found.start(), found.end(), _day(found))
        except ValueError:
            continue


def names_day_after(text: str, day: date) -> bool:
    """Return True if a text names a day after this one, with its year or, later in the same year, without."""
    if any(each.day > day for each in days_in(text)):
        return True
    for found in _WITHOUT_YEAR.finditer(text):
        form = next(n for n in range(1, 5) if found[f"day{n}"])
        month = found[f"month{form}"].casefold().translate(_PLAIN)
        number = int(month) if month.isdigit() else _MONTHS.get(month, 0)
        if (number, int(found[f"day{form}"])) > (day.month, day.day):
            return True
    return False


def _day(found: re.Match[str]) -> date:
    """Return the day that a match gives. Raises ValueError if there is none."""
    if found["year7"]:
        return _with_slashes(int(found["first"]), int(found["second"]), int(found["year7"]))
    form = next(n for n in range(1, _FORMS + 1) if found[f"day{n}"])
    month = found[f"month{form}"].casefold().translate(_PLAIN)
    number = int(month) if month.isdigit() else _MONTHS.get(month, 0)
    return date(int(found[f"year{form}"]), number, int(found[f"day{form}"]))


def _with_slashes(first: int, second: int, year: int) -> date:
    """Return the day of 25/03/2026 or 03/25/2026. Raises ValueError for 02/03/2026: it is March or February."""
    if first != second and first <= _MONTHS["dec"] and second <= _MONTHS["dec"]:
        raise ValueError
    return date(year, min(first, second), max(first, second))


def _is_version(found: re.Match[str], text: str) -> bool:
    """Return True for a number with points whose parts are not padded, as programs count their versions: 2026.4.1.

    In Chinese and Japanese dates are written so too."""
    parts = found["month1"], found["day1"]
    return (
        found["joint"] == "."
        and any(len(part) == 1 for part in parts)
        and not _CJK.search(text[max(0, found.start() - 2) : found.end() + 3])
    )


def start_of(day: date) -> int:
    """Return the beginning of a day in UTC microseconds."""
    return from_datetime(datetime(day.year, day.month, day.day, tzinfo=UTC))
