"""Content of a claim, independent of its wording: its informative words in order, and a flag for a denial.

Vectors of a small model do not distinguish "likes" from "dislikes" or 9:00 from 10:00; this module does,
and is used in addition."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memdesk.engine.extraction.english_words import VERBS
from memdesk.engine.extraction.language import HAN, LATIN, WORD, has_han
from memdesk.engine.extraction.lexicon import word_set

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
)
_CLOCK = re.compile(
    r"\b(?P<hour>\d{1,2})(?::(?P<minute>\d\d))? ?(?P<half>am|pm|a\.m|p\.m)\b"
    r"|\b(?P<hour24>\d{1,2}):(?P<minute24>\d\d)\b"
    r"|\b(?P<word>noon|midnight)\b",
    re.IGNORECASE,
)
_ISO = re.compile(r"\b(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)\b")
_DAY_MONTH = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<month>{_MONTH})"
    rf"|\b(?P<month2>{_MONTH}) (?P<day2>\d{{1,2}})"
    rf"(?:st|nd|rd|th)?\b(?!:)|\b(?:in|of|since) (?P<alone>{_MONTH})",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![\d:-])(?:19|20)\d\d(?![\d:])")
_WEEKDAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE)
_HAN_CLOCK = re.compile(
    "(?P<part>凌晨|早上|上午|中午|下午|晚上|午後|午前)?(?P<hour>\\d{1,2}"
    "|[一二两三四五六七八九十]{1,3})[点點時时]"
    "(?P<minute>半|(?:\\d{1,2}|[一二三四五六七八九十]{1,3})(?=分))?"
)
_HAN_DATE = re.compile("(?:(?P<year>\\d{4})年)?(?P<month>\\d{1,2})月(?:(?P<day>\\d{1,2})[日号])?")
_HAN_WEEKDAY = re.compile("(?:周|星期|礼拜)([一二三四五六日天])|([月火水木金土日])曜")
_HAN_DIGITS = {digit: value for value, digit in enumerate("一二三四五六七八九十", start=1)} | {"两": 2}
_COUNTED = "one two three four five six seven eight nine ten eleven twelve"
NUMBERS = {word: str(number) for number, word in enumerate(_COUNTED.split(), start=1)}
"""Number words and their digits."""
_EMPTY_VALUE_WORDS = word_set(
    "a an the their his her its my our very quite really just own new at on in by to around about"
)

Times = dict[str, int]
"""Parts of a time: clock (minutes of the day), weekday (0 Monday), day, month and year, each only if given."""


def times(text: str) -> Times:
    """Return the parts of a time that a text names, in English, Chinese or Japanese. Empty if it names none."""
    return {**_clock(text), **_date(text), **_weekday(text)}


def differ(one: str, other: str) -> bool:
    """Return True if two values exclude each other: different times, or words where neither set contains the
    other.

    "9 am" and "9:00" agree, as do "4 May" and "4 May 1990", "Siemens" and "Siemens Energy"."""
    here, there = times(one), times(other)
    if here and there:
        return any(here[part] != there[part] for part in here.keys() & there.keys())
    if has_han(one) or has_han(other):
        left, right = _packed(one), _packed(other)
        return bool(left and right) and left not in right and right not in left
    words, others = set(normal(one)), set(normal(other))
    return bool(words and others) and not (words <= others or others <= words)


def normal(text: str) -> tuple[str, ...]:
    """Return the words of a value in lower case, number words as digits, without articles and prepositions."""
    words = (m.group().lower() for m in WORD.finditer(text))
    return tuple(NUMBERS.get(word, word) for word in words if word not in _EMPTY_VALUE_WORDS)


def _packed(text: str) -> str:
    return re.sub(r"[\s，。,.的了]", "", text).lower()


def _clock(text: str) -> Times:
    match = _CLOCK.search(text)
    if match is None:
        return _han_clock(text)
    if match["word"]:
        return {"clock": 720 if match["word"].lower() == "noon" else 0}
    hour, minute = int(match["hour"] or match["hour24"]), int(match["minute"] or match["minute24"] or 0)
    if match["half"]:
        hour = hour % 12 + (12 if match["half"][0] in "pP" else 0)
    return {"clock": hour * 60 + minute}


def _han_clock(text: str) -> Times:
    match = _HAN_CLOCK.search(text)
    if match is None:
        return {}
    hour, minute = _han_number(match["hour"]), match["minute"]
    late = match["part"] in ("下午", "晚上", "午後") or (match["part"] == "中午" and hour < 11)
    hour = hour + 12 if late and hour < 12 else hour
    return {"clock": hour * 60 + (30 if minute == "半" else _han_number(minute or "0"))}


def _han_number(text: str) -> int:
    if text.isdigit():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    return (_HAN_DIGITS.get(tens, 1) * 10 if ten else 0) + _HAN_DIGITS.get(ones, 0)


def _date(text: str) -> Times:
    iso = _ISO.search(text) or _HAN_DATE.search(text)
    if iso:
        return {part: int(value) for part, value in iso.groupdict().items() if value}
    found: Times = {}
    match = _DAY_MONTH.search(text)
    if match:
        name = match["month"] or match["month2"] or match["alone"]
        found["month"] = _MONTHS.index(name[:3].lower()) + 1
        day = match["day"] or match["day2"]
        found |= {"day": int(day)} if day else {}
    year = _YEAR.search(text)
    return found | ({"year": int(year.group())} if year and (match or _bare_year(text, year)) else {})


def _bare_year(text: str, year: re.Match[str]) -> bool:
    """Return True for a year used as one ("in 2019"), not for a number that looks like one ("port 2019")."""
    return (
        bool(re.search(r"\b(?:in|since|of|by|until|born) $", text[: year.start()]))
        or text.strip() == year.group()
    )


def _weekday(text: str) -> Times:
    match = _WEEKDAY.search(text)
    if match:
        return {"weekday": _WEEKDAYS.index(match.group()[:3].lower())}
    han = _HAN_WEEKDAY.search(text)
    if han is None:
        return {}
    order = "一二三四五六日" if han[1] else "月火水木金土日"
    return {"weekday": order.index((han[1] or han[2]).replace("天", "日"))}


REMEMBERED = 8_192
"""Number of claims whose content is cached: a job compares the same facts with one new claim after another."""
_EMPTY_CLAIM_WORDS = word_set(
    """
    a an the is are am was were be been being has have had do does did will 's that just also really very
    actually currently now already so too currently still their his her its
    """
)
_DENIALS = word_set("not no never cannot nor neither without none nothing nobody")
_NO_LONGER = re.compile(r"\bno longer\b", re.IGNORECASE)
_STOPPED = re.compile(rf"\b(?:stopped|quit|gave up) (?P<doing>[{LATIN}]+ing)\b", re.IGNORECASE)
_STRESS = re.compile(
    r"\b(?:any ?(?:more|longer)|after all|at all|at the moment|at present|these days|right now|again)\b",
    re.IGNORECASE,
)
"""Phrases that add no content: "doesn't eat meat any more", "is not allergic after all"."""
_QUALIFIERS = word_set(
    "every each on in at with daily often sometimes usually for since during before after when"
)
_HAN_CHAR = re.compile(f"[{HAN}\u3040-\u30ff]")
_HAN_EMPTY = frozenset("的了着呢吧啊也都就很是")
_HAN_NO_DENIAL = re.compile(
    "不过|不仅|不但|不错|不同|不久|不断|没关系|特别|别人|别的|区别|级别|未来|非常|除非|无论|无锡"
)
_HAN_DENIAL = re.compile("不再|不|没有|没|未|别|无|禁止|从不|ない|ません|なかった")


@dataclass(frozen=True, slots=True)
class Content:
    """Informative words of a claim in order. denied: True for an odd number of denials among them."""

    words: tuple[str, ...]
    denied: bool


@lru_cache(REMEMBERED)
def content(claim: str) -> Content:
    """Return the content of a claim. Names, numbers, dates and their order remain; articles and auxiliaries
    do not."""
    stopped = _STOPPED.sub(lambda match: f"not {_plain(match['doing'])}", claim.replace("’", "'"))
    words, denials = _english(_STRESS.sub("", _NO_LONGER.sub(" not ", stopped)))
    characters, more = _han(claim)
    return Content((*words, *characters), (denials + more) % 2 == 1)


def same_content(one: str, other: str) -> bool:
    """Return True if two claims have the same words in the same order, and both or neither are denied."""
    return content(one) == content(other)


def denies(one: str, other: str) -> bool:
    """Return True if one claim is the denial of the other: "eats meat" and "doesn't eat meat".

    A denial also covers qualified forms: "doesn't drink coffee" denies "drinks coffee every morning"."""
    here, there = content(one), content(other)
    if here.denied == there.denied or not here.words:
        return False
    denied, held = (here, there) if here.denied else (there, here)
    rest = held.words[len(denied.words) :]
    return held.words[: len(denied.words)] == denied.words and (not rest or rest[0] in _QUALIFIERS)


def reports_end(claim: str) -> bool:
    """Return True for a claim that a past state has ended: "stopped playing the cello"."""
    return _STOPPED.search(claim) is not None


def _plain(doing: str) -> str:
    """Return the verb of an "-ing" form, if it is known: playing, making, running."""
    stem = doing.lower()[:-3]
    doubled = stem[:-1] if stem[-2:-1] == stem[-1:] else stem
    return next((verb for verb in (stem, f"{stem}e", doubled) if verb in VERBS), doing)


def _english(text: str) -> tuple[list[str], int]:
    words: list[str] = []
    denials = 0
    for match in WORD.finditer(text):
        word = match.group().lower()
        if word in _DENIALS or word.endswith(("n't", "dont")):
            denials += 1
        elif word not in _EMPTY_CLAIM_WORDS:
            words.append(base(word))
    return words, denials


def base(word: str) -> str:
    """Return a word without the s of a plural, a possessive or a third person, and number words as digits."""
    word = NUMBERS.get(word, word).removesuffix("'s")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "oes")):
        return word[:-2]
    return (
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
    )


def _han(text: str) -> tuple[list[str], int]:
    if text.isascii():
        return [], 0
    counted = _HAN_NO_DENIAL.sub("", text)
    denials = len(_HAN_DENIAL.findall(counted))
    kept = _HAN_DENIAL.sub("", text) if denials else text
    return [char for char in _HAN_CHAR.findall(kept) if char not in _HAN_EMPTY], denials
