"""Writing a file whole or not at all: a temporary name beside it, fsync, rename, fsync of the folder."""

from __future__ import annotations

import os
import stat
import uuid
from contextlib import suppress
from pathlib import Path

from memdesk.model.errors import StorageFailed

_TEMPORARY = ".memdesk-"
"""What our temporary names begin with: a crash may leave one, `sweep` takes it away."""


def write_atomic(path: Path, data: bytes) -> None:
    """Put `data` where `path` is, in one step. Mode and owner of a file that was there are kept; a new one is 0600.

    Raises StorageFailed; the file is then as it was.
    """
    try:
        _write(path, data)
    except OSError as error:
        raise StorageFailed(
            f"{path.name} could not be written: {(error.strerror or str(error)).lower()}."
        ) from error


def sweep(folder: Path) -> int:
    """Remove temporary files that a crash left in this folder; returns how many."""
    swept = 0
    with suppress(OSError):
        for leftover in folder.glob(f"{_TEMPORARY}*.tmp"):
            leftover.unlink()
            swept += 1
    return swept


def _write(path: Path, data: bytes) -> None:
    # A name of its own for every write: with a shared one, two writers would mix their bytes.
    temporary = path.with_name(f"{_TEMPORARY}{uuid.uuid4().hex}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(temporary, flags, 0o600), "wb") as file:
            _keep_manners(file.fileno(), path)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _keep_manners(descriptor: int, path: Path) -> None:
    try:
        was = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISREG(was.st_mode):
        raise OSError(f"{path.name} is not a regular file")
    if not os.access(path, os.W_OK):
        raise PermissionError("the file is read-only")
    with suppress(PermissionError):
        os.fchown(descriptor, was.st_uid, was.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(was.st_mode))


def _sync_folder(folder: Path) -> None:
    # The rename has happened: a network file system that cannot sync a folder is no reason to call it failed.
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
