"""Questions that another operation answers: a promotion by hand, for example, closes the proposal of it."""

from __future__ import annotations

from memdesk.model.change import Edit
from memdesk.model.proposal import PROPOSAL, Proposal
from memdesk.store import proposing, records
from memdesk.store.connection import Connection

DISMISS = "dismiss"


def settled(
    db: Connection, type: str, subject_id: str, other_id: str | None, decision: str, *, at: int
) -> list[Edit]:
    """Return the edits that close every open question of this type about a memory or a pair."""
    asked = proposing.between(db, type, subject_id, other_id)
    return [closed(each, decision, at=at) for each in asked if each.status == "open"]


def closed(question: Proposal, decision: str, *, at: int) -> Edit:
    """Return the edit that records a decision on a question."""
    status = "dismissed" if decision == DISMISS else "accepted"
    return records.moved(PROPOSAL, question, status=status, decision=decision, decided_at=at)
