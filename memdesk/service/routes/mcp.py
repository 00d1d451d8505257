"""MCP: the Model Context Protocol's streamable HTTP, a path for each set of tools."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING

from fastapi import Request, Response

from memdesk.contract.tools.calls import MCP_PATH
from memdesk.model.tools import ToolPlace
from memdesk.service.app import DeskApp, answered, whole_body
from memdesk.service.asks import AskReader
from memdesk.service.callers import caller
from memdesk.service.host import Host
from memdesk.service.toolcalls import toolset_named

if TYPE_CHECKING:
    from memdesk.service.mcp import Visit

_places = AskReader(ToolPlace)


def register(app: DeskApp, host: Host) -> None:
    async def handle(request: Request) -> Response:
        return await answered(app, "mcp", lambda: respond(request))

    async def respond(request: Request) -> Response:
        who = caller(request.headers, app.token)
        toolset = toolset_named(request.path_params["set"])
        place = _places.query(request.query_params.multi_items())
        body = await whole_body(request)
        # Whoever asks first waits for the import, and holds up nobody else.
        visit = await asyncio.to_thread(_visit)
        return await visit(app=app, host=host, who=who, toolset=toolset, place=place).answered(request, body)

    async def nothing_streams(_request: Request) -> Response:
        return Response(status_code=HTTPStatus.METHOD_NOT_ALLOWED, headers={"allow": "POST"})

    path = MCP_PATH.format(set="{set}")
    app.add_api_route(path, handle, methods=["POST"], name="mcp", include_in_schema=False)
    app.add_api_route(path, nothing_streams, methods=["GET", "DELETE"], name="mcp", include_in_schema=False)


def _visit() -> type[Visit]:
    """Loads the protocol, which a desk that nobody asks over MCP never does."""
    from memdesk.service.mcp import Visit

    return Visit
