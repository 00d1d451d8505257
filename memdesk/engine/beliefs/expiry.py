"""Ends of claims: states that last for hours, claims with a last day, events whose day has passed, and what happens
once in the life of its subject."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from importlib import resources

from memdesk.engine.beliefs.lexicon import language_of, lexicon, shared
from memdesk.engine.beliefs.reading import read
from memdesk.engine.beliefs.words import normalised
from memdesk.model.instant import from_datetime, to_datetime

MOMENT = timedelta(hours=12)
"""Time for which a momentary state ("is on the train") is believed."""
_DAY = r"#date::(\d+)-(\d+)(?:\s+#(?:num|year)::((?:19|20)\d\d))?"

_ONCE = shared("once")


@dataclass(frozen=True, slots=True)
class _Endings:
    """Patterns of one language. lasting: a last day, in normalised text."""

    momentary: re.Pattern[str]
    lasting: re.Pattern[str] | None
    closed: re.Pattern[str] | None
    upcoming: re.Pattern[str]


@cache
def _endings(language: str) -> _Endings:
    raw = tomllib.loads((resources.files(__package__) / "lexicon" / "expiry.toml").read_text("utf-8"))[
        language
    ]
    return _Endings(
        momentary=re.compile(raw["momentary"]),
        lasting=re.compile(rf"{raw['until']}\s*(?:the )?{_DAY}") if raw["until"] else None,
        closed=re.compile(rf"{_DAY}\s*{raw['after']}") if raw["after"] else None,
        upcoming=re.compile(raw["upcoming"]),
    )


def expires_at(claim: str, at: int) -> int | None:
    """Return when a claim stops being true, in UTC microseconds; None if it says nothing of that.

    at: the time it is learned. A day without a year is the next such day."""
    text, ends = _read(claim)
    for pattern in filter(None, (ends.lasting, ends.closed)):
        if (match := pattern.search(text)) is not None:
            return _end_of_day(match, at)
    return at + int(MOMENT.total_seconds() * 1e6) if ends.momentary.search(claim.lower()) else None


def is_over(claim: str, learned_at: int, at: int) -> bool:
    """Return True for an event whose day has passed: the day it names, with its year."""
    text, ends = _read(claim)
    if ends.upcoming.search(claim.lower()) is None:
        return False
    days = [_end_of_day(match, learned_at) for match in re.finditer(_DAY, text) if match[3]]
    return bool(days) and max(day for day in days if day is not None) < at


def happened_once(claim: str) -> bool:
    """Return True for what happens once in the life of its subject, such as a birth, so that its day never changes."""
    written = {
        part
        for clause in read(claim).clauses
        for token in clause.tokens
        for part in (token.text, token.written)
    }
    return not _ONCE.isdisjoint(written)


def _read(claim: str) -> tuple[str, _Endings]:
    text = unicodedata.normalize("NFKC", claim).strip().strip(".。!！ ").lower()
    language = language_of(text)
    words = lexicon(language)
    # Only days are looked for, and where spaces part words each has a digit or its month.
    dayless = words.spaced and not any(each.isdigit() for each in text)
    if dayless and not any(month in text for month in words.months):
        return text, _endings(language)
    return normalised(text, words), _endings(language)


def _end_of_day(match: re.Match[str], at: int) -> int | None:
    now = to_datetime(at)
    try:
        day = datetime(int(match[3] or now.year), int(match[1]), int(match[2]), 23, 59, 59, tzinfo=now.tzinfo)
    except ValueError:
        return None
    if not match[3] and day < now:
        day = day.replace(year=day.year + 1)
    return from_datetime(day)
