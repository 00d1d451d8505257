"""Proposals: changes suggested by a job or an agent for a person to decide. Together they are the review
queue."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.kind import Kind

PROPOSED = ("promotion", "contradiction", "duplicate", "correction", "conflict", "quarantine")
STATES = ("open", "accepted", "dismissed")
QUARANTINE = "quarantine"
"""Type of the proposal that is open while a memory is in quarantine; also the decision that puts one there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Proposal for a person to decide. `type` is one of PROPOSED, `status` one of STATES.

    subject_id: the memory it is about, the newer one of two. other_id: the memory it is compared with, None
    for a promotion. reason: why it is asked, in a sentence. details: a JSON object as text, such as the
    thresholds or both quotes. decision: the chosen decision (promote, keep_subject, keep_other, both,
    merge…), "" while open. later_until: an open proposal is put off until then. A memory with an open
    proposal of type QUARANTINE is excluded from recall: it is retired until the proposal is decided."""

    seq: int
    id: str
    user_id: str
    channel: str
    agent_id: str | None
    type: str
    subject_id: str
    other_id: str | None
    reason: str
    details: str
    status: str
    decision: str
    decided_at: int | None
    created_at: int
    retired_at: int | None = None
    later_until: int | None = None


PROPOSAL = Kind(
    name="proposal",
    prefix="q",
    table="proposals",
    record=Proposal,
    label="Proposal",
    layer="semantic",
    title="reason",
    subject_rank=15,
    references=(("subject_id", "record"), ("other_id", "record")),
)
