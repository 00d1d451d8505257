"""Standing decisions: what the desk's owner decided once for all questions of a type from one source."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import LOCAL_USER
from memdesk.model.kind import Kind

SOURCES = ("agent", "channel", "workspace")
LEARNED = "fact"
"""The type of a decision about all that is learned from a source; its one answer is to quarantine it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One standing decision. type: a type of question, or LEARNED. source_kind: one of SOURCES.

    source: the agent's or the channel's name, or the id of a workspace. decision: an answer that the type takes, the
    word `quarantine` included. says: all of it as one line. retired_at: since when it is revoked.
    """

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
    """The standing decisions of a user, newest first. revoked: those revoked too."""

    user_id: str = LOCAL_USER
    revoked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRow:
    """One standing decision. source_name: the folder of a workspace, else the source itself."""

    id: str
    type: str
    source_kind: str
    source: str
    source_name: str
    decision: str
    says: str
    author: str
    created_at: datetime
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingList:
    rows: tuple[StandingRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """Decide once for all that is asked from now on. type: a type of question, or fact for all that is learned.

    source_kind: agent, channel or workspace. source: the name, or the id of a workspace. decision: an answer that the
    type takes, or quarantine.
    """

    type: str
    source_kind: str
    source: str
    decision: str
    user_id: str = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class Revoke:
    """Revoke a standing decision. What it has answered stays as it is."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stands:
    """What became of it. `change` takes it back."""

    id: str
    change: int
    title: str
