"""Calls from a process that ends soon, over a socket alone: importing httpx takes 0.1 s, http.client 20 ms."""

from __future__ import annotations

import socket
from typing import BinaryIO, TypeVar
from urllib.parse import urlsplit

from memdesk.api.endpoint import Endpoint
from memdesk.client.wire import ANSWER_SECONDS, CONNECT_SECONDS, RequestBuilder, away, trusted
from memdesk.files import local_socket
from memdesk.files.places import Desk
from memdesk.model.errors import ServiceAway
from memdesk.model.message import message

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")


def answers(desk: Desk) -> bool:
    """Return True if a service listens on the desk's socket, or is another computer's. Never waits."""
    return desk.service is not None or local_socket.listens(desk.socket)


class DirectClient:
    """Client of a desk's service for a few calls, each over its own connection. token: as in Client."""

    def __init__(self, desk: Desk, *, token: str | None = None) -> None:
        self._desk = desk
        self._builder = RequestBuilder(desk, agent=None, session=None, token=token)

    def confirm(self, passphrase: str) -> None:
        """Send the owner's passphrase with the next calls."""
        self._builder.passphrase = passphrase

    def call(self, endpoint: Endpoint[Ask, Answer], ask: Ask) -> Answer:
        """Send a request and return the answer. Raises the service's own error, or ServiceAway when no service
        answers."""
        request = self._builder.request(endpoint, ask)
        body = request["content"] or b""
        host = (self._desk.service or "//desk").partition("//")[2]
        headers = {"host": host, **request["headers"], "content-length": len(body)}
        lines = (
            f"{request['method']} {request['url']} HTTP/1.0",
            *(f"{name}: {value}" for name, value in headers.items()),
        )
        status, answer = self._exchanged("\r\n".join((*lines, "\r\n")).encode() + body)
        return self._builder.answer(endpoint, status, answer)

    def _exchanged(self, request: bytes) -> tuple[int, bytes]:
        """Send the bytes of a request; return status and body of its answer. Raises ServiceAway."""
        folder = self._desk.shown
        try:
            desk = _connected(self._desk)
        except OSError as wrong:
            raise away(self._desk, wrong) from wrong
        with desk:
            try:
                desk.settimeout(ANSWER_SECONDS)
                desk.sendall(request)
                with desk.makefile("rb") as answer:
                    return _read(answer)
            except TimeoutError as late:
                raise ServiceAway(
                    message("The service of {folder} does not answer in time.", folder=folder)
                ) from late
            except OSError as gone:
                raise ServiceAway(
                    message("The service of {folder} went away before it answered.", folder=folder),
                    next=message(
                        "What it had acknowledged is kept; look whether this last call was, and try again."
                    ),
                ) from gone


def _connected(desk: Desk) -> socket.socket:
    """Return a connection to the service. Raises OSError."""
    if desk.service is None:
        return local_socket.connect(desk.socket, timeout_s=CONNECT_SECONDS)
    parts = urlsplit(desk.service)
    assert parts.hostname is not None
    port = parts.port or (443 if parts.scheme == "https" else 80)
    plain = socket.create_connection((parts.hostname, port), timeout=CONNECT_SECONDS)
    if parts.scheme == "http":
        return plain
    try:
        return trusted().wrap_socket(plain, server_hostname=parts.hostname)
    except OSError:
        plain.close()
        raise


def _read(answer: BinaryIO) -> tuple[int, bytes]:
    """Return status and body of an answer of HTTP. Raises ConnectionError for one that is torn."""
    status = answer.readline().split(b" ", 2)
    length = 0
    while line := answer.readline().strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    body = answer.read(length)
    if len(status) < 2 or len(body) < length:
        raise ConnectionError
    return int(status[1]), body
