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
from memdesk.engine.wording import shortened
from memdesk.model.entity import ENTITY
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.kind import SEARCHED
from memdesk.model.message import NO_MESSAGE, Message, joined, message
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
            raise NotFound(
                message(
                    "{document_id} has no passage of the lines {lines} any more.",
                    document_id=document_id,
                    lines=lines,
                )
            )
        return _Subject(seq=found[0], kind="passage", text=found[1], owner=record)
    if kind.name not in SEARCHED:
        raise BadAsk(
            message(
                "A {label} is never recalled; ask about a {searched}.",
                label=kind.label.lower(),
                searched=", ".join(SEARCHED),
            )
        )
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
    reasons: tuple[tuple[bool, Message], ...] = (
        (trace.subject.owner.user_id != trace.asked.query.user_id, message("It is another user's.")),
        (
            trace.subject.kind not in trace.asked.kinds,
            message("A {kind} was not asked for.", kind=trace.subject.kind),
        ),
        (trace.subject.owner.retired_at is not None, message("It is retired.")),
        (
            getattr(trace.subject.owner, "superseded_by", None) is not None,
            message("It gave way to another fact."),
        ),
        (
            trace.subject.owner.channel not in trace.asked.channels,
            message(
                "It is in {channel}; searched are {channels}.",
                channel=trace.subject.owner.channel,
                channels=", ".join(trace.asked.channels),
            ),
        ),
    )
    wrong = next((says for is_so, says in reasons if is_so), NO_MESSAGE)
    says = wrong or message(
        "It is current and in {channel}, which is searched.", channel=trace.subject.owner.channel
    )
    return Stage(name="scope", passed=not wrong, says=says)


def _words(trace: _Trace) -> Stage:
    wanted = trace.journey.pool.terms
    postings = dict(zip(wanted, trace.journey.pool.postings, strict=False))
    held = [term for term in wanted if trace.seq in postings[term].seqs]
    akin = [term for term in wanted if term not in held and trace.seq in postings[term].kin]
    numbers = _numbers(trace, "words") | {"held": float(len(held)), "asked": float(len(wanted))}
    weighed = trace.seq in trace.journey.ranking.words
    return Stage(
        name="words", passed=weighed, says=_matched_words(wanted, held, akin, weighed), numbers=numbers
    )


def _matched_words(wanted: tuple[str, ...], held: list[str], akin: list[str], weighed: bool) -> Message:
    if held:
        return (
            message(
                "It holds {held} of {wanted}, and words near {akin}.",
                held=", ".join(held),
                wanted=", ".join(wanted),
                akin=", ".join(akin),
            )
            if akin
            else message("It holds {held} of {wanted}.", held=", ".join(held), wanted=", ".join(wanted))
        )
    if akin:
        return message(
            "It holds words near {akin} ({list}).", akin=", ".join(akin), list=", ".join(kindred(akin[0])[:3])
        )
    return (
        message("Only the turns beside it hold words of the query.")
        if weighed
        else message("It holds none of {wanted}.", wanted=", ".join(wanted))
    )


def _vector(trace: _Trace) -> Stage:
    cosines = trace.journey.pool.cosines
    numbers = _numbers(trace, "vectors")
    if trace.seq in cosines:
        numbers["cosine"] = cosines[trace.seq]
        says = message("Its meaning is near the query's by {count}.", count=f"{cosines[trace.seq]:.2f}")
        return Stage(name="vector", passed=True, says=says, numbers=numbers)
    if not cosines:
        return Stage(name="vector", passed=False, says=message("There were no vectors to compare."))
    held = search.vectors(trace.db, [trace.seq], trace.engine.embedder.name)[0]
    says = (
        message("It is not among the nearest {count}.", count=NEAR)
        if held
        else message("It has no vector yet; the background job makes one.")
    )
    return Stage(name="vector", passed=False, says=says, numbers=numbers)


def _graph(trace: _Trace) -> Stage | None:
    """Return the graph stage; None if the graph was not searched."""
    find = trace.journey.looked.finds.get("entities")
    if find is None:
        return None
    listed = trace.seq in find.seqs
    says = joined(
        find.says or message("No entity was followed."),
        message("The graph ties it to them.") if listed else message("The graph does not lead to it."),
    )
    return Stage(name="graph", passed=listed, says=says, numbers=_numbers(trace, "entities"))


def _search(trace: _Trace) -> Stage:
    found = trace.seq in trace.journey.pool.sources
    ways = [name for name in trace.journey.ranking.places if trace.seq in trace.journey.ranking.places[name]]
    if found:
        says = (
            message("It was found by {ways}.", ways=ways)
            if ways
            else message("It was found beside what the search reached.")
        )
    else:
        says = message(
            "No way of searching reached it: {words} by words and {near} by meaning are looked at.",
            words=POOL,
            near=NEAR,
        )
    return Stage(name="search", passed=found, says=says)


def _time(trace: _Trace) -> Stage:
    return _kept_by(trace, "time", message("Its time does not stand against it."))


def _filters(trace: _Trace) -> Stage:
    return _kept_by(trace, "filters", message("No filter of the query stands against it."))


def _kept_by(trace: _Trace, name: str, otherwise: Message) -> Stage:
    away = trace.journey.away.get(trace.seq)
    why = away.says if away is not None and away.by == name else NO_MESSAGE
    return Stage(name=name, passed=not why, says=why or otherwise)


def _ranking(trace: _Trace) -> Stage:
    if trace.scored is None:
        unlike = message("Neither its words nor its meaning have to do with the query.")
        says = (
            message("The nearest categories hold enough without it.") if trace.asked.query.tiers else unlike
        )
        return Stage(name="ranking", passed=False, says=says)
    place = 1 + [scored.seq for scored in trace.journey.ranking.scored].index(trace.seq)
    parts = [
        message("{name} {value}", name=name, value=f"{value:+.3f}") for name, value in trace.scored.parts
    ]
    numbers = {"place": float(place), "score": trace.scored.score} | dict(trace.scored.parts)
    says = message(
        "It ranks at place {place} of {count}: {parts}.",
        place=place,
        count=len(trace.journey.ranking.scored),
        parts=parts,
    )
    return Stage(name="ranking", passed=True, says=says, numbers=numbers)


def _stage_of_choice(trace: _Trace, by: str, otherwise: Callable[[], Message], numbers: _Numbers) -> Stage:
    """Return the stage of one rule of the choice: passed unless the memory was left out by it."""
    why = next(
        (left.says for left in trace.journey.choice.left if left.scored.seq == trace.seq and left.by == by),
        NO_MESSAGE,
    )
    name = "budget" if by == "limit" else by
    return Stage(name=name, passed=not why, says=why or otherwise(), numbers=numbers)


def _duplicate(trace: _Trace) -> Stage:
    return _stage_of_choice(
        trace, "duplicate", lambda: message("Nothing that ranks before it says the same."), {}
    )


def _floor(trace: _Trace) -> Stage:
    relevance = trace.journey.ranking.relevances.get(trace.seq, 0.0)
    numbers = {"relevance": relevance, "floor": trace.asked.floor}
    return _stage_of_choice(
        trace,
        "floor",
        lambda: message("Its relevance of {count} is enough.", count=f"{relevance:.2f}"),
        numbers,
    )


def _diversity(trace: _Trace) -> Stage:
    numbers = {"per_conversation": float(trace.asked.per_conversation)}
    return _stage_of_choice(
        trace, "diversity", lambda: message("Its conversation takes no more than its turns."), numbers
    )


def _budget(trace: _Trace) -> Stage:
    place = _place(trace)
    numbers = {"limit": float(trace.asked.limit)} | ({} if place is None else {"place": float(place)})
    return _stage_of_choice(
        trace,
        "limit",
        lambda: message("It is among the {count} that come back.", count=trace.asked.limit),
        numbers,
    )


def _numbers(trace: _Trace, way: str) -> _Numbers:
    """Return the memory's place in a way of searching; empty if it has none."""
    place = trace.journey.ranking.places.get(way, {}).get(trace.seq)
    return {} if place is None else {"place": float(place)}


def _place(trace: _Trace) -> int | None:
    kept = [scored.seq for scored in trace.journey.choice.kept]
    return kept.index(trace.seq) + 1 if trace.seq in kept else None


def _outcome(place: int | None, fell: Stage | None) -> Message:
    if place is not None:
        return message("It is recalled at place {place}.", place=place)
    return (
        message("It is not recalled. It falls at {fell}: {says}", fell=fell.name, says=fell.says)
        if fell
        else message("It is not recalled.")
    )
