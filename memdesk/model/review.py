"""Review queue: proposals of jobs and agents for a person to decide, both records of each, and the decisions."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime

from memdesk.model.browse import FactRow
from memdesk.model.channel import LOCAL_USER
from memdesk.model.curation import MergePreview
from memdesk.model.history import FieldMove
from memdesk.model.kind import Kind
from memdesk.model.message import MESSAGE, NO_MESSAGE, Details, Message, with_stored_parts
from memdesk.model.names import FilledName, Name
from memdesk.model.recall import Provenance

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
DECISIONS: dict[str, tuple[str, ...]] = {
    "promotion": ("promote", "dismiss", QUARANTINE),
    "contradiction": ("keep_subject", "keep_other", "both", "merge", "dismiss", QUARANTINE),
    "duplicate": ("merge", "dismiss", QUARANTINE),
    "correction": ("apply", "dismiss", QUARANTINE),
    "conflict": ("dismiss",),
    QUARANTINE: ("release", "retire"),
    DOUBTFUL: ("retire", "dismiss", QUARANTINE),
    SECRET: (KEEP_MASKED, ERASE_SECRETS, NOT_SECRET),
    FADING: ("retire", "keep"),
}
"""Types of question, each with its possible decisions. A conflict of files is resolved by saving the text to keep.

`quarantine` excludes the question's memory from recall, and opens a question about that instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Proposal for a person to decide. `type` is one of DECISIONS, `status` one of STATES.

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


DECIDED_AT_MOST = 1000
"""Maximum number of questions that are decided at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskReview:
    """Questions, newest first. state: open, later, accepted, dismissed or all. types, channels: empty for
    all.

    later: open ones put off until a future time; `open` leaves them out. after: the `next` of the page
    before."""

    user_id: FilledName = LOCAL_USER
    state: str = "open"
    types: tuple[Name, ...] = ()
    channels: tuple[Name, ...] = ()
    after: int | None = None
    limit: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """Memory of a question. fact: its row if it is a fact. known_as: other names of an entity."""

    id: str
    kind: str
    title: str
    channel: str
    category: str
    provenance: Provenance
    fact: FactRow | None = None
    known_as: tuple[str, ...] = ()
    about: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Question with both its memories, its reason, and the possible decisions.

    subject is the newer of two, other the memory it is compared with. details: such as the thresholds of a
    promotion, or the claim that a correction proposes. decision, decided_at: "" and None while it is open.
    later_until: until when it is put off, None if it is not."""

    id: str
    type: str
    channel: str
    agent_id: str | None
    reason: Message
    details: Details
    created_at: datetime
    status: str
    decision: str
    decided_at: datetime | None
    decisions: tuple[str, ...]
    later_until: datetime | None
    subject: Side
    other: Side | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPage:
    """Page of questions. next: where the page after this one begins, None on the last."""

    rows: tuple[Question, ...]
    next: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskContradictions:
    """Request for the open contradictions of some facts. ids: 1,000 at most."""

    ids: tuple[Name, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradictions:
    """Open questions about what contradicts a fact, by the fact's id; the newest one of each."""

    questions: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountReview:
    """Request for the number of questions. channels: empty for all."""

    user_id: FilledName = LOCAL_USER
    state: str = "open"
    channels: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCount:
    total: int
    by_type: dict[str, int] = field(default_factory=dict)
    by_channel: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide:
    """Request to answer a question. text: the claim that replaces both, for `merge` of a contradiction.

    at: for `both`, since when the newer is true and the older is not; left out, the time of the newer."""

    id: Name
    decision: Name
    reason: str = ""
    text: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """Result of a decision. memory: the record that is current after it. run: set if it needed several
    changes."""

    id: str
    decision: str
    memory: str
    change: int
    title: Message
    run: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideAll:
    """Request to give the same answer to many questions, as a run of changes that is undone as one. ids: at
    most 1,000."""

    ids: tuple[str, ...]
    decision: Name
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PutOff:
    """Request to put a question off until a time; without a time it returns to the queue."""

    id: Name
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """Result of putting a question off. change: None if nothing changed."""

    id: str
    until: datetime | None
    change: int | None
    title: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarantine:
    """Request to exclude a memory from recall until a person decides whether it may return."""

    id: Name
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Effect of an answer on one record. does: is new, gives way, stays, is retired, comes back, changes,
    asks or is answered.

    moves: the fields whose values would change, for a record that changes."""

    id: str
    kind: str
    title: str
    channel: str
    does: str
    moves: tuple[FieldMove, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionPreview:
    """Preview of an answer. merge: the effects of a merge. why_not: why it would be refused, "" when it would
    not be."""

    decision: str
    effects: tuple[Effect, ...] = ()
    merge: MergePreview | None = None
    why_not: Message = NO_MESSAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Propose:
    """Request to the desk's owner to promote a fact, or to correct it to another claim. type: promotion or
    correction."""

    type: Name
    fact_id: Name
    reason: str
    claim: str = ""
    agent_id: FilledName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Result of a proposal. `id` is the question. repeated: it was asked before; an earlier answer remains in
    force."""

    id: str
    repeated: bool
    status: str
    decision: str
    change: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskDuplicates:
    """Possible duplicates among a user's current entities and facts. channels: empty for all. kinds: entity, fact."""

    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    kinds: tuple[Name, ...] = ("entity", "fact")
    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicatePair:
    """Two memories that may be duplicates, and why; a merge would keep `kept_id`. asked: whether it was ever
    in the queue."""

    kind: str
    id: str
    title: str
    channel: str
    kept_id: str
    kept_title: str
    kept_channel: str
    reason: Message
    asked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateList:
    """List of possible duplicates. `more`: there were more pairs than requested."""

    rows: tuple[DuplicatePair, ...]
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """Number of questions added to the queue; `change` is None when none was new."""

    proposed: int
    change: int | None
