"""The bell the store rings after every commit, heard by coroutines on the loop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator


class Bell:
    """Rung from any thread; each listener keeps one flag, so ringing costs the same however far behind it is.

    Attributes: closed, once the service is ending: listeners are woken and should leave.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._listeners: set[asyncio.Event] = set()
        self.closed = False

    def ring(self) -> None:
        """Wake every listener. Safe from any thread."""
        # RuntimeError: the loop has ended, and nobody listens any more.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._wake)

    def close(self) -> None:
        """Tell the listeners, on the loop, to leave."""
        self.closed = True
        self._wake()

    @contextlib.contextmanager
    def listener(self) -> Iterator[asyncio.Event]:
        """A flag that is set after every commit; whoever waits for it clears it first."""
        flag = asyncio.Event()
        self._listeners.add(flag)
        try:
            yield flag
        finally:
            self._listeners.discard(flag)

    def _wake(self) -> None:
        for flag in self._listeners:
            flag.set()
