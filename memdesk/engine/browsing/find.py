"""Search box: memories found while the person types, entities by name first. Searching reinforces nothing."""

from __future__ import annotations

from collections.abc import Sequence

from memdesk.engine.engine import Engine
from memdesk.engine.recall.asked import check, for_looking
from memdesk.engine.recall.choosing import choose
from memdesk.engine.recall.hits import hits_of
from memdesk.engine.recall.pool import gather
from memdesk.engine.recall.ranking import rank
from memdesk.engine.wording import shortened
from memdesk.model.browse import Find, Found, FoundList
from memdesk.model.entity import Entity
from memdesk.model.kinds import RECALLED
from memdesk.model.recall import Hit
from memdesk.store import search, semantic
from memdesk.store.connection import Connection

NAMES_FIRST = 5
"""Most entities found by name that the search box shows before other results."""


def find(engine: Engine, ask: Find) -> FoundList:
    """Search memories for the search box: the last word may be incomplete, entities found by name come first.

    Other results are ranked like a recall by words and vectors, but nothing is reinforced or logged."""
    if not ask.text.strip():
        return FoundList(rows=())
    kinds = ask.kinds or RECALLED
    check(ask.text, kinds, ask.limit)
    with engine.store.reading() as db:
        channels = ask.channels or search.channels_of(db, ask.user_id)
        named = _by_name(db, ask, channels) if "entity" in kinds else []
        asked = for_looking(engine, ask, channels, kinds)
        pool = gather(engine, db, ask.text, asked.scope, active=None, typing=True)
        ranking = rank(engine, pool, asked, {}, most=2 * ask.limit + 10)
        hits = hits_of(engine, db, pool, ranking, choose(pool, ranking, asked).kept)
    rest = (_found(hit) for hit in hits)
    names = {row.title.lower() for row in named}
    rows = [*named, *(row for row in rest if row.kind != "entity" or row.title.lower() not in names)]
    return FoundList(rows=tuple(rows[: ask.limit]))


def _by_name(db: Connection, ask: Find, channels: Sequence[str]) -> list[Found]:
    """Return entities whose name begins with the typed text, exact matches first, one per name."""
    typed = " ".join(ask.text.split())
    found: dict[str, Entity] = {}
    for entity in semantic.entities_beginning(db, ask.user_id, channels, typed, NAMES_FIRST * 4):
        found.setdefault(entity.name.lower(), entity)
    best = sorted(found.values(), key=lambda entity: entity.name.lower() != typed.lower())[:NAMES_FIRST]
    return [
        Found(id=each.id, kind="entity", title=each.name, channel=each.channel, category=each.type, score=1.0)
        for each in best
    ]


def _found(hit: Hit) -> Found:
    title = hit.text.partition(": ")[0] if hit.kind == "entity" else shortened(hit.text, 160)
    return Found(
        id=hit.id, kind=hit.kind, title=title, channel=hit.channel, category=hit.category, score=hit.score
    )
