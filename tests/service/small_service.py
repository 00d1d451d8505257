"""A DeskApp of a test's own, served on a real socket from a thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from memdesk.files.places import Desk
from memdesk.service.app import DeskApp
from memdesk.service.host import CommitSignal
from memdesk.service.server import DeskServer
from memdesk.service.sockets import bind, held

TOKEN = "owner-token-of-this-test"
Answers = Callable[[DeskApp, CommitSignal], None]


class Serving:
    """A DeskApp served from a thread. bell: rung as the store would ring it."""

    def __init__(self, desk: Desk, answers: Answers) -> None:
        self.desk = desk
        self.bell: CommitSignal
        self._answers = answers
        self._answering = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))

    def start(self) -> None:
        self._thread.start()
        assert self._answering.wait(10)

    def stop(self) -> None:
        self._server.stop()
        self._thread.join(20)

    @property
    def connections(self) -> set[Any]:
        """Those that are open."""
        return self._server.server_state.connections

    def client(self, *, owner: bool = False) -> httpx.Client:
        headers = {"authorization": f"Bearer {TOKEN}"} if owner else {}
        transport = httpx.HTTPTransport(uds=str(self.desk.socket))
        return httpx.Client(transport=transport, base_url="http://desk", headers=headers, timeout=60)

    async def _serve(self) -> None:
        self.bell = CommitSignal()
        app = DeskApp(token=TOKEN, person=lambda: "Mara")
        self._answers(app, self.bell)
        self._server = DeskServer(app, self.bell, self._answering.set)
        with held(self.desk), bind(self.desk) as listener:
            await self._server.serve(sockets=[listener])


@contextmanager
def served(answers: Answers) -> Iterator[Serving]:
    """An application served in a private folder with a short path."""
    with TemporaryDirectory(prefix="md-") as folder:
        service = Serving(Desk(Path(folder) / "desk"), answers)
        service.start()
        try:
            yield service
        finally:
            service.stop()
