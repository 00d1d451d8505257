"""Writing day files, lessons and other agent-owned files by the rules of the agent's system, and reading them
for a prompt."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteDay:
    """Request to add an entry to a day file. at: when it happened; left out, now.

    retry_key: the caller's id of this call, for retries. workspace_id, agent_id: whose; an agent writes into
    its own, and names one only if it has several."""

    text: str
    workspace_id: str | None = None
    agent_id: str | None = None
    at: datetime | None = None
    retry_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DayWritten:
    """Result of adding an entry to a day file.

    repeated: this entry was written before, by a call with the same retry_key."""

    document_id: str
    path: str
    day: date
    time: str
    change: int
    repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordLearning:
    """Lesson to record. kind: error (of a tool, with its purpose) or correction (of an agent's statement).

    subject: the tool, or the agent's statement; text: the error, or the user's correction; context: of an
    error."""

    kind: str
    subject: str
    text: str
    context: str = ""
    workspace_id: str | None = None
    agent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteFile:
    """Request to replace a file that the agent itself may rewrite. path: such as HEARTBEAT.md."""

    path: str
    text: str
    workspace_id: str | None = None
    agent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPrompt:
    """Request for the text that a session of this agent starts with. days: how many days back, 0 for the
    system's default."""

    workspace_id: str | None = None
    agent_id: str | None = None
    days: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRecallSection:
    """Request for passages of an agent's files that match the conversation. messages: of it, oldest first,
    with `role` and `content`."""

    messages: tuple[dict[str, Any], ...]
    workspace_id: str | None = None
    agent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPart:
    """File in a prompt. size: its length in characters. told: how many of them are in the prompt."""

    path: str
    size: int
    told: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptText:
    """Text for a prompt, "" if there is none, and the files it was made from."""

    text: str
    parts: tuple[PromptPart, ...] = ()
