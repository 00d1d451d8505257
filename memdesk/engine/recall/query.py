"""Query of a recall: its words, the names among them, and the values that it leaves open, taken from the settings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
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
from memdesk.store.words import CJK, bigrams, folded, is_run

TERMS_MAX = 16
"""Most distinct terms of a query: in a longer one, such as a pasted page, each further term only adds cost."""

_SUBJECT = re.compile(r"([A-ZÀ-Þ][\w'’-]*(?: [A-ZÀ-Þ][\w'’-]*)*)(?:['’]s)?\s+[a-zß-ÿ]")
"""Name that begins a fact, before its verb."""
# Numbers keep their inner marks (3.12, 2023-05-07, 10:30) and are matched as phrases.
_TERM = re.compile(rf"[{CJK}]+|\d+(?:[.:/-]\d+)+|[^\W_{CJK}]+")
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u02bc": "'", "\uff07": "'"})
_CONTRACTION = re.compile(r"(?<=\w)'(?:s|d|m|t|ll|re|ve)\b")

_ENGLISH = """
    a about after again ago all also always am an and any anyone anything are aren as at be because been before
    being both but by can could couldn d did didn do does doesn doing don done during each either else ever
    every few for from further get gets getting go goes going gone got had hadn has hasn have haven having he
    her here hers herself him himself his how i if in into is isn it its itself just kind likely ll m many may
    maybe me might mine more most much must my myself no nor not now of off on once one only onto or other our
    ours ourselves out over own per re s same shall she should shouldn so some someone something still such t
    than that the their theirs them themselves then there these they thing things this those through to too
    type under until up upon us ve very was wasn we were weren what whatever when whenever where whichever which
    while who whom whose why will with won would wouldn yes yet you your yours yourself
"""
STOPWORDS: frozenset[str] = frozenset(_ENGLISH.split())
"""English words that express the form of a question and not its subject; leaving them out is worth 7 points
of recall@10 on LoCoMo."""

ROLES = frozenset({"user", "assistant", "agent", "system", "tool", "human", "ai"})
"""Role names that runtimes give to the speakers of a turn."""

_QUESTION_RUNS = """
    为什么 為什麼 什么时候 什麼時候 什么样 什么 什麼 怎么样 怎么 怎麼 怎樣 如何 哪里 哪裡 哪儿 哪个 哪個 哪些 多少 几个
    何时 多久 多长 多長 多大 几点 幾點 哪天 哪年 哪一 你知道 是不是 有没有 有沒有 是否 请问
    でしたか ましたか ですか ますか どうして なぜ どこ どの どれ だれ なに いつ
"""
STOP_RUNS: tuple[str, ...] = tuple(_QUESTION_RUNS.split())
"""Chinese and Japanese question words. A run is cut in two at each of them, so that no half bigram remains."""

STOP_CHARACTERS: frozenset[str] = frozenset(
    "谁誰吗嗎呢吧啊呀的了着過过是我你他她它们們和与與在也就都不有はがをにのともでかへや"
)
"""Particles and pronouns of Chinese and Japanese: a term of only these is left out."""

_STOP_RUN = re.compile("|".join(sorted(map(re.escape, STOP_RUNS), key=len, reverse=True)))


def terms(query: str) -> tuple[str, ...]:
    """Return the distinct words of a query in order, lower case, at most TERMS_MAX, without stop words.

    A query of only stop words keeps them all, because they are its subject. CJK runs become bigrams, a lone
    CJK character remains as it is."""
    plain = _plain(query)
    if plain.isascii():
        every = list(dict.fromkeys(_TERM.findall(plain)))
        return tuple(([term for term in every if term not in STOPWORDS] or every)[:TERMS_MAX])
    telling = [term for term in _distinct(_STOP_RUN.sub(" ", plain)) if not _is_stop(term)]
    return tuple((telling or _distinct(plain))[:TERMS_MAX])


def _plain(text: str) -> str:
    """Return a text in lower case without the ends of contractions."""
    return _CONTRACTION.sub("", folded(text).lower().translate(_APOSTROPHES))


def content_words(text: str) -> frozenset[str]:
    """Return all words of a text that `terms` takes from a query, however many; none for one of only stop words."""
    plain = _plain(text)
    if plain.isascii():
        return frozenset(_TERM.findall(plain)) - STOPWORDS
    return frozenset(term for term in _distinct(_STOP_RUN.sub(" ", plain)) if not _is_stop(term))


def named(query: str, speakers: Iterable[str]) -> frozenset[str]:
    """Return the speakers that a query names by any part of their name. Roles such as "user" are not names."""
    asked = set(terms(query))
    # A recall compares some fifty names: most have no term of the query anywhere, and are not cut into terms.
    near = [who for who in speakers if not who.isascii() or any(map(_plain(who).__contains__, asked))]
    return frozenset(who for who in near if who.lower() not in ROLES and asked.intersection(terms(who)))


def subject_of(claim: str) -> str:
    """Return the name that begins a claim, before its verb; "" if none does."""
    found = _SUBJECT.match(claim)
    return "" if found is None else found[1]


def first_name(name: str) -> str | None:
    """Return the first word of a name; None for a role or a stop word."""
    first = name.split()[0]
    return None if first.lower() in ROLES or first.lower() in STOPWORDS else first


def subject(query: str, names: Iterable[str]) -> str:
    """Return the query for the vector search: without the speakers it names, or unchanged if no word is left.

    A name pulls the vector towards every turn that greets the person: leaving it out lifts the bundled table
    alone from 21 to 57 on LoCoMo."""
    spoken = {re.escape(part) for name in names for part in (name, *name.split())}
    if not spoken:
        return query
    longest_first = "|".join(sorted(spoken, key=len, reverse=True))
    # Chinese and Japanese have no spaces around a name.
    edge_before, edge_after = rf"(?<![^\W{CJK}])", rf"(?![^\W{CJK}])"
    rest = re.sub(
        rf"{edge_before}(?:{longest_first})(?:['\u2019]s)?{edge_after}", " ", query, flags=re.IGNORECASE
    )
    return " ".join(rest.split()) if terms(rest) else query


def spaced_names(query: str, names: Iterable[str]) -> str:
    """Return the query with spaces around the Chinese and Japanese names of these that it has, "" if it has none: a
    bigram across the edge of a name is in no memory."""
    found = [name for name in names if is_run(name) and name in query]
    for name in found:
        query = query.replace(name, f" {name} ")
    return query if found else ""


def _cut(part: str) -> list[str]:
    return bigrams(part) if len(part) > 1 and is_run(part) else [part]


def _distinct(plain: str) -> list[str]:
    return list(dict.fromkeys(term for part in _TERM.findall(plain) for term in _cut(part)))


def _is_stop(term: str) -> bool:
    return term in STOPWORDS or STOP_CHARACTERS.issuperset(term)


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
