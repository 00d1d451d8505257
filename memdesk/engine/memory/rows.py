"""Rows of listed facts and strategies, with values computed when read: current salience, use, and success."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from memdesk.engine import salience
from memdesk.engine.engine import Engine
from memdesk.model.browse import FactRow, Threshold
from memdesk.model.fact import Fact
from memdesk.model.instant import optional_datetime, to_datetime
from memdesk.model.procedure import Strategy
from memdesk.model.procedures import StrategyRow
from memdesk.model.settings import Settings
from memdesk.store import recalls, semantic
from memdesk.store.connection import Connection
from memdesk.store.procedures import Tally
from memdesk.store.recalls import Use
from memdesk.store.semantic import tags_on


def salience_now(engine: Engine, record: Any, use: Use | None) -> float:
    """Return the current salience of a fact or an entity, 0 to 1."""
    return salience.at(
        engine.clock(),
        base=record.salience,
        base_at=record.salience_at,
        pinned=bool(record.pinned),
        used=None if use is None else (use.salience, use.last_accessed),
        settings=engine.settings,
    )


def confidence_now(engine: Engine, fact: Fact, use: Use | None) -> float:
    """Return the current confidence of a fact, 0 to 1: an inferred fact loses confidence while it is not
    recalled."""
    confirmed = max(fact.created_at, fact.salience_at, 0 if use is None else use.last_accessed)
    return salience.confidence_at(
        engine.clock(),
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
    return tuple(
        replace(
            _row(engine, fact, used.get(fact.seq), behind[fact.id], tags.get(fact.id, ())),
            context=above.get(fact.id, ()),
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
    return FactRow(
        id=fact.id,
        claim=fact.claim,
        category=fact.category,
        channel=fact.channel,
        agent_id=fact.agent_id,
        confidence=confidence_now(engine, fact, use),
        source=fact.source,
        temporal=fact.temporal,
        salience=salience_now(engine, fact, use),
        recalled=0 if use is None else use.access_count,
        conversations=conversations,
        pinned=bool(fact.pinned),
        created_at=to_datetime(fact.created_at),
        retired_at=optional_datetime(fact.retired_at),
        promoted_from=fact.promoted_from,
        superseded_by=fact.superseded_by,
        key=fact.key,
        value=fact.value,
        valid_from=optional_datetime(fact.valid_from),
        valid_to=optional_datetime(fact.valid_to),
        tags=tags,
    )


def strategy_row(strategy: Strategy, tally: Tally) -> StrategyRow:
    """Return a strategy as a row, with its successes and failures so far."""
    return StrategyRow(
        id=strategy.id,
        description=strategy.description,
        context_pattern=strategy.context_pattern,
        tool_sequence=tuple(json.loads(strategy.tool_sequence)),
        channel=strategy.channel,
        agent_id=strategy.agent_id,
        success_count=tally.successes,
        failure_count=tally.failures,
        success_rate=tally.rate,
        pinned=bool(strategy.pinned),
        created_at=to_datetime(strategy.created_at),
        last_used=optional_datetime(tally.last_used),
        retired_at=optional_datetime(strategy.retired_at),
    )
