"""Atomic writing of files: a temporary file in the same folder, fsync, rename, fsync of the folder."""

from __future__ import annotations

import ctypes
import errno
import io
import os
import shutil
import stat
import sys
import uuid
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from memdesk.model.errors import BadAsk, Conflict, NotFound, StorageFailed
from memdesk.model.message import message

_HERE = -100
"""AT_FDCWD: paths are relative to the working folder, or absolute."""
_EXCHANGE = 2
"""RENAME_EXCHANGE of renameat2 (Linux 3.15), RENAME_SWAP of renamex_np (macOS 10.12)."""
_CANNOT = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)


def swap(one: Path, other: Path) -> bool:
    """Exchange two files; return False where the system or the file system cannot. Raises OSError."""
    call = _call()
    if call is None:
        return False
    ctypes.set_errno(0)
    if call(os.fsencode(one), os.fsencode(other)) == 0:
        return True
    number = ctypes.get_errno()
    if number in _CANNOT:
        return False
    raise OSError(number, os.strerror(number), str(other))


@cache
def _call() -> Callable[[bytes, bytes], int] | None:
    """Return the system's own call, None where there is none."""
    library = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "darwin":
        return lambda one, other: int(library.renamex_np(one, other, _EXCHANGE))
    if not hasattr(library, "renameat2"):
        return None
    return lambda one, other: int(library.renameat2(_HERE, one, _HERE, other, _EXCHANGE))


_TEMPORARY = ".memdesk-"
"""Beginning of our temporary names; `sweep` removes files that a crash left."""
_AS_IT_IS = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""Flags for opening a file that a link or a pipe may have replaced: a link is not followed, a pipe not waited
for."""


def write_atomic(path: Path, data: bytes) -> None:
    """Write `data` to `path` in one step. The mode and owner of an existing file are kept; a new one is 0600.

    Raises StorageFailed; the file is then as it was."""
    with _storage_errors(path), _temporary_file(path, data) as temporary:
        temporary.replace(path)
        sync_folder(path.parent)


@contextmanager
def overwrite_removed(path: Path) -> Iterator[None]:
    """Overwrite the data that a file has now, after the block has put another file in its place."""
    try:
        descriptor = os.open(path, os.O_RDWR | _AS_IT_IS)
    except FileNotFoundError:
        yield
        return
    try:
        yield
        about = os.fstat(descriptor)
        if about.st_nlink == 0:
            os.pwrite(descriptor, bytes(about.st_size), 0)
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_over(path: Path, data: bytes, was: bytes) -> bytes | None:
    """Replace `was` by `data` in one step, without losing another program's write.

    Returns None when the file contained `was` to the last, else its actual bytes: they are still in the file,
    and the caller must merge the two. Raises StorageFailed; the file is then as it was."""
    with _storage_errors(path), _temporary_file(path, data) as temporary:
        if not path.exists() or not swap(temporary, path):
            stood = _bytes(path) if path.exists() else was
            if stood == was:
                temporary.replace(path)
                sync_folder(path.parent)
            return None if stood == was else _need_bytes(stood)
        stood = _bytes(temporary)
        if stood == was:
            # Whoever had the old file open when it was swapped has finished writing by the time the folder is synced.
            sync_folder(path.parent)
            stood = _bytes(temporary)
        if stood == was:
            return None
        swap(temporary, path)
        if _bytes(temporary) != data:
            swap(temporary, path)  # Somebody was quicker still, and that stands.
        return _need_bytes(stood)


def create(path: Path, data: bytes, *, mode: int = 0o600) -> None:
    """Create a new file, by default private to its owner, with missing folders.

    Raises Conflict when the path exists, StorageFailed; nothing is then left behind."""
    with _storage_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with _temporary_file(path, data) as temporary:
            temporary.chmod(mode)
            try:
                os.link(temporary, path)
            except FileExistsError as error:
                raise Conflict(message("{path} is there already.", path=path.name)) from error
        sync_folder(path.parent)


def append(path: Path, data: bytes) -> None:
    """Append `data` to a file in one write, so that programs appending at the same time lose nothing.

    Raises StorageFailed; a part that was written is removed unless another program wrote after it."""
    with _storage_errors(path):
        _need_file(path)
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | _AS_IT_IS)
        try:
            before = os.fstat(descriptor).st_size
            written = os.write(descriptor, data)
            if written < len(data):
                if os.fstat(descriptor).st_size == before + written:
                    os.ftruncate(descriptor, before)
                raise OSError(message("the disk took only a part of it"))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def remove(path: Path, was: bytes) -> None:
    """Remove a file whose content is `was`. A file that is gone already is no error.

    Raises Conflict when its content differs, and leaves it; StorageFailed."""
    with _storage_errors(path):
        aside = _temporary(path)
        try:
            path.rename(aside)
        except FileNotFoundError:
            return
        if _bytes(aside) != was:
            move(aside, path)
            raise Conflict(message("{path} was changed in this very moment; it stays.", path=path.name))
        aside.unlink()
        sync_folder(path.parent)


def move(path: Path, target: Path) -> None:
    """Rename a file, creating missing folders. Raises Conflict when the new name is taken, StorageFailed
    naming it."""
    # The target is the name a person knows; the source may be a temporary file.
    with _storage_errors(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(path, target, follow_symlinks=False)
        except FileExistsError as error:
            raise Conflict(message("{target} is there already.", target=target.name)) from error
        path.unlink()
        sync_folder(target.parent)
        sync_folder(path.parent)


def sweep(folder: Path) -> int:
    """Remove temporary files that a crash left in this folder; return their number."""
    swept = 0
    with suppress(OSError):
        for leftover in folder.glob(f"{_TEMPORARY}*.tmp"):
            leftover.unlink()
            swept += 1
    return swept


def is_temporary(name: str) -> bool:
    """Return True if a name is one of our temporary names."""
    return name.startswith(_TEMPORARY)


def sync_folder(folder: Path) -> None:
    """Write a folder's entries to the disk, so that a rename in it survives a crash."""
    # The rename has happened: a network file system that cannot sync a folder is no reason to call it failed.
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def _storage_errors(path: Path) -> Iterator[None]:
    """Turn an OSError into StorageFailed with a sentence that names the file."""
    try:
        yield
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise StorageFailed(
            message("{path} could not be written: {why}.", path=path.name, why=why)
        ) from error


@contextmanager
def _temporary_file(path: Path, data: bytes) -> Iterator[Path]:
    """Write the data under a temporary name next to `path`, with its mode and owner, and yield that name;
    removed afterwards."""
    temporary = _temporary(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(temporary, flags, 0o600), "wb") as file:
            _keep_manners(file.fileno(), path)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def _temporary(path: Path) -> Path:
    # A name of its own for every write: with a shared one, two writers would mix their bytes.
    return path.with_name(f"{_TEMPORARY}{uuid.uuid4().hex}.tmp")


def _keep_manners(descriptor: int, path: Path) -> None:
    was = _need_file(path)
    if was is None:
        return
    with suppress(PermissionError):
        os.fchown(descriptor, was.st_uid, was.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(was.st_mode))


def _bytes(path: Path) -> bytes | None:
    """Return a file's bytes, None for anything but a regular file. Raises OSError."""
    if not stat.S_ISREG(path.lstat().st_mode):
        return None
    with os.fdopen(os.open(path, os.O_RDONLY | _AS_IT_IS), "rb") as file:
        return file.read() if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else None


def _need_bytes(stood: bytes | None) -> bytes:
    if stood is None:
        raise OSError(message("something that is no file took its place"))
    return stood


def _need_file(path: Path) -> os.stat_result | None:
    """Return a file's stat, None when there is none. Raises OSError when it is not a regular, writable file."""
    try:
        was = path.lstat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(was.st_mode):
        raise OSError(message("{path} is not a regular file", path=path.name))
    if not os.access(path, os.W_OK):
        raise PermissionError(message("the file is read-only"))
    return was


def need_free(path: Path) -> None:
    """Check that a path can be created. Raises BadAsk for a relative path, NotFound without its folder,
    Conflict when taken."""
    if not path.is_absolute():
        raise BadAsk(
            message("{path} is not an absolute path.", path=path),
            next=message("Name the file from the root on."),
        )
    if not path.parent.is_dir():
        raise NotFound(
            message("There is no folder {parent}.", parent=path.parent),
            next=message("Make it first, or check the path."),
        )
    if os.path.lexists(path):
        raise Conflict(
            message("{path} is there already.", path=path.name),
            next=message("Name another file, or move that one away."),
        )


@contextmanager
def outgoing(path: Path, *, folder: bool, by: Path) -> Iterator[Path]:
    """Yield a temporary path to fill; afterwards it is at `path`, private to its owner. It is removed if the
    block raises.

    by: the folder of the exporting desk; a desk makes only one export to a path at a time. Raises Conflict
    when `path` was created meanwhile, StorageFailed when it cannot be written."""
    temporary = _outgoing(path, by)
    try:
        with _storage_errors(path):
            _remove(temporary)
            if folder:
                temporary.mkdir(mode=0o700)
            else:
                os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
            yield temporary
            _put(temporary, path, folder=folder)
    finally:
        _remove(temporary)


def identity(path: Path) -> str:
    """Return what a file or folder keeps when it is renamed and loses when it is changed; "" where there is none."""
    try:
        about = path.lstat()
    except FileNotFoundError:
        return ""
    return f"{about.st_ino} {about.st_mtime_ns}"


def is_placed(path: Path, placed: str, *, by: Path) -> bool:
    """Return True if `path` is what `outgoing` put there, by its `identity`, and remove its temporary name."""
    if not placed or identity(path) != placed:
        return False
    _remove(_outgoing(path, by))
    return True


def _outgoing(path: Path, by: Path) -> Path:
    # A desk's own name for each path: what a crash left is taken away when the work is done again.
    return path.with_name(f"{_TEMPORARY}{uuid.uuid5(uuid.NAMESPACE_URL, f'{by} {path}').hex}.tmp")


FETCHED = ".export-"
"""Beginning of the name of a desk's folder in which an export is written that is fetched over the network."""


def drop_fetched(desk: Path) -> None:
    """Delete the exports that a service was sending when it was killed: they are in clear."""
    for folder in desk.glob(f"{FETCHED}*"):
        shutil.rmtree(folder, ignore_errors=True)


def write_fetched(path: Path, data: str, *, folder: bool) -> None:
    """Write an export that a service sent in base64, a folder as a ZIP. Raises as `need_free` and `outgoing` do."""
    import zipfile  # Most commands have no use for it.

    need_free(path)
    with outgoing(path, folder=folder, by=path.parent) as target:
        if folder:
            with zipfile.ZipFile(io.BytesIO(b64decode(data))) as zip:
                zip.extractall(target)
        else:
            target.write_bytes(b64decode(data))


def _remove(temporary: Path) -> None:
    if temporary.is_dir():
        shutil.rmtree(temporary, ignore_errors=True)
    else:
        temporary.unlink(missing_ok=True)


def _put(temporary: Path, path: Path, *, folder: bool) -> None:
    if folder:
        need_free(path)
        temporary.rename(path)
        sync_folder(path.parent)
        return
    with temporary.open("rb") as written:
        os.fsync(written.fileno())
    move(temporary, path)
