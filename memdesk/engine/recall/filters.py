"""Filters of a recall: memories excluded regardless of score, and memories that filters add although no
search found them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from memdesk.engine.engine import Engine
from memdesk.engine.recall.candidates import PassageSource, Pool
from memdesk.engine.recall.neighbours import Item, Line
from memdesk.engine.recall.query import ResolvedQuery, Span
from memdesk.model.fact import Fact
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
    """Return the reason if the item is the question itself, stored as a turn before it was asked; ""
    otherwise."""
    same = item.conversation == conversation_id and " ".join(item.text.split()) == said
    return message("It is the question itself.") if same else NO_MESSAGE


def id_of(source: Any) -> str:
    """Return the id of the record that a memory is, or is a part of."""
    return str(source.document.id if isinstance(source, PassageSource) else source.id)


def category_of(source: Any) -> str:
    """Return the category shown for a hit; "" for kinds that have none."""
    if isinstance(source, PassageSource):
        return source.document.layer
    return str(getattr(source, BY_RECORD[type(source)].category, ""))
