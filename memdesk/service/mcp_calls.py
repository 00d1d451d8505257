"""MCP: the Model Context Protocol over streamable HTTP, one path for each set of tools."""

from __future__ import annotations

import asyncio
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from memdesk.api.endpoint import Wrong
from memdesk.api.tools.calls import MCP_PATH, MESSAGE_BYTES
from memdesk.model.errors import NotFound
from memdesk.model.extras import install_extra, is_installed
from memdesk.model.message import message
from memdesk.model.tools import ToolPlace
from memdesk.service.app import DeskApp, respond_or_refuse, whole_body
from memdesk.service.callers import refuse_other_sites
from memdesk.service.host import Host
from memdesk.service.request_parsing import AskReader, pairs_of
from memdesk.service.tools import parameters, toolset_named

if TYPE_CHECKING:
    from memdesk.service.mcp import Visit

_SAYS = """The body is one message of JSON-RPC 2.0, as the protocol's streamable HTTP posts it.

Its revisions 2026-07-28 and 2025-11-25 are spoken, and those before. `Accept` must take `application/json`: nothing
streams, every answer is whole. No session is kept, so GET and DELETE are refused with 405. What the protocol itself
refuses, such as a revision it does not know, it answers in its own form."""
_MESSAGE: dict[str, Any] = {
    "type": "object",
    "required": ["jsonrpc"],
    "properties": {"jsonrpc": {"const": "2.0"}, "id": {"type": ["integer", "string"]}},
}
_ASK = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
_BODY = {"content": {"application/json": {"schema": _MESSAGE, "example": _ASK}}, "required": True}
_places = AskReader(ToolPlace)


def answer_mcp(app: DeskApp, host: Host) -> None:
    """Register the path of the protocol."""

    async def handle(request: Request) -> Response:
        return await respond_or_refuse(app, "mcp", lambda: respond(request))

    async def respond(request: Request) -> Response:
        who = await app.caller(request)
        # A browser that was led here has no member's token.
        if not who.remote:
            refuse_other_sites(request.headers)
        toolset = toolset_named(request.path_params["set"])
        place = _places.query(pairs_of(request.scope["query_string"]))
        # The names of a desk's agents are read from its database.
        sign = partial(app.signed, who, place, reads=True, call="mcp")
        who = await asyncio.get_running_loop().run_in_executor(app.readers, sign)
        body = await whole_body(request, limit_bytes=MESSAGE_BYTES)
        # Whoever asks first waits for the import, and holds up nobody else.
        visit = await asyncio.to_thread(_visit)
        return await visit(app=app, host=host, who=who, toolset=toolset, place=place).answered(request, body)

    async def nothing_streams(_request: Request) -> Response:
        return Response(status_code=HTTPStatus.METHOD_NOT_ALLOWED, headers={"allow": "POST"})

    path = MCP_PATH.format(set="{set}")
    app.add_api_route(
        path,
        handle,
        methods=["POST"],
        name="mcp",
        operation_id="mcp",
        summary="The Model Context Protocol: a set's tools, the agent's files and facts, and what hooks tell",
        description=_SAYS,
        tags=["tools"],
        response_class=Response,
        responses={
            200: {
                "content": {"application/json": {"schema": _MESSAGE}},
                "description": "The answer to a request.",
            },
            202: {"description": "A notification was taken; nothing is answered."},
            "default": {"model": Wrong, "description": "No such set, or a query that names no place."},
        },
        openapi_extra=lambda: {"parameters": parameters("set"), "requestBody": _BODY},
    )
    app.add_api_route(path, nothing_streams, methods=["GET", "DELETE"], name="mcp", include_in_schema=False)


def _visit() -> type[Visit]:
    """Import the protocol on first use, since most desks never need it. Raises NotFound where it is not installed."""
    if not is_installed("mcp"):
        raise NotFound(message("The package mcp is not installed."), next=install_extra("mcp"))
    from memdesk.service.mcp import Visit

    return Visit
