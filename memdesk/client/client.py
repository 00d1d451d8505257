"""One connection to one desk's service: typed calls and the change feed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Self, TypeVar
from urllib.parse import quote

import httpx

from memdesk.client.wire import error_in, spoken_body, spoken_query, understood
from memdesk.contract.endpoint import Endpoint
from memdesk.contract.history import FEED_PATH
from memdesk.files.places import Desk
from memdesk.model.errors import ServiceAway, StorageFailed
from memdesk.model.history import FeedEvent

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")

CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 120.0
"""A preview of a large folder reads every file; everything else answers in milliseconds."""
SILENCE_SECONDS = 40.0
"""The feed's heartbeat comes every 15 seconds; two missed ones mean that nobody is there."""
IN_FLIGHT = 16
"""Connections at once, the feed's among them; more slow each other down on one socket."""


class Client:
    """Speaks to a desk's service. Presents the owner's token when this user can read it.

    agent: act as this agent; otherwise the token's holder acts as the desk's owner. Use it on one event loop.
    """

    def __init__(self, desk: Desk, *, agent: str | None = None) -> None:
        self.desk = desk
        self._agent = agent
        self._token: str | None = None
        self._http = httpx.AsyncClient(
            transport=httpx.AsyncHTTPTransport(
                uds=str(desk.socket),
                limits=httpx.Limits(max_connections=IN_FLIGHT, max_keepalive_connections=IN_FLIGHT),
            ),
            base_url="http://desk",
            timeout=httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
            trust_env=False,
        )

    async def call(self, endpoint: Endpoint[Ask, Answer], ask: Ask) -> Answer:
        """Ask and wait for the answer. Raises the service's own error, or ServiceAway when nobody answers."""
        with self._reached():
            if endpoint.method == "GET":
                query = httpx.QueryParams(spoken_query(ask))
                said = await self._http.get(endpoint.path, params=query, headers=self._headers())
            else:
                headers = self._headers() | {"content-type": "application/json"}
                said = await self._http.post(endpoint.path, content=spoken_body(ask), headers=headers)
        if said.status_code != httpx.codes.OK:
            raise error_in(said.content, said.status_code)
        answer: Answer = understood(endpoint.answer, said.content)
        return answer

    async def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
        """Post what is no ask, such as a message of another protocol. Returns the HTTP status and what came back.

        Raises ServiceAway when nobody answers.
        """
        with self._reached():
            said = await self._http.post(path, content=body, headers={**self._headers(), **headers})
        return said.status_code, said.content

    async def feed(self, after: int | None = None) -> AsyncIterator[FeedEvent]:
        """What changes, from after that change on, or from now on. Ends when the service does.

        Raises ServiceAway when it breaks off: follow again from the last event's id, and nothing is lost or repeated.
        """
        headers = self._headers() | ({} if after is None else {"last-event-id": str(after)})
        timeout = httpx.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS)
        with self._reached():
            async with self._http.stream("GET", FEED_PATH, headers=headers, timeout=timeout) as said:
                if said.status_code != httpx.codes.OK:
                    raise error_in(await said.aread(), said.status_code)
                async for line in _lines(said.aiter_bytes()):
                    # An event is one line of data with its id in it; comments and bare ids say that it is alive.
                    if line.startswith(b"data: "):
                        event: FeedEvent = understood(FeedEvent, line.removeprefix(b"data: "))
                        yield event

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _headers(self) -> dict[str, str]:
        if self._token is None:
            self._token = _owner_token(self.desk)
        headers = {"authorization": f"Bearer {self._token}"} if self._token else {}
        return headers | ({"x-memdesk-agent": quote(self._agent)} if self._agent else {})

    @contextmanager
    def _reached(self) -> Iterator[None]:
        """Turn what the wire throws into ServiceAway."""
        try:
            yield
        except httpx.ConnectError as away:
            raise ServiceAway(f"No service answers on the desk {self.desk.folder}.") from away
        except httpx.TimeoutException as late:
            raise ServiceAway(f"The service of {self.desk.folder} does not answer in time.") from late
        except httpx.TransportError as gone:
            raise ServiceAway(
                f"The service of {self.desk.folder} went away before it answered.",
                next="What it had acknowledged is kept; look whether this last call was, and try again.",
            ) from gone


async def _lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Whole lines. httpx's own splitting also breaks at U+2028 and its like, which memory may hold."""
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line


def _owner_token(desk: Desk) -> str | None:
    """The token, when there is one that this user may read; without it we come as an agent."""
    try:
        return desk.owner_token.read_text(encoding="ascii").strip()
    except (FileNotFoundError, PermissionError):
        return None
    except (OSError, UnicodeDecodeError) as wrong:
        raise StorageFailed(f"The owner token {desk.owner_token} cannot be read: {wrong}.") from wrong
