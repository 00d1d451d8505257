"""Facts as of an earlier moment, and their return to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from memdesk.model.channel import LOCAL_USER
from memdesk.model.message import Message
from memdesk.model.names import FilledName, Name

PUT_BACK_AT_MOST = 500
"""Facts that can be put back at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPast:
    """Facts that are otherwise than at a moment.

    at: the time. before: a change, in place of a time: the moment just before it. until: the later moment that is
    compared with it; None for now. channels: those a fact was or is in, empty for all. text: words of the claim at
    either moment."""

    at: datetime | None = None
    before: int | None = None
    until: datetime | None = None
    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    text: str = ""
    limit: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class FactState:
    """State of a fact at one moment. state: current, past, future, superseded or retired."""

    claim: str
    channel: str
    state: str
    category: str
    confidence: float
    pinned: bool = False

    def __str__(self) -> str:
        return f"{self.state}: {self.claim}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FactDifference:
    """Fact at the moment and now, or at the later moment; None where it did not exist."""

    id: str
    then: FactState | None
    now: FactState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPage:
    """Differences, the fact changed last first. before: the first change after the moment; at: the moment.

    total: of all differences, of which rows has the first. is_cut: the moment is too far back, so the earlier
    differences are missing."""

    before: int
    at: datetime
    total: int
    rows: tuple[FactDifference, ...]
    is_cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PutBack:
    """Request to put facts back to what they were. ids: the facts. before: the change before which they were so."""

    ids: tuple[Name, ...]
    before: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PutBackDone:
    """Result: how many facts are as they were, the last change of the run that did it, and why others are left, by
    id."""

    changed: int
    change: int | None = None
    run: str | None = None
    left: dict[str, Message] = field(default_factory=dict)
