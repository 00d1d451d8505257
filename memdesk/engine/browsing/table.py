"""Table of one kind of memory, a window at a time. Reading it never counts as recalling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.recall.rows import confidence_now, salience_now
from memdesk.engine.salience import INFERRED_BELOW
from memdesk.model.entity import ENTITY
from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT, Fact
from memdesk.model.goal import GOAL
from memdesk.model.instant import optional_instant, to_datetime
from memdesk.model.kind import Kind
from memdesk.model.procedure import STRATEGY
from memdesk.model.table import AskTable, TablePage, TableRow
from memdesk.store import procedures, proposing, recalls, tabling
from memdesk.store.connection import Connection
from memdesk.store.procedures import UNTRIED, Tally
from memdesk.store.recalls import Use
from memdesk.store.tagging import tags_on

KINDS = {kind.name: kind for kind in (FACT, ENTITY, GOAL, STRATEGY)}
ROWS_AT_MOST = 1000


def table(engine: Engine, ask: AskTable) -> TablePage:
    """Return a window of the table, with each row's present confidence and salience. Raises BadAsk for a
    filter, a state or a sort order that its kind does not have."""
    kind = _checked(ask)
    with engine.store.reading() as db:
        newest = tabling.newest(db, kind)
        upto = newest if ask.upto is None else ask.upto
        total, records = tabling.window(db, _asked(engine, ask, kind, upto), ask.first, ask.limit)
        return TablePage(
            first=ask.first, total=total, newest=upto, rows=_rows(engine, db, kind, records),
            categories=_counted(db, kind, ask, tabling.category_column(kind)),
            sources=_counted(db, kind, ask, "source" if kind is FACT else None),
        )  # fmt: skip


def _checked(ask: AskTable) -> Kind:
    if ask.kind not in KINDS:
        raise BadAsk(f"kind should be one of {', '.join(KINDS)}.")
    if ask.state not in tabling.STATES[ask.kind]:
        raise BadAsk(f"state of a {ask.kind} should be one of {', '.join(tabling.STATES[ask.kind])}.")
    if ask.sort not in tabling.SORTS[ask.kind]:
        raise BadAsk(f"A table of this kind is sorted by one of {', '.join(tabling.SORTS[ask.kind])}.")
    if ask.first < 0 or not 1 <= ask.limit <= ROWS_AT_MOST:
        raise BadAsk(f"first counts from 0 and limit lies between 1 and {ROWS_AT_MOST}.")
    if ask.kind != FACT.name and (ask.confidence_from, ask.confidence_below) != (None, None):
        raise BadAsk("Only facts are narrowed by confidence.")
    return KINDS[ask.kind]


def _asked(engine: Engine, ask: AskTable, kind: Kind, upto: int) -> tabling.Asked:
    settings = engine.settings
    return tabling.Asked(
        kind=kind, user_id=ask.user_id, channels=ask.channels, agents=ask.agents, categories=ask.categories,
        sources=ask.sources, tags=ask.tags, text=ask.text.strip(), state=ask.state,
        confidence_from=ask.confidence_from, confidence_below=ask.confidence_below,
        since=optional_instant(ask.since), until=optional_instant(ask.until), sort=ask.sort,
        descending=ask.descending, upto=upto,
        numbers={
            "now": engine.clock(), "decay_per_day": settings.decay_per_day,
            "decay_per_week": settings.fact_decay_per_week, "inferred_below": INFERRED_BELOW,
        },
    )  # fmt: skip


def _counted(db: Connection, kind: Kind, ask: AskTable, column: str | None) -> dict[str, int]:
    return {} if column is None or ask.first else tabling.counted(db, kind, ask.user_id, column)


def _rows(engine: Engine, db: Connection, kind: Kind, records: Sequence[Any]) -> tuple[TableRow, ...]:
    ids = [each.id for each in records]
    used = recalls.uses(db, [each.seq for each in records]) if kind.fades else {}
    tallied = procedures.tallies(db, ids) if kind is STRATEGY else {}
    tags = tags_on(db, ids)
    held_out = proposing.held_out(db, [each.id for each in records if each.retired_at is not None])
    return tuple(
        TableRow(
            id=each.id, kind=kind.name, title=str(getattr(each, kind.title)),
            category=str(getattr(each, tabling.category_column(kind) or "", "")), channel=each.channel,
            agent_id=each.agent_id, state="quarantined" if each.id in held_out else _state(kind, each),
            created_at=to_datetime(each.created_at),
            source=getattr(each, "source", None), priority=getattr(each, "priority", None),
            pinned=bool(getattr(each, "pinned", 0)), promoted_from=getattr(each, "promoted_from", None),
            tags=tags.get(each.id, ()), **_worth(engine, kind, each, used.get(each.seq), tallied.get(each.id, UNTRIED)),
        )
        for each in records
    )  # fmt: skip


def _worth(engine: Engine, kind: Kind, record: Any, use: Use | None, tally: Tally) -> dict[str, Any]:
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


def _state(kind: Kind, record: Any) -> str:
    if record.retired_at is not None:
        return "retired"
    if kind is GOAL:
        return str(record.status)
    if isinstance(record, Fact) and record.superseded_by is not None:
        return "superseded"
    return "past" if isinstance(record, Fact) and record.temporal == "past" else "current"
