"""Requests and responses shared by the asynchronous and the synchronous client."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import quote

import httpx

from memdesk.client.wire import error_in, spoken_body, spoken_query, understood
from memdesk.contract.endpoint import Endpoint
from memdesk.files.places import Desk
from memdesk.model.errors import ServiceAway, StorageFailed

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")

BASE_URL = "http://desk"
"""Base URL of every request. A socket has no host, but HTTP needs one."""
CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 120.0
"""Time limit of an answer: a preview of a large folder reads every file; other calls answer in milliseconds."""
IN_FLIGHT = 16
"""Limit of simultaneous connections, including the feed's; more would slow each other down on one socket."""
LIMITS = httpx.Limits(max_connections=IN_FLIGHT, max_keepalive_connections=IN_FLIGHT)
NO_TLS = False
"""Value for httpx's `verify`: a local socket needs no certificates, and reading them takes 30 ms for each
client."""


class Speaker:
    """Translator of calls into requests, in the name of one agent or the owner, and of responses into answers
    or errors."""

    def __init__(self, desk: Desk, *, agent: str | None, session: str | None) -> None:
        self._desk, self._agent, self._session = desk, agent, session
        self._token: str | None = None

    def headers(self) -> dict[str, str]:
        """Return the headers that identify the caller: the owner's token, the agent and the session."""
        if self._token is None:
            self._token = _owner_token(self._desk)
        said = {"authorization": f"Bearer {self._token}"} if self._token else {}
        named = {"x-memdesk-agent": self._agent, "x-memdesk-session": self._session}
        return said | {name: quote(value) for name, value in named.items() if value}

    def request(self, endpoint: Endpoint[Ask, Answer], ask: Ask) -> dict[str, Any]:
        """Return the request of a call as arguments for httpx. Raises BadAsk for text that is not Unicode."""
        said = {"method": endpoint.method, "url": endpoint.path}
        if endpoint.method == "GET":
            return {**said, "params": httpx.QueryParams(spoken_query(ask)), "headers": self.headers()}
        headers = self.headers() | {"content-type": "application/json"}
        return {**said, "content": spoken_body(ask), "headers": headers}

    def answer(self, endpoint: Endpoint[Ask, Answer], said: httpx.Response) -> Answer:
        """Return the answer in a response whose body was read. Raises the service's own error."""
        if said.status_code != httpx.codes.OK:
            raise error_in(said.content, said.status_code)
        answer: Answer = understood(endpoint.answer, said.content)
        return answer

    @contextmanager
    def reached(self) -> Iterator[None]:
        """Turn connection errors into ServiceAway."""
        try:
            yield
        except httpx.ConnectError as away:
            raise ServiceAway(f"No service answers on the desk {self._desk.folder}.") from away
        except httpx.TimeoutException as late:
            raise ServiceAway(f"The service of {self._desk.folder} does not answer in time.") from late
        except httpx.TransportError as gone:
            raise ServiceAway(
                f"The service of {self._desk.folder} went away before it answered.",
                next="What it had acknowledged is kept; look whether this last call was, and try again.",
            ) from gone


def _owner_token(desk: Desk) -> str | None:
    """Return the owner's token if there is one that this user may read; without it the caller counts as an
    agent."""
    try:
        return desk.owner_token.read_text(encoding="ascii").strip()
    except (FileNotFoundError, PermissionError):
        return None
    except (OSError, UnicodeDecodeError) as wrong:
        raise StorageFailed(f"The owner token {desk.owner_token} cannot be read: {wrong}.") from wrong
