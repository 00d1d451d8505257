"""Revoking by source: everything that descends from a session, a conversation, an agent, a run, a file or a tool is
taken out of memory in one run."""

from __future__ import annotations

from dataclasses import dataclass, field

from memdesk.model.channel import LOCAL_USER
from memdesk.model.names import FilledName

SOURCES = ("session", "conversation", "agent", "run", "file", "tool")
ROWS_SHOWN = 200
TAKEN_OUT = "retire"
"""Decision about a memory that was revoked: a claim like it is not learned again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revocation:
    """Request to take out everything that descends from a source.

    source_kind: session, conversation, agent, run (an import or a job), file or tool. source: its id or name; of a
    file the id, or the absolute path."""

    source_kind: FilledName
    source: FilledName
    user_id: FilledName = LOCAL_USER
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Descendant:
    """Memory that descends from a source. why: how, or why it stays, in a sentence."""

    id: str
    kind: str
    title: str
    channel: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RevocationPreview:
    """Preview of a revocation. counts: how many go, by table. rows: the first of them. stays: those of them that
    stay, because they have another source or a person decided about them.

    returns: facts that come back, because what superseded them goes. files: paths of files that are removed."""

    source_kind: str
    source: str
    title: str
    counts: dict[str, int] = field(default_factory=dict)
    rows: tuple[Descendant, ...] = ()
    stays: tuple[Descendant, ...] = ()
    returns: tuple[Descendant, ...] = ()
    files: tuple[str, ...] = ()
