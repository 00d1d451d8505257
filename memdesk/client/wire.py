"""Encoding of requests and decoding of answers and errors, without any I/O.

msgspec reads the records that the service writes with pydantic, whose preparation would take a command 0.1 s."""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import MISSING, fields
from datetime import date, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

import httpx
import msgspec

from memdesk.api.endpoint import PARTS, Endpoint, Wrong
from memdesk.files.passphrase import read_owner_token
from memdesk.files.places import Desk
from memdesk.model.errors import BY_CODE, BadAsk, BugError, MemDeskError, ServiceAway, StorageFailed
from memdesk.model.message import Message, as_message, message


def spoken_query(ask: Any) -> tuple[tuple[str, str], ...]:
    """Return a request as query parameters, without fields that have their default value. Raises BadAsk for
    text that is not Unicode."""
    return tuple((name, _utf8(text)) for name, text in _parameters(ask))


def spoken_body(ask: Any) -> bytes:
    """Return a request as JSON. Raises BadAsk for text that is not Unicode."""
    try:
        return msgspec.json.encode(ask, enc_hook=str)
    except UnicodeEncodeError:
        raise _not_unicode() from None


def decode_answer(kind: Any, said: bytes) -> Any:
    """Return an answer as a record of `kind`. Raises BugError when it has another shape, as from another
    version of the service."""
    try:
        return msgspec.json.decode(said, type=kind, dec_hook=_decoded)
    except msgspec.DecodeError as wrong:
        raise BugError(
            message("The service answered in a way this program does not know; it may be another version."),
            next=message("End it with `memdesk stop` and try again."),
            details={"wrong": str(wrong)},
        ) from wrong


def error_in(said: bytes, status: int) -> MemDeskError:
    """Return the error in a response, in its own class."""
    try:
        wrong = msgspec.json.decode(said, type=Wrong, dec_hook=_decoded)
    except msgspec.DecodeError:
        return BugError(message("The service answered with HTTP {status} and no reason.", status=status))
    kind = BY_CODE.get(wrong.code, BugError)
    return kind(wrong.says, next=wrong.next, details=wrong.details)


def _decoded(kind: type, value: Any) -> Any:
    """Return a value of a type that msgspec does not know."""
    if kind is Message:
        return as_message(value)
    raise NotImplementedError


def _parameters(ask: Any) -> Iterator[tuple[str, str]]:
    for item in fields(ask):
        value = getattr(ask, item.name)
        if item.default is not MISSING and value == item.default:
            continue
        if isinstance(value, tuple):
            # One empty parameter is how a query string says "an empty list".
            yield from ((item.name, _text(each)) for each in value or ("",))
        elif value is not None:
            yield item.name, _text(value)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date | datetime) else str(value)


def _utf8(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _not_unicode() from None
    return text


def _not_unicode() -> BadAsk:
    return BadAsk(message("What was asked holds bytes that are no text."), next=message("Write it in UTF-8."))


Ask = TypeVar("Ask")
Answer = TypeVar("Answer")

BASE_URL = "http://desk"
"""Base URL of every request. A socket has no host, but HTTP needs one."""
CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 120.0
"""Time limit of an answer: a preview of a large folder reads every file; other calls answer in milliseconds."""


class RequestBuilder:
    """Translator of calls into requests, in the name of one agent or the owner, and of responses into answers
    or errors. token: the agent's; an agent without one is a guest, and a caller that names no agent is the owner.
    parts: ask for messages as ids and parts."""

    def __init__(
        self,
        desk: Desk,
        *,
        agent: str | None,
        session: str | None,
        token: str | None = None,
        parts: bool = False,
    ) -> None:
        self._desk, self._agent, self._session = desk, agent, session
        self._token = token
        self._accepts = {"accept": PARTS} if parts else {}
        self.passphrase: str | None = None
        """The owner's, for a call that asks for it."""

    def headers(self) -> dict[str, str]:
        """Return the headers that identify the caller: the token, the agent and the session."""
        if self._token is None and self._desk.service is not None:
            self._token = agent_token() or _owner_token(self._desk)
        elif self._token is None and self._agent is None:
            self._token = _owner_token(self._desk)
        said = {"authorization": f"Bearer {self._token}"} if self._token else {}
        named = {
            "x-memdesk-agent": self._agent,
            "x-memdesk-session": self._session,
            "x-memdesk-passphrase": self.passphrase,
        }
        return said | self._accepts | {name: quote(value) for name, value in named.items() if value}

    def request(self, endpoint: Endpoint[Ask, Answer], ask: Ask) -> dict[str, Any]:
        """Return the request of a call: `method`, `url`, `content` and `headers`. Raises BadAsk for text that is not
        Unicode."""
        if endpoint.method == "GET":
            query = urlencode(spoken_query(ask), quote_via=quote)
            url = f"{endpoint.path}?{query}" if query else endpoint.path
            return {"method": "GET", "url": url, "content": None, "headers": self.headers()}
        headers = self.headers() | {"content-type": "application/json"}
        return {"method": "POST", "url": endpoint.path, "content": spoken_body(ask), "headers": headers}

    def answer(self, endpoint: Endpoint[Ask, Answer], status: int, body: bytes) -> Answer:
        """Return the answer in a response. Raises the service's own error."""
        if status != HTTPStatus.OK:
            raise error_in(body, status)
        answer: Answer = decode_answer(endpoint.answer, body)
        return answer


TOKEN_VARIABLE = "MEMDESK_TOKEN"
"""Variable of the environment with the token of the agent that a program acts for."""


def agent_token(file: str | None = None) -> str | None:
    """Return the agent's token in a file, else that of the environment, None without one. Raises StorageFailed."""
    if file is None:
        return os.environ.get(TOKEN_VARIABLE) or None
    try:
        return Path(file).expanduser().read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as wrong:
        raise StorageFailed(
            message("The agent's token {file} cannot be read: {wrong}.", file=file, wrong=wrong),
            next=message("`memdesk install` writes a new one, and `memdesk agents add NAME` shows one."),
        ) from wrong


def _owner_token(desk: Desk) -> str | None:
    """Return the owner's token, of a desk on another computer the member's, if there is one that this user may read;
    without it the caller counts as an agent."""
    try:
        return read_owner_token(desk.owner_token)
    except (FileNotFoundError, PermissionError):
        return None


IN_FLIGHT = 16
"""Limit of simultaneous connections, including the feed's; more would slow each other down on one socket."""
LIMITS = httpx.Limits(max_connections=IN_FLIGHT, max_keepalive_connections=IN_FLIGHT)


def transport(desk: Desk) -> dict[str, Any]:
    """Return the arguments of httpx's transport to a desk. A local socket needs no certificates, and reading them takes
    30 ms for each client."""
    if desk.service is None:
        return {"uds": str(desk.socket), "limits": LIMITS, "verify": False}
    return {"limits": LIMITS, "verify": trusted()}


def trusted() -> ssl.SSLContext:
    """Return TLS that trusts the system's authorities, or those in the file that SSL_CERT_FILE names."""
    return ssl.create_default_context()


def away(desk: Desk, why: Exception) -> ServiceAway:
    """Return the error of a desk whose service cannot be reached, or has a certificate that is not trusted."""
    if desk.service is None:
        return ServiceAway(message("No service answers on the desk {folder}.", folder=desk.folder))
    if "CERTIFICATE_VERIFY_FAILED" in str(why):
        return ServiceAway(
            message("The certificate of {service} is not trusted: {why}.", service=desk.service, why=why),
            next=message("Name the file of your own authority in SSL_CERT_FILE, or correct the address."),
        )
    return ServiceAway(
        message("No service answers at {service}: {why}.", service=desk.service, why=why),
        next=message("Look at the address, and whether the service was started with --listen."),
    )


@contextmanager
def reached(desk: Desk) -> Iterator[None]:
    """Turn connection errors into ServiceAway."""
    try:
        yield
    except httpx.ConnectError as wrong:
        raise away(desk, wrong) from wrong
    except httpx.TimeoutException as late:
        raise ServiceAway(
            message("The service of {folder} does not answer in time.", folder=desk.shown)
        ) from late
    except httpx.TransportError as gone:
        raise ServiceAway(
            message("The service of {folder} went away before it answered.", folder=desk.shown),
            next=message("What it had acknowledged is kept; look whether this last call was, and try again."),
        ) from gone
