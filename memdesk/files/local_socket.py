"""Sockets in the file system and locks, as this system has them: the one place that names AF_UNIX and fcntl.

Exempt are the files that an agent's runtime starts by themselves, `client/hook.py` and the plugins: they import nothing
of MemDesk. Windows has no Unix sockets in Python: a port on the loopback with a token would be another pair of
`bind` and `connect` here."""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import struct
import sys
from pathlib import Path

PATH_BYTES = 107 if sys.platform == "linux" else 103
"""Length limit of a socket's path: sockaddr_un has 108 bytes with its final NUL on Linux (unix(7)), 104 on macOS."""
SOCKET_UMASK = 0o177
_UCRED = struct.Struct("3i")
"""struct ucred of unix(7): process, user, group."""


def bind(path: Path) -> socket.socket:
    """Return a socket bound for this user alone, not yet listening. Raises OSError."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(SOCKET_UMASK)
    try:
        listener.bind(os.fspath(path))
    except OSError:
        listener.close()
        raise
    finally:
        os.umask(before)
    return listener


def is_bound_to(listener: socket.socket, path: Path) -> bool:
    """Return True if a socket that another program made is that of this path."""
    return listener.family == socket.AF_UNIX and listener.getsockname() == os.fspath(path)


def connect(path: Path, *, timeout_s: float) -> socket.socket:
    """Return a socket that is connected, and waits at most so long for each answer. Raises OSError."""
    caller = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        caller.settimeout(timeout_s)
        caller.connect(os.fspath(path))
    except OSError:
        caller.close()
        raise
    return caller


def listens(path: Path) -> bool:
    """Return True if something listens at a path. Never waits."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        # EAGAIN: it listens, and its queue is full at the moment (unix(7)).
        return probe.connect_ex(os.fspath(path)) in (0, errno.EAGAIN)


def peer(connection: socket.socket) -> tuple[int, int] | None:
    """Return the process and the user at the other end, None where the system does not say."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    process, user, _ = _UCRED.unpack(
        connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
    )
    return process, user


def lock(descriptor: int) -> None:
    """Lock an open file until it is closed. Raises BlockingIOError where another process has the lock."""
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_locked(path: Path) -> bool:
    """Return True if a process has locked a file with `lock`. It is locked for the moment of asking."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False
