"""One connection's manners: who may connect, and how long a request's head may take.

uvicorn bounds neither, so its HTTP/1.1 protocol is completed here."""

from __future__ import annotations

import asyncio
import logging
import socket

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from memdesk.service.sockets import peer_allowed

HEAD_SECONDS = 10.0
"""From the first byte of a request to the end of its headers; a local client needs milliseconds."""

log = logging.getLogger(__name__)


class DeskProtocol(H11Protocol):
    """HTTP for the desk's owner: foreign users are hung up on, and so is a head that does not end."""

    _impatience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        peer: socket.socket | None = transport.get_extra_info("socket")
        if peer is None or not peer_allowed(peer):
            log.warning("hung up on a connection by another user")
            transport.abort()
            return
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._head_came()
        elif self._impatience is None and self.conn.trailing_data[0]:
            self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_came()
        super().connection_lost(exc)

    def _wait_for_head(self) -> None:
        self._impatience = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _head_came(self) -> None:
        if self._impatience is not None:
            self._impatience.cancel()
            self._impatience = None
