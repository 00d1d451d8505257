"""Bridge from standard input and output to the desk's service: each message that a runtime writes is posted
unchanged.

Only the service implements the protocol. So the bridge starts at once, supports every revision the service
does, and survives its restarts."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial

from memdesk.client.client import Client
from memdesk.client.find import answers, ensure_service
from memdesk.client.wire import error_in
from memdesk.contract.tools.calls import MESSAGE_BYTES
from memdesk.files.places import Desk
from memdesk.mcp.message import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    Message,
    failure,
    id_of,
    message,
)
from memdesk.model.errors import BadAsk, MemDeskError

STDIN, STDOUT = 0, 1
CHUNK_BYTES = 64 * 1024


def speak(desk: Desk, path: str, *, agent: str) -> int:
    """Answer messages from standard input until it ends, and return the exit code. path: where they are
    posted.

    Raises the reason the desk's service cannot start."""
    # A runtime that reads no more is nobody to tell.
    with suppress(BrokenPipeError):
        asyncio.run(_Bridge(desk, path, agent).run())
    return 0


class _Bridge:
    """Connection of one runtime. agreed: the revision that a handshake settled on, "" without one."""

    def __init__(self, desk: Desk, path: str, agent: str) -> None:
        self._desk = desk
        self._path = path
        self._client = Client(desk, agent=agent)
        self._agreed = ""
        self._under_way: dict[str | int, asyncio.Task[None]] = {}

    async def run(self) -> None:
        await ensure_service(self._desk)
        try:
            async with self._client, asyncio.TaskGroup() as tasks:
                async for line in _lines():
                    self._take(line, tasks)
        except* BrokenPipeError as gone:
            raise BrokenPipeError from gone

    def _take(self, line: bytes, tasks: asyncio.TaskGroup) -> None:
        if len(line) > MESSAGE_BYTES:
            large = BadAsk(
                f"A message is larger than {MESSAGE_BYTES // 1024**2} MB.", next="Send it in parts."
            )
            _say(failure(id_of(line), INVALID_REQUEST, large))
            return
        try:
            said = message(line)
        except ValueError as wrong:
            _say(failure(id_of(line), PARSE_ERROR, BadAsk(f"That is no JSON: {wrong}.")))
            return
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
        if answer:
            _say(answer)

    async def _posted(self, said: Message) -> bytes:
        """Return the service's answer, "" for none. Raises the service's error where that is no MCP message,
        or ServiceAway."""
        if not answers(self._desk):
            await ensure_service(self._desk)
        status, answer = await self._client.post(self._path, said.line, said.headers(self._agreed))
        if answer and b'"jsonrpc"' not in answer:
            raise error_in(answer, status)
        return answer


def _agreed(answer: bytes) -> str:
    """Return the revision in the answer to a handshake."""
    return str(json.loads(answer).get("result", {}).get("protocolVersion", ""))


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
