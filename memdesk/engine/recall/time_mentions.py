"""Times that a question mentions, in six languages, resolved to spans when it is asked.

Rules over the words of `time_words`: a general date parser that searches a text takes tens of milliseconds a question
and reads "may" and "second" as times."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache

from memdesk.engine.recall.time_words import (
    CHINESE,
    EARLY,
    ENGLISH,
    FRENCH,
    GERMAN,
    JAPANESE,
    MIDDLE,
    SPANISH,
    TimeWords,
)
from memdesk.model.instant import DAY, from_datetime, to_datetime
from memdesk.store.words import CJK, folded

YEARS_BACK = 10
"""Number of years searched for a day or month without a year: the current one and the nine before it."""
Days = tuple[date, date]
"""First day, and the day after the last."""
Reader = Callable[["_Phrase"], Iterator[Days]]
_LATIN = (ENGLISH, GERMAN, SPANISH, FRENCH)
_WORD = re.compile(r"[^\W\d_]+")
_CJK_CHARACTER = re.compile(f"[{CJK}]")
_KANA = re.compile("[ぁ-ゖァ-ヺ]")
_BETWEEN = re.compile(
    r"(?:\b(?:between|from|zwischen|von|vom|entre|desde|de|du)\s+(?:the\s+|el\s+|le\s+)?|从|自)$"
)
"""Word before two times joined by "and" that makes them the ends of a range."""
_CLEAR = 4
"""Least length of an English month that is no other word alone; "may" and "march" are left out too."""
_DAYS = {"day": 1, "week": 7, "weekend": 2, "month": 30, "year": 365}
_VERBS = frozenset(("may", "march", "mar", "jan", "jun"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Time that a text mentions. start, end: its place in the lower-case text. spans: half-open, in UTC microseconds,
    the newest first. reader: name of the reader of its phrase."""

    start: int
    end: int
    spans: tuple[tuple[int, int], ...]
    reader: str

    @property
    def is_date(self) -> bool:
        """Return True for a date, which a memory may contain in the same words."""
        return self.reader == "calendar"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Phrase:
    """Phrase that was read: its parts, the day on which it was asked, and its language's words."""

    parts: Mapping[str, str | None]
    today: date
    words: TimeWords


def dates_in(text: str, now: datetime) -> list[tuple[int, int]]:
    """Return the times that a text mentions, as half-open spans of UTC microseconds. now: as in `mentions`."""
    return [span for mention in mentions(text, now) for span in mention.spans]


def mentions(text: str, now: datetime) -> list[Mention]:
    """Return the times that a text mentions, in its order.

    now: aware; its zone defines where days begin. An impossible date (31 June) is skipped."""
    plain = folded(text).lower()
    words = language_of(plain)
    found: list[Mention] = []
    rest = plain
    for pattern, name in _phrases_of(words):
        for match in pattern.finditer(rest):
            phrase = _Phrase(parts=match.groupdict(), today=now.date(), words=words)
            spans = tuple(_instants(days, now) for days in _READERS[name](phrase))
            if spans:
                found.append(Mention(start=match.start(), end=match.end(), spans=spans, reader=name))
        # A phrase that was read is hidden from the shorter ones; places in the text stay.
        rest = pattern.sub(lambda match: ";" * len(match[0]), rest)
    found.sort(key=lambda mention: mention.start)
    return _ranges(plain, found, words, now)


_BEFORE_DATE = re.compile(r"^[a-z]{3,6}day,?\s+(?=\d)", re.IGNORECASE)
_DOTTED = re.compile(r"(\d{1,2})\.\s*(\d{1,2})\.(?:\s*(\d{4}))?")
"""Dates as a person types them into a field; within a sentence, these forms are also versions and times."""
_MONTH_NAMES = {number: name for name, number in ENGLISH.months.items()}


def days_named(text: str, now: datetime) -> tuple[date, date] | None:
    """Return the first and the last day of a text that is one time and nothing else: "yesterday", 上周, "18.11.",
    "Wednesday 18 November". None for any other text. now: as in `mentions`."""
    text = _BEFORE_DATE.sub("", text.strip())
    if (dotted := _DOTTED.fullmatch(text)) and (month := _MONTH_NAMES.get(int(dotted[2]))):
        text = f"{dotted[1]} {month} {dotted[3] or ''}"
    found = mentions(text, now)
    if len(found) != 1 or any(map(str.isalnum, folded(text[: found[0].start] + text[found[0].end :]))):
        return None
    start, end = (to_datetime(at).astimezone(now.tzinfo).date() for at in found[0].spans[0])
    return start, max(start, end - timedelta(days=1))


def asks_latest(text: str) -> bool:
    """Return True if a text asks for the last time that an event happened."""
    plain = folded(text).lower()
    return re.search(language_of(plain).latest, plain) is not None


def without(text: str, found: list[Mention]) -> str:
    """Return a text without its mentions of times; the text itself if no letter or digit is left."""
    rest = folded(text)
    if len(rest.lower()) != len(rest):
        rest = rest.lower()
    for mention in reversed(found):
        rest = f"{rest[: mention.start]} {rest[mention.end :]}"
    return " ".join(rest.split()) if any(map(str.isalnum, rest)) else text


def language_of(plain: str) -> TimeWords:
    """Return the vocabulary of the language that a lower-case text is written in, English if nothing tells."""
    if _CJK_CHARACTER.search(plain):
        return JAPANESE if _KANA.search(plain) else CHINESE
    spoken = set(_WORD.findall(plain))
    known = [len(spoken & words.cues) + len(spoken & {*words.months, *words.words}) for words in _LATIN]
    return _LATIN[known.index(max(known))]


def _ranges(plain: str, found: list[Mention], words: TimeWords, now: datetime) -> list[Mention]:
    """Return the mentions with two that form a range joined, and those before or after which something is sought
    opened."""
    made: list[Mention] = []
    ranges: list[Mention] = []
    for mention in found:
        joint = re.fullmatch(words.joined, plain[made[-1].end : mention.start]) if made else None
        if joint is not None and (joint["and"] is None or any(map(_BETWEEN.search, _leads(plain, made[-1])))):
            made[-1] = _joined(made[-1], mention)
            ranges.append(made[-1])
        else:
            made.append(mention)
    return [each if each in ranges else _opened(plain, each, words, now) for each in made]


def _joined(first: Mention, second: Mention) -> Mention:
    spans = tuple(
        (start, end)
        for start, end in ((_last_before(first, end), end) for _, end in second.spans)
        if start is not None and start < end
    )
    return replace(first, end=second.end, spans=spans or first.spans)


def _last_before(first: Mention, end: int) -> int | None:
    return max((start for start, _ in first.spans if start < end), default=None)


def _opened(plain: str, mention: Mention, words: TimeWords, now: datetime) -> Mention:
    """Return a mention as an open range if something before or after it is sought."""
    if mention.reader in ("ago", "rolling"):
        return mention
    rest, (start, end) = plain[mention.end :], mention.spans[0]
    for name, pattern in (("before", words.before), ("after", words.after)):
        behind = re.match(words.behind.get(name, "(?!)"), rest)
        led = next(filter(None, (re.search(pattern, lead) for lead in _leads(plain, mention))), None)
        if behind is None and led is None:
            continue
        length = _length_us(led.string[: led.start()], words) if led else None
        if name == "before":
            span = (0 if length is None else start - length, start)
        else:
            span = (start, from_datetime(now) + 1) if length is None else (end, end + length)
        if span[0] < span[1]:
            return replace(mention, end=mention.end + (behind.end() if behind else 0), spans=(span,))
    return mention


def _length_us(lead: str, words: TimeWords) -> int | None:
    """Return the length of a period named before "before" or "after": "the week before", "two days after"."""
    found = _period_at_end(words).search(lead)
    if found is None:
        return None
    count = found["count"]
    number = 1 if count is None else int(count) if count.isdecimal() else words.counts[count]
    return number * _DAYS[words.units[found["unit"]]] * DAY


@cache
def _period_at_end(words: TimeWords) -> re.Pattern[str]:
    count = r"(?P<count>\d{1,3}|" + _either(words.counts) + ")"
    return re.compile(rf"\b(?:{count}\s+)?{_group('unit', words.units)}s?\s+$")


def _leads(plain: str, mention: Mention) -> tuple[str, str]:
    """Return the text before a mention, alone and with its first word: a phrase may have read the word before its
    time too ("before March")."""
    lead = plain[: mention.start]
    own = re.match(r"[^\W\d]+\s+", plain[mention.start : mention.end])
    return lead, lead + (own[0] if own else "")


def _instants(days: Days, now: datetime) -> tuple[int, int]:
    start, end = (datetime(day.year, day.month, day.day, tzinfo=now.tzinfo) for day in days)
    return from_datetime(start), from_datetime(end)


@cache
def _phrases_of(words: TimeWords) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the compiled phrases of a language, each with its reader's name."""
    clear = [name for name in words.months if len(name) >= _CLEAR and name not in _VERBS]
    slots = {
        "MONTH": _group("month", words.months),
        "CLEAR_MONTH": _group("month", clear),
        "NUMBER_MONTH": r"(?P<number_month>1[0-2]|0?[1-9])",
        "DAY": r"(?P<day>3[01]|[12]\d|0?[1-9])",
        "YEAR": r"(?P<year>(?:19|20)\d\d)",
        "COUNT": r"(?P<count>\d{1,3}|" + _either(words.counts) + ")",
        "UNIT": _group("unit", words.units),
        "WEEKDAY": _group("weekday", words.weekdays),
        "SEASON": _group("season", words.seasons),
        "WHICH": _group("which", words.which),
        "PART": _group("part", words.parts),
        "WORD": _group("word", words.words),
    }

    def filled(pattern: str) -> str:
        return re.sub(r"\{([A-Z_]+)\}", lambda slot: slots[slot[1]], pattern)

    return tuple((re.compile(filled(pattern)), name) for name, pattern in words.phrases)


def _group(name: str, words: Mapping[str, object] | list[str]) -> str:
    return f"(?P<{name}>{_either(words)})"


def _either(words: Mapping[str, object] | list[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def _calendar(phrase: _Phrase) -> Iterator[Days]:
    given, today = phrase.parts, phrase.today
    month, day = _month_of(phrase), int(given.get("day") or 0)
    for year in _years(phrase):
        days = _span(year, month, day)
        if days is not None and days[0] <= today:
            yield _part_of(days, phrase)


def _years(phrase: _Phrase) -> range:
    """Return the years that a phrase may mean, the newest first."""
    given, today = phrase.parts, phrase.today
    if written := given.get("year"):
        return range(int(written), int(written) + 1)
    which = given.get("which")
    back = phrase.words.which.get(which, 0) if which else None
    if back is None:
        return range(today.year, today.year - YEARS_BACK, -1)
    # "Last May" of a year whose May is over is this year's; written "去年五月" names the year itself.
    month = _month_of(phrase) or phrase.words.seasons.get(given.get("season") or "", 1)
    recent = phrase.words.has_spaces and back == 1 and (month < today.month)
    year = today.year - (0 if recent else back)
    return range(year, year - 1, -1)


def _month_of(phrase: _Phrase) -> int:
    """Return the month that a phrase names, 0 if none."""
    if number := phrase.parts.get("number_month"):
        return int(number)
    return phrase.words.months.get(phrase.parts.get("month") or "", 0)


def _span(year: int, month: int, day: int) -> Days | None:
    try:
        if not month:
            return date(year, 1, 1), date(year + 1, 1, 1)
        if not day:
            return date(year, month, 1), _months_later(date(year, month, 1), 1)
        return date(year, month, day), date(year, month, day) + timedelta(days=1)
    except ValueError:
        return None


def _part_of(days: Days, phrase: _Phrase) -> Days:
    """Return the first, middle or last third of a period if the phrase names one of them."""
    part = phrase.words.parts.get(phrase.parts.get("part") or "")
    if part is None:
        return days
    first, end = days
    third = max(1, (end - first).days // 3)
    if part == EARLY:
        return first, first + timedelta(days=third)
    if part == MIDDLE:
        return first + timedelta(days=third), end - timedelta(days=third)
    return end - timedelta(days=third), end


def _season(phrase: _Phrase) -> Iterator[Days]:
    month = phrase.words.seasons[phrase.parts["season"] or ""]
    for year in _years(phrase):
        first = date(year, month, 1)
        if first <= phrase.today:
            yield _part_of((first, _months_later(first, 3)), phrase)


def _word(phrase: _Phrase) -> Iterator[Days]:
    yield _unit_around(phrase.today - timedelta(days=phrase.words.words[phrase.parts["word"] or ""]), "day")


def _weekday(phrase: _Phrase) -> Iterator[Days]:
    """Yield the last such day before today; 上周五 and 先週の金曜日 name the week before this one, 这周五 and
    今週の金曜日 this one, also where that day is to come."""
    wanted, today = phrase.words.weekdays[phrase.parts["weekday"] or ""], phrase.today.weekday()
    back = (today - wanted - 1) % 7 + 1
    if phrase.parts.get("this_week") or phrase.parts.get("week_before"):
        back = today - wanted + (7 if phrase.parts["week_before"] else 0)
    yield _unit_around(phrase.today - timedelta(days=back), "day")


def _period(phrase: _Phrase) -> Iterator[Days]:
    unit = phrase.words.units[phrase.parts["unit"] or ""]
    back = phrase.words.which.get(phrase.parts.get("which") or "", 0)
    yield _part_of(_unit_around(_units_before(phrase.today, unit, back), unit), phrase)


def _ago(phrase: _Phrase) -> Iterator[Days]:
    unit = phrase.words.units[phrase.parts["unit"] or ""]
    yield _unit_around(_units_before(phrase.today, unit, _count(phrase)), unit)


def _rolling(phrase: _Phrase) -> Iterator[Days]:
    unit = phrase.words.units[phrase.parts["unit"] or ""]
    yield phrase.today - timedelta(days=_DAYS[unit] * _count(phrase)), phrase.today + timedelta(days=1)


def _count(phrase: _Phrase) -> int:
    said = phrase.parts["count"] or ""
    return int(said) if said.isdecimal() else phrase.words.counts[said]


def _unit_around(day: date, unit: str) -> Days:
    """Return the calendar day, week from Monday, weekend, month or year that contains a day."""
    if unit == "day":
        return day, day + timedelta(days=1)
    monday = day - timedelta(days=day.weekday())
    if unit == "week":
        return monday, monday + timedelta(days=7)
    if unit == "weekend":
        return monday + timedelta(days=5), monday + timedelta(days=7)
    first = day.replace(day=1) if unit == "month" else day.replace(month=1, day=1)
    return first, _months_later(first, 1 if unit == "month" else 12)


def _units_before(day: date, unit: str, count: int) -> date:
    if unit in ("day", "week", "weekend"):
        return day - timedelta(days=count * (1 if unit == "day" else 7))
    return _months_later(day.replace(day=1), -count * (1 if unit == "month" else 12))


def _months_later(first: date, months: int) -> date:
    years, month = divmod(first.month - 1 + months, 12)
    return date(max(1, first.year + years), month + 1, 1)


_READERS: dict[str, Reader] = {
    "calendar": _calendar,
    "season": _season,
    "word": _word,
    "weekday": _weekday,
    "period": _period,
    "ago": _ago,
    "rolling": _rolling,
}
