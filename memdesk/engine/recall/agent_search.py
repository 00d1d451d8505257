"""Searches of agents' tools, limited to what is an agent's own: results that do not fit are removed before any is shown
or reinforced. And searches of frameworks among their items: by namespace, by the fields of their values, by meaning."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.items import item_of, items_under, refreshed
from memdesk.engine.recall.candidates import PassageSource
from memdesk.engine.recall.fusion import Scored
from memdesk.engine.recall.hits import as_seen, hits_of
from memdesk.engine.recall.pipeline import StageResults, recall, record_recall, run_stages
from memdesk.engine.recall.query import LIMIT_AT_MOST, ResolvedQuery, resolve_query
from memdesk.engine.recall_cache import Answered, Returned
from memdesk.model.channel import GLOBAL
from memdesk.model.document import Document, Workspace
from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT, Fact
from memdesk.model.item import ItemList, SearchItems
from memdesk.model.message import message
from memdesk.model.recall import Bundle, Hit, Query
from memdesk.model.tools import ToolCall
from memdesk.model.trust import Reader, is_trusted, of_record, source_words
from memdesk.model.turn import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Piece of a file: lines first_line to last_line, counted from 1. score: of its ranking; relevance: 0 to 1."""

    document: Document
    first_line: int
    last_line: int
    text: str
    score: float
    relevance: float


def passages(
    engine: Engine,
    call: ToolCall,
    text: str,
    homes: Sequence[Workspace],
    limit: int,
    fits: Callable[[Document], bool] = lambda _: True,
    *,
    way: str = "",
    least: float = 0.0,
    one_a_file: bool = False,
) -> list[Passage]:
    """Return the best passages of these workspaces' files that fit, best first. way: found by words or by
    vectors alone.

    least: minimum relevance. one_a_file: only the best of each file. Raises BadAsk for an empty query."""
    ids = {home.id for home in homes}

    def belongs(source: Any) -> bool:
        document = source.document
        return document.workspace_id in ids and fits(document)

    def shown(found: list[Any]) -> Iterable[int]:
        best = {source.document.id: place for place, source in reversed(list(enumerate(found)))}
        return sorted(best.values())[:limit] if one_a_file else range(limit)

    query = _query(call, text, homes[0].channel if homes else GLOBAL, "passage")
    return [
        _passage(source, hit)
        for source, hit in _found(engine, call, query, belongs, shown, way=way, least=least)
    ]


def facts(
    engine: Engine, call: ToolCall, text: str, channel: str, limit: int, *, category: str = ""
) -> list[Fact]:
    """Return the best facts by OpenLegion's three tiers, among the agent's own and those without an agent.
    category: only of this one."""

    def belongs(source: Any) -> bool:
        return is_visible(source.agent_id, call) and category.casefold() in ("", source.category.casefold())

    query = replace(_query(call, text, channel, "fact"), tiers=True, floor=0.0)
    return [source for source, _ in _found(engine, call, query, belongs, lambda _: range(limit))]


def turns(
    engine: Engine,
    call: ToolCall,
    text: str,
    channel: str,
    fits: Callable[[Turn], bool],
    shown: Callable[[list[Turn]], Iterable[int]],
) -> list[Turn]:
    """Return turns of this channel and `_global` that fit, best first: those at the positions that `shown` returns."""
    query = replace(_query(call, text, channel, "turn"), per_conversation=0)
    return [source for source, _ in _found(engine, call, query, fits, shown)]


def is_visible(agent: str | None, call: ToolCall) -> bool:
    """Return True if a record of this agent is the caller's own or has no agent; the owner, naming no agent,
    sees all."""
    everybodys = call.owner and call.place.agent_id is None
    return everybodys or agent is None or agent.casefold() == call.agent.casefold()


def reader_of(call: ToolCall) -> Reader:
    """Return the agent that memory is told to by a tool."""
    agent = (call.place.agent_id or "") if call.owner else call.agent
    return Reader(agent, call.place.conversation_id)


def trust_in(record: Any, call: ToolCall) -> float:
    """Return the trust of the caller's agent in a record."""
    conversation_id = getattr(record, "conversation_id", None)
    return reader_of(call).trust_in(
        of_record(record), agent_id=record.agent_id, conversation_id=conversation_id
    )


def marks(record: Any, call: ToolCall) -> dict[str, Any]:
    """Return the fields that mark a record as not trusted in an answer of JSON; none for a trusted one."""
    trust = trust_in(record, call)
    if is_trusted(trust):
        return {}
    return {"trust": round(trust, 2), "not_trusted": f"quoted from {source_words(record.origin)}"}


def _query(call: ToolCall, text: str, channel: str, kind: str) -> Query:
    return Query(
        text=text,
        channel=channel,
        user_id=call.place.user_id,
        kinds=(kind,),
        session_id=call.place.session_id,
        limit=LIMIT_AT_MOST,
    )


def _found(
    engine: Engine,
    call: ToolCall,
    query: Query,
    belongs: Callable[[Any], bool],
    shown: Callable[[list[Any]], Iterable[int]],
    *,
    way: str = "",
    least: float = 0.0,
) -> list[tuple[Any, Hit]]:
    """Return the matches that belong, best first, at the positions that `shown` returns; only these are
    recorded as recalled."""
    with engine.store.reading() as db:
        whole = resolve_query(engine, db, query)
        journey = run_stages(engine, db, whole)
        kept = [each for each in journey.choice.kept if belongs(journey.pool.sources[each.seq])]
        if way:
            ranks = journey.ranking.places[way]
            kept = sorted((each for each in kept if each.seq in ranks), key=lambda each: ranks[each.seq])
        kept = [each for each in kept if round(journey.ranking.relevances.get(each.seq, 0.0), 4) >= least]
        places = set(shown([journey.pool.sources[each.seq] for each in kept]))
        kept = [each for place, each in enumerate(kept) if place in places]
        hits = as_seen(hits_of(engine, db, journey.pool, journey.ranking, kept), reader_of(call))
    _write_down(engine, call, whole, journey, kept, hits)
    return [(journey.pool.sources[each.seq], hit) for each, hit in zip(kept, hits, strict=True)]


def _write_down(
    engine: Engine,
    call: ToolCall,
    whole: ResolvedQuery,
    journey: StageResults,
    kept: Sequence[Scored],
    hits: tuple[Hit, ...],
) -> None:
    returned = tuple(
        Returned(seq=each.seq, score=each.score, parts=each.parts, source=journey.pool.sources[each.seq])
        for each in kept
    )
    bundle = Bundle(
        query=whole.text,
        hits=hits,
        channels=whole.channels,
        took_ms=journey.base_ms,
        crossed=sum(hit.channel != whole.active for hit in hits),
    )
    answered = Answered(at=engine.clock(), bundle=bundle, returned=returned)
    record_recall(engine, whole.query, answered, author=call.author, took_us=round(journey.base_ms * 1e3))


def _passage(source: PassageSource, hit: Hit) -> Passage:
    return Passage(
        document=source.document,
        first_line=source.first_line,
        last_line=source.last_line,
        text=source.text,
        score=hit.score,
        relevance=hit.relevance,
    )


ITEMS_AT_MOST = 1_000
_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": operator.eq,
    "$ne": operator.ne,
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


def search_items(engine: Engine, ask: SearchItems, *, author: str) -> ItemList:
    """Return items, the last written first; with a query those that a recall finds first, then the others.

    Raises BadAsk for a window out of bounds, or an operator that does not exist."""
    if ask.first < 0 or not 0 <= ask.limit <= ITEMS_AT_MOST:
        raise BadAsk(
            message("first counts from 0, and limit lies between 0 and {count}.", count=f"{ITEMS_AT_MOST:,}")
        )
    with engine.store.reading() as db:
        held = items_under(db, engine, ask.user_id, ask.channel, ask.namespace)
    kept = [fact for fact in held if not ask.where or matches(item_of(fact).value, ask.where)]
    scores = _item_scores(engine, ask, kept, author) if ask.query.strip() and kept else {}
    ranked = sorted(kept, key=lambda fact: -scores.get(fact.id, -1.0))
    window = ranked[ask.first : ask.first + ask.limit]
    found_items = refreshed(engine, window, wanted=ask.refresh, author=author)
    return ItemList(rows=tuple(item_of(fact, scores.get(fact.id)) for fact in found_items))


def matches(value: Any, wanted: Any) -> bool:
    """Return True if a value has the wanted fields. Raises BadAsk for an operator that does not exist."""
    if not isinstance(wanted, dict):
        return bool(value == wanted)
    if any(str(name).startswith("$") for name in wanted):
        return all(_compares(name, value, each) for name, each in wanted.items())
    if not isinstance(value, dict):
        return False
    return all(matches(value.get(name), each) for name, each in wanted.items())


def _compares(name: str, value: Any, wanted: Any) -> bool:
    if name not in _OPERATORS:
        raise BadAsk(
            message("There is no operator {name}.", name=name[:20]),
            next=message("There are {by_name}.", by_name=", ".join(_OPERATORS)),
        )
    try:
        return bool(_OPERATORS[name](float(value), float(wanted)))
    except (TypeError, ValueError):
        pass
    try:
        return bool(_OPERATORS[name](value, wanted))
    except TypeError:
        return False


def _item_scores(engine: Engine, ask: SearchItems, kept: list[Fact], author: str) -> dict[str, float]:
    """Return the relevance of those items that a recall of the channel's facts finds."""
    query = Query(
        text=ask.query,
        channel=ask.channel,
        user_id=ask.user_id,
        kinds=(FACT.name,),
        limit=LIMIT_AT_MOST,
        floor=0.0,
    )
    ids = {fact.id for fact in kept}
    return {hit.id: hit.relevance for hit in recall(engine, query, author=author).hits if hit.id in ids}
