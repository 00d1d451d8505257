"""Signal that the store gives after every commit, received by coroutines on the loop until the service ends."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator


class CommitSignal:
    """Signal given from any thread. Each listener has one flag, so signalling costs the same however far
    behind it is."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._listeners: set[asyncio.Event] = set()
        self._ended = asyncio.Event()

    @property
    def closed(self) -> bool:
        """True if the service is ending: listeners are woken and should return."""
        return self._ended.is_set()

    def ring(self) -> None:
        """Wake every listener. Safe from any thread."""
        # RuntimeError: the loop has ended, and nobody listens any more.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._wake)

    def close(self) -> None:
        """Wake every listener for the end of the service. Call it on the loop."""
        self._ended.set()
        self._wake()

    async def rest(self, seconds: float) -> None:
        """Sleep for some seconds, or until the service ends."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ended.wait()

    @contextlib.contextmanager
    def listener(self) -> Iterator[asyncio.Event]:
        """Yield a flag that is set after every commit; clear it before waiting for it."""
        flag = asyncio.Event()
        self._listeners.add(flag)
        try:
            yield flag
        finally:
            self._listeners.discard(flag)

    def _wake(self) -> None:
        for flag in self._listeners:
            flag.set()
