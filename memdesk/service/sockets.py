"""The desk's socket and its lock: one service a desk, reachable by its owner alone.

uvicorn makes its own sockets world-writable and steals those of others, so the socket is bound here."""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import stat
import struct
from collections.abc import Iterator
from pathlib import Path

from memdesk.files.places import Desk
from memdesk.model.errors import DeskBusy, MemDeskError, NotAllowed, StorageFailed

PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600
SOCKET_UMASK = 0o177
BACKLOG = 256
"""Connections that may wait to be accepted; the kernel caps it at net.core.somaxconn."""
_UCRED = struct.Struct("3i")
"""struct ucred of unix(7): process, user, group."""


@contextlib.contextmanager
def held(desk: Desk) -> Iterator[None]:
    """Hold the desk's lock: as long as this lasts, no other service may serve it.

    Raises DeskBusy when another one does, NotAllowed when the folder is somebody else's.
    """
    own_folder(desk.folder)
    closed_folder(desk.lock.parent)
    with _world(f"The lock {desk.lock} cannot be taken"):
        lock = os.open(desk.lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, PRIVATE_FILE)
    try:
        _lock(lock, desk)
        yield
        os.ftruncate(lock, 0)
    finally:
        os.close(lock)


def _lock(lock: int, desk: Desk) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(lock, 32, 0).decode("ascii", "replace").strip()
        process = f" (process {holder})" if holder else ""
        raise DeskBusy(f"Another service{process} holds the desk {desk.folder}.") from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, str(os.getpid()).encode(), 0)


def bind(desk: Desk) -> socket.socket:
    """The desk's socket, bound for its owner alone, not yet listening. Call with the lock held.

    A socket file left behind by a service that died is removed first. Raises BadAsk when the path is too long.
    """
    path = desk.socket
    own_folder(path.parent.parent)
    closed_folder(path.parent)
    with _world(f"The socket {path} cannot be made"):
        remove_socket(path)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(SOCKET_UMASK)
        try:
            listener.bind(os.fspath(path))
        finally:
            os.umask(before)
    return listener


def remove_socket(path: Path) -> None:
    """Remove a socket file, if there is one. Raises StorageFailed when something else lies there."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise StorageFailed(
                f"{path} is in the way: it is not a socket.", next="Move it elsewhere and try again."
            )
        path.unlink()


def mark_of(path: Path) -> tuple[int, int] | None:
    """Which socket lies at a path, so that it is told from another made there since; None when none does."""
    try:
        found = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISSOCK(found.st_mode) else None


def own_folder(path: Path) -> None:
    """Make a folder for this user alone, with what is missing above it. Raises NotAllowed when it is another's.

    A folder that is there keeps the mode its owner gave it.
    """
    with _world(f"The folder {path} cannot be made"):
        for missing in reversed([place for place in (path, *path.parents) if not place.exists()]):
            missing.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
        found = path.stat()
    if not stat.S_ISDIR(found.st_mode):
        raise StorageFailed(f"{path} is not a folder.", next="Name another folder with --desk.")
    if found.st_uid != os.geteuid():
        raise NotAllowed(
            f"The folder {path} belongs to another user.",
            next="Name a folder of your own with --desk, or set XDG_RUNTIME_DIR to one.",
        )


def closed_folder(path: Path) -> None:
    """A folder of ours that nobody else can look into, whatever its mode was."""
    own_folder(path)
    with _world(f"The folder {path} cannot be closed to others"):
        path.chmod(PRIVATE_FOLDER)


def peer_allowed(connection: socket.socket) -> bool:
    """Whether the other end belongs to this user or to root. Where the kernel cannot tell, the folder's mode did."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
    _, user, _ = _UCRED.unpack(raw)
    return user in (os.geteuid(), 0)


@contextlib.contextmanager
def _world(sentence: str) -> Iterator[None]:
    """Turn what the file system refuses into a sentence."""
    try:
        yield
    except MemDeskError:
        raise
    except OSError as refused:
        raise StorageFailed(f"{sentence}: {refused.strerror or refused}.") from refused
