"""Promotion job: facts that meet all three conditions are proposed to a person, or promoted directly."""

from __future__ import annotations

from typing import Any

from memdesk.engine.jobs.run import Run
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import Draft
from memdesk.engine.memory.promotion import promotion_change, threshold_values
from memdesk.engine.memory.rows import fact_rows, thresholds
from memdesk.engine.wording import shortened
from memdesk.model.browse import FactRow
from memdesk.model.change import Change
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import Conflict
from memdesk.model.fact import FACT, Fact
from memdesk.model.message import Message, message
from memdesk.model.trust import is_trusted
from memdesk.store import aging, records, semantic
from memdesk.store.connection import Connection

STRAIGHT = "straight"
COUNTED = ("promoted", "proposed", "held")


def promote(run: Run) -> dict[str, int]:
    """Compare project facts with the thresholds of promotion. Returns counts of promoted, proposed and held.

    held: `_global` has the same claim already or, in direct promotion, a contrary fact or another value under
    the same key. Facts that were promoted or proposed before are skipped, and so are those whose promotion
    was undone."""
    run.counts.update(dict.fromkeys(COUNTED, 0))
    with run.engine.store.reading() as db:
        waiting = _candidates(run, db)
    for done, fact in enumerate(waiting):
        run.step(done, len(waiting), message("Holding facts against the conditions of promotion"))
        if word := _considered(run, fact):
            run.counts[word] += 1
    return dict(run.counts)


def _candidates(run: Run, db: Connection) -> list[Fact]:
    settings = run.engine.settings
    ids = aging.promotable(db, confidence=settings.promote_confidence, recalls=settings.promote_recalls)
    unwanted = aging.undone_facts(db, run.author)
    facts = records.many(db, FACT, "id", [id for id in ids if id not in unwanted])
    return [fact for fact in facts if _ready(run, db, fact)]


def _considered(run: Run, fact: Fact) -> str:
    """Propose or promote one fact; return the word it is counted under, "" if it is no longer a candidate."""
    straight = run.engine.settings.promotion == STRAIGHT
    if straight and not run.dry:
        ensure_channel(run.engine, fact.user_id, GLOBAL, author=run.author)
    try:
        return run.decide(lambda db: _judged(run, db, fact.id, straight=straight))
    except Conflict:
        return "held"


def _judged(run: Run, db: Connection, id: str, *, straight: bool) -> tuple[Change | None, str]:
    """Return the change for one fact, and the word it is counted under; "" if the fact is no longer a candidate."""
    fact = records.get(db, FACT, id)
    if fact is None or not _ready(run, db, fact):
        return None, ""
    if semantic.fact_claiming(db, fact.user_id, GLOBAL, fact.claim) is not None:
        return None, "held"
    (row,) = fact_rows(run.engine, db, [fact])
    if straight:
        change, _ = promotion_change(run.engine, db, fact, author=run.author, reason=_reason(row), run=run.id)
        return change, "promoted"
    proposal = _proposal(run, db, fact, row)
    return proposal, "proposed" if proposal else ""


def _ready(run: Run, db: Connection, fact: Fact) -> bool:
    if fact.retired_at is not None or fact.superseded_by is not None or fact.channel == GLOBAL:
        return False
    if not is_trusted(fact.trust):
        return False
    (row,) = fact_rows(run.engine, db, [fact])
    return all(each.met for each in thresholds(row, run.engine.settings))


def _proposal(run: Run, db: Connection, fact: Fact, row: FactRow) -> Change | None:
    engine = run.engine
    draft = Draft.of(engine, db, fact, fact.channel)
    details: dict[str, Any] = {"fact": fact.id, "thresholds": threshold_values(row, engine.settings)}
    if draft.propose("promotion", fact.id, None, reason=_reason(row), details=details) is None:
        return None
    return Change.about(
        fact,
        "learn",
        message("Proposed for _global: “{claim}”", claim=shortened(fact.claim, 90)),
        author=run.author,
        edits=draft.edits,
        run=run.id,
        details=details,
    )


def _reason(row: FactRow) -> Message:
    return message(
        "Recalled {recalled} times, said in {conversations} conversations, confidence {count}.",
        recalled=row.recalled,
        conversations=row.conversations,
        count=f"{row.confidence:.2f}",
    )
