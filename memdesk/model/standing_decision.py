"""Standing decisions: answers given once to all future questions of a type from a source."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import LOCAL_USER
from memdesk.model.kind import Kind
from memdesk.model.message import Message
from memdesk.model.names import FilledName, Name

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
