"""What agents write into their workspaces by the manners of their system: days, learnings, standing files; and read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteDay:
    """Add an entry to a day. at: when it happened, now without it.

    retry_key: the caller's id of this call, for retries.

    workspace_id, agent_id: whose; an agent writes into its own, and names one only where it has several.
    """

    text: str
    workspace_id: str | None = None
    agent_id: str | None = None
    at: datetime | None = None
    retry_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DayWritten:
    """repeated: this entry was written before, by a call with the same retry_key."""

    document_id: str
    path: str
    day: date
    time: str
    change: int
    repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordLearning:
    """Keep a lesson. kind: error (of a tool, with what it was used for) or correction (of what the agent had said).

    subject: the tool, or what the agent had said; text: the error, or what the user said; context: of an error.
    """

    kind: str
    subject: str
    text: str
    context: str = ""
    workspace_id: str | None = None
    agent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteFile:
    """Write one of the files that an agent may keep by itself, whole. path: such as HEARTBEAT.md."""

    path: str
    text: str
    workspace_id: str | None = None
    agent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPrompt:
    """What a session of this agent is told at its start. days: how many days back, 0 for what the system takes."""

    workspace_id: str | None = None
    agent_id: str | None = None
    days: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRecallSection:
    """What an agent's files tell of the talk at hand. messages: the talk's, oldest first, with `role` and `content`."""

    messages: tuple[dict[str, Any], ...]
    workspace_id: str | None = None
    agent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPart:
    """One file of a prompt: how many characters it has, and how many of them are told."""

    path: str
    size: int
    told: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptText:
    """`text` is ready for a prompt, "" where there is nothing to tell."""

    text: str
    parts: tuple[PromptPart, ...] = ()
