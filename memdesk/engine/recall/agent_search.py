"""Search limited to an agent's own memory: results that do not fit its tool are removed before any is shown
or reinforced."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.recall.candidates import PassageSource
from memdesk.engine.recall.fusion import Scored
from memdesk.engine.recall.hits import as_seen, hits_of
from memdesk.engine.recall.pipeline import StageResults, record_recall, run_stages
from memdesk.engine.recall.query import LIMIT_AT_MOST, ResolvedQuery, resolve_query
from memdesk.engine.recall_cache import Answered, Returned
from memdesk.model.channel import GLOBAL
from memdesk.model.document import Document, Workspace
from memdesk.model.fact import Fact
from memdesk.model.recall import Bundle, Hit, Query
from memdesk.model.tools import ToolCall
from memdesk.model.trust import Reader, is_trusted, of_record, source_words
from memdesk.model.turn import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Piece of a file: lines first_line to last_line, counted from 1. score: of its ranking; relevance: 0 to
    1."""

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
    """Return turns of this channel and `_global` that fit, best first: those at the positions that `shown`
    returns."""
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
