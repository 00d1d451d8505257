"""Reading of a query by rules: the time at which its memories were created, and the channel it names.

A time may be when a memory was created ("what did I say last week about …") or the subject of the
question ("when did Jun move, in March?"). Only the first narrows a search, and only if the phrasing is
unambiguous."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memdesk.engine.recall.query_words import terms
from memdesk.model.instant import DAY, from_datetime
from memdesk.store.words import folded

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


Span = tuple[int, int]

_SAYING = re.compile(
    r"\b(?:i|we|you|i've|we've|you've)\b[^.?!]{0,40}?\b(?:say|said|tell|told|mention(?:ed)?|discuss(?:ed)?|talk(?:ed)?"
    r"|chat(?:ted)?|speak|spoke|spoken|decided?|agreed?|ask(?:ed)?|noted?|write|wrote|written)\b"
    r"|(?:我|咱|你)(?:们|們)?[^。？！]{0,20}?(?:说|說|讲|講|提到|提过|聊|谈|談|讨论|討論|告诉|告訴|决定|決定|问|問|写|寫|记)"
)
"""Pattern of a speaker who makes a statement: a time next to it is the time of the statement."""
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_STATED_NUMBERS: dict[str, float] = {
    **{word: n for n, word in enumerate(_WORDS, start=1)},
    **{word: n for n, word in enumerate("一二三四五六七八九十", start=1)},
    "两": 2,
    "兩": 2,
    "几": 3,
    "幾": 3,
    "半": 0.5,
    "couple of": 2,
    "a couple of": 2,
    "few": 3,
    "a few": 3,
    "several": 5,
}
_STATED_COUNT = (
    r"(?P<count>\d{1,4}|" + "|".join(sorted(map(re.escape, _STATED_NUMBERS), key=len, reverse=True)) + ")"
)
_HOURS = {
    "hour": 1,
    "day": 24,
    "week": 168,
    "month": 720,
    "year": 8760,
    "小时": 1,
    "小時": 1,
    "钟头": 1,
    "天": 24,
    "日": 24,
    "周": 168,
    "星期": 168,
    "礼拜": 168,
    "月": 720,
    "年": 8760,
}
"""Hours of each unit; AgentX counts a month as 720 hours."""
_ROLLING = re.compile(
    rf"\b(?:last|past|previous|recent)\s+{_STATED_COUNT}\s+(?P<unit>hour|day|week|month|year)s?\b"
    rf"|(?:最近|过去|過去|近)(?:的)?{_STATED_COUNT.replace('count', 'cjk_count')}\s*个?個?"
    r"(?P<cjk_unit>小时|小時|钟头|天|日|周|星期|礼拜|月|年)",
    re.IGNORECASE,
)
_CALENDAR = re.compile(
    r"\b(?:today|yesterday|last night|(?:this|last|past|previous) (?:week|month|year)|"
    r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|a couple of|a few)\s+"
    r"(?:day|week|month|year)s?\s+ago)\b"
    r"|今天|昨天|昨晚|前天|(?:这|本|上|去|前)个?(?:星期|礼拜|周|月|年)"
    r"|(?:\d{1,3}|[一二两三四五六七八九十])个?(?:星期|礼拜|周|月|年|天|日)(?:之前|以前|前)",
    re.IGNORECASE,
)
_SAYINGS = """
    say said tell told mention mentioned discuss discussed talk talked chat chatted speak spoke spoken decide decided
    agree agreed ask asked note noted write wrote written 们说 说了 讨论 论了 聊了 决定 定了 提到
"""
_SAID = frozenset(_SAYINGS.split())
"""Words of a query that only express a statement, which its time already covers."""
_ABOUT_BEFORE = re.compile(
    r"\b(?:about|of|before|after|since|until|by)\s+(?:the\s+)?$|(?:关于|關於|自从|直到)$"
)
_OWNS_AFTER = re.compile(r"(?:'s|’s)\b|的")
_CHINESE_MONTH = re.compile(r"(?<![\d个一二三四五六七八九十])(十[一二]?|[一二三四五六七八九])月")
_STATED_MONTHS = {
    word: n for n, word in enumerate(("一", "二", "三", "四", "五", "六", "七", "八", "九", "十"), start=1)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Result of reading a query.

    told: spans in which the wanted memories were created, [start, end) in UTC microseconds. named: times
    mentioned otherwise. channel: the channel named, None if none is. text: the query without the parts that
    were read."""

    text: str
    told: tuple[Span, ...] = ()
    named: tuple[Span, ...] = ()
    channel: str | None = None


def read(text: str, now: datetime, channels: Iterable[str]) -> Reading:
    """Read a query. now: aware; its zone defines where days begin. channels: the names that can be meant."""
    channel, rest = _channel(text, channels)
    plain = _with_digits(folded(rest).lower())
    named = (*(_rolling(found, now) for found in _whens(_ROLLING, plain)), *dates_in(plain, now))
    told = tuple(_told(plain, now)) if _SAYING.search(plain) else ()
    return Reading(text=_without_times(rest) if told else rest, told=told, named=named, channel=channel)


def is_bare(text: str) -> bool:
    """Return True if a query that names the time of a statement asks for no subject: "what did I say"."""
    return all(term in _SAID for term in terms(text))


def _told(plain: str, now: datetime) -> Iterator[Span]:
    yield from (_rolling(found, now) for found in _whens(_ROLLING, plain))
    for found in _whens(_CALENDAR, _ROLLING.sub(" ; ", plain)):
        yield from dates_in(found[0], now)


def _whens(times: re.Pattern[str], plain: str) -> Iterator[re.Match[str]]:
    """Yield the times in a text that give the time of a statement, not the subject."""
    return (found for found in times.finditer(plain) if _is_when(plain, found))


def _without_times(text: str) -> str:
    """Return the text without the times of a statement; the text itself if no word is left."""
    rest = text
    for times in (_ROLLING, _CALENDAR):
        rest = times.sub(lambda found: " " if _is_when(found.string, found) else found[0], rest)
    return " ".join(rest.split()) if any(map(str.isalnum, rest)) else text


def _is_when(plain: str, found: re.Match[str]) -> bool:
    """Return True if a time is that of a statement, not of the subject: not "last week's outage", not "about
    last week"."""
    return not _ABOUT_BEFORE.search(plain[: found.start()]) and not _OWNS_AFTER.match(plain, found.end())


def _rolling(found: re.Match[str], now: datetime) -> Span:
    count = found["count"] or found["cjk_count"]
    hours = _HOURS[found["unit"] or found["cjk_unit"]]
    reach = (float(count) if count.isdecimal() else _STATED_NUMBERS[count]) * hours
    end = from_datetime(now)
    return end - round(reach * DAY / 24), end + 1


def _with_digits(plain: str) -> str:
    """Return the text with Chinese months as digits, which dates_in reads: 三月 is 3月, while 三个月 remains a
    duration."""
    return _CHINESE_MONTH.sub(lambda found: f"{_month(found[1])}月", plain)


def _month(word: str) -> int:
    return 10 + _STATED_MONTHS[word[1]] if len(word) > 1 else _STATED_MONTHS[word]


def _channel(text: str, channels: Iterable[str]) -> tuple[str | None, str]:
    """Return the channel that a text names as one (#tidepool, "in channel tidepool"), and the text without
    the mention."""
    for name in sorted(channels, key=len, reverse=True):
        if name.lower() in text.lower():
            mention = _mention(name)
            if mention.search(text):
                rest = " ".join(mention.sub(" ", text).split())
                return name, rest if any(map(str.isalnum, rest)) else text
    return None, text


def _mention(name: str) -> re.Pattern[str]:
    called = rf"[\"“'「]?{re.escape(name)}[\"”'」]?"
    return re.compile(
        rf"(?<!\w)#{re.escape(name)}(?![\w-])"
        rf"|\b(?:in|from|on|of)\s+(?:the\s+)?(?:channel|project)\s+{called}(?![\w-])"
        rf"|\b(?:in|from|on|of)\s+(?:the\s+)?{called}\s+(?:channel|project)\b"
        rf"|(?:在|从)?(?:频道|頻道|项目|項目)\s*{called}\s*(?:里面|里|裡|中)?"
        rf"|(?:在|从)\s*{called}\s*(?:的)?(?:频道|頻道|项目|項目)\s*(?:里面|里|裡|中)?",
        re.IGNORECASE,
    )
