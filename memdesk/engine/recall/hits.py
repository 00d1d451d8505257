"""Hits: the chosen memories as they are shown, each with its reasons and provenance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.provenance import origins
from memdesk.engine.memory.rows import salience_now
from memdesk.engine.recall.candidates import PassageSource, Pool
from memdesk.engine.recall.filters import category_of
from memdesk.engine.recall.fusion import Scored
from memdesk.engine.recall.query import ResolvedQuery
from memdesk.engine.recall.query_words import first_name, named, subject_of
from memdesk.engine.recall.ranking import Ranking
from memdesk.engine.wording import shortened
from memdesk.model.entity import Entity
from memdesk.model.fact import FACT, Fact
from memdesk.model.instant import to_datetime
from memdesk.model.kinds import BY_RECORD, PASSAGE
from memdesk.model.message import Message, message
from memdesk.model.procedure import Strategy
from memdesk.model.recall import Cut, Hit, Provenance, ScorePart
from memdesk.model.trust import Reader, is_trusted, of_record
from memdesk.model.turn import Turn
from memdesk.store import recalls
from memdesk.store.connection import Connection

CUTS = 10
"""Most memories reported as left out, the best first."""
COMPARABLE = 0.97
"""Share of a turn's score that a memory of another conversation needs to come before it, if the turn's
conversation has had its turns. Turns of one conversation share a part of their scores: 0.9 costs half a point on
LoCoMo, 0.97 a fifth."""

SECONDARY_FLOOR_SHARE = 0.2
"""Share of the floor that a memory needs if another hit reaches the floor: answers are often related to a
query only through their neighbours. Requiring the full floor of each hit would cost three points on
LoCoMo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Ranked memory that is not returned. by: duplicate, floor, diversity or limit."""

    scored: Scored
    by: str
    says: Message


@dataclass(slots=True, kw_only=True)
class Choice:
    """Result of choosing. kept: memories to return, in order. left: the rest, best score first. near_names: if none of
    the best reaches the floor, the names in the query by or about whom memories were kept all the same."""

    kept: list[Scored] = field(default_factory=list)
    left: list[LeftOut] = field(default_factory=list)
    near_names: tuple[str, ...] = ()


def choose(pool: Pool, ranking: Ranking, asked: ResolvedQuery) -> Choice:
    """Return the best `limit` memories of a ranking by the rules of the query, and the memories left out."""
    choice = Choice()
    alone = _one_of_each(pool, ranking, choice)
    relevant = list(_over_floor(pool, alone, ranking, asked, choice))
    ordered = spread(relevant, lambda scored: _conversation(ranking, scored), asked.per_conversation)
    choice.kept = ordered[: asked.limit]
    kept = {scored.seq for scored in choice.kept}
    best = {scored.seq for scored in relevant[: asked.limit]}
    too_low = message("{count} memories rank before it.", count=asked.limit)
    for scored in relevant:
        if scored.seq not in kept:
            crowded = scored.seq in best
            choice.left.append(
                _crowded(scored, asked) if crowded else LeftOut(scored=scored, by="limit", says=too_low)
            )
    choice.left.sort(key=lambda left: -left.scored.score)
    return choice


def spread(
    ranked: Sequence[Scored], conversation_of: Callable[[Scored], str | None], most: int
) -> list[Scored]:
    """Return the ranked memories, with the surplus turns of a conversation after comparable memories of
    others.

    A turn is surplus if its conversation already has `most` before it; it moves only behind memories with at
    least COMPARABLE of its score. most: 0 for any number."""
    if most == 0:
        return list(ranked)
    had: Counter[str] = Counter()
    worth: list[tuple[float, Scored]] = []
    for scored in ranked:
        conversation = conversation_of(scored)
        crowded = conversation is not None and had[conversation] >= most
        worth.append((scored.score * (COMPARABLE if crowded else 1.0), scored))
        if conversation is not None:
            had[conversation] += 1
    return [scored for _, scored in sorted(worth, key=lambda pair: -pair[0])]


def same_memory(seq: int, source: Any) -> tuple[str, ...]:
    """Return ids that equal memories share: a promoted fact also has the id of its original."""
    match source:
        case Fact(promoted_from=str(original)):
            return (source.id, original)
        case PassageSource():
            return (f"passage {seq}",)
        case _:
            return (source.id,)


def _one_of_each(pool: Pool, ranking: Ranking, choice: Choice) -> list[Scored]:
    """Return the ranking without repeats, best first: an entity once for all its names, a promoted fact or
    its original."""
    seen: set[str] = set()
    alone = []
    for scored in ranking.scored:
        if ranking.items[scored.seq].kind == "turn":
            alone.append(scored)
            continue
        source = pool.sources[scored.seq]
        names = same_memory(scored.seq, source)
        if not seen.intersection(names):
            alone.append(scored)
        elif source.id not in seen:
            says = message("Its original or its promoted copy comes back instead.")
            choice.left.append(LeftOut(scored=scored, by="duplicate", says=says))
        seen.update(names)
    return alone


def _over_floor(
    pool: Pool, ranked: Sequence[Scored], ranking: Ranking, asked: ResolvedQuery, choice: Choice
) -> Iterator[Scored]:
    """Yield the memories that are relevant enough: none if even the best `limit` are under the floor. If one of them
    reaches it, SECONDARY_FLOOR_SHARE of the floor is enough for the others.

    Turns of a speaker and facts about a subject that the query names need no more than their score: such a query is
    about this scope, and an answer may share no word with it."""
    enough = any(_ratio(pool, ranking, scored, asked.floor) >= 1 for scored in ranked[: asked.limit])
    least = SECONDARY_FLOOR_SHARE if enough else 1.0
    by_name = _by_name(pool, ranking, ranked, asked)
    if not enough:
        choice.near_names = tuple(sorted(set(by_name.values())))
    for scored in ranked:
        if scored.seq in by_name or _ratio(pool, ranking, scored, asked.floor) >= least:
            yield scored
        else:
            relevance = ranking.relevances.get(scored.seq, 0.0)
            says = message(
                "Its relevance {relevance} is under {least}.",
                relevance=f"{relevance:.2f}",
                least=f"{asked.floor * least:.2f}",
            )
            choice.left.append(LeftOut(scored=scored, by="floor", says=says))


def _by_name(pool: Pool, ranking: Ranking, ranked: Sequence[Scored], asked: ResolvedQuery) -> dict[int, str]:
    """Return the speakers of turns and the subjects of facts that the query names, by search number."""
    items = [ranking.items[scored.seq] for scored in ranked]
    subjects = {item.seq: subject_of(item.text) for item in items if item.kind == FACT.name}
    text = asked.query.text
    # A fact may begin with any word; the query has to write it as a name.
    written = {each for each in subjects.values() if each and each.split()[0] in text and first_name(each)}
    names = named(text, written) if written else written
    return {item.seq: item.speaker for item in items if item.speaker and item.speaker in pool.speakers} | {
        seq: subject for seq, subject in subjects.items() if subject in names
    }


def _ratio(pool: Pool, ranking: Ranking, scored: Scored, floor: float) -> float:
    """Return relevance divided by the floor. A memory without a vector is judged by its words alone, by half
    the floor."""
    needed = floor if scored.seq in pool.cosines else floor / 2
    return ranking.relevances.get(scored.seq, 0.0) / needed if needed else 1.0


def _conversation(ranking: Ranking, scored: Scored) -> str | None:
    return ranking.items[scored.seq].conversation


def _crowded(scored: Scored, asked: ResolvedQuery) -> LeftOut:
    says = message(
        "{per_conversation} turns of its conversation come back already, and others had their turn.",
        per_conversation=asked.per_conversation,
    )
    return LeftOut(scored=scored, by="diversity", says=says)


def hits_of(
    engine: Engine, db: Connection, pool: Pool, ranking: Ranking, chosen: Sequence[Scored]
) -> tuple[Hit, ...]:
    """Return the chosen memories as hits, in their order."""
    sources = [pool.sources[scored.seq] for scored in chosen]
    places = origins(db, sources)
    # An entity that was found by one of its other names is not in the pool itself.
    unread = [source.seq for source in sources if isinstance(source, Entity)]
    used = pool.used | (recalls.uses(db, unread) if unread else {})
    found = []
    doors = [of_record(owner_of(source)) for source in sources]
    for place, (scored, source) in enumerate(zip(chosen, sources, strict=True)):
        fades = isinstance(source, Fact | Entity)
        found.append(
            Hit(
                **display_fields(scored.seq, source),
                score=scored.score,
                parts=tuple(ScorePart(name=name, value=value) for name, value in scored.parts),
                provenance=_provenance(source, places),
                confidence=ranking.items[scored.seq].confidence
                if isinstance(source, Fact | Strategy)
                else None,
                salience=salience_now(engine, source, used.get(source.seq)) if fades else None,
                relevance=ranking.relevances.get(scored.seq, 0.0),
                ranks=ranks_of(scored.seq, ranking.places),
                source=doors[place][0],
                trust=doors[place][1],
            )
        )
    return tuple(found)


def cuts_of(pool: Pool, left: Iterable[LeftOut]) -> tuple[Cut, ...]:
    """Return the best CUTS memories that were left out."""
    found = []
    for each in list(left)[:CUTS]:
        source = display_fields(each.scored.seq, pool.sources[each.scored.seq])
        found.append(
            Cut(
                id=source["id"],
                kind=source["kind"],
                text=shortened(source["text"], 160),
                score=each.scored.score,
                by=each.by,
                because=each.says,
            )
        )
    return tuple(found)


def ranks_of(seq: int, places: Mapping[str, Mapping[int, int]]) -> dict[str, int]:
    """Return the place of a memory in each way of searching that found it."""
    return {name: found[seq] for name, found in places.items() if seq in found}


def display_fields(seq: int, source: Any) -> dict[str, Any]:
    """Return the displayed fields of a memory: id, kind, text, channel, category, at."""
    if isinstance(source, PassageSource):
        kind, text, at = PASSAGE, source.text, source.document.updated_at
    else:
        of = BY_RECORD[type(source)]
        kind, text, at = of.name, str(getattr(source, of.title)), source.created_at
        if isinstance(source, Entity) and source.description:
            text = f"{text}: {source.description}"
    owner = owner_of(source)
    lines = f"#L{source.first_line}-{source.last_line}" if isinstance(source, PassageSource) else ""
    return {
        "id": f"{owner.id}{lines}",
        "kind": kind,
        "text": text,
        "channel": owner.channel,
        "category": category_of(source),
        "at": to_datetime(at),
    }


def owner_of(source: Any) -> Any:
    """Return the record of a found memory: the file of a passage, else the memory itself."""
    return source.document if isinstance(source, PassageSource) else source


def as_seen(hits: Iterable[Hit], reader: Reader) -> tuple[Hit, ...]:
    """Return hits with the trust that this reader has in them."""
    return tuple(hit if is_trusted(hit.trust) else replace(hit, trust=_trust_in(hit, reader)) for hit in hits)


def _trust_in(hit: Hit, reader: Reader) -> float:
    place = hit.provenance
    return reader.trust_in(
        (hit.source, hit.trust), agent_id=place.agent_id, conversation_id=place.conversation_id
    )


def _provenance(source: Any, places: Mapping[str, Provenance]) -> Provenance:
    match source:
        case Turn() | Fact():
            return places.get(source.id, Provenance())
        case PassageSource():
            document = source.document
            return Provenance(
                document_id=document.id,
                path=document.path,
                agent_id=document.agent_id,
                first_line=source.first_line,
                last_line=source.last_line,
            )
        case _:
            return Provenance(agent_id=source.agent_id)
