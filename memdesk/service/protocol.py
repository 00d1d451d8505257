"""One connection's manners: who may connect, how many at once, and how long a head and an answer may take.

uvicorn bounds none of it, so its HTTP/1.1 protocol is completed here."""

from __future__ import annotations

import asyncio
import functools
import logging
import resource
import socket

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from memdesk.model.errors import ServiceAway
from memdesk.service.app import refusal
from memdesk.service.sockets import peer_allowed

HEAD_SECONDS = 10.0
"""From the first byte of a request to the end of its headers; a local client needs milliseconds."""

ANSWER_SECONDS = 60.0
"""Without a byte of the answer being taken; a feed that nobody reads ends so, too."""
CONNECTIONS = 400
"""At once. Python may hold 1,024 descriptors open where nobody says more, and a desk needs some dozens itself."""
RESERVED_DESCRIPTORS = 100
HALF_OPEN_SECONDS = 1.0
"""Where there is no room, one that has said nothing whole for this long makes room for who comes."""
_FULL = ServiceAway("The service holds as many connections as it may.", next="Try again in a moment.")

log = logging.getLogger(__name__)


class DeskProtocol(H11Protocol):
    """HTTP for the desk's owner: foreign users are hung up on, and so is a head that does not end."""

    _impatience: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        peer: socket.socket | None = transport.get_extra_info("socket")
        if peer is None or not peer_allowed(peer):
            log.warning("hung up on a connection by another user")
            transport.abort()
            return
        if len(self.connections) > room() and not self._hang_up_on_half_open():
            log.warning("refused a connection: there are %d", len(self.connections) - 1)
            transport.write(_refusal())
            transport.close()
            return
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._head_came()
        elif self._impatience is None and self.conn.trailing_data[0]:
            self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_came()
        self._answer_is_read()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(ANSWER_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._answer_is_read()

    def _answer_is_read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _hang_up_on_half_open(self) -> bool:
        """Hang up on the connection whose head has been waited for longest. Returns whether there is one."""
        waiting = [
            each for each in self.connections if isinstance(each, DeskProtocol) and each.head_due is not None
        ]
        longest = min(waiting, key=lambda each: each.head_due or 0.0, default=None)
        latest = self.loop.time() + HEAD_SECONDS - HALF_OPEN_SECONDS
        if longest is None or longest.head_due is None or longest.head_due > latest:
            return False
        longest.transport.abort()
        return True

    @property
    def head_due(self) -> float | None:
        """When its head must have come, by the loop's clock; None when none is waited for."""
        return None if self._impatience is None else self._impatience.when()

    def _wait_for_head(self) -> None:
        self._impatience = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _head_came(self) -> None:
        if self._impatience is not None:
            self._impatience.cancel()
            self._impatience = None


@functools.cache
def room() -> int:
    """Return the most connections at once: CONNECTIONS, or what this process may hold open beside its files."""
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    bounded = descriptors != resource.RLIM_INFINITY
    return max(1, min(CONNECTIONS, descriptors - RESERVED_DESCRIPTORS)) if bounded else CONNECTIONS


def _refusal() -> bytes:
    """Return the answer to a connection for which there is no room: a whole one, before anything was asked."""
    said = refusal(_FULL)
    body = bytes(said.body)
    head = f"HTTP/1.1 {said.status_code} Service Unavailable\r\ncontent-type: application/json\r\n"
    return f"{head}content-length: {len(body)}\r\nconnection: close\r\nretry-after: 1\r\n\r\n".encode() + body
