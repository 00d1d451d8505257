"""Values in claims: numbers, units, times and dates in one form, so that two ways of writing one are equal."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from functools import cache, partial

from memdesk.engine.beliefs.lexicon import Lexicon, lexicon

MARK = "#"
"""First character of a value in its normal form, `#kind:unit:amount`."""
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_ISO = re.compile(r"\b((?:19|20)\d\d)-(\d{1,2})-(\d{1,2})\b")
_CLOCK = re.compile(r"(?<![\d.:])(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm|a\.m\.|p\.m\.)(?![\w])")
_TIME = re.compile(r"(?<![\d.:])([01]?\d|2[0-4]):([0-5]\d)(?![\d:])(?:\s*(?:uhr|h)\b)?")
_HOUR = re.compile(
    r"\bum (\d{1,2})(?: uhr)?\b|\b(\d{1,2}) uhr\b|\ba las (\d{1,2})\b"
    r"|\bat (\d{1,2})(?=$|[,;]| in\b| on\b| every\b| sharp)"
)
_VERSION = re.compile(r"(?<![\w.])v?(\d+(?:\.\d+){1,3}[a-z]?)(?![\w.])")
_PHONE = re.compile(r"(?<![\w:#-])(\+?\d[\d]*(?:[- ]\d{2,})+)(?!\w)")
_MONEY = re.compile(r"([$€£¥])\s?(\d[\d.,]*)")
_MONEY_AFTER = re.compile(r"(?<![\w.,])(\d[\d.,]*)\s?([€£¥])")
_PERCENT = re.compile(r"(\d[\d.,]*)\s?%")
_GLUED = re.compile(r"(?<![\w.])(\d[\d.,]*\d|\d)([a-z]{1,3})\b")
_GROUPED = re.compile(r"(?<=\d)[,'](?=\d{3}\b)")
_POINTS = re.compile(r"(?<![\d.,])(\d{1,3}(?:\.\d{3}){1,2})(?P<decimals>,\d+)?(?![\d,]|\.\d)(?P<unit>\s?€)?")
"""Number with points between its thousands, as in German: 1.200,50. An address such as 10.0.100.1 is none."""
_ORDINAL = re.compile(r"\b(\d+)(?:st|nd|rd|th)\b")
_HAN_DATE = re.compile(r"(?:(\d{4})年)?(\d{1,2})月(\d{1,2})[日号]")
_HAN_YEAR = re.compile(r"((?:19|20)\d\d)年")
_HAN_MONTH = re.compile(r"(\d{1,2})月(?:份|に)?")
_HAN_DAY = re.compile(r"(\d{1,2})[号日](?!人)")
_HAN_HOUR = re.compile(
    r"(上午|早上|中午|下午|晚上|午前|午後)?(\d{1,2})(?:点|時)(?!間)(?:(\d{1,2})分|(半))?(?:钟)?"
)
_HAN_NUMBER = re.compile(
    "[〇零一二两三四五六七八九十百千万]+(?=[个人名元块点時时月日号年度分秒歳岁年版次杯只辆台位片粒颗滴支瓶公斤米倍层间件本天周つ円%小回階枚冊匹頭])"
)
_LATE = ("下午", "晚上", "午後")
SYMBOLS = {"$": "dollar", "€": "euro", "£": "pound", "¥": "元"}
_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_POWERS = {"十": 10, "百": 100, "千": 1000, "万": 10000}


def normalised(text: str, words: Lexicon) -> str:
    """Return a claim in lower case with its values as tokens of their own, `#kind:unit:amount`."""
    if _DIGIT.search(text):
        text = _GROUPED.sub("", _POINTS.sub(partial(_without_points, words.language), text))
    text = _han(text) if not words.spaced else _calendar(text, words)
    return _quantities(_measured(text, words) if _DIGIT.search(text) else text, words)


def _measured(text: str, words: Lexicon) -> str:
    """Return a text whose dates, times, amounts and phone numbers are values."""
    text = _ISO.sub(lambda m: _value("date", "", f"{int(m[2])}-{int(m[3])}") + _value("num", "", m[1]), text)
    text = _CLOCK.sub(_clock, text)
    text = _TIME.sub(lambda m: _value("time", "", f"{int(m[1])}:{m[2]}"), text)
    if words.spaced:
        text = _HOUR.sub(lambda m: _value("time", "", f"{int(next(filter(None, m.groups())))}:00"), text)
    text = _MONEY.sub(lambda m: _value("qty", SYMBOLS[m[1]], _amount(m[2])), text)
    text = _MONEY_AFTER.sub(lambda m: _value("qty", SYMBOLS[m[2]], _amount(m[1])), text)
    text = _PERCENT.sub(lambda m: _value("qty", "percent", _amount(m[1])), text)
    text = _ORDINAL.sub(lambda m: _value("num", "", m[1]), text)
    return _phones(text)


def _without_points(language: str, match: re.Match[str]) -> str:
    """Return a number without the points between its thousands, where its language or its form says that they are."""
    continental = language in ("de", "es") or match["decimals"] or match["unit"]
    return match[0].replace(".", "") if continental else match[0]


def _value(kind: str, unit: str, amount: str) -> str:
    return f" {MARK}{kind}:{unit}:{amount} "


def _amount(digits: str, factor: float = 1.0) -> str:
    """Return a number without trailing zeros, so that 1.50 and 1.5 are one; a comma may be the decimal point."""
    try:
        number = Decimal(digits.replace(",", ".")) * Decimal(str(factor))
    except InvalidOperation:
        return digits
    return f"{number.normalize() + 0:f}"


def _clock(match: re.Match[str]) -> str:
    hour = int(match[1]) % 12 + (12 if match[3].startswith("p") else 0)
    return _value("time", "", f"{hour}:{match[2] or '00'}")


def _phones(text: str) -> str:
    return _PHONE.sub(
        lambda m: _value("phone", "", re.sub(r"\D", "", m[1])) if "#" not in m[0] else m[0], text
    )


@cache
def _dates(language: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a day before its month, of one after it, and of a month alone."""
    words = lexicon(language)
    months = "|".join(sorted(words.months, key=len, reverse=True))
    day = rf"(\d{{1,2}}|{'|'.join(words.ordinals) or 'first'})"
    year = r"(?:,? (?:de )?((?:19|20)\d\d))?"
    # "may" alone is a verb, except after "in".
    alone = rf"\b({months.replace('|may', '')})\b" + (r"|(?<=in )\b(may)\b" if "may" in words.months else "")
    return (
        re.compile(rf"\b{day}(?:st|nd|rd|th|\.)? (?:of |de )?({months})\b{year}"),
        re.compile(rf"\b({months}) (\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]){year}"),
        re.compile(alone),
    )


def _calendar(text: str, words: Lexicon) -> str:
    """Return a text with its days, months and years as values."""

    def dated(which: str, month: str, year: str | None) -> str:
        number = words.ordinals.get(which, which)
        return _value("date", "", f"{words.months[month]}-{number}") + (
            _value("num", "", year) if year else ""
        )

    before, after, alone = _dates(words.language)
    text = before.sub(lambda m: dated(m[1], m[2], m[3]), text)
    text = after.sub(lambda m: dated(m[2], m[1], m[3]), text)
    return alone.sub(lambda m: _value("month", "", str(words.months[m[m.lastindex or 1]])), text)


def _han(text: str) -> str:
    text = _HAN_NUMBER.sub(lambda m: str(_han_number(m[0])), text)
    text = _HAN_DATE.sub(
        lambda m: _value("date", "", f"{int(m[2])}-{int(m[3])}") + (_value("year", "", m[1]) if m[1] else ""),
        text,
    )
    text = _HAN_YEAR.sub(lambda m: _value("year", "", m[1]), text)
    text = _HAN_HOUR.sub(_han_hour, text)
    text = re.sub(r"(\d+)个月", r" \1 个月 ", text)
    text = re.sub(r"(?<!每)(\d{1,2})月(\d{1,2})", r"\1月\2", text)
    text = _HAN_MONTH.sub(lambda m: _value("month", "", m[1]), text)
    return _HAN_DAY.sub(lambda m: _value("num", "", m[1]), text)


def _han_hour(match: re.Match[str]) -> str:
    hour = int(match[2])
    hour += 12 if (match[1] in _LATE and hour < 12) or (match[1] == "中午" and hour < 3) else 0
    return _value("time", "", f"{hour}:{match[3] or ('30' if match[4] else '00')}")


def _han_number(text: str) -> int:
    """Return the number that Chinese numerals write: 十二 is 12, 三千五百 is 3500."""
    if all(sign in _DIGITS for sign in text):
        return int("".join(str(_DIGITS[sign]) for sign in text))
    total = part = digit = 0
    for sign in text:
        if sign in _DIGITS:
            digit = _DIGITS[sign]
        elif sign == "万":
            total, part, digit = (total + part + digit) * 10_000, 0, 0
        else:
            part, digit = part + (digit or 1) * _POWERS[sign], 0
    return total + part + digit


def _quantities(text: str, words: Lexicon) -> str:
    """Return a text whose numbers, also written as words, are values with the unit that follows."""
    if words.spaced:
        text = _GLUED.sub(lambda m: f"{m[1]} {m[2]}" if m[2] in words.units else m[0], text)
    else:
        units = "|".join(map(re.escape, sorted(words.units, key=len, reverse=True)))
        text = re.sub(rf"(?<![\w#:.-])?(?<![#:.\d-])(\d+(?:\.\d+)?)\s*({units})", r" \1 \2 ", text)
        text = re.sub(r"(?<![#:.\da-z-])(\d+(?:\.\d+)*)(?![\d:.-])", r" \1 ", text)
    return " ".join(_counted(text.split(), words))


def _counted(tokens: list[str], words: Lexicon) -> Iterable[str]:
    place = 0
    while place < len(tokens):
        bare = tokens[place].strip(",;()\"'")
        number = words.numbers.get(bare) if words.spaced else None
        numeric = bare[:1] == "v" or bare[:1].isdigit()
        digits = bare if numeric and _NUMBER.fullmatch(bare) else None if number is None else str(number)
        if digits is None:
            version = _VERSION.fullmatch(bare) if numeric else None
            yield f"{MARK}ver::{version[1]}" if version else tokens[place]
            place += 1
            continue
        after = tokens[place + 1].strip(".,;()") if place + 1 < len(tokens) else ""
        power = words.numbers.get(after, 0) if words.spaced else 0
        if power >= 100:
            digits, place = str(float(digits) * power), place + 1
            after = tokens[place + 1].strip(".,;()") if place + 1 < len(tokens) else ""
        unit = words.units.get(after)
        if unit is not None:
            yield f"{MARK}qty:{unit[0]}:{_amount(digits, unit[1] * _of_binary(digits, unit[0]))}"
            place += 1
        elif "." in digits and number is None and power < 100:
            yield f"{MARK}ver::{digits}"
        else:
            yield f"{MARK}num::{_amount(digits)}"
        place += 1


def _of_binary(digits: str, unit: str) -> float:
    """Return the factor that makes a number of bytes a decimal one: 1024 MB are written for 1 GB."""
    return 1000 / 1024 if unit == "byte" and digits.isdigit() and int(digits) % 1024 == 0 else 1


def kind_of(value: str) -> str:
    """Return the kind and unit of a value in normal form; values of different kinds are not compared."""
    return value.rsplit(":", 1)[0] if not value.startswith(f"{MARK}time") else f"{MARK}time"
