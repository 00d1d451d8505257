"""The same calls for programs without an event loop."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self, TypeVar

import httpx

from memdesk.client.find import ensure_service
from memdesk.client.speaking import ANSWER_SECONDS, BASE_URL, CONNECT_SECONDS, LIMITS, NO_TLS, Speaker
from memdesk.contract.endpoint import Endpoint
from memdesk.files.places import Desk, desk_at

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")


class SyncClient:
    """Speaks to a desk's service and waits for every answer. Thread-safe; use it in a `with`.

    agent: act as this agent; otherwise the holder of the owner's token acts as the desk's owner. session: the agent's
    session, which the audit log tells. seconds: how long to wait for an answer.
    """

    def __init__(
        self,
        desk: Desk,
        *,
        agent: str | None = None,
        session: str | None = None,
        seconds: float = ANSWER_SECONDS,
    ) -> None:
        self.desk = desk
        self._speaker = Speaker(desk, agent=agent, session=session)
        self._http = httpx.Client(
            transport=httpx.HTTPTransport(uds=str(desk.socket), limits=LIMITS, verify=NO_TLS),
            base_url=BASE_URL,
            timeout=httpx.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS)),
            trust_env=False,
        )

    def call(self, endpoint: Endpoint[Ask, Answer], ask: Ask) -> Answer:
        """Ask and wait for the answer. Raises the service's own error, or ServiceAway when nobody answers."""
        with self._speaker.reached():
            said = self._http.request(**self._speaker.request(endpoint, ask))
        return self._speaker.answer(endpoint, said)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def connect(folder: str | None = None, *, agent: str | None = None, session: str | None = None) -> SyncClient:
    """A client of the desk in this folder, else of MEMDESK_DESK, else of the usual one; its service runs afterwards.

    Raises why the service could not start. Not inside a running event loop: there, `find_or_start` is awaited.
    """
    desk = desk_at(folder)
    asyncio.run(ensure_service(desk))
    return SyncClient(desk, agent=agent, session=session)
