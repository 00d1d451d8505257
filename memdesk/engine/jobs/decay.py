"""Decay job: salience and certainty fade when they are read; this job retires entities that have faded for
good."""

from __future__ import annotations

from functools import partial
from typing import Any

from memdesk.engine import salience
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.run import Run
from memdesk.engine.memory.protection import protected
from memdesk.engine.wording import shortened
from memdesk.model.change import Change
from memdesk.model.entity import ENTITY, Entity
from memdesk.model.instant import DAY, to_datetime
from memdesk.store import aging, records
from memdesk.store.aging import Unused
from memdesk.store.connection import Connection

COUNTED = ("faded_entities", "faded_facts", "retired")


def decay(run: Run) -> dict[str, int]:
    """Count the memories that lost strength in the last day, and retire entities that are faded and unused,
    one change each.

    Returns counts of faded_entities, faded_facts and retired. Pinned and human-edited entities stay, and
    those a current fact is about."""
    engine, at = run.engine, run.engine.clock()
    run.counts.update(dict.fromkeys(COUNTED, 0))
    with engine.store.reading() as db:
        _count_fading(run, db, at)
        candidates = _faded(engine, aging.unused_entities(db, _unused_before(engine, at)), at)
        kept = protected(db, [each.id for each in candidates])
    waiting = [each.id for each in candidates if each.id not in kept]
    for done, id in enumerate(waiting):
        run.step(done, len(waiting), "Retiring what has faded")
        run.counts["retired"] += run.decide(partial(_retirement, run, id))
    return dict(run.counts)


def _unused_before(engine: Engine, at: int) -> int:
    """Return the time since which an entity must have been used to stay; 0 if the settings never retire one."""
    days = engine.settings.retire_unused_days
    return at - days * DAY if days else 0


def _count_fading(run: Run, db: Connection, at: int) -> None:
    settings = run.engine.settings
    if settings.decay_per_day < 1:
        run.counts["faded_entities"] = aging.entities_fading(db, at)
    if settings.fact_decay_per_week < 1:
        run.counts["faded_facts"] = aging.facts_doubted(db, at, salience.INFERRED_BELOW)


def _faded(engine: Engine, unused: list[Unused], at: int) -> list[Unused]:
    return [each for each in unused if _worth(engine, each, at) < engine.settings.fade_below]


def _worth(engine: Engine, entity: Unused, at: int) -> float:
    return salience.at(
        at, base=entity.salience, base_at=entity.salience_at, used=entity.used, pinned=False,
        settings=engine.settings,
    )  # fmt: skip


def _retirement(run: Run, id: str, db: Connection) -> tuple[Change | None, int]:
    """Return the change that retires an entity, and 1; None and 0 if it is no longer faded or is protected
    now."""
    engine, at = run.engine, run.engine.clock()
    still = _faded(engine, aging.unused_entities(db, _unused_before(engine, at), id), at)
    if not still or protected(db, [id]):
        return None, 0
    entity: Entity = records.need(db, ENTITY, id)
    return Change(
        op="retire", title=f"{shortened(entity.name, 80)}, faded", author=run.author, channel=entity.channel,
        user_id=entity.user_id, run=run.id, edits=(records.moved(ENTITY, entity, retired_at=at),),
        details=_evidence(engine, still[0], at),
    ), 1  # fmt: skip


def _evidence(engine: Engine, entity: Unused, at: int) -> dict[str, Any]:
    """Return the values the retirement was based on, for the timeline."""
    used = entity.salience_at if entity.used is None else max(entity.used[1], entity.salience_at)
    return {
        "salience": round(_worth(engine, entity, at), 4),
        "fade_below": engine.settings.fade_below,
        "last_used": to_datetime(used).isoformat(timespec="seconds"),
        "unused_days": (at - used) // DAY,
        "retire_unused_days": engine.settings.retire_unused_days,
    }
