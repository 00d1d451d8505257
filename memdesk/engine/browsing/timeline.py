"""Memory timeline: every memory by its time, with its present importance and how often it was used."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from memdesk.engine.browsing.paging import cursor, cut, next_page
from memdesk.engine.engine import Engine
from memdesk.engine.recall.rows import salience_now
from memdesk.engine.wording import shortened
from memdesk.model.entity import Entity
from memdesk.model.errors import BadAsk
from memdesk.model.instant import optional_datetime, to_datetime
from memdesk.model.kind import Kind
from memdesk.model.timeline import STATES, TIMELINE, AskTimeline, TimelinePage, TimelineRow
from memdesk.model.turn import Conversation, Turn
from memdesk.store import episodic, recalls
from memdesk.store.connection import Connection
from memdesk.store.recalls import Use

UNWEIGHED = 0.5
"""Importance of a memory without salience (AgentX's default)."""
SUMMARY_CHARACTERS = 160


def timeline(engine: Engine, ask: AskTimeline) -> TimelinePage:
    """Return memories in order of time, newest first. Raises BadAsk for an unknown type or state."""
    if strange := [name for name in ask.kinds if name not in TIMELINE]:
        raise BadAsk(f"There is no “{strange[0]}” in the timeline; types are {', '.join(TIMELINE)}.")
    if ask.state not in STATES:
        raise BadAsk(f"state should be one of {', '.join(STATES)}.")
    with engine.store.reading() as db:
        asked = next_page(db, ask)
        page, last = cut(episodic.memories_in_time(db, asked, ask.kinds or TIMELINE, ask.state), ask.limit)
        rows = _rows(engine, db, page)
    return TimelinePage(rows=rows, next=None if last is None else cursor(*episodic.place(*last)))


def _rows(engine: Engine, db: Connection, page: Sequence[tuple[Kind, Any]]) -> tuple[TimelineRow, ...]:
    used = recalls.uses(db, [record.seq for _, record in page])
    talks = {record.conversation_id for _, record in page if isinstance(record, Turn)}
    archived = episodic.archived_among(db, sorted(talks))
    return tuple(_row(engine, kind, record, used.get(record.seq), archived) for kind, record in page)


def _row(engine: Engine, kind: Kind, record: Any, use: Use | None, archived: set[str]) -> TimelineRow:
    at, _ = episodic.place(kind, record)
    return TimelineRow(
        id=record.id, memory_type=kind.name, layer=kind.layer, event_time=to_datetime(at),
        summary=shortened(str(getattr(record, kind.title)), SUMMARY_CHARACTERS),
        importance_score=salience_now(engine, record, use) if kind.fades else UNWEIGHED,
        access_count=0 if use is None else use.access_count,
        last_accessed=optional_datetime(None if use is None else use.last_accessed), channel=record.channel,
        archived=_gone(record, archived), agent_id=record.agent_id, metadata=_metadata(record),
    )  # fmt: skip


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
