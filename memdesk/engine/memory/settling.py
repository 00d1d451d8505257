"""Application of standing decisions: each new question that one matches is answered immediately, in a
separate change."""

from __future__ import annotations

from contextlib import nullcontext

from memdesk.engine.engine import Engine
from memdesk.engine.memory.deciding import decide
from memdesk.engine.memory.protection import protected
from memdesk.engine.memory.standing import credit, matching
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.proposal import Proposal
from memdesk.model.review import Decide
from memdesk.store import proposing, records
from memdesk.store.gathering import one_run

AUTHOR = "job:standing"
HARMLESS = ("dismiss", "promote", "release")
"""Answers that remove no memory from recall."""


def newest_question(engine: Engine) -> int:
    """Return the number of the newest question; later ones can be settled."""
    with engine.store.reading() as db:
        return proposing.latest(db)


def settle(engine: Engine, since: int, *, run: str | None = None) -> list[str]:
    """Answer the questions asked after `since` that match a standing decision; return the ids of those
    answered.

    Only newer ones: if a person undoes such an answer, the question is open again and not answered
    automatically. A question about memory that a person pinned or wrote is left to a person, and so is an
    answer that does not fit. run: the run that the changes belong to."""
    with engine.store.reading() as db:
        asked = proposing.asked_since(db, since)
        subjects = records.by_ids(db, [each.subject_id for each in asked])
        found = [
            (each, matching(db, each, subjects[each.subject_id][1]))
            for each in asked
            if each.subject_id in subjects
        ]
    answered = []
    for question, decision in found:
        if decision is None or _guarded(engine, question, decision.decision):
            continue
        ask = Decide(id=question.id, decision=decision.decision, reason=credit(decision))
        try:
            with one_run(run) if run else nullcontext():
                decide(engine, ask, author=AUTHOR)
        except (BadAsk, Conflict, NotFound):
            continue
        answered.append(question.id)
    return answered


def _guarded(engine: Engine, question: Proposal, decision: str) -> bool:
    """Return True if the answer could remove memory that a person pinned or wrote."""
    if decision in HARMLESS:
        return False
    ids = [id for id in (question.subject_id, question.other_id) if id is not None]
    with engine.store.reading() as db:
        return bool(protected(db, ids))
