"""Days as people write them, in the language of the window; typed, in English or Chinese."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, timedelta

from memdesk.gui.frame.times import MONTHS, PATTERN, WEEKDAYS, date_of, dated, long_date
from memdesk.gui.language import tr

WEEK = timedelta(days=7)
A_MONDAY = date(2024, 1, 1)
_ISO = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?")
_DAY_MONTH = re.compile(r"(\d{1,2})\s*[./]\s*(\d{1,2})\.?(?:\s*(\d{4}))?")
_MONTH_DAY_CJK = re.compile(r"(\d{1,2})月(\d{1,2})日?")
_DAY_NAME = re.compile(r"(?:\w+day,?\s+)?(\d{1,2})(?:st|nd|rd|th)?\.?\s+([a-z]{3,9})\.?(?:,?\s+(\d{4}))?")
_NAME_DAY = re.compile(r"([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?")
_BACK = re.compile(r"-\s*(\d{1,4})")
_WEEKDAY_CJK = re.compile(r"(?:星期|周|礼拜)([一二三四五六日天])")
_CJK_DAYS = "一二三四五六日天"
_WORDS = {"today": 0, "yesterday": 1, "今天": 0, "昨天": 1, "前天": 2, "今日": 0, "昨日": 1}


def monday(day: date) -> date:
    """Return the Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def short(day: date, today: date) -> str:
    """Return “18 Nov”, with the year if it is not this year."""
    return date_of(day, today=today)


def full(day: date, today: date) -> str:
    """Return “Wednesday 18 November”, with the year if it is not this year."""
    same = day.year == today.year
    return dated(day, tr("dddd d MMMM", PATTERN)) if same else long_date(day)


def brief(day: date, today: date) -> str:
    """Return “Wed 18 Nov”, for narrow bars, with the year if it is not this year."""
    same = day.year == today.year
    return dated(day, tr("ddd d MMM", PATTERN) if same else tr("ddd d MMM yyyy", PATTERN))


def weekday_name(number: int) -> str:
    """Return “Mon” for 0."""
    return dated(A_MONDAY + timedelta(days=number), "ddd")


def read_day(text: str, today: date) -> date | None:
    """Return the day somebody typed: 2026-11-18, 18 Nov, Nov 18, 18.11., 11月18日, yesterday, monday, -3. None
    for none.

    Without a year, and for a weekday, it is the last such day up to today, since a log is about the past."""
    said = text.strip().lower()
    if said in _WORDS:
        return today - timedelta(days=_WORDS[said])
    if back := _BACK.fullmatch(said):
        return today - timedelta(days=int(back[1]))
    return _weekday(said, today) or _date(said, today)


def _weekday(said: str, today: date) -> date | None:
    names = [n for n, name in enumerate(WEEKDAYS) if len(said) >= 3 and name.lower().startswith(said)]
    if found := _WEEKDAY_CJK.fullmatch(said):
        names = [min(_CJK_DAYS.index(found[1]), 6)]
    return today - timedelta(days=(today.weekday() - names[0]) % 7) if names else None


def _date(said: str, today: date) -> date | None:
    if found := _ISO.fullmatch(said):
        return _day(int(found[1]), int(found[2]), int(found[3]))
    if found := _MONTH_DAY_CJK.fullmatch(said):
        return _latest(int(found[1]), int(found[2]), None, today)
    if found := _DAY_MONTH.fullmatch(said):
        return _latest(int(found[2]), int(found[1]), found[3], today)
    if found := _DAY_NAME.fullmatch(said):
        return _latest(_month(found[2]), int(found[1]), found[3], today)
    if found := _NAME_DAY.fullmatch(said):
        return _latest(_month(found[1]), int(found[2]), found[3], today)
    return None


def _month(name: str) -> int:
    """Return the number of a month, 0 for no month."""
    return next((n for n, month in enumerate(MONTHS, 1) if month.lower().startswith(name)), 0)


def _latest(month: int, day: int, year: str | None, today: date) -> date | None:
    if year:
        return _day(int(year), month, day)
    # 29 February may be up to eight years back.
    found = (_day(today.year - back, month, day) for back in range(9))
    return next((each for each in found if each is not None and each <= today), None)


def _day(year: int, month: int, day: int) -> date | None:
    with suppress(ValueError):
        return date(year, month, day)
    return None
