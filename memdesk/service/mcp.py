"""Server of the Model Context Protocol, created for each request: the revisions of 2026 have no sessions,
and earlier ones need none here.

The SDK takes a third of a second to import, so only mcp_calls.py imports this module."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message

from memdesk import __version__
from memdesk.api.tools import tool as shapes
from memdesk.api.tools.tool import Toolset
from memdesk.api.tools.toolsets import GRAPH_URI
from memdesk.api.tools.toolsets import MCP_MEMORY as GRAPH_TOOLS
from memdesk.engine.agents.bounds import within_bounds
from memdesk.engine.toolsets import resources
from memdesk.engine.toolsets.mcp_memory_tools import read_graph
from memdesk.model.errors import BadAsk, MemDeskError, NotFound
from memdesk.model.tools import ToolCall, ToolPlace
from memdesk.service.app import BODY_BYTES, DeskApp
from memdesk.service.callers import Caller
from memdesk.service.host import Host
from memdesk.service.tools import call_by, call_tool, shown, tool_named
from memdesk.store.audit_log import asked_by

Context = ServerRequestContext[Any]
Paged = types.PaginatedRequestParams | None
Got = TypeVar("Got")

_GRAPH = types.Resource(
    uri=GRAPH_URI,
    name="knowledge-graph",
    title="Knowledge Graph",
    description="The full knowledge graph with all entities and relations",
    mime_type="application/json",
)
log = logging.getLogger(__name__)
# The SDK tells of every request that it starts and ends.
logging.getLogger("mcp").setLevel(logging.WARNING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """Request of one agent for one set of tools."""

    app: DeskApp
    host: Host
    who: Caller
    toolset: Toolset
    place: ToolPlace

    async def answered(self, request: Request, body: bytes) -> Response:
        """Return the protocol's answer to this body."""
        server = Server(
            "memdesk",
            version=__version__,
            title="MemDesk",
            instructions=self.toolset.directive or None,
            on_list_tools=self._tools,
            on_call_tool=self._call,
            on_list_resources=self._resources,
            on_list_resource_templates=self._templates,
            on_read_resource=self._read,
            on_list_prompts=self._prompts,
            on_get_prompt=self._prompt,
            on_subscribe_resource=self._subscribed if self._has_graph else None,
            on_unsubscribe_resource=self._subscribed if self._has_graph else None,
        )
        return await _exchanged(server, request, body)

    async def _tools(self, _context: Context, _params: Paged) -> types.ListToolsResult:
        place = replace(self.place, agent_id=self.place.agent_id or self.who.agent)
        tools, _ = self._sure(lambda: shown(self.host, self.toolset, place))
        return types.ListToolsResult(tools=[types.Tool.model_validate(shapes.mcp(tool)) for tool in tools])

    async def _call(self, _context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        def called() -> types.CallToolResult:
            said = call_tool(
                self.app, self.host, self.who, self.toolset, tool, self.place, params.arguments or {}
            )
            structured = said.data if tool.output is not None and not said.is_error else None
            text = types.TextContent(text=said.text)
            return types.CallToolResult(content=[text], structured_content=structured, is_error=said.is_error)

        tool = self._sure(lambda: tool_named(self.toolset, params.name))
        return await self._in_thread(self.app.readers if tool.reads else self.app.writers, called)

    async def _resources(self, _context: Context, _params: Paged) -> types.ListResourcesResult:
        found = await self._asked("mcp.resources", lambda call: resources.listed(self.host.engine, call))
        return types.ListResourcesResult(
            resources=[
                *([_GRAPH] if self._has_graph else []),
                *(
                    types.Resource(uri=each.uri, name=each.name, description=each.says, mime_type=each.mime)
                    for each in found
                ),
            ]
        )

    async def _templates(self, _context: Context, _params: Paged) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    uri_template=each.uri, name=each.name, description=each.says, mime_type=each.mime
                )
                for each in resources.TEMPLATES
            ]
        )

    async def _read(
        self, _context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        if self._has_graph and uri == GRAPH_URI:
            text = await self._asked("mcp.read", lambda call: read_graph(self.host.engine, call).text)
            return types.ReadResourceResult(
                contents=[types.TextResourceContents(uri=uri, mime_type="application/json", text=text)]
            )
        found = await self._asked(
            "mcp.read", lambda call: resources.read(self.host.engine, call, uri), {"uri": uri}
        )
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=found.uri, mime_type=found.mime, text=found.text)]
        )

    @property
    def _has_graph(self) -> bool:
        return self.toolset.name == GRAPH_TOOLS.name

    async def _subscribed(
        self, _context: Context, _params: types.SubscribeRequestParams | types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        """Accept a subscription: no session is kept here, and the bridge, which is one, tells of changes."""
        return types.EmptyResult()

    async def _prompts(self, _context: Context, _params: Paged) -> types.ListPromptsResult:
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=each.name,
                    title=each.title,
                    description=each.says,
                    arguments=[
                        types.PromptArgument(name=name, description=says, required=True)
                        for name, says in each.arguments.items()
                    ],
                )
                for each in resources.PROMPTS
            ]
        )

    async def _prompt(self, _context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        found, text = await self._asked(
            "mcp.prompt", lambda call: resources.prompt(self.host.engine, call, params.name), params.arguments
        )
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(description=found.says, messages=[message])

    async def _asked(
        self, name: str, work: Callable[[ToolCall], Got], arguments: dict[str, str] | None = None
    ) -> Got:
        """Run a lookup for this agent in a worker thread."""

        def looked_up() -> Got:
            with asked_by(self.who.asker(name, self.place, self.app.person())):
                call = call_by(self.app, self.who, name, self.place, arguments, reads=True)
                with within_bounds(self.host.engine, self.who.bounded_by, reads=True):
                    found = work(call)
                return found if self.app.admission is None else self.app.admission.shown(self.who, found)

        return await self._in_thread(self.app.readers, looked_up)

    async def _in_thread(self, lane: Executor, work: Callable[[], Got]) -> Got:
        return await asyncio.get_running_loop().run_in_executor(lane, self._sure, work)

    def _sure(self, work: Callable[[], Got]) -> Got:
        """Run `work`, turning every exception into an error of the protocol. The only place that catches them
        all."""
        try:
            return work()
        except MemDeskError as wrong:
            self.app.refusals[wrong.code] += 1
            asked_wrong = isinstance(wrong, NotFound | BadAsk)
            code = types.INVALID_PARAMS if asked_wrong else types.INTERNAL_ERROR
            raise MCPError(code, wrong.sentence, {"code": wrong.code}) from wrong
        except Exception as bug:
            log.exception("a request over MCP failed")
            raise MCPError(types.INTERNAL_ERROR, "MemDesk failed at this; this is a bug.") from bug


async def _exchanged(server: Server, request: Request, body: bytes) -> Response:
    """Pass one request through the SDK's ASGI transport, which in this mode answers once and completely."""
    unread, said = [body], bytearray()
    start: dict[str, Any] = {}

    async def receive() -> Message:
        if unread:
            return {"type": "http.request", "body": unread.pop(), "more_body": False}
        return await request.receive()

    async def send(message: Message) -> None:
        start.update(message if message["type"] == "http.response.start" else {})
        said.extend(message.get("body", b""))

    manager = StreamableHTTPSessionManager(
        server, json_response=True, stateless=True, max_request_body_size=BODY_BYTES
    )
    async with manager.run():
        await manager.handle_request(request.scope, receive, send)
    response = Response(bytes(said), start["status"])
    response.raw_headers = start["headers"]
    return response
