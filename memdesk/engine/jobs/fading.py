"""Decay: count what lost strength, and ask a person about what has faded, as one question. Nothing is retired here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from memdesk.engine import salience
from memdesk.engine.engine import Engine
from memdesk.engine.jobs.run import Run
from memdesk.engine.memory.draft import Draft, protected
from memdesk.model.change import Change
from memdesk.model.channel import GLOBAL
from memdesk.model.entity import ENTITY
from memdesk.model.fact import FACT
from memdesk.model.instant import DAY
from memdesk.model.message import Message, message
from memdesk.model.review import FADING
from memdesk.store import aging, proposing
from memdesk.store.aging import Unused
from memdesk.store.connection import Connection

DECAY_COUNTED = ("faded_entities", "faded_facts", "fading", "asked")
FACT_UNUSED_DAYS = 90
"""Days without recall after which an extracted fact may fade; an entity after `retire_unused_days`."""
ASKED_AT_MOST = 50
"""Memories of one question: as many as a person looks through."""
KEPT_DAYS = 365
"""Days for which memory that a person keeps is not asked about again."""
NEVER_FADE = ("Person", "Agent")
"""Types of entities that are never asked about: the desk's owner, agents and their people."""


def decay(run: Run) -> dict[str, int]:
    """Count the memories that lost strength in the last day, and ask about those that are faded and unused.

    Returns counts of faded_entities, faded_facts, of memories that fade, and of questions. Pinned memory, memory that a
    person wrote, people and agents, and entities that a current fact is about never fade. A user has one open question
    at a time."""
    engine, at = run.engine, run.engine.clock()
    run.counts.update(dict.fromkeys(DECAY_COUNTED, 0))
    with engine.store.reading() as db:
        _count_fading(run, db, at)
        found = fading(engine, db, at)
    run.counts["fading"] = sum(map(len, found.values()))
    for done, (user_id, memories) in enumerate(found.items()):
        run.step(done, len(found), message("Asking about what fades"))
        run.counts["asked"] += run.decide(_asking(run, user_id, memories[:ASKED_AT_MOST]))
    return dict(run.counts)


def fading(engine: Engine, db: Connection, at: int) -> dict[str, list[Unused]]:
    """Return what has faded and was not used, by user, the weakest first, without what a person keeps."""
    days = engine.settings.retire_unused_days
    if not days:
        return {}
    unused = (
        *aging.unused_entities(db, at - days * DAY, besides=NEVER_FADE),
        *aging.unused_facts(db, at - max(days, FACT_UNUSED_DAYS) * DAY),
    )
    faded = [each for each in unused if _worth(engine, each, at) < engine.settings.fade_below]
    kept = protected(db, [each.id for each in faded]) | proposing.kept(db, since=at - KEPT_DAYS * DAY)
    found: dict[str, list[Unused]] = {}
    for each in sorted(faded, key=lambda each: _worth(engine, each, at)):
        if each.id not in kept:
            found.setdefault(each.user_id, []).append(each)
    return found


def _count_fading(run: Run, db: Connection, at: int) -> None:
    settings = run.engine.settings
    if settings.decay_per_day < 1:
        run.counts["faded_entities"] = aging.count_fading_entities(db, at)
    if settings.fact_decay_per_week < 1:
        run.counts["faded_facts"] = aging.count_decaying_facts(db, at, salience.INFERRED_BELOW)


def _worth(engine: Engine, memory: Unused, at: int) -> float:
    return salience.at(
        at,
        base=memory.salience,
        base_at=memory.salience_at,
        used=memory.used,
        pinned=False,
        settings=engine.settings,
    )


def _asking(
    run: Run, user_id: str, memories: list[Unused]
) -> Callable[[Connection], tuple[Change | None, int]]:
    def verb(db: Connection) -> tuple[Change | None, int]:
        if proposing.is_open(db, user_id, FADING):
            return None, 0
        channels = {each.channel for each in memories}
        at = run.engine.clock()
        draft = Draft(
            engine=run.engine,
            db=db,
            user_id=user_id,
            channel=channels.pop() if len(channels) == 1 else GLOBAL,
            at=at,
        )
        days = min((at - each.last) // DAY for each in memories)
        says = (
            message(
                "{memories} fades: not recalled for {days} days.",
                memories=_counts_by_kind(memories),
                days=days,
            )
            if len(memories) == 1
            else message(
                "{memories} fade: not recalled for {days} days.",
                memories=_counts_by_kind(memories),
                days=days,
            )
        )
        details = {"ids": [each.id for each in memories], "days": days, "by": run.author}
        draft.question(FADING, memories[0].id, None, reason=says, details=details)
        title = message("Asked: {says}", says=says)
        return draft.change("learn", title, author=run.author, run=run.id), 1

    return verb


def _counts_by_kind(memories: Iterable[Unused]) -> Message:
    """Return the number of memories of each kind: "12 facts and 3 entities"."""
    counts = Counter(each.kind for each in memories)
    facts, entities = counts[FACT.name], counts[ENTITY.name]
    of_facts = message("1 fact") if facts == 1 else message("{count} facts", count=f"{facts:,}")
    of_entities = message("1 entity") if entities == 1 else message("{count} entities", count=f"{entities:,}")
    if facts and entities:
        return message("{facts} and {entities}", facts=of_facts, entities=of_entities)
    return of_facts if facts else of_entities
