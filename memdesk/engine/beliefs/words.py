"""Words of a claim: cut apart, in their normal form, and the mood they give a clause: what was so, and what is wished
or possible, are not what is. Its numbers, units, times and dates are values in one form, so that two ways of writing
one are equal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from functools import cache, lru_cache, partial

from memdesk.engine.beliefs.lexicon import Lexicon, known_words, lexicon, shared, stem

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


LESS = "less_"
"""Beginning of a word for what is liked less than another."""
REMEMBERED = 8_192
"""Number of words or claims that are kept once read: an index update and a comparison read the same ones."""
TOKEN = re.compile(r"[^\s,;()\[\]\"“”„«»¿?¡!，。；、！？「」（）|*`]+")
_OWNED = re.compile(r"(\w)['’]s?\b")
_HAN = re.compile("[\u3400-\u9fff]")
_UNREAL = shared("unreal")
_WISHED = re.compile(r"\b(?:want|wish|hope|plan)(?:s|es|ed)? to\b|\b(?:i|we|you|they) plan\b")
_PAST, _WAS, _BE = shared("past"), shared("was"), shared("copulas")
_PAST_ENDINGS = tuple(shared("past_endings"))
_PRESENT_VERBS = ("eed", "eeds")
"""Endings of present verbs that look like past ones: need, feed."""
_PAST_VERBS = {"en": ("ed",), "de": ("te",), "es": ("aba", "aban", "ía", "ían", "ó"), "fr": ("ait", "aient")}


def is_unreal(text: str, words: Lexicon) -> bool:
    """Return True for what is only planned, wished or nearly so: "Bo plans to quit Shell"."""
    if words.spaced:
        return not _UNREAL.isdisjoint(text.split()) or _WISHED.search(text) is not None
    return any(word in text for word in _UNREAL if not word.isascii())


def moods(cut: Sequence[str], words: Lexicon, *, verbs: Sequence[str], finite: str) -> Iterator[str]:
    """Yield "past" for what was so, and "unreal" for what may be, is wished, or will be.

    cut: the words of a clause. verbs: those of them that are its verb."""
    text = (" " if words.spaced else "").join(cut)
    if is_unreal(text, words):
        yield "unreal"
    if _is_past(frozenset(cut), text, words, verbs, finite):
        yield "past"


def _is_past(cut: frozenset[str], text: str, words: Lexicon, verbs: Sequence[str], finite: str) -> bool:
    if cut & _PAST or (cut & _WAS and not verbs):
        return True
    if not words.spaced:
        return text.endswith(_PAST_ENDINGS)
    ended = any(
        verb.endswith(_PAST_VERBS[words.language]) and not verb.endswith(_PRESENT_VERBS) for verb in verbs
    )
    return finite not in _BE and (ended or "used to" in text)


def normal(word: str, words: Lexicon) -> str:
    """Return the normal form of a word: a value as it is, else the word of its meaning or its stem."""
    if word.startswith(LESS):
        return LESS + _root(word.removeprefix(LESS), words.language)
    return word if word.startswith(MARK) else _root(word, words.language)


@lru_cache(REMEMBERED)
def _root(word: str, language: str) -> str:
    canonical = lexicon(language).canonical
    known = canonical.get(word)
    if known is None:
        root = stem(word, language)
        known = canonical.get(root, root)
    return known


def cut_words(text: str, words: Lexicon) -> list[str]:
    """Return the words of a text in order, without punctuation and possessive endings."""
    if words.spaced:
        return [unowned(each.strip(".:'’-")) or each for each in TOKEN.findall(text) if each.strip(".:'’-—–")]
    return [word for each in TOKEN.findall(text) for word in _pieces(each, words)]


def unowned(word: str) -> str:
    """Return a word without its possessive ending."""
    return _OWNED.sub(r"\1", word) if "'" in word or "’" in word else word


def _inside_compound(run: str, place: int) -> bool:
    """Return True for a character with another Han character before or after it, as in 人事部."""
    around = run[max(0, place - 1) : place] + run[place + 1 : place + 2]
    return _HAN.match(run[place]) is not None and _HAN.search(around) is not None


def _pieces(run: str, words: Lexicon) -> Iterator[str]:
    """Yield the words of a run without spaces: the longest known ones, and what is between them."""
    if run.startswith(("§", MARK, LESS)) or run.isascii():
        yield run
        return
    known, longest = known_words(words.language)
    start = place = 0
    while place < len(run):
        sizes = range(min(longest, len(run) - place), 0, -1)
        size = next((n for n in sizes if run[place : place + n] in known), 0)
        if size == 1 and words.language == "ja" and _inside_compound(run, place):
            size = 0
        if size == 0:
            place += 1
            continue
        if start < place:
            yield run[start:place]
        yield run[place : place + size]
        start = place = place + size
    if start < len(run):
        yield run[start:]
