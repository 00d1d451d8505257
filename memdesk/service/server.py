"""uvicorn for a desk: on a socket that is already bound, stopped by MemDesk, without waiting for feeds; and the desk's
door to the network, a socket with TLS, on which only members with a token are answered."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import ipaddress
import logging
import resource
import socket
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from memdesk.model.errors import BadAsk, ServiceAway, StorageFailed
from memdesk.model.message import message
from memdesk.model.team import Listen
from memdesk.service.app import REMOTE, DeskApp, refusal
from memdesk.service.host import CommitSignal
from memdesk.service.sockets import BACKLOG, peer_allowed, peer_process

HEAD_SECONDS = 10.0
"""Time limit from the first byte of a request to the end of its headers; a local client needs milliseconds."""
HEAD_BYTES = 64 * 1024
"""Limit of the headers of a request, together."""
ANSWER_SECONDS = 60.0
"""Time without a byte of the answer being read after which a connection is closed, also that of a feed."""
CONNECTIONS = 400
"""Limit of connections at once. Python may usually open 1,024 descriptors, of which a desk needs some dozens."""
RESERVED_DESCRIPTORS = 100
HALF_OPEN_SECONDS = 1.0
"""Time without complete headers after which a connection is closed in favour of a new one when the limit is
reached."""
_FULL = ServiceAway(
    message("The service holds as many connections as it may."), next=message("Try again in a moment.")
)

log = logging.getLogger(__name__)


class DeskProtocol(HttpToolsProtocol):
    """HTTP protocol for the desk's owner: connections of other users, and headers that do not end, are cut
    off."""

    _head_timer: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        process = self._peer(transport.get_extra_info("socket"))
        if process is None:
            log.warning("hung up on a connection by another user")
            transport.abort()
            return
        self.client = ("", process)
        if len(self.connections) > room() and not self._hang_up_on_half_open():
            log.warning("refused a connection: there are %d", len(self.connections) - 1)
            transport.write(_refusal())
            transport.close()
            return
        self._wait_for_head()

    def _peer(self, peer: socket.socket | None) -> int | None:
        """Return the process at the other end, 0 if it is not known; None for one that is not answered."""
        return peer_process(peer) if peer is not None and peer_allowed(peer) else None

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        self._head_bytes = 0 if self._head_timer is None else self._head_bytes + len(data)
        if self._head_bytes > HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("The headers are too long.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._head_timer is None:
            self._wait_for_head()

    def on_headers_complete(self) -> None:
        self._head_came()
        super().on_headers_complete()

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
        """Close the connection that has waited longest for its headers. Return False if there is none."""
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
        """Deadline of the connection's headers, on the loop's clock; None when none are awaited."""
        return None if self._head_timer is None else self._head_timer.when()

    def _wait_for_head(self) -> None:
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _head_came(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None


class NetworkProtocol(DeskProtocol):
    """HTTP protocol for the network: whose connection it is, the token of each request says."""

    def _peer(self, peer: socket.socket | None) -> int | None:
        return 0


@functools.cache
def room() -> int:
    """Return the limit of connections at once: CONNECTIONS, or fewer if this process may open fewer
    descriptors."""
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    bounded = descriptors != resource.RLIM_INFINITY
    return max(1, min(CONNECTIONS, descriptors - RESERVED_DESCRIPTORS)) if bounded else CONNECTIONS


def _refusal() -> bytes:
    """Return the complete answer to a connection above the limit, sent before any request."""
    said = refusal(_FULL)
    body = bytes(said.body)
    head = f"HTTP/1.1 {said.status_code} Service Unavailable\r\ncontent-type: application/json\r\n"
    return f"{head}content-length: {len(body)}\r\nconnection: close\r\nretry-after: 1\r\n\r\n".encode() + body


GRACE_SECONDS = 10
"""Time that running requests have to end once the service is stopping."""
IDLE_SECONDS = 60
"""Time without requests after which a kept connection is closed."""
HANG_UP_SECONDS = 0.1


class DeskServer(uvicorn.Server):
    """uvicorn server that MemDesk stops: by default it would raise the signal again, and wait for feeds that
    never end. protocol, context: for another door than the desk's own socket."""

    def __init__(
        self,
        app: ASGIApp,
        bell: CommitSignal,
        ready: Callable[[], None],
        *,
        protocol: type[DeskProtocol] = DeskProtocol,
        context: ssl.SSLContext | None = None,
    ) -> None:
        config = uvicorn.Config(
            app,
            http=protocol,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            backlog=BACKLOG,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        config.load()
        config.ssl = context
        super().__init__(config)
        self._bell = bell
        self._ready = ready

    def stop(self) -> None:
        """End once the running requests are answered; a second call does not wait for them."""
        self.force_exit = self.should_exit
        self.should_exit = True

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        log.info("the socket answers")
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._bell.close()
        hanging_up = asyncio.create_task(self._hang_up())
        try:
            await super().shutdown(sockets)
        finally:
            hanging_up.cancel()

    async def _hang_up(self) -> None:
        """Close idle connections repeatedly: uvicorn does it once, and misses those just being accepted."""
        while True:
            await asyncio.sleep(HANG_UP_SECONDS)
            for connection in tuple(self.server_state.connections):
                transport = connection.transport
                if transport.is_closing() and not transport.get_write_buffer_size():
                    # Over TLS an idle client does not say that it closes, too.
                    transport.abort()
                else:
                    connection.shutdown()


@dataclass(frozen=True, slots=True)
class Door:
    """Socket on which the network is answered. context: its certificate; None for the loopback in clear."""

    listener: socket.socket
    context: ssl.SSLContext | None


@dataclass(frozen=True, slots=True)
class FromNetwork:
    """Application as the network reaches it: its requests are marked, and no header can take the mark away."""

    app: DeskApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[REMOTE] = True
        await self.app(scope, receive, send)


@contextlib.contextmanager
def opened(listen: Listen | None) -> Iterator[Door | None]:
    """Bind the door to the network for the time of the block; none where nothing is to be listened on.

    Raises BadAsk for an address that others reach without a certificate, and for a certificate that cannot be used;
    StorageFailed where the address cannot be bound."""
    if listen is None:
        yield None
        return
    context = _context(listen)
    try:
        family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
        listener = socket.create_server((listen.host, listen.port), family=family, backlog=BACKLOG)
    except OSError as refused:
        raise StorageFailed(
            message("Nothing can listen on {address}: {refused}.", address=listen.address, refused=refused),
            next=message("Name another port, or an address of this computer."),
        ) from refused
    with listener:
        yield Door(listener, context)


def _context(listen: Listen) -> ssl.SSLContext | None:
    if not listen.certificate:
        if _is_loopback(listen.host):
            return None
        raise BadAsk(
            message("A desk is served to other computers with TLS only."),
            next=message(
                "Add --certificate FILE and --key FILE; or listen on 127.0.0.1, behind a server that has them."
            ),
        )
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(listen.certificate, listen.key or None, password="")
    except OSError as wrong:
        raise BadAsk(
            message(
                "The certificate {certificate} cannot be used: {wrong}.",
                certificate=listen.certificate,
                wrong=wrong.strerror or wrong,
            ),
            next=message("Give the whole chain in PEM, and with --key its key without a passphrase."),
        ) from wrong
    return context


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
