"""Projects: what a runtime works on, recognised wherever its folder is, and the channel of its memory; the events of a
runtime's session in one, and the answers to them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from memdesk.model.channel import LOCAL_USER
from memdesk.model.kind import Kind
from memdesk.model.names import FilledName, Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """Project of a user. Several may share a channel.

    identity: `git:HOST/PATH` of its remote, else `commit:HASH` of its first commit, else `folder:PATH`. root: the
    folder it was last seen in. first_commit: "" outside Git. mark: of the folder on its disk, which it keeps when it is
    moved, "" where the system has none."""

    seq: int
    id: str
    user_id: str
    channel: str
    name: str
    identity: str
    root: str
    first_commit: str
    mark: str
    created_at: int
    retired_at: int | None = None


PROJECT = Kind(
    name="project",
    prefix="pj",
    table="projects",
    record=Project,
    label="Project",
    layer="workspace",
    title="name",
    subject_rank=21,
    unique=(("user_id", "identity"),),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListProjects:
    """Request for the projects of a user. folder: only the one that this folder belongs to."""

    user_id: FilledName = LOCAL_USER
    folder: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectInfo:
    """Project with the channel of its memory. identity, root: as in the record."""

    id: str
    name: str
    channel: str
    identity: str
    root: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectList:
    """Projects by channel, then by age."""

    rows: tuple[ProjectInfo, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterProject:
    """Request for the channel of the project in a folder, which is created if it is new. folder: the project's, or one
    inside it; "" for none."""

    folder: str
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectChannel:
    """Channel of a project."""

    channel: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BindProject:
    """Request to give the project in a folder another channel. What it remembers stays in the channel it is in; a
    channel's memory moves with `channels.merge`. folder: the project's, or one inside it."""

    folder: str
    channel: FilledName
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitProject:
    """Request to give the project in a folder a channel of its own. folder: the project's, or one inside it.

    channel: its name; left out, one that is free."""

    folder: str
    channel: Name = ""
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetProject:
    """Request to take a project off the list. Its channel stays, with what it remembers; a new session in the folder
    makes the project again. folder: the project's, also one that is gone."""

    folder: FilledName
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectBound:
    """Result of a change to a project. `change` is the audit entry, None if it had that channel already."""

    name: str
    channel: str
    change: int | None


Moment = Literal[
    "session-start", "prompt", "tool", "stop", "subagent-stop", "pre-compact", "post-compact", "session-end"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class HookEvent:
    """Event that a runtime reports. moment: what happens in the session. said: the JSON object that the runtime
    passes to its hooks, as text, with `session_id`.

    channel: left out, the session's own, else that of the project in the folder `cwd`. budget_tokens: as in a request
    for context."""

    moment: Moment
    said: str
    channel: FilledName | None = None
    user_id: FilledName = LOCAL_USER
    agent_id: FilledName | None = None
    budget_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HookAnswer:
    """Answer to an event. output: the text that the hook prints for the runtime, "" for none.

    channel: of the session. turns, tool_calls: how many were stored by this event. note: what could not be read."""

    output: str = ""
    channel: str = ""
    turns: int = 0
    tool_calls: int = 0
    note: str = ""
