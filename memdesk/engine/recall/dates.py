"""Times that a query names, in English and Chinese: days, months, years, "yesterday", "上周", "three weeks
ago"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta

from memdesk.model.instant import from_datetime

YEARS_BACK = 10
"""Number of years searched for a day or month without a year: the current one and the nine before it."""

Days = tuple[date, date]
"""First day, and the day after the last."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = {
    **{name: n for n, name in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))},
    **{name: n for n, name in enumerate("一二三四五六日")},
    "天": 6,
}
_ENGLISH_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {
    **{word: n for n, word in enumerate(_ENGLISH_NUMBERS, start=1)},
    **{word: n for n, word in enumerate("一二三四五六七八九十", start=1)},
    **dict.fromkeys(("a", "an"), 1),
    **dict.fromkeys(("couple of", "a couple of", "两", "兩"), 2),
    "a few": 3,
}
_MONTH = (
    r"(?P<month>january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\b\.?"
)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)\b"
_COUNT = "(?P<count>" + r"\d{1,3}|" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + ")"
_UNITS = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}
_CJK_UNIT = r"个?(?P<unit>星期|礼拜|周|月|年|天|日)"
_BACK = {"this": 0, "这": 0, "本": 0, "今": 0, "last": 1, "past": 1, "previous": 1, "上": 1, "去": 1, "前": 2}
_DAY_WORDS = {"today": 0, "今天": 0, "yesterday": 1, "last night": 1, "昨天": 1, "昨晚": 1, "前天": 2}


def dates_in(query: str, now: datetime) -> list[tuple[int, int]]:
    """Return the times a query names, as half-open spans of UTC microseconds, in the order they are
    recognised.

    now: aware; its zone defines where days begin. An impossible date (31 June) is skipped."""
    spans: list[tuple[int, int]] = []
    rest = query.lower()
    for pattern, read in _READERS:
        for found in pattern.finditer(rest):
            spans += [_instants(days, now) for days in read(found, now.date())]
        rest = pattern.sub(" ; ", rest)
    return spans


def _instants(days: Days, now: datetime) -> tuple[int, int]:
    start, end = (datetime(day.year, day.month, day.day, tzinfo=now.tzinfo) for day in days)
    return from_datetime(start), from_datetime(end)


def _calendar(found: re.Match[str], today: date) -> Iterator[Days]:
    given = found.groupdict()
    years = [int(given["year"])] if given.get("year") else range(today.year, today.year - YEARS_BACK, -1)
    for year in years:
        days = _span(year, _month_number(given.get("month")), int(given["day"]) if given.get("day") else None)
        if days is not None and days[0] <= today:
            yield days


def _month_number(name: str | None) -> int | None:
    if name is None:
        return None
    return int(name) if name.isdecimal() else _MONTHS.index(name[:3]) + 1


def _span(year: int, month: int | None, day: int | None) -> Days | None:
    try:
        if month is None:
            return date(year, 1, 1), date(year + 1, 1, 1)
        if day is None:
            return date(year, month, 1), _months_later(date(year, month, 1), 1)
        return date(year, month, day), date(year, month, day) + timedelta(days=1)
    except ValueError:
        return None


def _named_day(found: re.Match[str], today: date) -> Iterator[Days]:
    yield _unit_around(today - timedelta(days=_DAY_WORDS[found[0]]), "day")


def _weekday(found: re.Match[str], today: date) -> Iterator[Days]:
    back = (today.weekday() - _WEEKDAYS[found["weekday"][:3]] - 1) % 7 + 1
    yield _unit_around(today - timedelta(days=back), "day")


def _this_or_last(found: re.Match[str], today: date) -> Iterator[Days]:
    unit = _UNITS.get(found["unit"], found["unit"])
    yield _unit_around(_units_before(today, unit, _BACK[found["which"]]), unit)


def _ago(found: re.Match[str], today: date) -> Iterator[Days]:
    count = found["count"].strip()
    unit = _UNITS.get(found["unit"], found["unit"])
    day = _units_before(today, unit, int(count) if count.isdecimal() else _NUMBERS[count])
    yield _unit_around(day, unit)


def _unit_around(day: date, unit: str) -> Days:
    """Return the calendar day, week from Monday, month or year that contains a day."""
    if unit == "day":
        return day, day + timedelta(days=1)
    if unit == "week":
        monday = day - timedelta(days=day.weekday())
        return monday, monday + timedelta(days=7)
    first = day.replace(day=1) if unit == "month" else day.replace(month=1, day=1)
    return first, _months_later(first, 1 if unit == "month" else 12)


def _units_before(day: date, unit: str, count: int) -> date:
    if unit in ("day", "week"):
        return day - timedelta(days=count * (1 if unit == "day" else 7))
    return _months_later(day.replace(day=1), -count * (1 if unit == "month" else 12))


def _months_later(first: date, months: int) -> date:
    years, month = divmod(first.month - 1 + months, 12)
    return date(max(1, first.year + years), month + 1, 1)


_Reader = Callable[[re.Match[str], date], Iterator[Days]]
# The longer forms stand first; what one has read is cut out before the next looks.
_READERS: tuple[tuple[re.Pattern[str], _Reader], ...] = tuple(
    (re.compile(pattern), reader)
    for pattern, reader in (
        (r"\b(?P<year>(?:19|20)\d\d)[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})\b", _calendar),
        (r"(?P<year>(?:19|20)\d\d)年(?:(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})[日号])?)?", _calendar),
        (r"(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})[日号])?", _calendar),
        (rf"\b{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?", _calendar),
        (rf"\b{_MONTH}\s+{_DAY}\b(?:,?\s+{_YEAR})?", _calendar),
        (rf"\b{_MONTH},?\s+(?:of\s+)?{_YEAR}", _calendar),
        # "may" and "march" are also verbs: alone they are months only after a word that leads to a time.
        (rf"\b(?:in|of|on|during|since|until|by|last|this|early|mid|late)[\s-]+{_MONTH}", _calendar),
        (
            r"\b(?P<month>january|february|april|june|july|august|september|october|november|december)\b",
            _calendar,
        ),
        (rf"\b{_YEAR}", _calendar),
        (r"\b(?:today|yesterday|last night)\b|今天|昨天|昨晚|前天", _named_day),
        (rf"\b{_COUNT}\s+(?P<unit>day|week|month|year)s?\s+ago\b", _ago),
        (rf"{_COUNT}{_CJK_UNIT}(?:之前|以前|前)", _ago),
        (r"\b(?P<which>this|last|past|previous)\s+(?P<unit>week|month|year)\b", _this_or_last),
        (r"\b(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b", _weekday),
        (r"(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])", _weekday),
        (rf"(?P<which>这|本|今|上|去|前){_CJK_UNIT}", _this_or_last),
    )
)
