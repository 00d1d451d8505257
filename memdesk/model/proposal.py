"""Proposals: changes suggested by a job or an agent for a person to decide. Together they are the review
queue."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import LOCAL_USER
from memdesk.model.kind import Kind
from memdesk.model.message import MESSAGE, Message, with_stored_parts
from memdesk.model.names import FilledName, Name

PROPOSED = (
    "promotion",
    "contradiction",
    "duplicate",
    "correction",
    "conflict",
    "quarantine",
    "doubtful",
    "secret",
    "fading",
)
DOUBTFUL = "doubtful"
"""Type of the proposal about a fact that may no longer be right, by a checkup."""
SECRET = "secret"
"""Type of the proposal about the secrets that came with one source."""
KEEP_MASKED, ERASE_SECRETS, NOT_SECRET = "keep_masked", "erase_secrets", "not_secret"
"""Decisions about secrets."""
FADING = "fading"
"""Type of the question about all memory of a user that has faded, by the job decay."""
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

    @property
    def group(self) -> tuple[str, ...]:
        """Ids of all memories of a question about several; of its subject for any other."""
        return tuple(json.loads(self.details)["ids"]) if self.type == FADING else (self.subject_id,)


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


def reason_of(question: Proposal) -> Message:
    """Return the reason for a question, with the id and parts that its details keep."""
    return with_stored_parts(question.reason, json.loads(question.details).get(MESSAGE))


SOURCES = ("agent", "channel", "workspace")
LEARNED = "fact"
"""Type of a decision about all facts learned from a source; its only answer is to quarantine them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Standing decision. type: a type of question, or LEARNED. source_kind: one of SOURCES.

    source: the agent's or the channel's name, or the id of a workspace. decision: an answer allowed for the
    type, including `quarantine`. says: the decision as one line. retired_at: since when it is revoked."""

    seq: int
    id: str
    user_id: str
    type: str
    source_kind: str
    source: str
    decision: str
    says: str
    author: str
    created_at: int
    retired_at: int | None = None


STANDING = Kind(
    name="standing",
    prefix="sd",
    table="standing_decisions",
    record=Standing,
    label="Standing decision",
    layer="semantic",
    title="says",
    subject_rank=14,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskStanding:
    """Standing decisions of a user, newest first. revoked: include revoked ones."""

    user_id: FilledName = LOCAL_USER
    revoked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRow:
    """Standing decision as listed. source_name: the folder of a workspace, else the source itself."""

    id: str
    type: str
    source_kind: str
    source: str
    source_name: str
    decision: str
    says: Message
    author: str
    created_at: datetime
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingList:
    rows: tuple[StandingRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """Request to decide once for all future questions. type: a type of question, or fact for everything
    learned.

    source_kind: agent, channel or workspace. source: the name, or the id of a workspace. decision: an answer
    allowed for the type, or quarantine."""

    type: Name
    source_kind: str
    source: Name
    decision: Name
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class Revoke:
    """Request to revoke a standing decision. Questions it has answered stay answered."""

    id: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Stands:
    """Result of making or revoking a standing decision. `change` is the number to undo it by."""

    id: str
    change: int
    title: Message
