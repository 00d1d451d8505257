"""The Model Context Protocol over standard input and output, for runtimes that start their servers themselves.

Each message that a runtime writes is posted unchanged to the desk's service, which alone implements the protocol. So
this bridge starts at once, supports every revision the service does, and survives its restarts."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import quote, urlsplit
from urllib.request import url2pathname

from memdesk.api import projects
from memdesk.api.tools.calls import MESSAGE_BYTES
from memdesk.api.tools.toolsets import MCP_MEMORY
from memdesk.client.client import Client
from memdesk.client.direct import answers
from memdesk.client.find import ensure_service
from memdesk.client.wire import error_in
from memdesk.files.places import Desk
from memdesk.model.errors import BadAsk, MemDeskError
from memdesk.model.message import message as sentence
from memdesk.model.project import EnterProject

ROOTS_ID = "memdesk-roots"
"""Id of our request for the client's roots (MCP 2025-11-25, client/roots)."""
ROOTS_SECONDS = 3.0
"""Time for the answer; a person may be asked first. After it, the folder that the bridge was started in decides."""
ASK_ROOTS = json.dumps({"jsonrpc": "2.0", "id": ROOTS_ID, "method": "roots/list"}).encode()


class WorkingFolder:
    """Folder of one connection. Its channel stays that of its beginning, as a session's does.

    plain: the path without the channel. project: that of the folder the bridge was started in, without a folder where
    that is nobody's project; None where the channel is named."""

    def __init__(self, client: Client, path: str, project: EnterProject | None) -> None:
        self._client = client
        self.plain = path
        self._path = path
        self._project = project
        self._has_roots = False
        self._roots: asyncio.Future[str] | None = None
        self._settling = asyncio.Lock()

    def hears(self, method: str, params: dict[str, Any]) -> bytes:
        """Note what a message of the handshake says; return our request for the roots when it is time, else b""."""
        if method == "initialize":
            able = params.get("capabilities")
            self._has_roots = isinstance(able, dict) and "roots" in able
        if method != "notifications/initialized" or not self._has_roots or self._project is None:
            return b""
        self._roots = asyncio.get_running_loop().create_future()
        return ASK_ROOTS

    def answered(self, result: object) -> None:
        """Take the answer to our request."""
        if self._roots is not None and not self._roots.done():
            self._roots.set_result(folder_of(result))

    async def path(self) -> str:
        """Return the path with the project's channel. Raises what the service says to entering the project."""
        async with self._settling:
            if self._project is not None:
                folder = await self._first_root() or self._project.folder
                if folder:
                    entered = await self._client.call(projects.ENTER, replace(self._project, folder=folder))
                    self._path += f"&channel={quote(entered.channel, safe='')}"
                self._project = None
            return self._path

    async def _first_root(self) -> str:
        """Return the folder that the client names first, "" for none in time."""
        if self._roots is not None:
            with suppress(TimeoutError):
                return await asyncio.wait_for(asyncio.shield(self._roots), ROOTS_SECONDS)
        return ""


def folder_of(result: object) -> str:
    """Return the first folder on this machine in a list of roots; "" for none."""
    roots = result.get("roots") if isinstance(result, dict) else None
    for root in roots if isinstance(roots, list) else ():
        uri = urlsplit(root["uri"]) if isinstance(root, dict) and isinstance(root.get("uri"), str) else None
        if uri is not None and uri.scheme == "file" and uri.netloc in ("", "localhost"):
            return url2pathname(uri.path)
    return ""


PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR = -32700, -32600, -32603
"""JSON-RPC 2.0, section 5.1."""
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
"""Key under which every request carries its revision, without a handshake, since revision 2026-07-28."""
HANDSHAKE = ("initialize", "notifications/initialized", "server/discover", "ping")
_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_ID_BYTES = 1000
_ID = rb'"id"\s*:\s*(-?\d{1,15}|"[ !#-\[\]-~]*")'
_ID_FIRST = re.compile(rb'\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*' + _ID + rb"\s*[,}]")
_ID_LAST = re.compile(
    rb'[\]}]\s*(?:,\s*"jsonrpc"\s*:\s*"[^"\\]*"\s*)?,\s*'
    + _ID
    + rb'\s*(?:,\s*"jsonrpc"\s*:\s*"[^"\\]*"\s*)?\}\s*$'
)
_PLAIN = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Message on one line. id: None for a notification. method: "" for anything but a request, such as an
    answer or a batch. result: of an answer."""

    line: bytes
    id: str | int | None = None
    method: str = ""
    params: dict[str, Any]
    result: object = None

    @property
    def cancels(self) -> str | int | None:
        """Id of the request that this message cancels; None for other messages."""
        id = self.params.get("requestId") if self.method == "notifications/cancelled" else None
        return id if isinstance(id, str | int) else None

    def headers(self, agreed: str) -> dict[str, str]:
        """Return the headers of streamable HTTP. agreed: the revision of the handshake, "" before it."""
        common = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        meta = self.params.get("_meta")
        version = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
        if not isinstance(version, str):
            return common | ({"mcp-protocol-version": agreed} if agreed else {})
        name = self.params.get(_NAMED_BY.get(self.method, ""))
        fields = {"mcp-protocol-version": version, "mcp-method": self.method}
        fields |= {"mcp-name": name} if isinstance(name, str) else {}
        return common | {header: _header(value) for header, value in fields.items()}


def message(line: bytes) -> Message:
    """Read a line. Raises ValueError for text that is not JSON, or is nested too deep."""
    try:
        said = json.loads(line)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    if not isinstance(said, dict):
        return Message(line=line, params={})
    id, method, params = said.get("id"), said.get("method"), said.get("params")
    return Message(
        line=line,
        id=id if isinstance(id, str | int) else None,
        method=method if isinstance(method, str) else "",
        params=params if isinstance(params, dict) else {},
        result=said.get("result"),
    )


def id_of(line: bytes) -> str | int | None:
    """Return the id of a request that is not parsed, found at its beginning or its end, where clients write
    it."""
    found = _ID_FIRST.match(line[:_ID_BYTES]) or _ID_LAST.search(line[-_ID_BYTES:])
    id: str | int | None = None if found is None else json.loads(found[1])
    return id


def failure(id: str | int | None, code: int, wrong: MemDeskError) -> bytes:
    """Return an error of the desk as the answer to a request."""
    error = {"code": code, "message": wrong.sentence, "data": {"code": wrong.code}}
    return json.dumps({"jsonrpc": "2.0", "id": id, "error": error}).encode()


def _header(value: str) -> str:
    """Return a value for a header: Base64 between marks where it is not plain ASCII (MCP 2026-07-28)."""
    if _PLAIN.fullmatch(value) and not value.startswith("=?base64?"):
        return value
    return f"=?base64?{base64.b64encode(value.encode(errors='replace')).decode()}?="


SUBSCRIBE, UNSUBSCRIBE, CALL = "resources/subscribe", "resources/unsubscribe", "tools/call"
_CHANGING = frozenset(tool.name for tool in MCP_MEMORY.tools if not tool.reads)


class Subscriptions:
    """Addresses that the runtime subscribed to. As the reference server does, it is told of the changes that it made
    itself: an agent may not follow those of others."""

    def __init__(self) -> None:
        self._uris: set[str] = set()

    def after(self, method: str, params: Mapping[str, Any], answer: bytes) -> Iterator[bytes]:
        """Take note of a request that was answered; yield what the runtime is told besides."""
        if b'"result"' not in answer:
            return
        uri = str(params.get("uri", ""))
        if method == SUBSCRIBE:
            self._uris.add(uri)
        elif method == UNSUBSCRIBE:
            self._uris.discard(uri)
        elif method == CALL and params.get("name") in _CHANGING and not _failed(answer):
            for each in sorted(self._uris):
                notes = {
                    "jsonrpc": "2.0",
                    "method": "notifications/resources/updated",
                    "params": {"uri": each},
                }
                yield json.dumps(notes).encode()


def _failed(answer: bytes) -> bool:
    result = json.loads(answer).get("result")
    return bool(isinstance(result, dict) and result.get("isError"))


STDIN, STDOUT = 0, 1
CHUNK_BYTES = 64 * 1024


def speak(
    desk: Desk, path: str, *, agent: str | None, token: str | None = None, project: EnterProject | None = None
) -> int:
    """Answer messages from standard input until it ends, and return the exit code. path: where they are
    posted. token: the agent's. project: that of the folder, whose channel is used; None where the path names one.

    Raises the reason the desk's service cannot start."""
    asyncio.run(_Bridge(desk, path, Client(desk, agent=agent, token=token), project).run())
    return 0


class _Bridge:
    """Connection of one runtime. agreed: the revision that a handshake settled on, "" without one."""

    def __init__(self, desk: Desk, path: str, client: Client, project: EnterProject | None) -> None:
        self._desk = desk
        self._client = client
        self._folder = WorkingFolder(client, path, project)
        self._agreed = ""
        self._under_way: dict[str | int, asyncio.Task[None]] = {}
        self._subscriptions = Subscriptions()

    async def run(self) -> None:
        await ensure_service(self._desk)
        try:
            async with self._client, asyncio.TaskGroup() as tasks:
                async for line in _lines():
                    self._take(line, tasks)
        except* BrokenPipeError:
            # A runtime that reads no more is nobody to tell. Raised again, 3.11.2 would leave it in a group.
            pass

    def _take(self, line: bytes, tasks: asyncio.TaskGroup) -> None:
        if len(line) > MESSAGE_BYTES:
            large = BadAsk(
                sentence("A message is larger than {count} MB.", count=MESSAGE_BYTES // 1024**2),
                next=sentence("Send it in parts."),
            )
            _say(failure(id_of(line), INVALID_REQUEST, large))
            return
        try:
            said = message(line)
        except ValueError as wrong:
            _say(
                failure(id_of(line), PARSE_ERROR, BadAsk(sentence("That is no JSON: {wrong}.", wrong=wrong)))
            )
            return
        if said.id == ROOTS_ID and not said.method:
            self._folder.answered(said.result)
            return
        if ask := self._folder.hears(said.method, said.params):
            _say(ask)
        if (cancelled := said.cancels) is not None:
            if (task := self._under_way.get(cancelled)) is not None:
                task.cancel()
            return
        task = tasks.create_task(self._answer(said))
        if said.id is not None:
            self._under_way[said.id] = task
            task.add_done_callback(partial(self._ended, said.id))

    def _ended(self, id: str | int, _task: asyncio.Task[None]) -> None:
        self._under_way.pop(id, None)

    async def _answer(self, said: Message) -> None:
        try:
            answer = await self._posted(said)
        except MemDeskError as wrong:
            answer = b"" if said.id is None else failure(said.id, INTERNAL_ERROR, wrong)
        if said.method == "initialize":
            self._agreed = _agreed(answer)
        for note in self._subscriptions.after(said.method, said.params, answer):
            _say(note)
        if answer:
            _say(answer)

    async def _posted(self, said: Message) -> bytes:
        """Return the service's answer, "" for none. Raises the service's error where that is no MCP message,
        or ServiceAway."""
        if not answers(self._desk):
            await ensure_service(self._desk)
        # A handshake waits for no folder: the client names its own only after it.
        path = self._folder.plain if said.method in HANDSHAKE else await self._folder.path()
        status, answer = await self._client.post(path, said.line, said.headers(self._agreed))
        if answer and b'"jsonrpc"' not in answer:
            raise error_in(answer, status)
        return answer


def _agreed(answer: bytes) -> str:
    """Return the revision in the answer to a handshake, "" if it has none."""
    try:
        said = json.loads(answer)
    except ValueError:
        return ""
    result = said.get("result") if isinstance(said, dict) else None
    return str(result.get("protocolVersion", "")) if isinstance(result, dict) else ""


def _say(answer: bytes) -> None:
    """Write a complete line. It bypasses Python's stream, which would fail again at its close if the reader
    is gone."""
    rest = memoryview(answer.replace(b"\n", b" ") + b"\n")
    while rest:
        rest = rest[os.write(STDOUT, rest) :]


async def _lines() -> AsyncIterator[bytes]:
    """Yield the lines of standard input that are not blank, from a pipe, a terminal or a file."""
    loop, chunks = asyncio.get_running_loop(), asyncio.Queue[bytes]()

    def read() -> None:
        while chunk := os.read(STDIN, CHUNK_BYTES):
            loop.call_soon_threadsafe(chunks.put_nowait, chunk)
        loop.call_soon_threadsafe(chunks.put_nowait, b"")

    # A daemon: a read that never returns keeps no interrupted bridge alive.
    threading.Thread(target=read, daemon=True).start()
    rest = _Line()
    while chunk := await chunks.get():
        first, *others = chunk.split(b"\n")
        rest.add(first)
        for begun in others:
            if (line := rest.whole()).strip():
                yield line
            rest = _Line()
            rest.add(begun)
    if (line := rest.whole()).strip():
        yield line


class _Line:
    """Pieces of a line that has not ended; of a line that is too large, only its beginning and its end."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._bytes = 0

    def add(self, piece: bytes) -> None:
        self._bytes += len(piece)
        if self._bytes > MESSAGE_BYTES + 4 * CHUNK_BYTES:
            # What lies between is never looked at, and would fill the memory.
            del self._pieces[-2:-1]
        self._pieces.append(piece)

    def whole(self) -> bytes:
        return b"".join(self._pieces)
