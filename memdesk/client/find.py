"""Find a desk's service, start it where none is running, connect to it, and stop it.

When several clients start one at the same time, the desk's lock lets one service run; the other processes
end, and all clients connect to the one that runs."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import memdesk
from memdesk.api import upkeep
from memdesk.client.client import Client, SyncClient
from memdesk.client.direct import answers
from memdesk.client.wire import agent_token, error_in
from memdesk.files import local_socket
from memdesk.files.places import Desk, desk_at
from memdesk.model import desk_keys
from memdesk.model.errors import DeskBusy, MemDeskError, ServiceAway, StorageFailed
from memdesk.model.message import message
from memdesk.model.status import Nothing

Answer = TypeVar("Answer")

START_SECONDS = 60.0
"""Time limit of a start: the first one creates the desk, a later one may migrate and back it up."""
STOP_SECONDS = 30.0
FREE_SECONDS = 10.0
"""Time limit for stopping a service that others keep restarting, until the desk is free."""
POLL_SECONDS = 0.03
AGAIN_SECONDS = 1.0
"""Seconds before another try when the desk was locked by a service that does not answer yet."""


def connect(
    folder: str | None = None,
    *,
    agent: str | None = None,
    session: str | None = None,
    token: str | None = None,
) -> SyncClient:
    """Start the desk's service if needed and return a client of it.

    folder: the desk's folder, else that of MEMDESK_DESK, else the usual one. token: the agent's, else that of
    MEMDESK_TOKEN. Raises the reason the service could not start. A program with an event loop awaits `connect_async`
    instead."""
    desk = started(desk_at(folder))
    return SyncClient(desk, agent=agent, session=session, token=token or agent_token())


async def connect_async(
    folder: str | None = None,
    *,
    agent: str | None = None,
    session: str | None = None,
    token: str | None = None,
) -> Client:
    """Start the desk's service if needed and return a client of it, for a program with an event loop.

    folder, token: as in `connect`. Raises the reason the service could not start. Use it in an `async with`."""
    desk = desk_at(folder)
    await ensure_service(desk)
    return Client(desk, agent=agent, session=session, token=token or agent_token())


async def find_or_start(desk: Desk, *, agent: str | None = None) -> Client:
    """Return a client of the desk's service, which is started if it is not running. Raises the reason it
    could not start."""
    await ensure_service(desk)
    return Client(desk, agent=agent)


async def ensure_service(desk: Desk) -> None:
    """Return once a service answers on the desk. Raises the reason it could not start, or ServiceAway."""
    deadline = time.monotonic() + START_SECONDS
    start: _Start | None = None
    start_at = 0.0
    while not answers(desk):
        now = time.monotonic()
        if now > deadline:
            raise ServiceAway(
                message(
                    "The service of {folder} did not start within {count} seconds.",
                    folder=desk.folder,
                    count=f"{START_SECONDS:.0f}",
                ),
                next=message("Look into {log}.", log=desk.log),
            )
        if start is None and now >= start_at:
            start = await asyncio.to_thread(_Start, desk)
        elif start is not None and start.lost():
            start, start_at = None, now + AGAIN_SECONDS
        await asyncio.sleep(POLL_SECONDS)


def started(desk: Desk) -> Desk:
    """Return the desk once its service answers. It waits in a thread, so that a running event loop is no obstacle."""
    with ThreadPoolExecutor(1) as aside:
        aside.submit(lambda: asyncio.run(ensure_service(desk))).result()
    return desk


async def stop_service(desk: Desk) -> int | None:
    """Stop the desk's service and wait until it has released the desk. One that is still starting is stopped as soon
    as it answers.

    Returns the id of the process that was stopped, None where none ran or it was already ending. Raises
    ServiceAway after STOP_SECONDS, or where none answers for START_SECONDS though the desk is locked."""
    deadline = time.monotonic() + START_SECONDS
    while not answers(desk) and local_socket.is_locked(desk.lock):
        if time.monotonic() > deadline:
            raise ServiceAway(
                message("A process works on the desk {folder}, and does not answer.", folder=desk.folder),
                next=message("Wait until it is done, or end the process that {lock} names.", lock=desk.lock),
            )
        await asyncio.sleep(POLL_SECONDS)
    return await _stop_answering(desk)


async def _stop_answering(desk: Desk) -> int | None:
    """Stop the service as `stop_service` does, but not one that does not answer yet."""
    if not answers(desk):
        return None
    mark = _mark(desk.socket)
    pid: int | None = None
    # One that is being ended already takes no more calls, and is waited for all the same.
    with suppress(ServiceAway):
        async with Client(desk) as client:
            pid = (await client.call(upkeep.STOP, Nothing())).pid
    deadline = time.monotonic() + STOP_SECONDS
    # The service removes its socket file last, when the database is closed.
    while mark is not None and _mark(desk.socket) == mark:
        if time.monotonic() > deadline:
            raise ServiceAway(
                message("The service did not end within {count} seconds.", count=f"{STOP_SECONDS:.0f}"),
                next=message("Look into {log}, or end process {pid}.", log=desk.log, pid=pid)
                if pid
                else message("Look into {log}.", log=desk.log),
            )
        await asyncio.sleep(POLL_SECONDS)
    return pid


def _mark(path: Path) -> tuple[int, int] | None:
    """Return the inode and change time of a socket file, which differ from those of its successor; None
    without one."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_ctime_ns


async def alone(desk: Desk, work: Callable[[], Awaitable[Answer]]) -> Answer:
    """Run `work` while this process has exclusive use of the desk.

    The service is stopped before, and started again afterwards if it was running. Other programs may restart
    it in between, so it is stopped as often as needed. Raises DeskBusy when that fails for FREE_SECONDS."""
    ran = answers(desk)
    deadline = time.monotonic() + FREE_SECONDS
    try:
        while True:
            await _stop_answering(desk)
            try:
                return await work()
            except DeskBusy:
                if time.monotonic() > deadline:
                    raise
    finally:
        if ran:
            await ensure_service(desk)


class _Start:
    """Service being started in the background, in a separate session, so that it outlives this process."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        try:
            self._complaint = tempfile.TemporaryFile()  # noqa: SIM115 - read when the process has ended
        except OSError as error:
            raise StorageFailed(
                message("No temporary file can be made: {strerror}.", strerror=error.strerror),
                next=message("Free some disk space, or name a folder you may write to in TMPDIR."),
            ) from error
        self._process = subprocess.Popen(
            [sys.executable, "-m", "memdesk", "serve", "--json", "--desk", str(desk.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._complaint,
            start_new_session=True,
            # Where the package lies: it is found from there whether it is installed or not.
            cwd=Path(memdesk.__file__).parent.parent,
        )
        self._hand_over_key()

    def _hand_over_key(self) -> None:
        """Send the key of an encrypted desk to the service, if this process knows it."""
        assert self._process.stdin is not None
        key = desk_keys.key_for(self._desk.folder)
        with suppress(BrokenPipeError), self._process.stdin as pipe:
            if key is not None:
                pipe.write(key.hex().encode() + b"\n")

    def lost(self) -> bool:
        """Return True if the process ended because another service was first. Raises its error when it could
        not start."""
        code = self._process.poll()
        if code is None:
            return False
        reason = self._reason()
        if code == 0 or isinstance(reason, DeskBusy):
            return True
        raise reason

    def _reason(self) -> MemDeskError:
        """Return the process's last output as an error: its own error, or its last line."""
        self._complaint.seek(0)
        last = (self._complaint.read().strip().splitlines() or [b""])[-1]
        if last.startswith(b"{"):
            return error_in(last, 0)
        said = last.decode(errors="replace") or message("it gave no reason")
        return ServiceAway(
            message("The service of {folder} could not start: {said}", folder=self._desk.folder, said=said),
            next=message("Look into {log}.", log=self._desk.log),
        )
