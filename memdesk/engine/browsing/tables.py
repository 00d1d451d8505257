"""Table of one kind of memory, the memory timeline, and the search box. Reading them never counts as recalling."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from memdesk.engine.browsing.lists import check_window, cursor, next_page, split_page
from memdesk.engine.engine import Engine
from memdesk.engine.memory.rows import confidence_now, row_of, salience_now
from memdesk.engine.recall.candidates import gather
from memdesk.engine.recall.choosing import choose
from memdesk.engine.recall.evidence import FLOOR
from memdesk.engine.recall.hits import hits_of
from memdesk.engine.recall.query import check, search_box_query
from memdesk.engine.recall.ranking import rank
from memdesk.engine.recall.time_mentions import days_named
from memdesk.engine.salience import INFERRED_BELOW
from memdesk.engine.wording import shortened
from memdesk.model.browse import Find, Found, FoundList
from memdesk.model.entity import Entity
from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT, Fact
from memdesk.model.instant import optional_datetime, to_datetime
from memdesk.model.kind import RECALLED, Kind
from memdesk.model.kinds import TABLED, TIMELINE
from memdesk.model.message import message
from memdesk.model.recall import Hit
from memdesk.model.strategy import STRATEGY
from memdesk.model.timeline import (
    STATES,
    AskTable,
    AskTimeline,
    TablePage,
    TableRow,
    TimelinePage,
    TimelineRow,
)
from memdesk.model.turn import Conversation, Turn
from memdesk.store import browsing, episodic, procedures, proposing, recalls, search, semantic
from memdesk.store.connection import Connection
from memdesk.store.procedures import UNTRIED, Tally
from memdesk.store.recalls import Use
from memdesk.store.semantic import tags_on

KINDS = {kind.name: kind for kind in TABLED}


def table(engine: Engine, ask: AskTable) -> TablePage:
    """Return a window of the table, with each row's present confidence and salience. Raises BadAsk for a
    filter, a state or a sort order that its kind does not have."""
    kind = _checked(ask)
    categories = _counted(engine, kind, ask, kind.category)
    sources = _counted(engine, kind, ask, "source" if "source" in kind.columns else "")
    with engine.store.reading() as db:
        newest = browsing.newest(db, kind)
        upto = newest if ask.upto is None else ask.upto
        total, records = browsing.window(db, _asked(engine, ask, kind, upto), ask.first, ask.limit)
        return TablePage(
            first=ask.first,
            total=total,
            newest=upto,
            rows=_table_rows(engine, db, kind, records),
            categories=categories,
            sources=sources,
        )


def _checked(ask: AskTable) -> Kind[Any]:
    if ask.kind not in KINDS:
        raise BadAsk(message("kind should be one of {kinds}.", kinds=", ".join(KINDS)))
    kind = KINDS[ask.kind]
    if ask.state not in kind.states:
        raise BadAsk(
            message("state of a {kind} should be one of {list}.", kind=ask.kind, list=", ".join(kind.states))
        )
    if ask.sort not in kind.sorts:
        raise BadAsk(message("A table of this kind is sorted by one of {list}.", list=", ".join(kind.sorts)))
    check_window(ask.first, ask.limit)
    if ask.kind != FACT.name and (ask.confidence_from, ask.confidence_below) != (None, None):
        raise BadAsk(message("Only facts are narrowed by confidence."))
    return kind


def _asked(engine: Engine, ask: AskTable, kind: Kind[Any], upto: int) -> browsing.Asked:
    settings = engine.settings
    return browsing.Asked(
        kind=kind,
        ask=replace(ask, text=ask.text.strip(), about=" ".join(ask.about.split())),
        upto=upto,
        numbers={
            "now": engine.clock(),
            "decay_per_day": settings.decay_per_day,
            "decay_per_week": settings.fact_decay_per_week,
            "inferred_below": INFERRED_BELOW,
        },
    )


def _counted(engine: Engine, kind: Kind[Any], ask: AskTable, column: str) -> dict[str, int]:
    def read(db: Connection) -> dict[str, int]:
        return browsing.counted(db, kind, ask.user_id, column)

    if not column or ask.first:
        return {}
    if kind is FACT:
        return engine.store.kept(kind.table, (ask.user_id, column), read)
    with engine.store.reading() as db:
        return read(db)


def _table_rows(
    engine: Engine, db: Connection, kind: Kind[Any], records: Sequence[Any]
) -> tuple[TableRow, ...]:
    ids = [each.id for each in records]
    used = recalls.uses(db, [each.seq for each in records]) if kind.fades else {}
    tallied = procedures.tallies(db, ids) if kind is STRATEGY else {}
    tags = tags_on(db, ids)
    asked = proposing.contradicted_among(db, ids) if kind is FACT else {}
    held_out = proposing.quarantined_among(db, [each.id for each in records if each.retired_at is not None])
    return tuple(
        row_of(
            TableRow,
            each,
            kind=kind.name,
            title=str(getattr(each, kind.title)),
            category=str(getattr(each, kind.category, "")),
            state="quarantined" if each.id in held_out else _state(kind, each),
            tags=tags.get(each.id, ()),
            question=asked.get(each.id, ""),
            **_worth(engine, kind, each, used.get(each.seq), tallied.get(each.id, UNTRIED)),
        )
        for each in records
    )


def _worth(engine: Engine, kind: Kind[Any], record: Any, use: Use | None, tally: Tally) -> dict[str, Any]:
    """Return the row values that are computed on reading."""
    if kind is STRATEGY:
        return {"confidence": tally.rate, "recalled": tally.successes + tally.failures}
    if not kind.fades:
        return {}
    return {
        "confidence": confidence_now(engine, record, use) if isinstance(record, Fact) else None,
        "salience": salience_now(engine, record, use),
        "recalled": 0 if use is None else use.access_count,
    }


def _state(kind: Kind[Any], record: Any) -> str:
    if record.retired_at is not None:
        return "retired"
    if kind.statuses:
        return str(record.status)
    if isinstance(record, Fact) and record.superseded_by is not None:
        return "superseded"
    return "past" if isinstance(record, Fact) and record.temporal == "past" else "current"


UNWEIGHED = 0.5
"""Importance of a memory without salience (AgentX's default)."""
SUMMARY_CHARACTERS = 160


def timeline(engine: Engine, ask: AskTimeline) -> TimelinePage:
    """Return memories in order of time, newest first. Raises BadAsk for an unknown type or state."""
    if strange := [name for name in ask.kinds if name not in TIMELINE]:
        raise BadAsk(
            message(
                "There is no “{strange}” in the timeline; types are {timeline}.",
                strange=strange[0],
                timeline=", ".join(TIMELINE),
            )
        )
    if ask.state not in STATES:
        raise BadAsk(message("state should be one of {states}.", states=", ".join(STATES)))
    with engine.store.reading() as db:
        asked = next_page(db, ask)
        page, last = split_page(
            episodic.memories_in_time(db, asked, ask.kinds or TIMELINE, ask.state), ask.limit
        )
        rows = _timeline_rows(engine, db, page)
    return TimelinePage(rows=rows, next=None if last is None else cursor(*episodic.place(*last)))


def _timeline_rows(
    engine: Engine, db: Connection, page: Sequence[tuple[Kind[Any], Any]]
) -> tuple[TimelineRow, ...]:
    used = recalls.uses(db, [record.seq for _, record in page])
    talks = {record.conversation_id for _, record in page if isinstance(record, Turn)}
    archived = episodic.archived_among(db, sorted(talks))
    return tuple(_row(engine, kind, record, used.get(record.seq), archived) for kind, record in page)


def _row(engine: Engine, kind: Kind[Any], record: Any, use: Use | None, archived: set[str]) -> TimelineRow:
    at, _ = episodic.place(kind, record)
    return TimelineRow(
        id=record.id,
        memory_type=kind.name,
        layer=kind.layer,
        event_time=to_datetime(at),
        summary=shortened(str(getattr(record, kind.title)), SUMMARY_CHARACTERS),
        importance_score=salience_now(engine, record, use) if kind.fades else UNWEIGHED,
        access_count=0 if use is None else use.access_count,
        last_accessed=optional_datetime(None if use is None else use.last_accessed),
        channel=record.channel,
        archived=_gone(record, archived),
        agent_id=record.agent_id,
        metadata=_metadata(record),
    )


def _gone(record: Any, archived: set[str]) -> bool:
    match record:
        case Turn():
            out = record.conversation_id in archived
        case Conversation():
            out = record.archived_at is not None
        case _:
            out = getattr(record, "superseded_by", None) is not None
    return out or record.retired_at is not None


def _metadata(record: Any) -> dict[str, Any]:
    match record:
        case Turn():
            text = record.metadata
        case Entity():
            text = record.properties
        case _:
            text = "{}"
    found: dict[str, Any] = json.loads(text)
    return found


NAMES_FIRST = 5
"""Most entities found by name that the search box shows before other results."""


def find(engine: Engine, ask: Find) -> FoundList:
    """Search memories for the search box: the last word may be incomplete, entities found by name come first.

    Other results are ranked like a recall by words and vectors, but nothing is reinforced or logged. Each contains a
    word that was typed, or is by itself as relevant as the best hit of a recall has to be."""
    if not ask.text.strip():
        return FoundList(rows=())
    kinds = ask.kinds or RECALLED
    check(ask.text, kinds, ask.limit)
    days = days_named(ask.text, to_datetime(engine.clock()).astimezone())
    with engine.store.reading() as db:
        channels = ask.channels or search.channels_of(db, ask.user_id)
        named = _by_name(db, ask, channels) if "entity" in kinds else []
        asked = search_box_query(engine, ask, channels, kinds)
        pool = gather(engine, db, ask.text, asked.scope, active=None, typing=True)
        ranking = rank(engine, pool, asked, {}, most=2 * ask.limit + 10)
        with_words = {seq for posting in pool.postings for seq in posting.seqs}
        kept = choose(pool, ranking, asked).kept
        kept = [each for each in kept if each.seq in with_words or ranking.relevances[each.seq] >= FLOOR]
        rest = [_found(hit) for hit in hits_of(engine, db, pool, ranking, kept)]
    # One line for an entity of a name, however many channels have one.
    once: dict[str, Found] = {}
    for row in (*named, *rest):
        once.setdefault(row.title.lower() if row.kind == "entity" else row.id, row)
    first, last = days or (None, None)
    return FoundList(rows=tuple(once.values())[: ask.limit], first_day=first, last_day=last)


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
