"""Self-query: filters read from the query itself, by rules, and by the language model if a setting allows it.

The rules read the time at which memories were created, and the channel named. A time may be when a memory was
created ("what did I say last week about …") or the subject of the question ("when did Jun move, in March?"). Only
the first narrows a search, and only if the phrasing is unambiguous."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.recall.query import HOUR_US, WINDOW_HOURS, ResolvedQuery, terms
from memdesk.engine.recall.techniques import TechniqueResult
from memdesk.engine.recall.time_mentions import asks_latest, dates_in, mentions, without
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import ModelUnavailable
from memdesk.model.instant import DAY, from_datetime, to_datetime
from memdesk.model.message import NO_MESSAGE, Message, joined, message
from memdesk.store import search
from memdesk.store.connection import Connection
from memdesk.store.words import folded

Span = tuple[int, int]
DATE_WORD = 4
"""Least length of a word of a date that is searched for: a month or a year; the number of a day is in anything."""

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
    agree agreed ask asked note noted write wrote written happen happened 们说 说了 讨论 论了 聊了 决定 定了 提到
"""
_SAID = frozenset(_SAYINGS.split())
"""Words of a query that only express a statement, which its time already covers."""
_NAMING = re.compile("#|channel|project|频道|頻道|项目|項目", re.IGNORECASE)
_ABOUT_BEFORE = re.compile(
    r"\b(?:about|of|before|after|since|until|by)\s+(?:the\s+)?$|(?:关于|關於|自从|直到)$"
)
_OWNS_AFTER = re.compile(r"(?:'s|’s)\b|的")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Result of reading a query.

    created: spans in which the wanted memories were created, [start, end) in UTC microseconds. named: times
    mentioned otherwise. channel: the channel named, None if none is. text: the query without the parts that
    were read. subject: the text without any time; dates: the words of its dates, which a memory may contain but
    need not. latest: it asks for the last time that an event happened."""

    text: str
    subject: str
    dates: tuple[str, ...] = ()
    latest: bool = False
    created: tuple[Span, ...] = ()
    named: tuple[Span, ...] = ()
    channel: str | None = None


def read(text: str, now: datetime, channels: Iterable[str]) -> Reading:
    """Read a query. now: aware; its zone defines where days begin. channels: the names that can be meant."""
    channel, rest = _channel(text, channels)
    plain = folded(rest).lower()
    spans = tuple(_relative_spans(plain, now)) if _SAYING.search(plain) else ()
    rest = _without_times(rest) if spans else rest
    found = mentions(rest, now)
    named = tuple(dates_in(plain, now)) if spans else tuple(span for each in found for span in each.spans)
    written = " ".join(plain[each.start : each.end] for each in found if each.is_date) if not spans else ""
    return Reading(
        text=rest,
        subject=without(rest, found),
        dates=tuple(term for term in terms(written) if len(term) >= DATE_WORD) if written else (),
        latest=asks_latest(plain),
        created=spans,
        named=named,
        channel=channel,
    )


def is_bare(text: str) -> bool:
    """Return True if a query that names a time asks for no subject: "what did I say", "what happened"."""
    return all(term in _SAID for term in terms(text))


def _relative_spans(plain: str, now: datetime) -> Iterator[Span]:
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


def may_name_channel(text: str) -> bool:
    """Return True if a text has a word that a mention of a channel needs."""
    return _NAMING.search(text) is not None


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


TEMPERATURE = 0.2
TOKENS = 200
"""Most tokens of the model's reply; it and the temperature are AgentX's values."""
KEYWORDS_AT_MOST = 10
_TASK = (
    "Read filters out of a question that is asked of a memory. Answer with one JSON object and nothing else: "
    '{"time_window_hours": number or null, "keywords": [words], "entity_type": text or null}. '
    "time_window_hours only when the question says that the memory itself was told within that time (yesterday 24, "
    "last week 168, last month 720). entity_type: Person, Organization, Location, Concept, Technology, Product, Event."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Model:
    """Filters that the language model read. failed: the reason why it read none."""

    hours: float | None = None
    keywords: tuple[str, ...] = ()
    entity_type: str = ""
    failed: Message = NO_MESSAGE


def read_filters(engine: Engine, db: Connection, asked: ResolvedQuery) -> TechniqueResult:
    """Narrow the query by the times and the channel it names."""
    now = to_datetime(engine.clock()).astimezone()
    channels = search.channels_of(db, asked.query.user_id) if may_name_channel(asked.text) else ()
    reading = read(asked.text, now, channels)
    narrowed = _narrowed(asked, reading)
    model = _ask_model(engine, asked.text)
    if model is not None:
        narrowed = _narrowed_by_model(engine, narrowed, model)
    return TechniqueResult(asked=narrowed, says=_note(reading, model))


def _narrowed(asked: ResolvedQuery, reading: Reading) -> ResolvedQuery:
    channels = asked.channels
    if reading.channel is not None:
        others = asked.channels if asked.query.every_channel else ()
        channels = tuple(dict.fromkeys((reading.channel, GLOBAL, *others)))
    # "What did I say yesterday?" and "what happened in June" ask for whatever there is of that time.
    bare = bool(reading.named) and is_bare(reading.subject)
    return replace(
        asked,
        text=reading.subject,
        dates=reading.dates,
        latest=reading.latest,
        channels=channels,
        read=reading.named if bare and not reading.created else reading.created,
        named=reading.named,
        floor=0.0 if bare else asked.floor,
    )


def _narrowed_by_model(engine: Engine, asked: ResolvedQuery, model: _Model) -> ResolvedQuery:
    read_before = asked.read
    if model.hours and not read_before:
        now = engine.clock()
        read_before = ((now - round(model.hours * HOUR_US), now + 1),)
    variants = (" ".join(model.keywords),) if model.keywords else ()
    return replace(asked, read=read_before, variants=variants, entity_type=model.entity_type)


def _ask_model(engine: Engine, text: str) -> _Model | None:
    if engine.language is None or not engine.settings.recall_self_query_model:
        return None
    try:
        answer = engine.language.complete(
            system=_TASK, prompt=text, max_tokens=TOKENS, temperature=TEMPERATURE
        )
        return _parsed_filters(answer.text)
    except ModelUnavailable as error:
        return _Model(failed=error.says)


def _parsed_filters(answer: str) -> _Model:
    """Return the valid parts of the model's JSON."""
    found = re.search(r"\{.*\}", answer, re.DOTALL)
    try:
        said: Any = json.loads(found[0]) if found else None
    except ValueError:
        said = None
    if not isinstance(said, dict):
        return _Model(failed=message("The language model's reading was not JSON."))
    hours, words, type = (said.get(name) for name in ("time_window_hours", "keywords", "entity_type"))
    return _Model(
        hours=_sound_hours(hours),
        keywords=_sound_words(words),
        entity_type=type if isinstance(type, str) else "",
    )


def _sound_hours(said: Any) -> float | None:
    if isinstance(said, bool) or not isinstance(said, int | float):
        return None
    return float(said) if 0 < said <= WINDOW_HOURS else None


def _sound_words(said: Any) -> tuple[str, ...]:
    words = said if isinstance(said, list) else []
    return tuple(word for word in words if isinstance(word, str))[:KEYWORDS_AT_MOST]


def _note(reading: Reading, model: _Model | None) -> Message:
    parts = []
    if reading.channel is not None:
        parts.append(message("Read the channel {channel}.", channel=reading.channel))
    if reading.created:
        days = [_days(*span) for span in reading.created]
        parts.append(message("Read when it was told: {days}.", days=days))
    elif reading.named:
        parts.append(message("It names a time, which counts as a hint."))
    if model is not None and model.failed:
        parts.append(joined(model.failed, message("Rules alone read the query.")))
    elif model is not None and model.hours:
        parts.append(message("The language model reads the last {count} hours.", count=f"{model.hours:g}"))
    return joined(*parts)


def _days(start: int, end: int) -> str:
    first, last = (to_datetime(at).astimezone().date() for at in (start, end - 1))
    return f"{first}" if first == last else f"{first} to {last}"
