"""uvicorn for a desk: on a socket that is already bound, stopped by MemDesk, without waiting for feeds."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Iterator

import uvicorn

from memdesk.service.app import DeskApp
from memdesk.service.bell import Bell
from memdesk.service.protocol import DeskProtocol
from memdesk.service.sockets import BACKLOG

GRACE_SECONDS = 10
"""Time that running requests have to end once the service is stopping."""
IDLE_SECONDS = 60
"""Time without requests after which a kept connection is closed."""
HANG_UP_SECONDS = 0.1

log = logging.getLogger(__name__)


class DeskServer(uvicorn.Server):
    """uvicorn server that MemDesk stops: by default it would raise the signal again, and wait for feeds that
    never end."""

    def __init__(self, app: DeskApp, bell: Bell, ready: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=DeskProtocol,
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
        )
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
                connection.shutdown()
