"""Dates of relative times: days, weeks, months and years ("yesterday"), with the calendar date added in
brackets."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, tzinfo

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
            "nine": 9, "ten": 10}  # fmt: skip
_RELATIVE = re.compile(
    r"\b(?:(?P<day>yesterday|last night|today|tonight|tomorrow)"
    r"|(?P<way>last|next) (?P<unit>week|month|year|mon|tue|tues|wed|thu|thurs|fri|sat|sun|\w+day)"
    r"|(?P<count>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten) (?P<span>day|week|month|year)s? ago)\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    "前天|昨天|昨晚|今天|今晚|明天|后天|上个?月|下个?月|去年|明年|上周(?![一二三四五六日天])"
    "|下周(?![一二三四五六日天])"
)
_CHINESE_DAYS = {"前天": -2, "昨天": -1, "昨晚": -1, "今天": 0, "今晚": 0, "明天": 1, "后天": 2}
_ENGLISH_DAYS = {"yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "tomorrow": 1}


def dated(claim: str, at: int, zone: tzinfo) -> str:
    """Return the claim with a date after its first relative time, as seen in zone at that UTC microsecond."""
    try:
        day = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=at)).astimezone(zone).date()
        return _english(claim, day) or _chinese(claim, day) or claim
    except (OverflowError, ValueError):  # beyond the years a calendar holds
        return claim


def _english(claim: str, day: date) -> str | None:
    match = _RELATIVE.search(claim)
    if not match:
        return None
    when = _when({key: value.lower() for key, value in match.groupdict().items() if value}, day)
    return f"{claim[: match.end()]} ({when}){claim[match.end() :]}" if when else None


def _when(words: dict[str, str], day: date) -> str | None:
    if "day" in words:
        return _long(day + timedelta(days=_ENGLISH_DAYS[words["day"]]))
    if "way" in words:
        return _beside(day, -1 if words["way"] == "last" else 1, words["unit"])
    count = _NUMBERS.get(words["count"]) or int(words["count"])
    return _ago(day, count, words["span"])


def _beside(day: date, way: int, unit: str) -> str | None:
    if unit == "week":
        return f"week of {_long(day - timedelta(days=day.weekday() - 7 * way))}"
    if unit == "month":
        return _month(_months(day, way))
    if unit == "year":
        return str(day.year + way)
    index = next((i for i, name in enumerate(_DAYS) if name.startswith(unit[:3])), None)
    if index is None:
        return None
    distance = (index - day.weekday()) * way % 7 or 7
    return _long(day + timedelta(days=distance * way))


def _ago(day: date, count: int, unit: str) -> str:
    if unit == "day":
        return _long(day - timedelta(days=count))
    if unit == "week":
        return f"week of {_long(day - timedelta(days=day.weekday() + 7 * count))}"
    return _month(_months(day, -count)) if unit == "month" else str(day.year - count)


def _months(day: date, count: int) -> date:
    months = day.year * 12 + day.month - 1 + count
    return date(months // 12, months % 12 + 1, 1)


def _long(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _month(day: date) -> str:
    return f"{day:%B %Y}"


def _chinese(claim: str, day: date) -> str | None:
    match = _CHINESE.search(claim)
    if not match:
        return None
    word = match.group()
    if word in _CHINESE_DAYS:
        when = (day + timedelta(days=_CHINESE_DAYS[word])).isoformat()
    elif "月" in word:
        when = f"{_months(day, -1 if word[0] == '上' else 1):%Y-%m}"
    elif "年" in word:
        when = str(day.year + (-1 if word[0] == "去" else 1))
    else:
        when = f"{(day - timedelta(days=day.weekday() - (-7 if word[0] == '上' else 7))).isoformat()} 那周"
    return f"{claim[: match.end()]}（{when}）{claim[match.end() :]}"
