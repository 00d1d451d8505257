"""Socket and lock of a desk: one service per desk, reachable by its owner alone.

uvicorn makes its own sockets world-writable and replaces those of others, so the socket is bound here."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from memdesk.files import local_socket
from memdesk.files.autostart import window_process
from memdesk.files.notices import OPENED, Notices
from memdesk.files.places import Desk
from memdesk.model.errors import BadAsk, DeskBusy, MemDeskError, NotAllowed, StorageFailed
from memdesk.model.message import message

PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600
OTHERS = 0o077
BEFORE = frozenset(("run", "logs", "settings.toml", "window.ini"))
"""What may be in a desk's folder before its first start."""
COMMAND_CHARACTERS = 80
BACKLOG = 256
"""Number of connections that may wait to be accepted; the kernel limits it to net.core.somaxconn."""


@contextlib.contextmanager
def held(desk: Desk) -> Iterator[None]:
    """Lock the desk for the time of the block, so that no other service can serve it.

    Raises DeskBusy when another service has the lock, NotAllowed when the folder belongs to another user, or is open
    to others and contains what is not a desk's."""
    desk.need_here()
    own_folder(desk.folder)
    close_desk(desk)
    closed_folder(desk.lock.parent)
    with _world(message("The lock {lock} cannot be taken", lock=desk.lock)):
        lock = os.open(desk.lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, PRIVATE_FILE)
    try:
        _lock(lock, desk)
        yield
        os.ftruncate(lock, 0)
    finally:
        os.close(lock)


def _lock(lock: int, desk: Desk) -> None:
    try:
        local_socket.lock(lock)
    except BlockingIOError:
        holder = os.pread(lock, 32, 0).decode("ascii", "replace").strip()
        raise DeskBusy(
            message(
                "Another service (process {holder}) holds the desk {folder}.",
                holder=holder,
                folder=desk.folder,
            )
            if holder
            else message("Another service holds the desk {folder}.", folder=desk.folder)
        ) from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, str(os.getpid()).encode(), 0)


def bind(desk: Desk) -> socket.socket:
    """Return the desk's socket, bound for its owner alone, not yet listening. Call it with the lock acquired.

    A socket file left by a service that died is removed first. Raises BadAsk when the path is too long."""
    path = desk.socket
    own_folder(path.parent.parent)
    closed_folder(path.parent)
    with _world(message("The socket {path} cannot be made", path=path)):
        remove_socket(path)
        return local_socket.bind(path)


FIRST_PASSED = 3
"""SD_LISTEN_FDS_START of sd_listen_fds(3)."""


def passed_socket(desk: Desk) -> socket.socket | None:
    """Return the desk's socket if systemd listens on it and passed it to this process (sd_listen_fds(3)); else None.

    It is a copy, so that a restart of the service finds the original. Raises BadAsk when another socket was passed."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()) or not os.environ.get("LISTEN_FDS", "0").isdigit():
        return None
    if not int(os.environ["LISTEN_FDS"]):
        return None
    with _world(message("The socket that systemd passed cannot be used")):
        os.set_inheritable(FIRST_PASSED, False)
        listener = socket.socket(fileno=os.dup(FIRST_PASSED))
    if not local_socket.is_bound_to(listener, desk.socket):
        listener.close()
        raise BadAsk(
            message("systemd passed another socket than {path}.", path=desk.socket),
            next=message("Write this path behind ListenStream= in memdesk.socket."),
        )
    return listener


def remove_socket(path: Path) -> None:
    """Remove a socket file, if there is one. Raises StorageFailed when the path is not a socket."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise StorageFailed(
                message("{path} is in the way: it is not a socket.", path=path),
                next=message("Move it elsewhere and try again."),
            )
        path.unlink()


def mark_of(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of the socket at a path, which differ from those of a later one; None
    without one."""
    try:
        found = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISSOCK(found.st_mode) else None


def own_folder(path: Path) -> None:
    """Create a folder private to this user, and missing ones above it. Raises NotAllowed when it belongs to
    another user.

    An existing folder keeps its mode."""
    with _world(message("The folder {path} cannot be made", path=path)):
        for missing in reversed([place for place in (path, *path.parents) if not place.exists()]):
            missing.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
        found = path.stat()
    if not stat.S_ISDIR(found.st_mode):
        raise StorageFailed(
            message("{path} is not a folder.", path=path), next=message("Name another folder with --desk.")
        )
    if found.st_uid != os.geteuid():
        raise NotAllowed(
            message("The folder {path} belongs to another user.", path=path),
            next=message("Name a folder of your own with --desk, or set XDG_RUNTIME_DIR to one."),
        )


def closed_folder(path: Path) -> None:
    """Create a folder if needed, and make it accessible to this user alone."""
    own_folder(path)
    with _world(message("The folder {path} cannot be closed to others", path=path)):
        path.chmod(PRIVATE_FOLDER)


def close_desk(desk: Desk) -> None:
    """Make a desk's folder accessible to this user alone; a notice says so if others could open a desk. Raises
    NotAllowed for a folder with other files in it, which others may need."""
    path = desk.folder
    with _world(message("The folder {path} cannot be closed to others", path=path)):
        mode = stat.S_IMODE(desk.folder.stat().st_mode)
        if not mode & OTHERS:
            return
        if not desk.database.exists() and any(each.name not in BEFORE for each in desk.folder.iterdir()):
            raise NotAllowed(
                message(
                    "Other users may open the folder {folder} (mode {mode}), and it is no desk yet.",
                    folder=desk.folder,
                    mode=f"{mode:o}",
                ),
                next=message(
                    "Name a folder of its own with --desk, or close it: chmod 700 {folder}",
                    folder=desk.folder,
                ),
            )
        desk.folder.chmod(PRIVATE_FOLDER)
    if not desk.database.exists():
        return
    at = time.time_ns() // 1000
    Notices(desk.notices).note(OPENED, str(at), f"{mode:o}", at)


def peer_allowed(connection: socket.socket) -> bool:
    """Return True if the peer is this user or root, or cannot be determined; the folder's mode then protects
    the socket."""
    peer = local_socket.peer(connection)
    return peer is None or peer[1] in (os.geteuid(), 0)


def peer_process(connection: socket.socket) -> int:
    """Return the process at the other end, 0 where the system does not say."""
    return (local_socket.peer(connection) or (0, 0))[0]


def is_window(desk: Desk, process: int) -> bool:
    """Return True for the process of the desk's window: it keeps the window's lock, which begins with its number."""
    return process > 0 and window_process(desk) == process


def command_of(process: int) -> str:
    """Return how a process was started, shortened; "" where the system does not say."""
    try:
        words = Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8", errors="replace").split("\0")
    except OSError:
        return ""
    return " ".join((Path(words[0]).name, *words[1:])).strip()[:COMMAND_CHARACTERS]


@contextlib.contextmanager
def _world(sentence: str) -> Iterator[None]:
    """Turn an OSError into StorageFailed with this sentence."""
    try:
        yield
    except MemDeskError:
        raise
    except OSError as refused:
        raise StorageFailed(
            message("{sentence}: {what}.", sentence=sentence, what=refused.strerror or refused)
        ) from refused
