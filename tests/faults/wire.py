"""HTTP on a desk's socket without a typed client: it costs little, and can be left half done."""

from __future__ import annotations

import http.client
import json
import socket
import time
from typing import Any

from memdesk.api.endpoint import Endpoint
from memdesk.files.places import Desk

ANSWER_SECONDS = 120.0
IDLE_SECONDS = 2.0
"""A connection that waited longer is made again: the service closes idle ones, and a starved client may be one."""


class Wire(http.client.HTTPConnection):
    """One connection to a desk's service, kept open. agent: as whom; without a name, as the desk's owner."""

    def __init__(self, desk: Desk, *, agent: str = "", seconds: float = ANSWER_SECONDS) -> None:
        super().__init__("desk", timeout=seconds)
        self._path = str(desk.socket)
        self._used_at = time.monotonic()
        self.headers = {"content-type": "application/json"}
        if agent:
            self.headers["x-memdesk-agent"] = agent
        else:
            self.headers["authorization"] = f"Bearer {desk.owner_token.read_text().strip()}"

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # With a timeout the kernel would refuse what does not fit into the queue, instead of letting it wait.
        self.sock.connect(self._path)
        self.sock.settimeout(self.timeout)

    def ask(self, call: Endpoint[Any, Any], query: str = "", /, **ask: Any) -> tuple[int, Any]:
        """The status of the answer, and the answer itself. query: of a GET, as it stands in the path."""
        if time.monotonic() - self._used_at > IDLE_SECONDS:
            self.close()
        body = None if call.method == "GET" else json.dumps(ask)
        self.request(call.method, call.path + query, body, self.headers)
        said = self.getresponse()
        body_read = said.read()
        self._used_at = time.monotonic()
        return said.status, json.loads(body_read)

    def answer(self, call: Endpoint[Any, Any], query: str = "", /, **ask: Any) -> Any:
        """The answer of a call that has to succeed."""
        status, said = self.ask(call, query, **ask)
        assert status == 200, said
        return said
