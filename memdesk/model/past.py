"""Memories as of an earlier moment, and their return to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from memdesk.model.channel import LOCAL_USER
from memdesk.model.message import Message
from memdesk.model.names import FilledName, Name

PUT_BACK_AT_MOST = 500
"""Memories that can be put back at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPast:
    """Request for the memories of a kind that differ between a moment and now, or a later moment.

    at: the time. before: a change, in place of a time: the moment just before it. until: the later moment that is
    compared with it; None for now. kind: fact, entity, goal, strategy, relation, trait (of the profile) or document (a
    file). channels: those a memory was or is in, empty for all. text: words of the title at either moment."""

    at: datetime | None = None
    before: int | None = None
    until: datetime | None = None
    kind: Name = "fact"
    user_id: FilledName = LOCAL_USER
    channels: tuple[Name, ...] = ()
    text: str = ""
    limit: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryState:
    """State of a memory at one moment. title: of a fact its claim, of a file its agent and path. state: current, past,
    future, superseded or retired; of a goal its status. more: what else tells it apart: an entity's description, a
    trait's value, and the lines of a file that it has at this moment alone."""

    title: str
    channel: str
    state: str
    category: str = ""
    confidence: float | None = None
    pinned: bool = False
    more: str = ""

    def __str__(self) -> str:
        return f"{self.state}: {self.title}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDifference:
    """Memory at the moment and now, or at the later moment; None where it did not exist."""

    id: str
    then: MemoryState | None
    now: MemoryState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPage:
    """Differences, the memory changed last first. before: the first change after the moment; at: the moment.

    total: of all differences, of which rows has the first. is_cut: the moment is too far back, so the earlier
    differences are missing."""

    before: int
    at: datetime
    total: int
    rows: tuple[MemoryDifference, ...]
    is_cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PutBack:
    """Request to put memories back to what they were. before: the change before which they were so. kind: as of
    AskPast; a file is put back from its own versions."""

    ids: tuple[Name, ...]
    before: int
    kind: Name = "fact"


@dataclass(frozen=True, slots=True, kw_only=True)
class PutBackDone:
    """Result: how many memories are as they were, the last change of the run that did it, and why others are left, by
    id."""

    changed: int
    change: int | None = None
    run: str | None = None
    left: dict[str, Message] = field(default_factory=dict)
