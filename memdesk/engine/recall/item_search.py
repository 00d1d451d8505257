"""Search among the items of a framework's store: by namespace, by the fields of their values, and by meaning."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.items import item_of, items_under, refreshed
from memdesk.engine.recall.pipeline import recall
from memdesk.engine.recall.query import LIMIT_AT_MOST
from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT, Fact
from memdesk.model.item import ItemList, SearchItems
from memdesk.model.message import message
from memdesk.model.recall import Query

ROWS_AT_MOST = 1_000
_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": operator.eq,
    "$ne": operator.ne,
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


def search(engine: Engine, ask: SearchItems, *, author: str) -> ItemList:
    """Return items, the last written first; with a query those that a recall finds first, then the others.

    Raises BadAsk for a window out of bounds, or an operator that does not exist."""
    if ask.first < 0 or not 0 <= ask.limit <= ROWS_AT_MOST:
        raise BadAsk(
            message("first counts from 0, and limit lies between 0 and {count}.", count=f"{ROWS_AT_MOST:,}")
        )
    with engine.store.reading() as db:
        held = items_under(db, engine, ask.user_id, ask.channel, ask.namespace)
    kept = [fact for fact in held if not ask.where or fits(item_of(fact).value, ask.where)]
    scores = _scores(engine, ask, kept, author) if ask.query.strip() and kept else {}
    ranked = sorted(kept, key=lambda fact: -scores.get(fact.id, -1.0))
    window = ranked[ask.first : ask.first + ask.limit]
    found_items = refreshed(engine, window, wanted=ask.refresh, author=author)
    return ItemList(rows=tuple(item_of(fact, scores.get(fact.id)) for fact in found_items))


def fits(value: Any, wanted: Any) -> bool:
    """Return True if a value has the wanted fields. Raises BadAsk for an operator that does not exist."""
    if not isinstance(wanted, dict):
        return bool(value == wanted)
    if any(str(name).startswith("$") for name in wanted):
        return all(_compares(name, value, each) for name, each in wanted.items())
    if not isinstance(value, dict):
        return False
    return all(fits(value.get(name), each) for name, each in wanted.items())


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


def _scores(engine: Engine, ask: SearchItems, kept: list[Fact], author: str) -> dict[str, float]:
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
