"""Tools: all sets, listed in a vendor's format and called with JSON arguments.

A tool that fails answers in its own format; only a call that names no tool is an error of this service."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import Request, Response
from pydantic_core import from_json

from memdesk.api.endpoint import Wrong, adapter
from memdesk.api.tools import calls
from memdesk.api.tools.tool import SHAPES, Tool, Toolset
from memdesk.api.tools.toolsets import TOOLSETS
from memdesk.engine.interop import mcp_format
from memdesk.engine.toolsets.toolsets import WORKING
from memdesk.model.errors import BadAsk, BugError
from memdesk.model.status import Nothing
from memdesk.model.tools import (
    AskDirective,
    AskTools,
    ToolAnswer,
    ToolDirective,
    ToolList,
    ToolPlace,
    ToolsetList,
    ToolsetRow,
)
from memdesk.service.app import DeskApp, answer, respond_or_refuse, whole_body
from memdesk.service.callers import Caller, caller
from memdesk.service.host import Host
from memdesk.service.request_parsing import AskReader, pairs_of
from memdesk.service.toolcalls import call_tool, parameters, shown, tool_named, toolset_named

_places = AskReader(ToolPlace)


def register(app: DeskApp, host: Host) -> None:
    _refuse_gaps()
    answer(app, calls.SETS, _sets)
    answer(app, calls.LIST, lambda ask, _: _listed(host, ask))
    answer(app, calls.DIRECTIVE, lambda ask, _: _directive(ask))
    answer(app, calls.EXPORT_GRAPH, lambda ask, _: mcp_format.write_out(host.engine, ask))
    answer(app, calls.IMPORT_GRAPH, lambda ask, author: mcp_format.take_in(host.engine, ask, author=author))
    _answer_calls(app, host)


def _sets(_ask: Nothing, _author: str) -> ToolsetList:
    rows = (
        ToolsetRow(name=each.name, says=each.says, tools=tuple(tool.name for tool in each.tools))
        for each in TOOLSETS
    )
    return ToolsetList(rows=tuple(rows))


def _listed(host: Host, ask: AskTools) -> ToolList:
    toolset = toolset_named(ask.set)
    shape = SHAPES.get(ask.format)
    if shape is None:
        raise BadAsk(f"`format` must be one of {', '.join(SHAPES)}.")
    options = ToolPlace(
        memories_enabled=ask.memories_enabled,
        allowed_tools=ask.allowed_tools,
        disallowed_tools=ask.disallowed_tools,
        memory=ask.memory,
    )
    tools, offered = shown(host, toolset, options)
    return ToolList(
        set=toolset.name, format=ask.format, tools=tuple(map(shape, tools)), allowed_tools=offered.allowed
    )


def _directive(ask: AskDirective) -> ToolDirective:
    toolset = toolset_named(ask.set)
    return ToolDirective(set=toolset.name, text=toolset.directive)


def _answer_calls(app: DeskApp, host: Host) -> None:
    """Register the call whose path names the tool."""

    async def handle(request: Request) -> Response:
        return await respond_or_refuse(app, calls.CALL.name, lambda: respond(request))

    async def respond(request: Request) -> Response:
        who = caller(request.headers, app.token)
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
        summary=calls.CALL.says,
        description="The body is the tool's own JSON. Whatever the tool says is answered with HTTP 200.",
        tags=["tools"],
        response_model=ToolAnswer,
        responses={
            "default": {"model": Wrong, "description": "No such tool, or a query that names no place."}
        },
        openapi_extra={"parameters": parameters("set", "name"), "requestBody": _BODY},
    )


_BODY = {"content": {"application/json": {"schema": {"type": "object"}}}, "required": True}


def _arguments(body: bytes) -> Any:
    try:
        return from_json(body or b"{}", allow_inf_nan=False)
    except ValueError as wrong:
        raise BadAsk(f"The body is not JSON: {wrong}.", next="Send the tool's arguments as JSON.") from None


def _refuse_gaps() -> None:
    """Raise BugError unless the declared tools and those with a verb are the same."""
    declared = {each.name: {tool.name for tool in each.tools} for each in TOOLSETS}
    working = {name: set(each.verbs) for name, each in WORKING.items()}
    if declared != working:
        raise BugError("Every tool needs exactly one declaration and one verb.")
