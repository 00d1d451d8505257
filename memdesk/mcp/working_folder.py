"""Folder that a runtime works in, and the channel of its project: where the messages of a connection are posted."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlsplit
from urllib.request import url2pathname

from memdesk.api import projects
from memdesk.client.client import Client
from memdesk.model.project import EnterProject

ROOTS_ID = "memdesk-roots"
"""Id of our request for the client's roots (MCP 2025-11-25, client/roots)."""
ROOTS_SECONDS = 3.0
"""Time for the answer; a person may be asked first. After it, the folder that the bridge was started in decides."""
ASK_ROOTS = json.dumps({"jsonrpc": "2.0", "id": ROOTS_ID, "method": "roots/list"}).encode()


class WorkingFolder:
    """Folder of one connection. Its channel stays that of its beginning, as a session's does.

    plain: the path without the channel. project: that of the folder the bridge was started in, without a folder where
    that is nobody's project; None where the channel is named."""

    def __init__(self, client: Client, path: str, project: EnterProject | None) -> None:
        self._client = client
        self.plain = path
        self._path = path
        self._project = project
        self._has_roots = False
        self._roots: asyncio.Future[str] | None = None
        self._settling = asyncio.Lock()

    def hears(self, method: str, params: dict[str, Any]) -> bytes:
        """Note what a message of the handshake says; return our request for the roots when it is time, else b""."""
        if method == "initialize":
            able = params.get("capabilities")
            self._has_roots = isinstance(able, dict) and "roots" in able
        if method != "notifications/initialized" or not self._has_roots or self._project is None:
            return b""
        self._roots = asyncio.get_running_loop().create_future()
        return ASK_ROOTS

    def answered(self, result: object) -> None:
        """Take the answer to our request."""
        if self._roots is not None and not self._roots.done():
            self._roots.set_result(folder_of(result))

    async def path(self) -> str:
        """Return the path with the project's channel. Raises what the service says to entering the project."""
        async with self._settling:
            if self._project is not None:
                folder = await self._first_root() or self._project.folder
                if folder:
                    entered = await self._client.call(projects.ENTER, replace(self._project, folder=folder))
                    self._path += f"&channel={quote(entered.channel, safe='')}"
                self._project = None
            return self._path

    async def _first_root(self) -> str:
        """Return the folder that the client names first, "" for none in time."""
        if self._roots is not None:
            with suppress(TimeoutError):
                return await asyncio.wait_for(asyncio.shield(self._roots), ROOTS_SECONDS)
        return ""


def folder_of(result: object) -> str:
    """Return the first folder on this machine in a list of roots; "" for none."""
    roots = result.get("roots") if isinstance(result, dict) else None
    for root in roots if isinstance(roots, list) else ():
        uri = urlsplit(root["uri"]) if isinstance(root, dict) and isinstance(root.get("uri"), str) else None
        if uri is not None and uri.scheme == "file" and uri.netloc in ("", "localhost"):
            return url2pathname(uri.path)
    return ""
