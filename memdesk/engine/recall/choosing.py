"""Choice of the memories that a recall returns: filters exclude some regardless of score and add others that no search
found; of the ranked ones repeats, irrelevant ones and the surplus of one conversation are left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from memdesk.engine.engine import Engine
from memdesk.engine.recall.candidates import PassageSource, Pool
from memdesk.engine.recall.evidence import Item, Line
from memdesk.engine.recall.fusion import Scored
from memdesk.engine.recall.query import ResolvedQuery, Span, first_name, named, subject_of
from memdesk.engine.recall.ranking import Ranking
from memdesk.model.fact import FACT, Fact
from memdesk.model.kinds import BY_RECORD
from memdesk.model.message import NO_MESSAGE, Message, message
from memdesk.store import episodic, recalls
from memdesk.store.connection import Connection
from memdesk.store.semantic import tagged

ADMITTED = 200
"""Most memories that a filter adds to those found: a narrow filter is searched completely, a wide one needs
no addition."""
FADED = 0.1
"""Least salience of a past fact; one below it is never returned (AgentX)."""

COMPARABLE = 0.97
"""Share of a turn's score that a memory of another conversation needs to come before it, if the turn's
conversation has had its turns. Turns of one conversation share a part of their scores: 0.9 costs half a point on
LoCoMo, 0.97 a fifth."""

SECONDARY_FLOOR_SHARE = 0.2
"""Share of the floor that a memory needs if another hit reaches the floor: answers are often related to a
query only through their neighbours. Requiring the full floor of each hit would cost three points on
LoCoMo."""

_Filter = tuple[Literal["time", "filters"], Callable[[Item], Message]]
"""Kind of a filter, and a function that gives the reason why an item is excluded, "" if it is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion:
    """Reason why a memory was taken out: its time, or one of the other filters."""

    by: Literal["time", "filters"]
    says: Message


def filter_matches(db: Connection, asked: ResolvedQuery) -> list[int]:
    """Return the newest memories that match the query's filters, to be ranked although no search found them."""
    found: list[int] = []
    if asked.query.tags:
        found += recalls.records_tagged(db, asked.query.user_id, asked.query.tags, ADMITTED)
    if asked.query.categories and "fact" in asked.kinds:
        found += recalls.in_categories(db, asked.scope, asked.query.categories, ADMITTED)
    if asked.since is not None or asked.until is not None:
        found += recalls.stored_between(db, asked.scope, asked.since, asked.until, ADMITTED)
    for start, end in asked.read:
        found += recalls.stored_between(db, asked.scope, start, end, ADMITTED)
    return found


def apply_filters(engine: Engine, db: Connection, pool: Pool, asked: ResolvedQuery) -> dict[int, Exclusion]:
    """Remove excluded memories from the pool; returns the reasons by search number, without turns that only lend."""
    filters = tuple(_filters(engine, db, pool, asked))
    away = (
        {item.seq: why for item in pool.items if (why := _why(item, filters)) is not None} if filters else {}
    )
    if away:
        lending = {item.seq for item in pool.items if not item.returned}
        pool.items = [item for item in pool.items if item.seq not in away]
        pool.line = Line(pool.items)
        away = {seq: why for seq, why in away.items() if seq not in lending}
    return away


def _why(item: Item, filters: Sequence[_Filter]) -> Exclusion | None:
    for by, says in filters:
        if why := says(item):
            return Exclusion(by=by, says=why)
    return None


def _filters(engine: Engine, db: Connection, pool: Pool, asked: ResolvedQuery) -> Iterator[_Filter]:
    """Yield the filters that this query needs. The pool is already limited to its user and channels."""
    query = asked.query
    if any(item.kind == "fact" for item in pool.items):
        at = engine.clock()
        yield (
            "time",
            lambda item: _over(item, pool.sources[item.seq], at) if item.kind == "fact" else NO_MESSAGE,
        )
    if asked.since is not None or asked.until is not None:
        yield "time", lambda item: _of_time(asked, item)
    if asked.read:
        yield "time", lambda item: _in_spans(asked.read, item)
    if query.tags or query.categories:
        pool.sources.read(item.seq for item in pool.items)
    if query.tags:
        carriers = tagged(db, query.user_id, query.tags)
        yield "filters", lambda item: _among(id_of(pool.sources[item.seq]), carriers, "tags")
    if query.categories:
        wanted = {name.lower() for name in query.categories}
        yield (
            "filters",
            lambda item: _among(category_of(pool.sources[item.seq]).lower(), wanted, "categories"),
        )
    if query.min_confidence:
        yield "filters", lambda item: _unsure(item, query.min_confidence)
    if query.conversation_id is not None:
        said = " ".join(query.text.split())
        yield "filters", lambda item: _echo(item, query.conversation_id, said)
    if not engine.settings.recall_archived:
        talks = sorted({each.conversation for each in pool.items if each.conversation})
        shut = episodic.archived_among(db, talks)
        yield (
            "filters",
            lambda item: (
                message("Its conversation is archived.") if item.conversation in shut else NO_MESSAGE
            ),
        )


def _in_spans(spans: Sequence[Span], item: Item) -> Message:
    inside = any(start <= item.at < end for start, end in spans)
    return NO_MESSAGE if inside else message("It is not of the time that the query names.")


def _among(name: str, wanted: Container[str], what: str) -> Message:
    return NO_MESSAGE if name in wanted else message("It is of none of the {what} asked for.", what=what)


def _over(item: Item, fact: Fact, at: int) -> Message:
    """Return the reason why a fact is left out: it is past and faded, or has ended and is not kept as history."""
    if fact.temporal == "past":
        return (
            message("It is past and faded (salience {count}).", count=f"{item.salience:.2f}")
            if item.salience < FADED
            else NO_MESSAGE
        )
    return message("It was true only until before now.") if fact.has_ended(at) else NO_MESSAGE


def _of_time(asked: ResolvedQuery, item: Item) -> Message:
    early = asked.since is not None and item.at < asked.since
    late = asked.until is not None and item.at >= asked.until
    return message("It is not of the time asked for.") if early or late else NO_MESSAGE


def _unsure(item: Item, least: float) -> Message:
    unsure = item.kind == "fact" and item.confidence < least
    return (
        message(
            "Its confidence {confidence} is under the {least} asked for.",
            confidence=f"{item.confidence:.2f}",
            least=f"{least:.2f}",
        )
        if unsure
        else NO_MESSAGE
    )


def _echo(item: Item, conversation_id: str | None, said: str) -> Message:
    """Return the reason if the item is the question itself, stored as a turn before it was asked; "" otherwise."""
    same = item.conversation == conversation_id and " ".join(item.text.split()) == said
    return message("It is the question itself.") if same else NO_MESSAGE


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
    ordered = spread(relevant, lambda scored: ranking.items[scored.seq].conversation, asked.per_conversation)
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


def _crowded(scored: Scored, asked: ResolvedQuery) -> LeftOut:
    says = message(
        "{per_conversation} turns of its conversation come back already, and others had their turn.",
        per_conversation=asked.per_conversation,
    )
    return LeftOut(scored=scored, by="diversity", says=says)


def id_of(source: Any) -> str:
    """Return the id of the record that a memory is, or is a part of."""
    return str(source.document.id if isinstance(source, PassageSource) else source.id)


def category_of(source: Any) -> str:
    """Return the category shown for a hit; "" for kinds that have none."""
    if isinstance(source, PassageSource):
        return source.document.layer
    return str(getattr(source, BY_RECORD[type(source)].category, ""))
