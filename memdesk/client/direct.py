"""Single calls from a process that ends soon, with the standard library alone: importing httpx takes 0.1 s."""

from __future__ import annotations

import errno
import socket
from http.client import HTTPConnection, HTTPException
from typing import TypeVar

from memdesk.api.endpoint import Endpoint
from memdesk.client.wire import ANSWER_SECONDS, CONNECT_SECONDS, RequestBuilder
from memdesk.files.places import Desk
from memdesk.model.errors import ServiceAway

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")


def answers(desk: Desk) -> bool:
    """Return True if a service listens on the desk's socket. Never waits."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        # EAGAIN: it listens, and its queue is full at the moment (unix(7)).
        return probe.connect_ex(str(desk.socket)) in (0, errno.EAGAIN)


def call(desk: Desk, endpoint: Endpoint[Ask, Answer], ask: Ask) -> Answer:
    """Send a request as the desk's owner and return the answer. Raises the service's own error, or ServiceAway when no
    service answers."""
    builder = RequestBuilder(desk, agent=None, session=None)
    request = builder.request(endpoint, ask)
    connection = _Connection(desk)
    try:
        connection.connect()
    except OSError as away:
        raise ServiceAway(f"No service answers on the desk {desk.folder}.") from away
    try:
        connection.request(request["method"], request["url"], request["content"], request["headers"])
        response = connection.getresponse()
        body = response.read()
    except TimeoutError as late:
        raise ServiceAway(f"The service of {desk.folder} does not answer in time.") from late
    except (OSError, HTTPException) as gone:
        raise ServiceAway(
            f"The service of {desk.folder} went away before it answered.",
            next="What it had acknowledged is kept; look whether this last call was, and try again.",
        ) from gone
    finally:
        connection.close()
    return builder.answer(endpoint, response.status, body)


class _Connection(HTTPConnection):
    """HTTP over the desk's socket."""

    def __init__(self, desk: Desk) -> None:
        super().__init__("desk")
        self._path = str(desk.socket)

    def connect(self) -> None:
        """Connect within CONNECT_SECONDS; then an answer may take ANSWER_SECONDS."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(CONNECT_SECONDS)
        self.sock.connect(self._path)
        self.sock.settimeout(ANSWER_SECONDS)
