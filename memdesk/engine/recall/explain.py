"""Explain why a memory is or is not recalled: run the recall itself and report each stage for one memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.recall.candidates import NEAR, POOL, kindred
from memdesk.engine.recall.fusion import Scored
from memdesk.engine.recall.pipeline import StageResults, counts, run_stages
from memdesk.engine.recall.query import ResolvedQuery, resolve_query
from memdesk.engine.recall.query_words import terms
from memdesk.engine.wording import shortened
from memdesk.model.entity import ENTITY
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.kind import SEARCHED
from memdesk.model.recall import Explain, Explanation, Stage
from memdesk.store import recalls, records, search
from memdesk.store.connection import Connection

_Numbers = dict[str, float]
_ONE_IS_ENOUGH = ("words", "vector", "graph")
"""Ways of searching, of which one is enough to find a memory. Any other stage can exclude it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subject:
    """Memory asked about. owner: the record with its user and channel; for a passage, its document."""

    seq: int
    kind: str
    text: str
    owner: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trace:
    """Memory on its way through a recall: the journey of all memories, its search number, and its score if it
    has one."""

    engine: Engine
    db: Connection
    journey: StageResults
    subject: _Subject
    seq: int
    scored: Scored | None

    @property
    def asked(self) -> ResolvedQuery:
        return self.journey.asked


def explain(engine: Engine, ask: Explain) -> Explanation:
    """Follow one memory through the recall of a query. No memory is reinforced, and the recall is not
    recorded.

    Raises NotFound for an unknown id, BadAsk for a kind that is never recalled or an invalid query."""
    with engine.store.reading() as db:
        subject = _subject(db, ask.id)
        journey = run_stages(engine, db, resolve_query(engine, db, ask.query), everything=True)
        trace = _traced(engine, db, journey, subject)
        stages = tuple(_stages(trace))
    place = _place(trace)
    fell = next((stage for stage in stages if not stage.passed and stage.name not in _ONE_IS_ENOUGH), None)
    return Explanation(
        id=ask.id,
        kind=subject.kind,
        text=shortened(subject.text, 160),
        place=place,
        says=_outcome(place, fell),
        stages=stages,
    )


def _subject(db: Connection, id: str) -> _Subject:
    document_id, _, lines = id.partition("#L")
    kind, record = records.any_record(db, document_id)
    if lines:
        found = recalls.passage_of(db, record.id, lines)
        if found is None:
            raise NotFound(f"{document_id} has no passage of the lines {lines} any more.")
        return _Subject(seq=found[0], kind="passage", text=found[1], owner=record)
    if kind.name not in SEARCHED:
        raise BadAsk(f"A {kind.label.lower()} is never recalled; ask about a {', '.join(SEARCHED)}.")
    return _Subject(seq=record.seq, kind=kind.name, text=str(getattr(record, kind.title)), owner=record)


def _traced(engine: Engine, db: Connection, journey: StageResults, subject: _Subject) -> _Trace:
    """Return the memory by the search number that ranks best: an entity may be found by any of its names."""
    sources = journey.pool.sources
    mine = {subject.seq}
    if subject.kind == ENTITY.name:
        aliases = [item.seq for item in journey.ranking.items.values() if item.kind == "alias"]
        mine.update(seq for seq in aliases if sources[seq].id == subject.owner.id)
    best = next((scored for scored in journey.ranking.scored if scored.seq in mine), None)
    return _Trace(
        engine=engine,
        db=db,
        journey=journey,
        subject=subject,
        seq=best.seq if best else subject.seq,
        scored=best,
    )


def _stages(trace: _Trace) -> Iterator[Stage]:
    """Yield the stages in order, until one excludes the memory."""
    left = counts(trace.journey)
    for tell in (
        _scope,
        _words,
        _vector,
        _graph,
        _search,
        _time,
        _filters,
        _ranking,
        _duplicate,
        _floor,
        _diversity,
        _budget,
    ):
        stage = tell(trace)
        if stage is not None:
            stage = replace(stage, left=left.get(stage.name))
            yield stage
            if not stage.passed and stage.name not in _ONE_IS_ENOUGH:
                return


def _scope(trace: _Trace) -> Stage:
    reasons: tuple[tuple[bool, str], ...] = (
        (trace.subject.owner.user_id != trace.asked.query.user_id, "It is another user's."),
        (trace.subject.kind not in trace.asked.kinds, f"A {trace.subject.kind} was not asked for."),
        (trace.subject.owner.retired_at is not None, "It is retired."),
        (getattr(trace.subject.owner, "superseded_by", None) is not None, "It gave way to another fact."),
        (
            trace.subject.owner.channel not in trace.asked.channels,
            f"It is in {trace.subject.owner.channel}; searched are {', '.join(trace.asked.channels)}.",
        ),
    )
    wrong = next((says for is_so, says in reasons if is_so), "")
    says = wrong or f"It is current and in {trace.subject.owner.channel}, which is searched."
    return Stage(name="scope", passed=not wrong, says=says)


def _words(trace: _Trace) -> Stage:
    wanted = terms(trace.asked.text)
    postings = dict(zip(wanted, trace.journey.pool.postings, strict=False))
    held = [term for term in wanted if trace.seq in postings[term].seqs]
    akin = [term for term in wanted if term not in held and trace.seq in postings[term].kin]
    numbers = _numbers(trace, "words") | {"held": float(len(held)), "asked": float(len(wanted))}
    weighed = trace.seq in trace.journey.ranking.words
    return Stage(name="words", passed=weighed, says=_held(wanted, held, akin, weighed), numbers=numbers)


def _held(wanted: tuple[str, ...], held: list[str], akin: list[str], weighed: bool) -> str:
    if held:
        also = f", and words near {', '.join(akin)}" if akin else ""
        return f"It holds {', '.join(held)} of {', '.join(wanted)}{also}."
    if akin:
        return f"It holds words near {', '.join(akin)} ({', '.join(kindred(akin[0])[:3])})."
    return (
        "Only the turns beside it hold words of the query."
        if weighed
        else f"It holds none of {', '.join(wanted)}."
    )


def _vector(trace: _Trace) -> Stage:
    cosines = trace.journey.pool.cosines
    numbers = _numbers(trace, "vectors")
    if trace.seq in cosines:
        numbers["cosine"] = cosines[trace.seq]
        says = f"Its meaning is near the query's by {cosines[trace.seq]:.2f}."
        return Stage(name="vector", passed=True, says=says, numbers=numbers)
    if not cosines:
        return Stage(name="vector", passed=False, says="There were no vectors to compare.")
    held = search.vectors(trace.db, [trace.seq], trace.engine.embedder.name)[0]
    says = (
        f"It is not among the nearest {NEAR}."
        if held
        else "It has no vector yet; the background job makes one."
    )
    return Stage(name="vector", passed=False, says=says, numbers=numbers)


def _graph(trace: _Trace) -> Stage | None:
    """Return the graph stage; None if the graph was not searched."""
    find = trace.journey.looked.finds.get("entities")
    if find is None:
        return None
    listed = trace.seq in find.seqs
    where = f"{find.says} " if find.says else "No entity was followed. "
    says = where + ("The graph ties it to them." if listed else "The graph does not lead to it.")
    return Stage(name="graph", passed=listed, says=says, numbers=_numbers(trace, "entities"))


def _search(trace: _Trace) -> Stage:
    found = trace.seq in trace.journey.pool.sources
    ways = [name for name in trace.journey.ranking.places if trace.seq in trace.journey.ranking.places[name]]
    if found:
        says = (
            f"It was found by {', '.join(ways)}." if ways else "It was found beside what the search reached."
        )
    else:
        says = f"No way of searching reached it: {POOL} by words and {NEAR} by meaning are looked at."
    return Stage(name="search", passed=found, says=says)


def _time(trace: _Trace) -> Stage:
    return _kept_by(trace, "time", "Its time does not stand against it.")


def _filters(trace: _Trace) -> Stage:
    return _kept_by(trace, "filters", "No filter of the query stands against it.")


def _kept_by(trace: _Trace, name: str, otherwise: str) -> Stage:
    away = trace.journey.away.get(trace.seq)
    why = away.says if away is not None and away.by == name else ""
    return Stage(name=name, passed=not why, says=why or otherwise)


def _ranking(trace: _Trace) -> Stage:
    if trace.scored is None:
        unlike = "Neither its words nor its meaning have to do with the query."
        says = "The nearest categories hold enough without it." if trace.asked.query.tiers else unlike
        return Stage(name="ranking", passed=False, says=says)
    place = 1 + [scored.seq for scored in trace.journey.ranking.scored].index(trace.seq)
    parts = ", ".join(f"{name} {value:+.3f}" for name, value in trace.scored.parts)
    numbers = {"place": float(place), "score": trace.scored.score} | dict(trace.scored.parts)
    says = f"It ranks at place {place} of {len(trace.journey.ranking.scored)}: {parts}."
    return Stage(name="ranking", passed=True, says=says, numbers=numbers)


def _left(trace: _Trace, by: str, otherwise: Callable[[], str], numbers: _Numbers) -> Stage:
    """Return the stage of one rule of the choice: passed unless the memory was left out by it."""
    why = next(
        (left.says for left in trace.journey.choice.left if left.scored.seq == trace.seq and left.by == by),
        "",
    )
    name = "budget" if by == "limit" else by
    return Stage(name=name, passed=not why, says=why or otherwise(), numbers=numbers)


def _duplicate(trace: _Trace) -> Stage:
    return _left(trace, "duplicate", lambda: "Nothing that ranks before it says the same.", {})


def _floor(trace: _Trace) -> Stage:
    relevance = trace.journey.ranking.relevances.get(trace.seq, 0.0)
    numbers = {"relevance": relevance, "floor": trace.asked.floor}
    return _left(trace, "floor", lambda: f"Its relevance of {relevance:.2f} is enough.", numbers)


def _diversity(trace: _Trace) -> Stage:
    numbers = {"per_conversation": float(trace.asked.per_conversation)}
    return _left(trace, "diversity", lambda: "Its conversation takes no more than its turns.", numbers)


def _budget(trace: _Trace) -> Stage:
    place = _place(trace)
    numbers = {"limit": float(trace.asked.limit)} | ({} if place is None else {"place": float(place)})
    return _left(trace, "limit", lambda: f"It is among the {trace.asked.limit} that come back.", numbers)


def _numbers(trace: _Trace, way: str) -> _Numbers:
    """Return the memory's place in a way of searching; empty if it has none."""
    place = trace.journey.ranking.places.get(way, {}).get(trace.seq)
    return {} if place is None else {"place": float(place)}


def _place(trace: _Trace) -> int | None:
    kept = [scored.seq for scored in trace.journey.choice.kept]
    return kept.index(trace.seq) + 1 if trace.seq in kept else None


def _outcome(place: int | None, fell: Stage | None) -> str:
    if place is not None:
        return f"It is recalled at place {place}."
    return f"It is not recalled. It falls at {fell.name}: {fell.says}" if fell else "It is not recalled."
