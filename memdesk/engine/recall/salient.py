"""Memories an agent should know before any question: the strongest of a channel and `_global`.

No memory is reinforced: otherwise memories shown without a question would keep themselves on top."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from memdesk.engine import salience
from memdesk.engine.engine import Engine
from memdesk.engine.memory.rows import confidence_now, salience_now
from memdesk.model.channel import GLOBAL
from memdesk.model.entity import ENTITY
from memdesk.model.errors import BadAsk
from memdesk.model.fact import FACT, Fact
from memdesk.model.instant import DAY
from memdesk.model.kind import Kind
from memdesk.model.message import message
from memdesk.model.recall import AskSalient, Salient, SalientList
from memdesk.model.settings import Settings
from memdesk.store import recalls, records, semantic
from memdesk.store.connection import Connection
from memdesk.store.recalls import Use

CORE = 0.6
"""Least salience of the salient core (AgentX)."""
LOOKED_AT = 4
"""Factor on the limit: how many of the most recalled and of the latest memories are read per kind; others are
seldom strong."""
LIMIT_AT_MOST = 100
BY = ("boost", "salience")


def salient(engine: Engine, ask: AskSalient) -> SalientList:
    """Return the strongest memories that are current and not past. Raises BadAsk for an unknown order or limit."""
    if ask.by not in BY or not 1 <= ask.limit <= LIMIT_AT_MOST:
        raise BadAsk(
            message(
                "by is one of {by}, and limit lies between 1 and {count}.",
                by=", ".join(BY),
                count=LIMIT_AT_MOST,
            )
        )
    with engine.store.reading() as db:
        here = semantic.channels_read(db, ask.user_id, " ".join(ask.channel.split()))
        channels = tuple(dict.fromkeys((*here, GLOBAL)))
        kinds = (FACT,) if ask.by == "boost" else (FACT, ENTITY)
        rows = [row for kind in kinds for row in _strongest(engine, db, kind, ask, channels)]
    return SalientList(rows=tuple(rows))


def _strongest(
    engine: Engine, db: Connection, kind: Kind[Any], ask: AskSalient, channels: tuple[str, ...]
) -> list[Salient]:
    since = 0 if ask.by == "boost" else engine.clock() - _days_above(CORE, engine.settings) * DAY
    seqs = recalls.strong_candidates(db, kind.table, ask.user_id, channels, since, LOOKED_AT * ask.limit)
    used = recalls.uses(db, seqs)
    if ask.by == "boost":
        seqs = _most_used(engine, seqs, used, 2 * ask.limit)
    found = (_row(engine, kind, record, used.get(record.seq)) for record in _present(engine, db, kind, seqs))
    if ask.by == "boost":
        return sorted(found, key=lambda row: (-row.boost, -row.salience, row.id))[: ask.limit]
    core = (row for row in found if row.salience >= CORE)
    return sorted(core, key=lambda row: (-row.salience, -row.confidence, row.id))[: ask.limit]


def _most_used(engine: Engine, seqs: list[int], used: dict[int, Use], most: int) -> list[int]:
    """Return the `most` of greatest boost, and those equal to the last of them: only these are worth reading."""
    boosts = {seq: _boost(engine, used.get(seq))[1] for seq in seqs}
    least = sorted(boosts.values(), reverse=True)[most - 1 : most]
    return [seq for seq in seqs if not least or boosts[seq] >= least[0]]


def _boost(engine: Engine, use: Use | None) -> tuple[int, float]:
    """Return (how often a memory was recalled, OpenLegion's boost)."""
    times = 0 if use is None else use.access_count
    days = 0.0 if use is None else max(0, engine.clock() - use.last_accessed) / DAY
    return times, salience.boost(times, days)


def _days_above(least: float, settings: Settings) -> int:
    """Return the number of days after which even the strongest memory is below `least` unless it was recalled."""
    if settings.decay_per_day >= 1:
        return 36_500
    return math.ceil(math.log(least) / math.log(settings.decay_per_day))


def _present(engine: Engine, db: Connection, kind: Kind[Any], seqs: list[int]) -> Iterable[Any]:
    found = records.many(db, kind, "seq", seqs)
    at = engine.clock()
    return (
        each
        for each in found
        if not isinstance(each, Fact) or not (each.temporal == "past" or each.has_ended(at))
    )


def _row(engine: Engine, kind: Kind[Any], record: Any, use: Use | None) -> Salient:
    times, boost = _boost(engine, use)
    fact = record if isinstance(record, Fact) else None
    return Salient(
        id=record.id,
        kind=kind.name,
        text=str(getattr(record, kind.title)),
        channel=record.channel,
        category=fact.category if fact else record.type,
        confidence=confidence_now(engine, fact, use) if fact else 1.0,
        salience=salience_now(engine, record, use),
        boost=boost,
        recalled=times,
        source=record.origin,
        trust=record.trust,
        agent_id=record.agent_id,
    )
