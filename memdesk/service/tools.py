"""Tools: all sets, listed in a vendor's format and called with JSON arguments, over HTTP and MCP alike.

A tool that fails answers in its own format; only a call that names no tool is an error of this service."""

from __future__ import annotations

import asyncio
from dataclasses import fields
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import from_json
from starlette.requests import Request
from starlette.responses import Response

from memdesk.api.endpoint import Wrong, adapter
from memdesk.api.tools import calls
from memdesk.api.tools.tool import SHAPES, Tool, Toolset, misfits
from memdesk.api.tools.toolsets import NAMES, toolset
from memdesk.engine.agents.bounds import within_bounds
from memdesk.engine.memory.secret_questions import ask_about_new
from memdesk.engine.secrets.vault import masked
from memdesk.engine.toolsets.toolset import OfferedTools, carry_out
from memdesk.engine.toolsets.toolsets import WORKING
from memdesk.model.agent import UNNAMED, Rights
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import BadAsk, NotAllowed, NotFound, TooMany
from memdesk.model.message import message
from memdesk.model.team import ROLE_NAMES
from memdesk.model.tools import (
    AskDirective,
    AskTools,
    ToolAnswer,
    ToolCall,
    ToolDirective,
    ToolList,
    ToolPlace,
    ToolsetList,
    ToolsetRow,
)
from memdesk.service.app import DeskApp, respond_or_refuse, whole_body
from memdesk.service.callers import Caller
from memdesk.service.host import Host
from memdesk.service.request_parsing import AskReader, pairs_of
from memdesk.store.audit_log import asked_by

_places = AskReader(ToolPlace)


def toolset_named(name: str) -> Toolset:
    """Return the tool set of this name. Raises NotFound where there is none."""
    if name not in NAMES:
        raise NotFound(
            message("There is no set of tools {name}.", name=name[:60]),
            next=message("There are {by_name}.", by_name=", ".join(NAMES)),
        )
    return toolset(name)


def tool_named(toolset: Toolset, name: str) -> Tool:
    """Return the tool of this name in the set. Raises NotFound where it has none."""
    tool = toolset.named(name)
    if tool is None:
        known = ", ".join(each.name for each in toolset.tools)
        raise NotFound(
            message("The set {toolset} has no tool {name}.", toolset=toolset.name, name=name[:60]),
            next=message("It has {known}.", known=known),
        )
    return tool


def shown(host: Host, toolset: Toolset, place: ToolPlace) -> tuple[tuple[Tool, ...], OfferedTools]:
    """Return the tools of a set that are listed for an agent with these options, and all that it is offered."""
    offered = WORKING[toolset.name].offers(host.engine.settings, place)
    return tuple(tool for tool in toolset.tools if tool.listed and tool.name in offered.names), offered


def call_by(
    app: DeskApp, who: Caller, name: str, place: ToolPlace, arguments: Any, *, reads: bool
) -> ToolCall:
    """Return the call of a tool by this caller, within the limits of an agent. Raises NotAllowed."""
    home, rights = GLOBAL, Rights()
    if who.token is not None and who.is_person and not who.owner:
        raise NotAllowed(
            message(
                "Tools are for agents; {member} is {role}.", member=who.token.agent, role=ROLE_NAMES[who.role]
            ),
            next=message("Use the calls: `memdesk recall`, or the window."),
        )
    if app.admission is not None:
        place, visitor = app.admission.admitted(who, name, place, reads=reads)
        app.admission.check_arguments(who, arguments, reads=reads)
        if visitor is not None:
            home, rights = visitor.home, visitor.rights
    return ToolCall(
        agent=who.agent or place.agent_id or UNNAMED,
        author=who.author(place, app.person()),
        owner=who.is_person,
        place=place,
        home=home,
        rights=rights,
        arguments=arguments if isinstance(arguments, dict) else {},
    )


def call_tool(
    app: DeskApp, host: Host, who: Caller, toolset: Toolset, tool: Tool, place: ToolPlace, arguments: Any
) -> ToolAnswer:
    """Carry a tool out, in a worker thread. arguments: unchecked, as received."""
    name = f"tools.{toolset.name}.{tool.name}"
    who = app.signed(who, place, reads=tool.reads, call=name)
    arguments = masked(host.engine.vault, arguments)
    with asked_by(who.asker(name, place, app.person())):
        try:
            call = call_by(app, who, name, place, arguments, reads=tool.reads)
            with within_bounds(host.engine, who.bounded_by, reads=tool.reads):
                answer = carry_out(
                    host.engine, WORKING[toolset.name], tool.name, call, misfits(tool, arguments)
                )
            if app.admission is not None:
                answer = app.admission.shown(who, answer, reads=tool.reads)
        except (NotAllowed, NotFound, TooMany) as refused:
            return ToolAnswer(text=WORKING[toolset.name].failure(refused), is_error=True)
    ask_about_new(host.engine)
    return answer


def parameters(*path: str) -> list[dict[str, Any]]:
    """Return the OpenAPI parameters of a path with a ToolPlace as its query."""
    shown: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in path
    ]
    shown[0]["schema"]["enum"] = sorted(NAMES)
    described = TypeAdapter(ToolPlace).json_schema()["properties"]
    query = ({"name": item.name, "schema": described[item.name]} for item in fields(ToolPlace))
    return shown + [each | {"in": "query", "required": False} for each in query]


def list_sets() -> ToolsetList:
    """Return the sets of tools."""
    rows = (
        ToolsetRow(name=each.name, says=each.says, tools=tuple(tool.name for tool in each.tools))
        for each in map(toolset, NAMES)
    )
    return ToolsetList(rows=tuple(rows))


def list_tools(host: Host, ask: AskTools) -> ToolList:
    """Return the tools of a set in a vendor's format. Raises NotFound, BadAsk."""
    toolset = toolset_named(ask.set)
    shape = SHAPES.get(ask.format)
    if shape is None:
        raise BadAsk(message("`format` must be one of {shapes}.", shapes=", ".join(SHAPES)))
    options = ToolPlace(
        agent_id=ask.agent_id,
        cwd=ask.cwd,
        memories_enabled=ask.memories_enabled,
        allowed_tools=ask.allowed_tools,
        disallowed_tools=ask.disallowed_tools,
        memory=ask.memory,
    )
    tools, offered = shown(host, toolset, options)
    return ToolList(
        set=toolset.name, format=ask.format, tools=tuple(map(shape, tools)), allowed_tools=offered.allowed
    )


def directive(_host: Host, ask: AskDirective) -> ToolDirective:
    """Return what a set adds to an agent's system prompt. Raises NotFound."""
    toolset = toolset_named(ask.set)
    return ToolDirective(set=toolset.name, text=toolset.directive)


def answer_tools(app: DeskApp, host: Host) -> None:
    """Register the call whose path names the tool."""

    async def handle(request: Request) -> Response:
        return await respond_or_refuse(app, calls.CALL.name, lambda: respond(request))

    async def respond(request: Request) -> Response:
        who = await app.caller(request)
        toolset = toolset_named(request.path_params["set"])
        tool = tool_named(toolset, request.path_params["name"])
        place = _places.query(pairs_of(request.scope["query_string"]))
        body = await whole_body(request, limit_bytes=calls.MESSAGE_BYTES)
        lane = app.readers if tool.reads else app.writers
        said = await asyncio.get_running_loop().run_in_executor(lane, reply, who, toolset, tool, place, body)
        return Response(said, media_type="application/json")

    def reply(who: Caller, toolset: Toolset, tool: Tool, place: ToolPlace, body: bytes) -> bytes:
        return adapter(ToolAnswer).dump_json(
            call_tool(app, host, who, toolset, tool, place, _arguments(body))
        )

    app.add_api_route(
        calls.CALL.path,
        handle,
        methods=["POST"],
        name=calls.CALL.name,
        operation_id=calls.CALL.name,
        summary=calls.CALL.summary,
        description="The body is the tool's own JSON. Whatever the tool says is answered with HTTP 200.",
        tags=["tools"],
        response_model=ToolAnswer,
        responses={
            "default": {"model": Wrong, "description": "No such tool, or a query that names no place."}
        },
        openapi_extra=lambda: {"parameters": parameters("set", "name"), "requestBody": _BODY},
    )


_BODY = {"content": {"application/json": {"schema": {"type": "object"}}}, "required": True}


def _arguments(body: bytes) -> Any:
    try:
        return from_json(body or b"{}", allow_inf_nan=False)
    except ValueError as wrong:
        raise BadAsk(
            message("The body is not JSON: {wrong}.", wrong=wrong),
            next=message("Send the tool's arguments as JSON."),
        ) from None
