"""Values that sentences name: days, months, weekdays, times of day, amounts and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memdesk.engine.extraction.language import has_han
from memdesk.engine.extraction.lexicon import section

LONGEST = 300
"""Letters of a sentence; a longer one is a document."""
DAY, MONTH, WEEKDAY, CLOCK, PART, BARE = "day", "month", "weekday", "clock", "part", ""
"""Kinds of values that are no units; a bare number counts nothing that is named."""
CALENDAR = (DAY, MONTH, WEEKDAY, CLOCK, PART)

_ORDINALS = {word: str(n) for n, word in enumerate(section("values", "ordinals").split(), start=1)}
_CARDINALS = {word: str(n) for n, word in enumerate(section("values", "cardinals").split(), start=1)}
_LARGE = section("values", "large").split()
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|ember|ober)?"
_ORDINAL = rf"(?:{'|'.join(sorted(_ORDINALS, key=len, reverse=True))}|\d{{1,2}}(?:st|nd|rd|th))"
_CARDINAL = f"(?:{'|'.join(sorted([*_CARDINALS, *_LARGE], key=len, reverse=True))})"
_COUNT = rf"(?:\d[\d,.]*\d|\d+|{_CARDINAL}(?:[- ]{_CARDINAL})*)"
_HOUR = "|".join(["1[0-2]", "[1-9]", *list(_CARDINALS)[:12]])
_ENGLISH = re.compile(
    rf"\b(?:(?P<month_before>{_MONTH}) (?P<day_behind>\d{{1,2}})(?:st|nd|rd|th)?"
    rf"|(?P<day>{_ORDINAL}|\d{{1,2}}(?= {_MONTH}\b))(?:'s)?(?: (?:of )?(?P<month_behind>{_MONTH}))?"
    rf"|(?:of|in|by|until|till|early|late|mid|since) (?P<month>{_MONTH})"
    rf"|(?P<clock>\d{{1,2}}[:.]\d\d|(?:half|quarter) (?:past|to) \w+|{_COUNT} ?(?:o'clock|[ap]\.?m)"
    rf"|(?<=\bat )(?:{_HOUR}))"
    r"|(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?"
    rf"|(?P<count>{_COUNT})(?: ?(?P<percent>%|per ?cent)| (?P<unit>[a-z]{{3,}}s|km|kg|mg|gb|tb|ms))?)(?!\w)"
)
_NOT_DAYS = ("first", "second", "third")
"""Ordinals that are days only before or after "of" and "the"."""
_A_DAY = re.compile(
    rf"\bthe (?:first|second|third)(?=[^\w ]|$| of {_MONTH})|\b(?:first|second|third) of {_MONTH}"
)
_HAN_COUNT = r"\d+(?:[.:]\d+)?|[零〇一二两三四五六七八九十百千]+"
_HAN = re.compile(
    rf"(?P<hour>{_HAN_COUNT})[点點時时](?P<minute>半|{_HAN_COUNT})?|(?P<day>{_HAN_COUNT})[号日](?![线楼门厅房院馆店机])"
    rf"|(?P<count>{_HAN_COUNT})(?P<unit>(?!じゃな|ではな|[了的吧呢吗就也都是才不])[^\W\d_]|[％%])?|(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])"
    r"|(?P<day_name>[月火水木金土日])曜|(?P<part>上午|下午|早上|晚上|中午|午前|午後)"
)
_NOT_BEFORE = re.compile(
    r"(?:\b(?:not|isn't|wasn't|instead of|rather than) (?:the |on |at |in |for |end of )*|不是(?:那个?)?)$"
)
_NOT_BEHIND = re.compile("(?:の?方)?(?:じゃな[くい]|ではな[くい])")
"""Words right before and behind a value that deny it."""
_ARTICLES = ("一", "两")
"""Counts that are mostly used as articles."""
_DIGITS = {digit: n for n, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_POWERS = {"十": 10, "百": 100, "千": 1000}


@dataclass(frozen=True, slots=True)
class Value:
    """Value that a sentence names. kind: one of the calendar, the unit that is counted, or BARE."""

    kind: str
    amount: str

    @property
    def is_large(self) -> bool:
        """Return True for an amount that is hardly repeated by chance."""
        return len(self.amount) > 1 and self.amount not in ("10", "11", "12")


def values(text: str) -> tuple[Value, ...]:
    """Return the values that a sentence names, in order."""
    return tuple(dict.fromkeys(value for _, value in _found(text)))


def denied(text: str) -> tuple[Value, ...]:
    """Return the values that a sentence denies: "it's the twelfth, not the ninth", 是九号，不是七号."""
    small = text.lower()
    return tuple(
        dict.fromkeys(
            value
            for match, value in _found(text)
            if _NOT_BEFORE.search(small, 0, match.start()) or _NOT_BEHIND.match(small, match.end())
        )
    )


def without_values(text: str) -> str:
    """Return a sentence with a blank in the place of each value that it names."""
    start, kept = 0, list[str]()
    for match, _ in _found(text):
        if match.start() >= start:
            kept.append(text[start : match.start()])
        start = match.end()
    return " ".join((*kept, text[start:]))


def _found(text: str) -> Iterator[tuple[re.Match[str], Value]]:
    if len(text) <= LONGEST:
        yield from _han(text) if has_han(text) else _english(text.lower())


def _english(text: str) -> Iterator[tuple[re.Match[str], Value]]:
    for match in _ENGLISH.finditer(text):
        if month := match["month_before"] or match["month_behind"] or match["month"]:
            yield match, Value(MONTH, month[:3])
        if day := match["day_behind"] or match["day"]:
            if day not in _NOT_DAYS or _A_DAY.search(text, max(0, match.start() - 4), match.end() + 10):
                yield match, Value(DAY, _ORDINALS.get(day) or re.sub(r"\D", "", day))
        elif match["clock"]:
            hour = re.sub(r" ?(?:o'clock|[ap]\.?m)$|[:.]00$", "", match["clock"])
            yield match, Value(CLOCK, _CARDINALS.get(hour, hour).replace(".", ":"))
        elif match["weekday"]:
            yield match, Value(WEEKDAY, match["weekday"])
        elif match["count"] and match["count"] != "one":
            unit = "%" if match["percent"] else match["unit"] or BARE
            yield match, Value(unit, _CARDINALS.get(match["count"], match["count"]))


def _han(text: str) -> Iterator[tuple[re.Match[str], Value]]:
    for match in _HAN.finditer(text):
        if match["hour"]:
            minute = match["minute"] or ""
            minute = minute if minute == "半" else _number(minute)
            yield match, Value(CLOCK, f"{_number(match['hour'])}:{minute}")
        elif match["day"]:
            yield match, Value(DAY, _number(match["day"]))
        elif name := match["weekday"] or match["day_name"]:
            yield match, Value(WEEKDAY, name)
        elif match["part"]:
            yield match, Value(PART, match["part"])
        elif match["unit"] == "月":
            yield match, Value(MONTH, _number(match["count"]))
        elif match["count"] not in _ARTICLES:
            yield match, Value((match["unit"] or BARE).replace("％", "%"), _number(match["count"]))


def _number(text: str) -> str:
    """Return a Chinese or Japanese number in digits."""
    if not text or text[0].isdigit():
        return text
    total = last = 0
    for each in text:
        if each in _POWERS:
            total, last = total + (last or 1) * _POWERS[each], 0
        else:
            last = _DIGITS[each]
    return str(total + last)
