"""Connection of a framework's class to the desk: opened at the first call, and again after the service ended.

Also the text of the contents that frameworks keep."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from memdesk.api.endpoint import Endpoint
from memdesk.client.client import SyncClient
from memdesk.client.direct import answers
from memdesk.client.find import connect, started

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")
T = TypeVar("T")


class DeskConnection:
    """Calls of one agent to one desk, from any thread or event loop.

    desk: its folder, else that of MEMDESK_DESK, else the usual one. agent, token: as in `memdesk.client.connect`.
    client: an open client to use in place of all these."""

    def __init__(
        self,
        *,
        desk: str | None = None,
        agent: str | None = None,
        session: str | None = None,
        token: str | None = None,
        client: SyncClient | None = None,
    ) -> None:
        self._open: Callable[[], SyncClient] = lambda: connect(
            desk, agent=agent, session=session, token=token
        )
        self._client, self._own = client, client is None
        self._lock = threading.Lock()

    def call(self, endpoint: Endpoint[Ask, Answer], ask: Ask) -> Answer:
        """Send a request and return the answer. Raises the service's own error, or the reason it cannot start."""
        return self._connected().call(endpoint, ask)

    def close(self) -> None:
        """Close the connection; a later call opens it again."""
        with self._lock:
            if self._own and self._client is not None:
                self._client.close()
                self._client = None

    def _connected(self) -> SyncClient:
        with self._lock:
            if self._client is None:
                self._client = self._open()
            elif not answers(self._client.desk):
                started(self._client.desk)
            return self._client


def words(value: Any) -> str:
    """Return what a content says, as a person reads it: itself, or the texts of its parts."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(filter(None, map(words, value)))
    if isinstance(value, dict):
        own = next((value[name] for name in ("text", "refusal", "transcript") if value.get(name)), None)
        if isinstance(own, str):
            return own
        if "type" in value:
            return f"({value['type']})"
    return json.dumps(value, ensure_ascii=False)
