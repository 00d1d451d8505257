"""Tools that agents know from other systems: how they are asked for, called, and how they answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from memdesk.model.channel import GLOBAL, LOCAL_USER

FORMATS = ("openai", "anthropic", "mcp")
"""Whose shape a tool is shown in: OpenAI's function tools, Anthropic's tools, the Model Context Protocol's."""
DIALECTS = ("docs", "python")
"""Anthropic's memory tool says some things otherwise in its documentation than in its Python SDK."""
SCOPES = ("none", "user", "project", "local")
"""Where an Agentix sub-agent keeps its memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskTools:
    """The tools of one set. format: whose shape they have, one of openai, anthropic, mcp.

    memories_enabled, allowed_tools, disallowed_tools, memory: an Agentix agent's own options, which decide whether
    it has its tool. memories_enabled is as the settings say when left out; memory is a sub-agent's scope.
    """

    set: str
    format: str = "mcp"
    memories_enabled: bool | None = None
    allowed_tools: tuple[str, ...] = ()
    disallowed_tools: tuple[str, ...] = ()
    memory: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolList:
    """The tools as a request to that vendor's model, or a listing of that protocol, carries them.

    allowed_tools: an agent's allow-list with what it should also hold; empty where every tool is allowed.
    """

    set: str
    format: str
    tools: tuple[dict[str, Any], ...]
    allowed_tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsetRow:
    """A set in one line."""

    name: str
    says: str
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsetList:
    rows: tuple[ToolsetRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskDirective:
    """What a set adds to an agent's system prompt when its tools are on."""

    set: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDirective:
    """`text` is empty where the set adds nothing."""

    set: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPlace:
    """Whose memory a tool works on, beside the agent that the header names: the query of a call.

    channel: `_global` when left out. conversation_id, session_id: the session at hand. dialect: docs or python, whose
    words Anthropic's memory tool answers in; as the settings say when left out. cwd: the folder an Agentix agent works
    in. memory: its scope where it is a sub-agent: none, user, project or local. memories_enabled, allowed_tools,
    disallowed_tools: its options.
    """

    user_id: str = LOCAL_USER
    channel: str | None = None
    agent_id: str | None = None
    conversation_id: str | None = None
    session_id: str | None = None
    dialect: str | None = None
    cwd: str | None = None
    memory: str | None = None
    memories_enabled: bool | None = None
    allowed_tools: tuple[str, ...] = ()
    disallowed_tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call of a tool. agent: the caller's name. owner: the desk's owner calls. arguments: the tool's own JSON."""

    agent: str
    author: str
    owner: bool = False
    place: ToolPlace = field(default_factory=ToolPlace)
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """Where arguments are not as a tool's schema says. place: such as `entities[0].name`, "" for the whole.

    expected, received: JSON types, `undefined` for what is missing; otherwise says tells it in a sentence.
    """

    place: str
    expected: str = ""
    received: str = ""
    says: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswer:
    """What a tool answers, in its own words. is_error: it could not do as asked. data: the same for programs.

    change: the number of the change it made, by which it is undone; None when it changed nothing.
    """

    text: str
    is_error: bool = False
    data: Any = None
    change: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """What an agent may read without a tool. uri: `memdesk://…`. name: such as MEMORY.md or 2026-01-31."""

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
    """A channel's knowledge graph as the MCP memory server keeps it."""

    channel: str = GLOBAL
    user_id: str = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphFile:
    """`text` is JSON Lines: entities first, then relations, no final newline."""

    text: str
    entities: int
    relations: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeInGraph:
    """Bring the MCP memory server's file into a channel. text: the file's content."""

    text: str
    channel: str = GLOBAL
    user_id: str = LOCAL_USER
    agent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphTakenIn:
    """How much was new. run: its changes, which are taken back together."""

    run: str
    entities: int
    observations: int
    relations: int
