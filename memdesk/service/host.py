"""Objects that calls and background work share: the engine, the jobs, the acts that wait for a click, the signal of
every commit, and the callback that ends the service."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ulid import ULID

from memdesk.engine.engine import Engine
from memdesk.files.places import Desk
from memdesk.model.backup import RestoreBackup
from memdesk.model.errors import NotAllowed, NotFound
from memdesk.model.message import message
from memdesk.model.status import WaitingAct
from memdesk.service.long_acts import Acts, Jobs

WAIT_SECONDS = 100.0
"""Time for the click; clients close a connection after 120 seconds without an answer."""
LOOK_SECONDS = 0.1
AT_MOST = 8
"""Acts that wait at once: a person cannot judge more, and a program that asks on and on is refused."""


@dataclass(slots=True)
class _Act:
    """Act that waits. allowed: None until the person answered."""

    waiting: WaitingAct
    allowed: bool | None = None


class Confirmations:
    """Acts that wait for an answer in the window. Thread-safe. ring: tells followers of the feed to look again."""

    def __init__(self, ring: Callable[[], object]) -> None:
        self._ring, self._lock = ring, threading.Lock()
        self._acts: dict[str, _Act] = {}
        self.moves = 0
        """Number of times that the list has changed."""

    def waiting(self) -> tuple[WaitingAct, ...]:
        """Return the acts that wait, oldest first."""
        with self._lock:
            return tuple(each.waiting for each in self._acts.values() if each.allowed is None)

    def answer(self, id: str, *, allow: bool) -> None:
        """Allow or refuse an act. Raises NotFound when it waits no more."""
        with self._lock:
            act = self._acts.get(id)
            if act is None or act.allowed is not None:
                raise NotFound(
                    message("This waits no more: its time was over, or the program ended."),
                    next=message("Nothing was done."),
                )
            act.allowed = allow
        self._moved()

    async def wait(self, says: str, who: str, gone: Callable[[], Awaitable[bool]]) -> None:
        """Wait until the person has allowed an act. Raises NotAllowed where it is refused, nobody answers in time, the
        program that asked has gone, or too many wait."""
        now = datetime.now(UTC)
        until = now + timedelta(seconds=WAIT_SECONDS)
        act = _Act(WaitingAct(id=f"w_{ULID()}", says=says, who=who, at=now, until=until))
        with self._lock:
            if len(self._acts) >= AT_MOST:
                raise NotAllowed(
                    message("{count} acts wait for a click in the window already.", count=AT_MOST),
                    next=message("Answer them first."),
                )
            self._acts[act.waiting.id] = act
        self._moved()
        try:
            while act.allowed is None:
                await asyncio.sleep(LOOK_SECONDS)
                if datetime.now(UTC) > until:
                    raise NotAllowed(
                        message(
                            "Nobody allowed it in the window within {count} seconds, so nothing was done.",
                            count=f"{WAIT_SECONDS:.0f}",
                        ),
                        next=message("Try again while somebody sits at the window."),
                    )
                if await gone():
                    raise NotAllowed(
                        message("The program that asked has gone."), next=message("Nothing was done.")
                    )
            if not act.allowed:
                raise NotAllowed(message("It was refused in the window."), next=message("Nothing was done."))
        finally:
            with self._lock:
                del self._acts[act.waiting.id]
            self._moved()

    def _moved(self) -> None:
        self.moves += 1
        self._ring()


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """Running service.

    acts: long acts, which are recorded. socket_mark: identifies its own socket. stop: asks it to end, from any thread.
    restore: asks it to end, restore a backup, and start again. refusals: the number of error answers by code.
    confirmations: acts that wait for a click in the window. watched: folders in which changes by other programs are
    noticed at once."""

    desk: Desk
    engine: Engine
    jobs: Jobs
    acts: Acts
    started_at: datetime
    socket_mark: tuple[int, int] | None
    stop: Callable[[], object]
    restore: Callable[[RestoreBackup], object]
    refusals: Counter[str] = field(default_factory=Counter)
    confirmations: Confirmations = field(default_factory=lambda: Confirmations(lambda: None))
    watched: set[Path] = field(default_factory=set)


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
