"""Tools that agents know from other systems: requests for them, calls, and answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from memdesk.model.agent import Rights
from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.names import FilledName, Name

FORMATS = ("openai", "anthropic", "mcp")
"""Formats of a tool description: OpenAI's function tools, Anthropic's tools, the Model Context Protocol's."""
DIALECTS = ("docs", "python")
"""Wordings of Anthropic's memory tool, which differ between its documentation and its Python SDK."""
SCOPES = ("none", "user", "project", "local")
"""Scopes of an Agentix sub-agent's memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskTools:
    """Request for the tools of one set. format: of the tool descriptions, one of openai, anthropic, mcp.

    memories_enabled, allowed_tools, disallowed_tools, memory: an Agentix agent's own options, which decide
    whether it has its tool. memories_enabled is as the settings say when left out; memory is a sub-agent's
    scope. agent_id, cwd: an agnx agent and the folder of its agent.yaml, which gives it tools or none."""

    set: Name
    format: Name = "mcp"
    agent_id: FilledName | None = None
    cwd: str | None = None
    memories_enabled: bool | None = None
    allowed_tools: tuple[Name, ...] = ()
    disallowed_tools: tuple[Name, ...] = ()
    memory: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolList:
    """Tools in the format of a request to that vendor's model, or of a listing of that protocol.

    allowed_tools: an agent's allow-list, extended by the tools it needs; empty if every tool is allowed."""

    set: str
    format: str
    tools: tuple[dict[str, Any], ...]
    allowed_tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsetRow:
    """Tool set for one line of a list."""

    name: str
    says: str
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsetList:
    rows: tuple[ToolsetRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskDirective:
    """Request for the text that a set adds to an agent's system prompt when its tools are on."""

    set: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDirective:
    """Text that a set adds to the system prompt; `text` is "" if there is none."""

    set: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPlace:
    """Memory scope of a tool call, in addition to the agent named by the header: the query of a call.

    channel: the agent's own when left out. conversation_id, session_id: the current conversation and session.
    dialect: docs or python, the wording of answers of Anthropic's memory tool; as in the settings when left
    out. cwd: the working folder of an Agentix agent. memory: its scope if it is a sub-agent: none, user,
    project or local. memories_enabled, allowed_tools, disallowed_tools: its options."""

    user_id: FilledName = LOCAL_USER
    channel: FilledName | None = None
    agent_id: FilledName | None = None
    conversation_id: Name | None = None
    session_id: FilledName | None = None
    dialect: Name | None = None
    cwd: str | None = None
    memory: Name | None = None
    memories_enabled: bool | None = None
    allowed_tools: tuple[Name, ...] = ()
    disallowed_tools: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """Call of a tool. agent: the caller's name. owner: the desk's owner calls. home: the channel of what names none.
    rights: what the agent was granted. arguments: the tool's own JSON."""

    agent: str
    author: str
    owner: bool = False
    place: ToolPlace = field(default_factory=ToolPlace)
    home: str = GLOBAL
    rights: Rights = Rights()
    arguments: dict[str, Any] = field(default_factory=dict)

    @property
    def channel(self) -> str:
        return self.place.channel or self.home

    def may_change(self, agent_id: str | None) -> bool:
        """Return True if the caller may change or retire what this agent made."""
        return self.owner or self.rights.is_own(self.agent, agent_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """Violation of a tool's schema by its arguments. place: such as `entities[0].name`, "" for all arguments.

    expected, received: JSON types, `undefined` for a missing value. says: a sentence, if types do not
    describe the problem."""

    place: str
    expected: str = ""
    received: str = ""
    says: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswer:
    """Answer of a tool, in its own words. is_error: the call failed. data: the same for programs.

    change: the number of the change it made, by which it is undone; None when it changed nothing."""

    text: str
    is_error: bool = False
    data: Any = None
    change: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """Content that an agent can read without a tool. uri: `memdesk://…`. name: such as MEMORY.md or
    2026-01-31."""

    uri: str
    name: str
    says: str
    mime: str = "text/markdown"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceText:
    uri: str
    text: str
    mime: str = "text/markdown"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskGraphFile:
    """Request for a channel's knowledge graph in the format of the MCP memory server."""

    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphFile:
    """File of a knowledge graph. `text` is JSON Lines: entities first, then relations, no final newline."""

    text: str
    entities: int
    relations: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeInGraph:
    """Request to import the MCP memory server's file into a channel. text: the file's content."""

    text: str
    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER
    agent_id: FilledName | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphTakenIn:
    """Counts of newly imported items. run: the id of its changes, which are undone together."""

    run: str
    entities: int
    observations: int
    relations: int
    carried: int = 0
