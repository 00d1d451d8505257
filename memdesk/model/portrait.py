"""Portrait of an agent: who it is, by the records that say so, each with its source."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import LOCAL_USER
from memdesk.model.message import NO_MESSAGE, Message
from memdesk.model.names import FilledName, Name
from memdesk.model.recall import Provenance
from memdesk.model.workspace import DayCount

IDENTITY, PEOPLE, RULES, PROJECTS = "identity", "people", "rules", "projects"
CONTRADICTIONS, SECRETS, DAYS, FILES = "contradictions", "secrets", "days", "files"
PARTS = (IDENTITY, PEOPLE, RULES, PROJECTS, CONTRADICTIONS, SECRETS, DAYS, FILES)
"""Names of the parts of a portrait, in their order."""
DAYS_AT_MOST, LINES_AT_MOST = 366, 200


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPortrait:
    """Request for the portrait of an agent. agent: its name; left out, the agent of the folder that was added last,
    else the one that was active last.

    lines: of each part at most. days: how many days back, ending today. utc_offset_minutes: the viewer's time zone,
    which decides where a day begins."""

    agent: Name = ""
    lines: int = 5
    days: int = 60
    utc_offset_minutes: int = 0
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class PortraitLine:
    """Line of a portrait. kind, id: the record it is read from: fact, entity, channel, proposal, secret or document.

    text: its words. note: more about it in a sentence. source: where it was read. count: the facts behind it. share:
    its part of all facts of the agent, 0 to 1. at: the time of the newest of them. other, other_source: the claim
    against it, of a contradiction."""

    kind: str
    id: str
    text: str
    note: Message = NO_MESSAGE
    channel: str = ""
    source: Provenance | None = None
    count: int = 0
    share: float = 0.0
    at: datetime | None = None
    other: str = ""
    other_source: Provenance | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PortraitPart:
    """Part of a portrait. name: one of PARTS. says: the part in one sentence. total: lines that it has in all."""

    name: str
    says: Message
    total: int
    lines: tuple[PortraitLine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderRead:
    """Folder of an agent as it was brought in. change: the newest change of that import, which takes it back with its
    run; None where it was undone or the agent wrote the folder itself.

    lines: in all its files, without empty ones. facts: lines that are facts. others: number of the other lines by the
    reason why they are none."""

    workspace_id: str
    path: str
    layout: str
    added_at: datetime
    change: int | None
    files: int
    lines: int
    facts: int
    others: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Portrait:
    """Answer to “who is this agent?”. agent: "" if the desk knows no agent. agents: all agents of the desk.

    says: the portrait in one sentence. next: what to do, of an agent or a desk about which nothing is known.
    facts: the number of its current facts. uncompared: of these, those brought in since the last checkup. folder: None
    for an agent without one. parts: those of PARTS that apply. days: entries per day, oldest first, only days that have
    any."""

    agent: str
    agents: tuple[str, ...]
    says: Message
    next: Message = NO_MESSAGE
    facts: int = 0
    uncompared: int = 0
    folder: FolderRead | None = None
    parts: tuple[PortraitPart, ...] = ()
    days: tuple[DayCount, ...] = ()
