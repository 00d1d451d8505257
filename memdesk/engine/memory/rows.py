"""Rows of listed facts and strategies, with values computed when read: current salience, use, and success."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from datetime import datetime
from functools import cache
from typing import Any, TypeVar, get_args, get_type_hints

from memdesk.engine import salience
from memdesk.engine.engine import Engine
from memdesk.model.browse import FactRow, Threshold
from memdesk.model.change import Edit
from memdesk.model.fact import Fact
from memdesk.model.history import FieldMove, RecordRef
from memdesk.model.instant import optional_datetime, to_datetime
from memdesk.model.kinds import BY_NAME
from memdesk.model.procedure import Strategy
from memdesk.model.procedures import StrategyRow
from memdesk.model.settings import Settings
from memdesk.store import proposing, recalls, semantic
from memdesk.store.connection import Connection
from memdesk.store.procedures import Tally
from memdesk.store.recalls import Use
from memdesk.store.semantic import tags_on

T = TypeVar("T")


def salience_now(engine: Engine, record: Any, use: Use | None, now: int | None = None) -> float:
    """Return the current salience of a fact or an entity, 0 to 1. now: read once by a caller with many records."""
    return salience.at(
        engine.clock() if now is None else now,
        base=record.salience,
        base_at=record.salience_at,
        pinned=bool(record.pinned),
        used=None if use is None else (use.salience, use.last_accessed),
        settings=engine.settings,
    )


def confidence_now(engine: Engine, fact: Fact, use: Use | None, now: int | None = None) -> float:
    """Return the current confidence of a fact, 0 to 1: an inferred fact loses confidence while it is not
    recalled. now: as for `salience_now`."""
    confirmed = max(fact.created_at, fact.salience_at, 0 if use is None else use.last_accessed)
    return salience.confidence_at(
        engine.clock() if now is None else now,
        fact.confidence,
        source=fact.source,
        confirmed_at=confirmed,
        pinned=bool(fact.pinned),
        settings=engine.settings,
    )


def fact_rows(engine: Engine, db: Connection, facts: Sequence[Fact]) -> tuple[FactRow, ...]:
    """Return these facts as rows, in their order."""
    used = recalls.uses(db, [fact.seq for fact in facts])
    behind = semantic.conversations_behind(db, [fact.id for fact in facts])
    tags = tags_on(db, [fact.id for fact in facts])
    above = semantic.headings_above(db, [fact.id for fact in facts])
    asked = proposing.contradicted_among(db, [fact.id for fact in facts])
    return tuple(
        replace(
            _row(engine, fact, used.get(fact.seq), behind[fact.id], tags.get(fact.id, ())),
            context=above.get(fact.id, ()),
            question=asked.get(fact.id, ""),
        )
        for fact in facts
    )


def thresholds(row: FactRow, settings: Settings) -> tuple[Threshold, ...]:
    """Return a fact's values and the values needed for promotion (AgentX: all three)."""
    return (
        Threshold(name="confidence", found=row.confidence, needed=settings.promote_confidence),
        Threshold(name="recalled", found=row.recalled, needed=settings.promote_recalls),
        Threshold(name="conversations", found=row.conversations, needed=settings.promote_conversations),
    )


def _row(engine: Engine, fact: Fact, use: Use | None, conversations: int, tags: tuple[str, ...]) -> FactRow:
    return row_of(
        FactRow,
        fact,
        confidence=confidence_now(engine, fact, use),
        temporal="past" if fact.has_ended(engine.clock()) else fact.temporal,
        salience=salience_now(engine, fact, use),
        recalled=0 if use is None else use.access_count,
        conversations=conversations,
        tags=tags,
    )


def strategy_row(strategy: Strategy, tally: Tally) -> StrategyRow:
    """Return a strategy as a row, with its successes and failures so far."""
    return row_of(
        StrategyRow,
        strategy,
        tool_sequence=tuple(json.loads(strategy.tool_sequence)),
        success_count=tally.successes,
        failure_count=tally.failures,
        success_rate=tally.rate,
        last_used=optional_datetime(tally.last_used),
    )


def row_of(row: type[T], record: Any, **computed: Any) -> T:
    """Return a row with the fields that a record has under the same name: times as datetimes, and 1 and 0 as
    bool, where the row has those types. computed: its other fields."""
    stored = {
        name: convert(getattr(record, name))
        for name, convert in _shared((row, type(record)))
        if name not in computed
    }
    return row(**stored, **computed)


@cache
def _shared(types: tuple[type[Any], type[Any]]) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """Return the fields that a row has from its record, each with its conversion. types: of the two."""
    row, record = types
    hints = get_type_hints(row)
    stored = {field.name for field in fields(record)}
    return tuple((name, _conversion(hints[name])) for name in hints if name in stored)


def _conversion(hint: Any) -> Callable[[Any], Any]:
    types = get_args(hint) or (hint,)
    if datetime in types:
        return optional_datetime
    if bool in types:
        return lambda value: None if value is None else bool(value)
    return lambda value: value


_UNSHOWN = {"seq", "id", "user_id"}
"""Fields of every record that are useless to a person in a comparison of before and after."""


def moves_of(edit: Edit, refs: dict[str, RecordRef]) -> list[FieldMove]:
    """Return the fields an edit changed, as text before and after; fields empty on both sides are left out."""
    kind = BY_NAME[edit.kind]
    before, after = edit.before or {}, edit.after or {}
    title = refs[edit.id].title if edit.id in refs else edit.id
    return [
        FieldMove(
            record=edit.id,
            kind=kind.name,
            title=title,
            field=name,
            before=_shown(name, before.get(name)),
            after=_shown(name, after.get(name)),
        )
        for name in kind.columns
        if name in {**before, **after}
        and name not in _UNSHOWN
        and (before.get(name) not in (None, "") or after.get(name) not in (None, ""))
    ]


def _shown(name: str, value: Any) -> str | None:
    if value is None:
        return None
    if name.endswith("_at") and isinstance(value, int):
        return to_datetime(value).isoformat(timespec="seconds")
    if isinstance(value, float):
        return f"{value:.2f}"
    return str(value)
