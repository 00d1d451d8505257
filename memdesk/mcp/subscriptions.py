"""Subscriptions of a runtime to the graph: it is told of each change, whoever made it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from memdesk.client.client import Client
from memdesk.client.find import ensure_service
from memdesk.files.places import Desk
from memdesk.model.entity import ENTITY, RELATION
from memdesk.model.errors import ServiceAway
from memdesk.model.fact import FACT

SUBSCRIBE, UNSUBSCRIBE = "resources/subscribe", "resources/unsubscribe"
_KINDS = {ENTITY.name, FACT.name, RELATION.name}
_OPEN_SECONDS = 10.0


class Subscriptions:
    """Addresses that the runtime subscribed to, and the feed that is followed meanwhile.

    path: to which its messages are posted; with a channel in it, changes of other channels are not told. say: writes a
    message to the runtime."""

    def __init__(self, desk: Desk, client: Client, path: str, say: Callable[[bytes], None]) -> None:
        self._desk, self._client, self._say = desk, client, say
        self._channel = parse_qs(urlsplit(path).query).get("channel", [""])[0]
        self._uris: set[str] = set()
        self._following: asyncio.Task[None] | None = None
        self._last: int | None = None

    async def add(self, uri: str) -> None:
        """Tell of changes from now on."""
        self._uris.add(uri)
        if self._following is None:
            opened = asyncio.Event()
            self._following = asyncio.create_task(self._follow(opened))
            async with asyncio.timeout(_OPEN_SECONDS):
                await opened.wait()

    def remove(self, uri: str) -> None:
        self._uris.discard(uri)
        if not self._uris:
            self.end()

    def end(self) -> None:
        """Stop to follow the feed."""
        if self._following is not None:
            self._following.cancel()
            self._following = None

    async def _follow(self, opened: asyncio.Event) -> None:
        while True:
            try:
                async for event in self._client.feed(self._last, opened):
                    self._last = event.id
                    if _KINDS & set(event.kinds) and self._channel in ("", event.channel):
                        self._tell()
            except ServiceAway:
                await ensure_service(self._desk)

    def _tell(self) -> None:
        for uri in sorted(self._uris):
            told = {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri}}
            self._say(json.dumps(told).encode())
