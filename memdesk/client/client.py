"""One connection to one desk's service: typed calls and the change feed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import Self, TypeVar

import httpx

from memdesk.client.speaking import ANSWER_SECONDS, BASE_URL, CONNECT_SECONDS, LIMITS, NO_TLS, Speaker
from memdesk.client.wire import error_in, understood
from memdesk.contract.endpoint import Endpoint
from memdesk.contract.history import FEED_PATH
from memdesk.files.places import Desk
from memdesk.model.history import FeedEvent, WorkingMoved

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")

SILENCE_SECONDS = 40.0
"""The feed's heartbeat comes every 15 seconds; two missed ones mean that nobody is there."""


class Client:
    """Speaks to a desk's service. Presents the owner's token when this user can read it.

    agent: act as this agent; otherwise the token's holder acts as the desk's owner. session: the agent's session, which
    the audit log tells. Use it on one event loop.
    """

    def __init__(self, desk: Desk, *, agent: str | None = None, session: str | None = None) -> None:
        self.desk = desk
        self._speaker = Speaker(desk, agent=agent, session=session)
        self._http = httpx.AsyncClient(
            transport=httpx.AsyncHTTPTransport(
                uds=str(desk.socket),
                limits=LIMITS,
                verify=NO_TLS,
            ),
            base_url=BASE_URL,
            timeout=httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
            trust_env=False,
        )

    async def call(self, endpoint: Endpoint[Ask, Answer], ask: Ask) -> Answer:
        """Ask and wait for the answer. Raises the service's own error, or ServiceAway when nobody answers."""
        with self._speaker.reached():
            said = await self._http.request(**self._speaker.request(endpoint, ask))
        return self._speaker.answer(endpoint, said)

    async def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
        """Post what is no ask, such as a message of another protocol. Returns the HTTP status and what came back.

        Raises ServiceAway when nobody answers.
        """
        with self._speaker.reached():
            said = await self._http.post(path, content=body, headers={**self._speaker.headers(), **headers})
        return said.status_code, said.content

    async def feed(self, after: int | None = None) -> AsyncIterator[FeedEvent]:
        """What changes, from after that change on, or from now on. Ends when the service does.

        Raises ServiceAway when it breaks off: follow again from the last event's id, and nothing is lost or repeated.
        """
        async for event in self.follow(after):
            if isinstance(event, FeedEvent):
                yield event

    async def follow(self, after: int | None = None) -> AsyncIterator[FeedEvent | WorkingMoved]:
        """The feed, and between its events that working memory moved. That is told once: nothing of it is replayed."""
        headers = self._speaker.headers() | ({} if after is None else {"last-event-id": str(after)})
        timeout = httpx.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS)
        with self._speaker.reached():
            async with self._http.stream("GET", FEED_PATH, headers=headers, timeout=timeout) as said:
                if said.status_code != httpx.codes.OK:
                    raise error_in(await said.aread(), said.status_code)
                told: type[FeedEvent] | type[WorkingMoved] = FeedEvent
                async for line in _lines(said.aiter_bytes()):
                    # An event is one line of data with its id in it; comments and bare ids say that it is alive.
                    if line == b"event: working":
                        told = WorkingMoved
                    elif line.startswith(b"data: "):
                        event: FeedEvent | WorkingMoved = understood(told, line.removeprefix(b"data: "))
                        told = FeedEvent
                        yield event

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


async def _lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Whole lines. httpx's own splitting also breaks at U+2028 and its like, which memory may hold."""
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line
