"""Audit log for a person: pages of rows with the settings of their time, and the segments they belong to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.wording import check_limit
from memdesk.model.history import AskAudit, AuditPage, AuditRow, Segment, SegmentList
from memdesk.model.instant import optional_datetime, optional_instant, to_datetime
from memdesk.model.message import MESSAGE, NO_MESSAGE, Message, with_stored_parts, without_message
from memdesk.store import audit_log, events
from memdesk.store.audit_log import COLUMNS, AuditFilter, Checkpoint
from memdesk.store.connection import Connection

PAGE_AT_MOST = 1000
RECORDS_SHOWN = 20


def page(engine: Engine, ask: AskAudit) -> AuditPage:
    """Return rows of the audit log, newest first, by keyset. Raises BadAsk for a limit out of range."""
    check_limit(ask.limit, PAGE_AT_MOST)
    with engine.store.reading() as db:
        found = [
            dict(zip(("id", *COLUMNS), row, strict=True))
            for row in audit_log.page(db, _wanted(ask), ask.limit)
        ]
        numbers = [row["event"] for row in found if row["event"] is not None]
        titles, touched = events.titles(db, numbers), events.touched(db, numbers)
        known = audit_log.configs(db, sorted({row["config_snapshot"] for row in found}))
    rows = tuple(_row(row, titles, touched) for row in found)
    return AuditPage(
        rows=rows,
        next=rows[-1].id if len(rows) == ask.limit else None,
        configs={number: json.loads(snapshot) for number, snapshot in known.items()},
    )


def segment_list(engine: Engine) -> SegmentList:
    """List every day of the audit log, newest first, including those dropped by retention."""
    with engine.store.reading() as db:
        closed = {each.day: each for each in audit_log.checkpoints(db)}
        there = set(audit_log.days(db))
        rows = [
            _segment(db, day, day in there, closed.get(day))
            for day in sorted(there | closed.keys(), reverse=True)
        ]
    return SegmentList(
        rows=tuple(rows),
        level=engine.settings.audit_level,
        retention_days=engine.settings.audit_retention_days,
    )


def _wanted(ask: AskAudit) -> AuditFilter:
    one = {"user_id": ask.user_id, "session_id": ask.session_id, "conversation_id": ask.conversation_id}
    asked: dict[str, Sequence[Any]] = {
        "operation": ask.operations,
        "memory_type": ask.memory_types,
        "author": ask.authors,
        "source_channel": ask.channels,
        "success": () if ask.success is None else (int(ask.success),),
    }
    asked |= {name: () if value is None else (value,) for name, value in one.items()}
    return AuditFilter(
        before=ask.after,
        since=optional_instant(ask.since),
        until=optional_instant(ask.until),
        columns=tuple((column, tuple(values)) for column, values in asked.items() if values),
    )


def _row(
    row: dict[str, Any], titles: dict[int, Message], touched: dict[int, list[tuple[str, str]]]
) -> AuditRow:
    took, event = row.pop("latency_us"), row["event"]
    ids = dict.fromkeys(id for _, id in touched.get(event, ()))
    metadata, error = json.loads(row["metadata"] or "{}"), row["error_message"]
    read: dict[str, Any] = {
        "timestamp": to_datetime(row["timestamp"]),
        "success": bool(row["success"]),
        "target_channels": tuple(json.loads(row["target_channels"] or "[]")),
        "metadata": without_message(metadata),
        "error_message": error if error is None else with_stored_parts(error, metadata.get(MESSAGE)),
        "latency_ms": None if took is None else took / 1000,
        "title": titles.get(event, NO_MESSAGE),
        "records": tuple(ids)[:RECORDS_SHOWN],
    }
    return AuditRow(**row | read)


def _segment(db: Connection, day: int, there: bool, closed: Checkpoint | None) -> Segment:
    rows = audit_log.counted(db, day) if there else 0
    if closed is None:
        return Segment(day=audit_log.date_of(day), rows=rows, closed=False)
    return Segment(
        day=audit_log.date_of(day),
        rows=rows if there else closed.rows,
        closed=True,
        dropped_at=optional_datetime(closed.dropped_at),
        last_change=closed.last_change,
        hash=closed.hash.hex(),
    )
