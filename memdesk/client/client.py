"""Connection to one desk's service: typed calls, on an event loop with the change feed, or without one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import Self, TypeVar

import httpx

from memdesk.api.endpoint import Endpoint
from memdesk.api.history import FEED_PATH
from memdesk.client.wire import (
    ANSWER_SECONDS,
    BASE_URL,
    CONNECT_SECONDS,
    RequestBuilder,
    decode_answer,
    error_in,
    reached,
    transport,
)
from memdesk.files.places import Desk
from memdesk.model.history import FeedEvent, WorkingMoved

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")

SILENCE_SECONDS = 40.0
"""Read timeout of the feed: its heartbeat comes every 15 seconds, and after two missed ones the service is
taken as gone."""


class Client:
    """Asynchronous client of a desk's service.

    agent: act as this agent, a guest unless `token` is its token; without either, the caller acts as the desk's
    owner, and the owner's token is sent when this user can read it. session: the agent's session, for the audit
    log. parts: ask for messages as ids and parts, which a window words itself. Use a client on one event loop only."""

    def __init__(
        self,
        desk: Desk,
        *,
        agent: str | None = None,
        session: str | None = None,
        token: str | None = None,
        parts: bool = False,
    ) -> None:
        self.desk = desk
        self._requests = RequestBuilder(desk, agent=agent, session=session, token=token, parts=parts)
        self._http = httpx.AsyncClient(
            transport=httpx.AsyncHTTPTransport(**transport(desk)),
            base_url=desk.service or BASE_URL,
            timeout=httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
            trust_env=False,
        )

    async def call(self, endpoint: Endpoint[Ask, Answer], ask: Ask) -> Answer:
        """Send a request and return the answer. Raises the service's own error, or ServiceAway when no
        service answers."""
        with reached(self.desk):
            said = await self._http.request(**self._requests.request(endpoint, ask))
        return self._requests.answer(endpoint, said.status_code, said.content)

    async def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
        """Post a message of another protocol; return the HTTP status and the body of the answer.

        Raises ServiceAway when no service answers."""
        with reached(self.desk):
            said = await self._http.post(path, content=body, headers={**self._requests.headers(), **headers})
        return said.status_code, said.content

    async def feed(self, after: int | None = None) -> AsyncIterator[FeedEvent]:
        """Yield the changes after `after`, or from now on; ends when the service ends.

        Raises ServiceAway when the connection breaks: call again with the last event's id, and nothing is
        lost or repeated."""
        async for event in self.follow(after):
            if isinstance(event, FeedEvent):
                yield event

    async def follow(self, after: int | None = None) -> AsyncIterator[FeedEvent | WorkingMoved]:
        """Yield the feed's events, and between them a WorkingMoved for each change of working memory; these
        are not replayed."""
        headers = self._requests.headers() | ({} if after is None else {"last-event-id": str(after)})
        timeout = httpx.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS)
        with reached(self.desk):
            async with self._http.stream("GET", FEED_PATH, headers=headers, timeout=timeout) as said:
                if said.status_code != httpx.codes.OK:
                    raise error_in(await said.aread(), said.status_code)
                kind: type[FeedEvent] | type[WorkingMoved] = FeedEvent
                async for line in _lines(said.aiter_bytes()):
                    # An event is one line of data with its id in it; comments and bare ids say that it is alive.
                    if line == b"event: working":
                        kind = WorkingMoved
                    elif line.startswith(b"data: "):
                        event: FeedEvent | WorkingMoved = decode_answer(kind, line.removeprefix(b"data: "))
                        kind = FeedEvent
                        yield event

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class SyncClient:
    """Synchronous client of a desk's service. It is thread-safe; use it in a `with`.

    agent, token: as in Client. session: the agent's session, for the audit log. seconds: how long to
    wait for an answer."""

    def __init__(
        self,
        desk: Desk,
        *,
        agent: str | None = None,
        session: str | None = None,
        token: str | None = None,
        seconds: float = ANSWER_SECONDS,
    ) -> None:
        self.desk = desk
        self._requests = RequestBuilder(desk, agent=agent, session=session, token=token)
        self._http = httpx.Client(
            transport=httpx.HTTPTransport(**transport(desk)),
            base_url=desk.service or BASE_URL,
            timeout=httpx.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS)),
            trust_env=False,
        )

    def call(self, endpoint: Endpoint[Ask, Answer], ask: Ask) -> Answer:
        """Send a request and return the answer. Raises the service's own error, or ServiceAway when no
        service answers."""
        with reached(self.desk):
            said = self._http.request(**self._requests.request(endpoint, ask))
        return self._requests.answer(endpoint, said.status_code, said.content)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


async def _lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    r"""Yield complete lines split at b"\n". httpx's own splitting also breaks at U+2028 and similar, which
    memory may contain."""
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line
