"""AgenticX's hook at the end of an agent's turn: lines extracted from the conversation, and where they were
written."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from memdesk.model.channel import LOCAL_USER
from memdesk.model.message import NO_MESSAGE, Message
from memdesk.model.names import FilledName, Name


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteDay:
    """Request to add an entry to a day file. at: when it happened; left out, now.

    retry_key: the caller's id of this call, for retries. workspace_id, agent_id: whose; an agent writes into
    its own, and names one only if it has several."""

    text: str
    workspace_id: Name | None = None
    agent_id: FilledName | None = None
    at: datetime | None = None
    retry_key: Name | None = None


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
    workspace_id: Name | None = None
    agent_id: FilledName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListLearnings:
    """Request for the learnings of agents. agents: empty for all."""

    agents: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """Entry of a file of learnings. kind: error, correction or learning.

    subject: the tool, or the corrected statement, "" if the entry names none. at: as it is dated, None if it is not.
    line: its first line in the file, from 1. entry: all its lines as they are written."""

    id: str
    kind: str
    subject: str
    text: str
    context: str
    at: datetime | None
    agent_id: str | None
    workspace: str
    document_id: str
    path: str
    line: int
    entry: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningList:
    """Learnings by file, the newest of each first; 1,000 at most, of `total`."""

    rows: tuple[Learning, ...]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLearning:
    """Request to replace an entry of a file of learnings. was: the entry as it was seen. text: the entry as it is to
    be, "" to remove it."""

    document_id: Name
    was: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteFile:
    """Request to replace a file that the agent itself may rewrite. path: such as HEARTBEAT.md."""

    path: str
    text: str
    workspace_id: Name | None = None
    agent_id: FilledName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPrompt:
    """Request for the text that a session of this agent starts with. days: how many days back, 0 for the
    system's default."""

    workspace_id: Name | None = None
    agent_id: FilledName | None = None
    days: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRecallSection:
    """Request for passages of an agent's files that match the conversation. messages: of it, oldest first,
    with `role` and `content`."""

    messages: tuple[dict[str, Any], ...]
    workspace_id: Name | None = None
    agent_id: FilledName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPart:
    """File in a prompt. size: its length in characters. shown: how many of them are in the prompt."""

    path: str
    size: int
    shown: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptText:
    """Text for a prompt, "" if there is none, and the files it was made from."""

    text: str
    parts: tuple[PromptPart, ...] = ()


INDEXED, WAITING, LEFT_OUT = "indexed", "waiting", "left"
"""States of a file: found by a search; found by its words only, or not read yet; left out for a reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskFolder:
    workspace_id: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderFile:
    """File of a workspace. state: indexed, waiting or left; why: the reason it waits or is left out, "" when
    it is indexed.

    document_id: None while the desk does not know it. size_bytes: on the disk, 0 if the file is missing.
    budget: the layout's limit in characters, None for no limit."""

    path: str
    layer: str
    state: str
    why: Message
    document_id: str | None
    size: int
    size_bytes: int
    budget: int | None
    updated_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """Workspace in full. watched: whether an edit by another program is noticed at once.

    files: by path, the left-out ones last; others: how many other files in the folder are no memory.
    passages: pieces it is searched by; unembedded: how many of them wait for a vector. facts: how many are
    read from its lines. conflicts:
    texts that wait for a person's decision. day_folder: the folder of its day files, "" if it has none;
    days_utc: whether days are UTC days. day_characters, prompt_characters: the maximum length of a day file,
    and of the text a session starts with; None for no limit. writable: files an agent may rewrite.
    largest_megabytes: larger files are left out."""

    id: str
    name: str
    path: str
    layout: str
    why: Message
    agent_id: str | None
    channel: str
    present: bool
    watched: bool
    added_at: datetime
    files: tuple[FolderFile, ...]
    others: int
    size_bytes: int
    passages: int
    unembedded: int
    facts: int
    conflicts: int
    day_folder: str
    days_utc: bool
    day_characters: int | None
    prompt_characters: int | None
    writable: tuple[str, ...]
    largest_megabytes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderRemoved:
    """Workspace that was removed from the desk. files: how many were removed from search; on the disk they
    stay.

    change: the newest change of the removal, whose changes are one run."""

    id: str
    name: str
    files: int
    change: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepSession:
    """Request at the end of an agent's turn. messages: the session's, oldest first, each with `role` and
    `content` (text).

    session_id: the session whose scratchpad gets the lines too, None for none."""

    messages: tuple[dict[str, Any], ...]
    session_id: FilledName | None = None
    user_id: FilledName = LOCAL_USER
    workspace_id: Name | None = None
    agent_id: FilledName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionKept:
    """Lines that were extracted, and the changes that wrote them; a change is None if there was nothing to
    write.

    says: why nothing was written, in a sentence."""

    facts: tuple[str, ...]
    day_change: int | None = None
    memory_change: int | None = None
    says: Message = NO_MESSAGE
