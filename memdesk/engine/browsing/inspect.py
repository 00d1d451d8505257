"""Details of one memory: its content, its provenance, its use, its versions and its possible duplicates."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from memdesk.engine.browsing.curve import Life, curve, day_start
from memdesk.engine.browsing.history import moves_of
from memdesk.engine.browsing.lists import turn_rows
from memdesk.engine.engine import Engine
from memdesk.engine.recall.origin import origins
from memdesk.engine.recall.rows import fact_rows, salience_now, thresholds
from memdesk.engine.recall.similar import similar_to
from memdesk.engine.wording import shortened
from memdesk.model.browse import FieldValue, Inspect, Inspection, RecalledBy, Related, SalienceCurve, Version
from memdesk.model.entity import ABOUT, ENTITY
from memdesk.model.fact import FACT, Fact
from memdesk.model.goal import GOAL
from memdesk.model.history import RecordRef
from memdesk.model.instant import optional_datetime, to_datetime
from memdesk.model.kind import Kind
from memdesk.model.procedure import STRATEGY, TOOL_CALL
from memdesk.model.recall import Provenance
from memdesk.model.turn import TURN, Turn
from memdesk.store import browsing, recalls, records, search, semantic, timeline
from memdesk.store.connection import Connection
from memdesk.store.journal import edits_of
from memdesk.store.recalls import Use
from memdesk.store.tagging import tags_on

CURVE_BACK = 91
CURVE_AHEAD = 30
VERSIONS_SHOWN = 50
RELATED_SHOWN = 100
CONTEXT_TURNS = 1
"""Turns shown before and after a memory's source turn."""


def inspect(engine: Engine, ask: Inspect) -> Inspection:
    """Return the details of a record of any kind by its id. Raises NotFound."""
    with engine.store.reading() as db:
        kind, record = records.any_record(db, ask.id)
        return _inspection(engine, db, kind, record, ask.utc_offset_minutes)


def _inspection(
    engine: Engine, db: Connection, kind: Kind, record: Any, utc_offset_minutes: int
) -> Inspection:
    use = recalls.uses(db, [record.seq]).get(record.seq)
    source = _source_turn(db, kind, record)
    row = fact_rows(engine, db, [record])[0] if kind is FACT else None
    related = _related(db, record.id)
    return Inspection(
        id=record.id, kind=kind.name, label=kind.label, title=str(getattr(record, kind.title)),
        category=_category(record), channel=getattr(record, "channel", ""),
        agent_id=getattr(record, "agent_id", None), created_at=to_datetime(_born_at(record)),
        retired=record.retired_at is not None, pinned=bool(getattr(record, "pinned", 0)),
        fields=_fields(db, kind, record), about=tuple(r for r in related if r.relation == ABOUT and r.outgoing),
        related=tuple(r for r in related if not (r.relation == ABOUT and r.outgoing)),
        provenance=_provenance(db, source, record), context=_context(db, source),
        recalled=0 if use is None else use.access_count,
        recalled_by=tuple(
            RecalledBy(agent=author, times=times) for author, times in recalls.recalled_by(db, record.seq)
        ),
        last_recalled_at=optional_datetime(None if use is None else use.last_accessed),
        curve=_curve(engine, db, record, use, utc_offset_minutes) if kind.fades else None,
        versions=_versions(db, kind, record),
        duplicates=_duplicates(engine, db, record), fact=row, tags=tags_on(db, [record.id]).get(record.id, ()),
        thresholds=() if row is None else thresholds(row, engine.settings),
    )  # fmt: skip


def _category(record: Any) -> str:
    return str(getattr(record, "category", getattr(record, "type", getattr(record, "role", ""))))


def _born_at(record: Any) -> int:
    return int(getattr(record, "created_at", getattr(record, "started_at", 0)))


def _source_turn(db: Connection, kind: Kind, record: Any) -> Turn | None:
    if kind is TURN:
        turn: Turn = record
        return turn
    id = getattr(record, "source_turn_id", None)
    return None if id is None else records.get(db, TURN, id)


def _provenance(db: Connection, source: Turn | None, record: Any) -> Provenance | None:
    """Return the provenance of a fact or a turn; for other records, that of their source turn."""
    found = origins(db, [record, source])
    place = found.get(record.id) or (None if source is None else found[source.id])
    if place is None or place.quote:
        return place
    return replace(place, quote="" if source is None else source.content)


def _context(db: Connection, source: Turn | None) -> Any:
    if source is None:
        return ()
    first = max(0, source.turn_index - CONTEXT_TURNS)
    return turn_rows(db, source.conversation_id, first, 2 * CONTEXT_TURNS + 1)


def _fields(db: Connection, kind: Kind, record: Any) -> tuple[FieldValue, ...]:
    """Return the fields shown to a person in addition to the title, in a stable order."""
    values: dict[str, Any] = {}
    if kind is ENTITY:
        values = {
            "description": record.description,
            "also known as": ", ".join(semantic.aliases_of(db, record.id)),
        }
        values |= {str(name): value for name, value in json.loads(record.properties).items()}
    if kind is FACT:
        values = {"source": record.source, "time": record.temporal or ""}
    if kind is GOAL:
        values = {
            "status": record.status, "priority": record.priority, "result": record.result,
            "deadline": _when(record.deadline), "ended": _when(record.completed_at),
        }  # fmt: skip
    if kind is STRATEGY:
        values = {
            "when to use it": record.context_pattern, "tools": " → ".join(json.loads(record.tool_sequence)),
        }  # fmt: skip
    if kind is TOOL_CALL:
        values = {
            "asked for": record.task_type, "input": record.tool_input, "output": record.tool_output,
            "ended": {1: "well", 0: "badly"}.get(record.success, ""), "error": record.error_message,
            "took": "" if record.latency_ms is None else f"{record.latency_ms} ms",
        }  # fmt: skip
    if kind is TURN:
        values = {"role": record.role, "model": record.model or "", "tokens": record.token_count or ""}
        values |= {str(name): value for name, value in json.loads(record.metadata).items()}
    return tuple(
        FieldValue(name=name, value=str(value)) for name, value in values.items() if value not in ("", None)
    )


def _when(at: int | None) -> str:
    return "" if at is None else to_datetime(at).isoformat(timespec="minutes")


def _related(db: Connection, id: str) -> list[Related]:
    edges = [(s, t, kind) for s, t, kind, _ in browsing.relations_of(db, [id], RELATED_SHOWN)]
    edges += browsing.lineage_of(db, [id])
    others = records.by_ids(db, [target if source == id else source for source, target, _ in edges])
    found = []
    for source, target, type in edges[:RELATED_SHOWN]:
        outgoing = source == id
        other = others.get(target if outgoing else source)
        if other is not None and getattr(other[1], "retired_at", None) is None:
            found.append(_neighbour(other[0], other[1], type, outgoing))
    return found


def _neighbour(kind: Kind, record: Any, relation: str, outgoing: bool) -> Related:
    return Related(
        id=record.id, kind=kind.name, title=shortened(str(getattr(record, kind.title)), 160),
        channel=record.channel, category=_category(record), relation=relation, outgoing=outgoing,
    )  # fmt: skip


def _curve(
    engine: Engine, db: Connection, record: Any, use: Use | None, utc_offset_minutes: int
) -> SalienceCurve:
    moment = engine.clock()
    times = recalls.recall_times(db, [record.seq])[record.seq]
    life = Life(
        now=salience_now(engine, record, use), pinned=bool(record.pinned), created_at=record.created_at,
        set_to=record.salience, set_at=record.salience_at, recalls=[at for at, _ in times],
    )  # fmt: skip
    return curve(
        life, moment=moment, day_start=day_start(moment, utc_offset_minutes), days_back=CURVE_BACK,
        days_ahead=CURVE_AHEAD, settings=engine.settings,
    )  # fmt: skip


def _versions(db: Connection, kind: Kind, record: Any) -> tuple[Version, ...]:
    """Return the changes to this record itself, newest first."""
    ref = RecordRef(id=record.id, kind=kind.name, title=str(getattr(record, kind.title)), channel="")
    found = []
    for event in timeline.changing(db, record.id, VERSIONS_SHOWN):
        moves = [
            move
            for edit in edits_of(db, event.id)
            if edit.id == record.id
            for move in moves_of(edit, {ref.id: ref})
        ]
        found.append(Version(event=event, moves=tuple(moves)))
    return tuple(found)


def _duplicates(engine: Engine, db: Connection, record: Any) -> Any:
    if not isinstance(record, Fact) or record.retired_at is not None:
        return ()
    return similar_to(engine, db, record, channels=search.channels_of(db, record.user_id))
