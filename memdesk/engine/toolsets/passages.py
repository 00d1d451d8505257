"""Searching the files of some workspaces alone: passages by words and meaning, and only what is shown is reinforced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memdesk.engine.engine import Engine
from memdesk.engine.recall.asked import LIMIT_AT_MOST, asked
from memdesk.engine.recall.cache import Answered, Returned
from memdesk.engine.recall.fusion import Scored
from memdesk.engine.recall.hits import hits_of
from memdesk.engine.recall.journey import Journey, travel
from memdesk.engine.recall.pool import PassageSource
from memdesk.engine.recall.reinforcement import write_down
from memdesk.model.document import Document, Workspace
from memdesk.model.recall import Bundle, Query
from memdesk.model.tools import ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of a file: lines first_line to last_line, counted from 1. score: of its ranking; relevance: 0 to 1."""

    document: Document
    first_line: int
    last_line: int
    text: str
    score: float
    relevance: float


def search(
    engine: Engine, call: ToolCall, text: str, homes: Sequence[Workspace], limit: int,
    fits: Callable[[Document], bool] = lambda _: True,
) -> list[Passage]:  # fmt: skip
    """The best passages of these workspaces' files that fit, best first. Raises BadAsk for an empty query."""
    query = Query(
        text=text, channel=homes[0].channel if homes else "", user_id=call.place.user_id, kinds=("passage",),
        session_id=call.place.session_id, limit=LIMIT_AT_MOST,
    )  # fmt: skip
    ids = {home.id for home in homes}
    with engine.store.reading() as db:
        whole = asked(engine, db, query)
        journey = travel(engine, db, whole)
        kept = [each for each in journey.choice.kept if _is_of(journey, each, ids, fits)][:limit]
        hits = hits_of(engine, db, journey.pool, journey.ranking, kept)
    bundle = Bundle(query=text, hits=hits, channels=whole.channels, took_ms=journey.base_ms)
    write_down(
        engine, whole.query, Answered(at=engine.clock(), bundle=bundle, returned=_returned(journey, kept)),
        author=call.author, took_us=round(journey.base_ms * 1e3),
    )  # fmt: skip
    return [
        _passage(_source(journey, each), hit.score, hit.relevance)
        for each, hit in zip(kept, hits, strict=True)
    ]


def _source(journey: Journey, scored: Scored) -> PassageSource:
    source = journey.pool.sources[scored.seq]
    assert isinstance(source, PassageSource)
    return source


def _is_of(journey: Journey, scored: Scored, ids: set[str], fits: Callable[[Document], bool]) -> bool:
    document = _source(journey, scored).document
    return document.workspace_id in ids and fits(document)


def _returned(journey: Journey, kept: Sequence[Scored]) -> tuple[Returned, ...]:
    return tuple(
        Returned(seq=each.seq, score=each.score, parts=each.parts, source=_source(journey, each))
        for each in kept
    )


def _passage(source: PassageSource, score: float, relevance: float) -> Passage:
    return Passage(
        document=source.document, first_line=source.first_line, last_line=source.last_line, text=source.text,
        score=score, relevance=relevance,
    )  # fmt: skip
