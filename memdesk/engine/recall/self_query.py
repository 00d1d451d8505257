"""Self-query: filters read from the query itself, by rules, and by the language model if a setting allows it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.recall.query import HOUR_US, WINDOW_HOURS, ResolvedQuery
from memdesk.engine.recall.query_reading import Reading, is_bare, may_name_channel, read
from memdesk.engine.recall.techniques import TechniqueResult
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import ModelUnavailable
from memdesk.model.instant import to_datetime
from memdesk.model.message import NO_MESSAGE, Message, joined, message
from memdesk.store import search
from memdesk.store.connection import Connection

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
