"""The desk's door to the network: a socket with TLS, on which only members with a token are answered."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass

from starlette.types import Receive, Scope, Send

from memdesk.model.errors import BadAsk, StorageFailed
from memdesk.model.message import message
from memdesk.model.team import Listen
from memdesk.service.app import REMOTE, DeskApp
from memdesk.service.sockets import BACKLOG


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
