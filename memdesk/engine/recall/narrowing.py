"""The filters of a recall: what may not come back, whatever its score, and what they let in that no search reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.recall.asked import Asked, Span
from memdesk.engine.recall.line import Item, Line
from memdesk.engine.recall.pool import PassageSource, Pool
from memdesk.model.entity import Entity
from memdesk.model.fact import Fact
from memdesk.store import recalling
from memdesk.store.connection import Connection
from memdesk.store.tagging import tagged

ADMITTED = 200
"""Memories that a filter lets in beside what was found: a narrow filter is searched whole, a wide one needs no help."""
FADED = 0.1
"""A past fact fainter than this never comes back (AgentX)."""

_Filter = Callable[[Item], str]
"""Why an item may not come back, "" when it may."""


def admitted(db: Connection, asked: Asked) -> list[int]:
    """The newest memories that the query's filters are for, so that they are ranked though nothing else found them."""
    found: list[int] = []
    if asked.query.tags:
        found += recalling.carrying(db, asked.query.user_id, asked.query.tags, ADMITTED)
    if asked.query.categories and "fact" in asked.kinds:
        found += recalling.in_categories(db, asked.scope, asked.query.categories, ADMITTED)
    if asked.since is not None or asked.until is not None:
        found += recalling.told_between(db, asked.scope, asked.since, asked.until, ADMITTED)
    for start, end in asked.read:
        found += recalling.told_between(db, asked.scope, start, end, ADMITTED)
    return found


def narrow(engine: Engine, db: Connection, pool: Pool, asked: Asked) -> dict[int, str]:
    """Take out of the pool what may not come back; returns why, by search number."""
    filters = tuple(_filters(engine, db, pool, asked))
    if not filters and not asked.read:
        return {}
    away: dict[int, str] = {}
    for item in pool.items:
        if why := next((why for each in filters if (why := each(item))), ""):
            away[item.seq] = why
    left = [item for item in pool.items if item.seq not in away]
    left = _told_when_asked(left, asked.read, away)
    if away:
        pool.items, pool.line = left, Line(left)
    return away


def _told_when_asked(items: list[Item], spans: Sequence[Span], away: dict[int, str]) -> list[Item]:
    """The items of the time that the query itself says."""
    if not spans:
        return items
    inside = [item for item in items if any(start <= item.at < end for start, end in spans)]
    kept = {item.seq for item in inside}
    away.update(
        (item.seq, "It is not of the time that the query names.") for item in items if item.seq not in kept
    )
    return inside


def _filters(engine: Engine, db: Connection, pool: Pool, asked: Asked) -> Iterator[_Filter]:
    """The filters that this query needs. What is searched is of its user and channels already."""
    query = asked.query
    if any(item.kind == "fact" for item in pool.items):
        yield lambda item: _faded(item, pool)
    if asked.since is not None or asked.until is not None:
        yield lambda item: _of_time(asked, item)
    if query.tags:
        carriers = tagged(db, query.user_id, query.tags)
        yield (
            lambda item: (
                "" if id_of(pool.sources[item.seq]) in carriers else "It carries none of the tags asked for."
            )
        )
    if query.categories:
        wanted = {name.lower() for name in query.categories}
        yield (
            lambda item: (
                ""
                if category_of(pool.sources[item.seq]).lower() in wanted
                else "It is of none of the categories asked for."
            )
        )
    if query.min_confidence:
        yield lambda item: _unsure(item, query.min_confidence)
    if query.conversation_id is not None:
        said = " ".join(query.text.split())
        yield lambda item: _echo(item, query.conversation_id, said)
    if not engine.settings.recall_archived:
        shut = recalling.archived(db, sorted({each.conversation for each in pool.items if each.conversation}))
        yield lambda item: "Its conversation is archived." if item.conversation in shut else ""


def _faded(item: Item, pool: Pool) -> str:
    past = item.kind == "fact" and pool.sources[item.seq].temporal == "past"
    return f"It is past and faded (salience {item.salience:.2f})." if past and item.salience < FADED else ""


def _of_time(asked: Asked, item: Item) -> str:
    early = asked.since is not None and item.at < asked.since
    late = asked.until is not None and item.at >= asked.until
    return "It is not of the time asked for." if early or late else ""


def _unsure(item: Item, least: float) -> str:
    unsure = item.kind == "fact" and item.confidence < least
    return f"Its confidence {item.confidence:.2f} is under the {least:.2f} asked for." if unsure else ""


def _echo(item: Item, conversation_id: str | None, said: str) -> str:
    """The question itself, stored as a turn before it was asked, is no answer to it."""
    same = item.conversation == conversation_id and " ".join(item.text.split()) == said
    return "It is the question itself." if same else ""


def id_of(source: Any) -> str:
    """The id of the record that a memory is, or is a part of."""
    return str(source.document.id if isinstance(source, PassageSource) else source.id)


def category_of(source: Any) -> str:
    """What a hit shows as its category; "" for kinds that have none."""
    match source:
        case Fact():
            return source.category
        case Entity():
            return source.type
        case PassageSource():
            return source.document.layer
        case _:
            return ""
