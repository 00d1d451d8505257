"""Calls of tools, the same for MCP and for HTTP."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from pydantic import TypeAdapter

from memdesk.api.tools.tool import Tool, Toolset, misfits
from memdesk.api.tools.toolsets import BY_NAME
from memdesk.engine.health.audit import asked_by
from memdesk.engine.toolsets.toolset import OfferedTools, carry_out
from memdesk.engine.toolsets.toolsets import WORKING
from memdesk.model.errors import NotFound
from memdesk.model.tools import ToolAnswer, ToolCall, ToolPlace
from memdesk.service.app import DeskApp
from memdesk.service.callers import UNNAMED, Caller
from memdesk.service.host import Host


def toolset_named(name: str) -> Toolset:
    """Return the tool set of this name. Raises NotFound where there is none."""
    found = BY_NAME.get(name)
    if found is None:
        raise NotFound(f"There is no set of tools {name[:60]}.", next=f"There are {', '.join(BY_NAME)}.")
    return found


def tool_named(toolset: Toolset, name: str) -> Tool:
    """Return the tool of this name in the set. Raises NotFound where it has none."""
    tool = toolset.named(name)
    if tool is None:
        known = ", ".join(each.name for each in toolset.tools)
        raise NotFound(f"The set {toolset.name} has no tool {name[:60]}.", next=f"It has {known}.")
    return tool


def shown(host: Host, toolset: Toolset, place: ToolPlace) -> tuple[tuple[Tool, ...], OfferedTools]:
    """Return the tools of a set that are listed for an agent with these options, and all that it is offered."""
    offered = WORKING[toolset.name].offers(host.engine.settings, place)
    return tuple(tool for tool in toolset.tools if tool.listed and tool.name in offered.names), offered


def call_by(app: DeskApp, who: Caller, place: ToolPlace, arguments: Any) -> ToolCall:
    """Return the call of a tool by this caller."""
    return ToolCall(
        agent=who.agent or place.agent_id or UNNAMED,
        author=who.author(place, app.person),
        owner=who.owner and who.agent is None,
        place=place,
        arguments=arguments if isinstance(arguments, dict) else {},
    )


def call_tool(
    app: DeskApp, host: Host, who: Caller, toolset: Toolset, tool: Tool, place: ToolPlace, arguments: Any
) -> ToolAnswer:
    """Carry a tool out, in a worker thread. arguments: unchecked, as received."""
    call = call_by(app, who, place, arguments)
    with asked_by(who.asker(f"tools.{toolset.name}.{tool.name}", place, app.person)):
        return carry_out(host.engine, WORKING[toolset.name], tool.name, call, misfits(tool, arguments))


def parameters(*path: str) -> list[dict[str, Any]]:
    """Return the OpenAPI parameters of a path with a ToolPlace as its query."""
    shown: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in path
    ]
    shown[0]["schema"]["enum"] = sorted(BY_NAME)
    described = TypeAdapter(ToolPlace).json_schema()["properties"]
    query = ({"name": item.name, "schema": described[item.name]} for item in fields(ToolPlace))
    return shown + [each | {"in": "query", "required": False} for each in query]
