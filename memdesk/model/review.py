"""The review queue: what jobs and agents ask a person to decide, both sides of it, and what was decided."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memdesk.model.browse import FactRow
from memdesk.model.channel import LOCAL_USER
from memdesk.model.curation import MergePreview
from memdesk.model.history import FieldMove
from memdesk.model.proposal import QUARANTINE
from memdesk.model.recall import Provenance

DECISIONS: dict[str, tuple[str, ...]] = {
    "promotion": ("promote", "dismiss", QUARANTINE),
    "contradiction": ("keep_subject", "keep_other", "both", "merge", "dismiss", QUARANTINE),
    "duplicate": ("merge", "dismiss", QUARANTINE),
    "correction": ("apply", "dismiss", QUARANTINE),
    "conflict": ("dismiss",),
    QUARANTINE: ("release", "retire"),
}
"""How each type of question can be answered. A conflict of files is resolved by saving the text that should stand.

`quarantine` holds the memory that the question is about out of recall, and asks about that instead.
"""
DECIDED_AT_MOST = 1000
"""Questions that are answered at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskReview:
    """Questions, newest first. state: open, later, accepted, dismissed or all. types, channels: empty for all.

    later: those open that were put off until a time to come; `open` leaves them out.

    after: the `next` of the page before.
    """

    user_id: str = LOCAL_USER
    state: str = "open"
    types: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    after: int | None = None
    limit: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One memory of a question. fact: its row where it is a fact. known_as: other names of an entity."""

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
    """One question with both its sides, why it is asked, and how it can be answered.

    subject is the newer of two, other the one it stands against. details: such as the thresholds of a promotion, or the
    claim that a correction proposes. decision, decided_at: "" and None while it is open. later_until: until when it is
    put off, None where it is not.
    """

    id: str
    type: str
    channel: str
    agent_id: str | None
    reason: str
    details: dict[str, Any]
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
    """next: where the page after this one begins, None on the last."""

    rows: tuple[Question, ...]
    next: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CountReview:
    """channels: empty for all."""

    user_id: str = LOCAL_USER
    state: str = "open"
    channels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCount:
    total: int
    by_type: dict[str, int] = field(default_factory=dict)
    by_channel: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide:
    """Answer a question. text: the claim that takes the place of both, for `merge` of a contradiction.

    at: for `both`, since when the newer is true and the older is not; without it, when the newer was said.
    """

    id: str
    decision: str
    reason: str = ""
    text: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What a decision did. memory: the record that stands after it. run: set where it took many changes."""

    id: str
    decision: str
    memory: str
    change: int
    title: str
    run: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideAll:
    """Give the same answer to many questions, as a run of changes that is taken back whole. ids: at most 1,000."""

    ids: tuple[str, ...]
    decision: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PutOff:
    """Let a question wait until a time; without one it waits no more and stands in the queue again."""

    id: str
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """The question as it waits now. change: None where nothing moved."""

    id: str
    until: datetime | None
    change: int | None
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarantine:
    """Hold a memory out of recall until somebody decides whether it may come back."""

    id: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What an answer does to one record. does: is new, gives way, stays, is retired, comes back, changes, asks or
    is answered.

    moves: the fields that would read otherwise, for a record that changes.
    """

    id: str
    kind: str
    title: str
    channel: str
    does: str
    moves: tuple[FieldMove, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionPreview:
    """What an answer would do. merge: what a merge takes along. why_not: why it would be refused, "" when it is not."""

    decision: str
    effects: tuple[Effect, ...] = ()
    merge: MergePreview | None = None
    why_not: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Propose:
    """Ask the desk's owner to promote a fact, or to correct it to another claim. type: promotion or correction."""

    type: str
    fact_id: str
    reason: str
    claim: str = ""
    agent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """`id` is the question. repeated: it was asked before, and its answer, if there is one, stands."""

    id: str
    repeated: bool
    status: str
    decision: str
    change: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskDuplicates:
    """Possible duplicates among a user's current entities and facts. channels: empty for all. kinds: entity, fact."""

    user_id: str = LOCAL_USER
    channels: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ("entity", "fact")
    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicatePair:
    """Two memories that may be one, and why; a merge would keep `kept_id`. asked: whether it was ever in the queue."""

    kind: str
    id: str
    title: str
    channel: str
    kept_id: str
    kept_title: str
    kept_channel: str
    reason: str
    asked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateList:
    """`more`: there were more pairs than asked for."""

    rows: tuple[DuplicatePair, ...]
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """How many questions were put into the queue; `change` is None when none was new."""

    proposed: int
    change: int | None
