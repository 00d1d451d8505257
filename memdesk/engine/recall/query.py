"""Resolve a query: check it, and take the values it leaves open from the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from memdesk.engine.engine import Engine
from memdesk.engine.recall.time_mentions import dates_in
from memdesk.model.browse import Find
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT
from memdesk.model.instant import optional_instant, to_datetime
from memdesk.model.kind import RECALLED, SEARCHED
from memdesk.model.message import message
from memdesk.model.recall import TECHNIQUES, WEIGHTS, Query
from memdesk.model.settings import Settings
from memdesk.store import episodic, search, semantic
from memdesk.store.connection import Connection
from memdesk.store.search import Scope

LIMIT_AT_MOST = 100
TURNS_AT_MOST = 100
QUERY_CHARACTERS = 10_000
"""Most characters of a query; AgentX refuses longer ones too."""
FILTERS_AT_MOST = 50
HOUR_US = 3_600_000_000
WINDOW_HOURS = 24 * 366 * 200
"""Longest time window in hours: two centuries cover all of memory."""

Span = tuple[int, int]
"""Half-open span of UTC microseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedQuery:
    """Resolved query: its text, its scope and its rules. Techniques that read the query return a narrower
    one.

    text: the search text, as the techniques so far have changed it. channels: the active one first. since,
    until: UTC microseconds; seqs: lowest and highest search number of that time, None for all time or if
    there are too many memories to count. read: spans in which, by the query's own words, its memories were
    created, empty if it names none; named: times it mentions otherwise; dates: words of its dates; latest: it asks
    for the last time of something. entity_type: of the entities to
    follow, "" for any. weights: by the names of WEIGHTS."""

    query: Query
    text: str
    channels: tuple[str, ...]
    limit: int
    floor: float
    per_conversation: int
    recent_turns: int
    techniques: frozenset[str]
    weights: Mapping[str, float]
    since: int | None
    until: int | None
    seqs: tuple[int, int] | None = None
    read: tuple[Span, ...] = ()
    named: tuple[Span, ...] = ()
    dates: tuple[str, ...] = ()
    latest: bool = False
    variants: tuple[str, ...] = ()
    entity_type: str = ""

    @property
    def kinds(self) -> tuple[str, ...]:
        return self.query.kinds

    @property
    def active(self) -> str:
        """Return the channel in which the query was asked."""
        return self.channels[0] if self.channels else GLOBAL

    @property
    def preferred(self) -> str | None:
        """Return the channel whose memories come first if all else is equal; None if all channels are asked alike."""
        return None if self.query.every_channel and self.active == GLOBAL else self.active

    @property
    def scope(self) -> Scope:
        return replace(scope_of(self.query.user_id, self.channels, self.kinds), seqs=self.seqs)


def resolve_query(engine: Engine, db: Connection, query: Query) -> ResolvedQuery:
    """Return the query with all values resolved. Raises BadAsk if it is not valid."""
    settings = engine.settings
    query = _tidied(query)
    check(query.text, query.kinds, _value_or(query.limit, settings.recall_limit))
    _check_rules(query)
    since, until = _since(query, engine.clock()), optional_instant(query.until)
    return ResolvedQuery(
        query=query,
        text=query.text,
        channels=_channels(db, query),
        limit=_value_or(query.limit, settings.recall_limit),
        floor=settings.recall_floor if query.floor is None else query.floor,
        per_conversation=_value_or(query.per_conversation, settings.recall_per_conversation),
        recent_turns=_value_or(query.recent_turns, settings.recall_recent_turns),
        techniques=frozenset(_wanted(settings) if query.techniques is None else query.techniques),
        weights=_weights(settings) | query.weights,
        since=since,
        until=until,
        seqs=episodic.numbers_between(db, query.user_id, since, until),
    )


def foresee(db: Connection, query: Query) -> None:
    """Read what every recall of a query reads, to be read ahead."""
    channels = _channels(db, _tidied(query))
    search.size_of(db, scope_of(query.user_id, channels, query.kinds))
    semantic.profile_of(db, query.user_id)


def search_box_query(
    engine: Engine, ask: Find, channels: tuple[str, ...], kinds: tuple[str, ...]
) -> ResolvedQuery:
    """Return the resolved query of a search box: words and vectors alone, without a floor."""
    now = to_datetime(engine.clock()).astimezone()
    return ResolvedQuery(
        query=Query(text=ask.text, user_id=ask.user_id, kinds=kinds),
        text=ask.text,
        channels=channels,
        limit=ask.limit,
        floor=0.0,
        per_conversation=0,
        recent_turns=0,
        techniques=frozenset(("hybrid",)),
        weights=_weights(engine.settings),
        since=None,
        until=None,
        named=tuple(dates_in(ask.text, now)),
    )


def scope_of(user_id: str, channels: tuple[str, ...], kinds: tuple[str, ...]) -> Scope:
    """Return the search scope for these kinds: an entity is also found by its other names."""
    return Scope(user_id=user_id, channels=channels, kinds=(*kinds, "alias") if "entity" in kinds else kinds)


def check(text: str, kinds: tuple[str, ...], limit: int) -> None:
    """Raise BadAsk for an empty or too long text, a kind that cannot be recalled, or a limit out of range."""
    if not text.strip():
        raise BadAsk(message("The query is empty."), next=message("Say what to look for."))
    if len(text) > QUERY_CHARACTERS:
        raise BadAsk(
            message(
                "The query has {count} characters; {most} at most.",
                count=f"{len(text):,}",
                most=f"{QUERY_CHARACTERS:,}",
            )
        )
    _check_known("kinds", kinds, SEARCHED)
    if not 1 <= limit <= LIMIT_AT_MOST:
        raise BadAsk(message("limit lies between 1 and {count}.", count=LIMIT_AT_MOST))


def _check_rules(query: Query) -> None:
    _check_known("techniques", query.techniques or (), TECHNIQUES)
    _check_known("weights", tuple(query.weights), WEIGHTS)
    for name, value in (
        ("min_confidence", query.min_confidence),
        ("floor", query.floor),
        *query.weights.items(),
    ):
        _check_within(name, value, 1)
    _check_within("per_conversation", query.per_conversation, TURNS_AT_MOST)
    _check_within("recent_turns", query.recent_turns, TURNS_AT_MOST)
    _check_within("time_window_hours", query.time_window_hours, WINDOW_HOURS)
    if len(query.tags) > FILTERS_AT_MOST or len(query.categories) > FILTERS_AT_MOST:
        raise BadAsk(
            message(
                "A query names {count} tags and {most} categories at most.",
                count=FILTERS_AT_MOST,
                most=FILTERS_AT_MOST,
            )
        )
    if query.tiers and FACT.name not in query.kinds:
        raise BadAsk(
            message("tiers recalls facts, which these kinds leave out."),
            next=message("Ask for facts, or without tiers."),
        )


def _check_known(what: str, named: tuple[str, ...], known: tuple[str, ...]) -> None:
    if strange := [name for name in named if name not in known]:
        raise BadAsk(
            message(
                "{what} cannot hold “{strange}”; it may hold {known}.",
                what=what,
                strange=strange[0],
                known=", ".join(known),
            )
        )


def _check_within(name: str, value: float | None, most: int) -> None:
    if value is not None and not 0 <= value <= most:
        raise BadAsk(message("{name} lies between 0 and {count}.", name=name, count=f"{most:,}"))


def _tidied(query: Query) -> Query:
    return replace(query, channel=" ".join(query.channel.split()), kinds=query.kinds or RECALLED)


def _channels(db: Connection, query: Query) -> tuple[str, ...]:
    every = search.channels_of(db, query.user_id) if query.every_channel else ()
    here = semantic.channels_read(db, query.user_id, query.channel)
    return tuple(dict.fromkeys((*here, GLOBAL, *every)))


def _wanted(settings: Settings) -> tuple[str, ...]:
    return tuple(name for name in TECHNIQUES if getattr(settings, f"recall_{name}"))


def _weights(settings: Settings) -> dict[str, float]:
    return {
        "episodic": settings.weight_turns,
        "facts": settings.weight_facts,
        "entities": settings.weight_entities,
        "procedural": settings.weight_strategies,
        "recency": settings.weight_recency,
    }


def _since(query: Query, now: int) -> int | None:
    asked_for = optional_instant(query.since)
    if query.time_window_hours is None:
        return asked_for
    window = now - round(query.time_window_hours * HOUR_US)
    return window if asked_for is None else max(window, asked_for)


def _value_or(value: int | None, otherwise: int) -> int:
    return otherwise if value is None else value
