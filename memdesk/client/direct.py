"""Calls from a process that ends soon, with the standard library alone: importing httpx takes 0.1 s."""

from __future__ import annotations

import time
from http.client import HTTPConnection, HTTPException
from types import TracebackType
from typing import Self, TypeVar

from memdesk.api.endpoint import Endpoint
from memdesk.client.wire import ANSWER_SECONDS, CONNECT_SECONDS, RequestBuilder
from memdesk.files import local_socket
from memdesk.files.places import Desk
from memdesk.model.errors import ServiceAway
from memdesk.model.message import message

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")


def answers(desk: Desk) -> bool:
    """Return True if a service listens on the desk's socket. Never waits."""
    return local_socket.listens(desk.socket)


class DirectClient:
    """Client of a desk's service for a few calls, one after the other. Use it in a `with`.

    agent, token: as in Client. session: the agent's session, for the audit log. until: the time on the monotonic clock
    after which a call raises TimeoutError; None for ANSWER_SECONDS a call."""

    def __init__(
        self,
        desk: Desk,
        *,
        agent: str | None = None,
        session: str | None = None,
        token: str | None = None,
        until: float | None = None,
    ) -> None:
        self._desk, self._until = desk, until
        self._builder = RequestBuilder(desk, agent=agent, session=session, token=token)
        self._connection = _Connection(desk)

    def confirm(self, passphrase: str) -> None:
        """Send the owner's passphrase with the next calls."""
        self._builder.passphrase = passphrase

    def call(self, endpoint: Endpoint[Ask, Answer], ask: Ask) -> Answer:
        """Send a request and return the answer. Raises the service's own error, ServiceAway when no service answers,
        or TimeoutError."""
        request = self._builder.request(endpoint, ask)
        try:
            self._connection.wait(self._seconds(CONNECT_SECONDS))
        except OSError as away:
            raise ServiceAway(
                message("No service answers on the desk {folder}.", folder=self._desk.folder)
            ) from away
        try:
            self._connection.wait(self._seconds(ANSWER_SECONDS))
            self._connection.request(
                request["method"], request["url"], request["content"], request["headers"]
            )
            response = self._connection.getresponse()
            body = response.read()
        except TimeoutError as late:
            if self._until is not None:
                raise
            raise ServiceAway(
                message("The service of {folder} does not answer in time.", folder=self._desk.folder)
            ) from late
        except (OSError, HTTPException) as gone:
            raise ServiceAway(
                message("The service of {folder} went away before it answered.", folder=self._desk.folder),
                next=message(
                    "What it had acknowledged is kept; look whether this last call was, and try again."
                ),
            ) from gone
        return self._builder.answer(endpoint, response.status, body)

    def _seconds(self, usual: float) -> float:
        if self._until is None:
            return usual
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()


class _Connection(HTTPConnection):
    """HTTP over the desk's socket."""

    def __init__(self, desk: Desk) -> None:
        super().__init__("desk")
        self._path, self._seconds = desk.socket, CONNECT_SECONDS

    def wait(self, seconds: float) -> None:
        """Connect where this is not connected, and wait at most so long for what comes next."""
        self._seconds = seconds
        if self.sock is None:
            self.connect()
        self.sock.settimeout(seconds)

    def connect(self) -> None:
        """Connect to the socket; http.client calls it too where the service closed the connection."""
        self.sock = local_socket.connect(self._path, timeout_s=self._seconds)
