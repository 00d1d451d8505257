"""Synchronous client, for programs without an event loop."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self, TypeVar

import httpx

from memdesk.api.endpoint import Endpoint
from memdesk.client.find import ensure_service
from memdesk.client.wire import (
    ANSWER_SECONDS,
    BASE_URL,
    CONNECT_SECONDS,
    RequestBuilder,
    agent_token,
    reached,
    transport,
)
from memdesk.files.places import Desk, desk_at

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")


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
        self._speaker = RequestBuilder(desk, agent=agent, session=session, token=token)
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
            said = self._http.request(**self._speaker.request(endpoint, ask))
        return self._speaker.answer(endpoint, said.status_code, said.content)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def started(desk: Desk) -> Desk:
    """Return the desk once its service answers. It waits in a thread, so that a running event loop is no obstacle."""
    with ThreadPoolExecutor(1) as aside:
        aside.submit(lambda: asyncio.run(ensure_service(desk))).result()
    return desk


def connect(
    folder: str | None = None,
    *,
    agent: str | None = None,
    session: str | None = None,
    token: str | None = None,
) -> SyncClient:
    """Start the desk's service if needed and return a client of it.

    folder: the desk's folder, else that of MEMDESK_DESK, else the usual one. token: the agent's, else that of
    MEMDESK_TOKEN. Raises the reason the service
    could not start. A program with an event loop awaits `connect_async` instead."""
    desk = started(desk_at(folder))
    return SyncClient(desk, agent=agent, session=session, token=token or agent_token())
