"""Access to paths that agents name: each name is checked, then the path is walked one folder at a time
through descriptors.

No link is followed on the way, so a path that was inside when it was checked is inside when it is used."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memdesk.files.atomic import is_temporary
from memdesk.files.reading import printable
from memdesk.model.errors import Refused, StorageFailed
from memdesk.model.message import message

NAME_BYTES = 240
"""Length limit of one name; file systems take 255 bytes, and a temporary name or a suffix must fit too."""
PATH_BYTES = 1_000
DEPTH = 32
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_DESCRIPTORS = Path("/proc/self/fd")
"""Folder in which Linux shows open folders as paths; elsewhere a path is used as it was walked a moment
before."""
_ENCODED = re.compile(r"%(?:[01][0-9a-f]|2[5ef]|5c|7f|c[01])", re.IGNORECASE)
"""Percent codes of a control character, a dot, a slash, a backslash, another percent sign, or an overlong
form of them."""
_DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Direction marks that make a name look like another (CVE-2021-42574)."""
_SLASHES = frozenset("\u2044\u2215\u29f5\u29f8\u29f9")
"""Characters that look like a slash."""
_UNSHOWN = frozenset(("Cc", "Cs", "Zl", "Zp"))
_ASIDE = ".memdesk-{}.tmp"
DEVICES = frozenset(("con", "prn", "aux", "nul", "conin$", "conout$", "clock$")) | {
    f"{port}{number}" for port in ("com", "lpt") for number in "123456789¹²³"
}
"""Names that are devices on Windows, with any suffix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    """Folder or regular file on a walk. parts: its path. size_bytes: from the file system."""

    parts: tuple[str, ...]
    is_folder: bool
    size_bytes: int

    @property
    def name(self) -> str:
        return "/".join(self.parts)


def parts_of(path: str) -> tuple[str, ...]:
    """Return the names in a relative path; () for the root itself. Raises Refused for a path that could lead
    elsewhere.

    Empty names, from repeated slashes, are left out."""
    if path.startswith("/"):
        raise Refused(message("The path is absolute; it must lie in the folder."))
    if len(path.encode("utf-8", "surrogatepass")) > PATH_BYTES:
        raise Refused(message("The path is longer than {count} bytes.", count=f"{PATH_BYTES:,}"))
    parts = tuple(part for part in path.split("/") if part)
    if len(parts) > DEPTH:
        raise Refused(message("The path goes deeper than {count} folders.", count=DEPTH))
    for part in parts:
        _judge(part)
    return parts


def _judge(part: str) -> None:
    """Raise Refused for a name that could deceive, here or on another system."""
    plain = unicodedata.normalize("NFKC", part)
    if plain in (".", "..") or {"/", "\\"} & set(plain) or _SLASHES & set(part):
        raise Refused(message("The path leads out of the folder."))
    if any(unicodedata.category(letter) in _UNSHOWN or letter in _DIRECTIONS for letter in part):
        raise Refused(
            message("The path holds characters that cannot be seen or turn the direction of writing.")
        )
    if _ENCODED.search(part):
        raise Refused(message("The path is percent-encoded."))
    if part.rstrip(" .") != part or part.split(".")[0].rstrip(" ").casefold() in DEVICES:
        raise Refused(message("The path names a device, or ends in a dot or a space."))
    if len(part.encode()) > NAME_BYTES:
        raise Refused(message("A name in the path is longer than {count} bytes.", count=NAME_BYTES))
    if is_temporary(part):
        raise Refused(message("The path is one of a write under way."))


@contextmanager
def opened(root: Path) -> Iterator[Tree]:
    """Yield a folder to walk in. Raises Refused when it is none, or a link."""
    try:
        descriptor = os.open(root, _FOLDER)
    except OSError as error:
        raise Refused(
            message("{root} is no folder that can be opened: {error}.", root=root, error=_reason(error))
        ) from error
    try:
        yield Tree(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def in_open_folder(root: Path, parts: tuple[str, ...], *, made: bool = False) -> Iterator[Path]:
    """Yield the path of a file below root through its opened folder, so that another folder put in its place
    meanwhile is not used.

    made: create the folder where it is missing. Raises Refused, FileNotFoundError, NotADirectoryError."""
    with opened(root) as tree:
        if made:
            tree.make_folders(parts[:-1])
        with tree.folder(parts[:-1]) as descriptor:
            folder = _DESCRIPTORS / str(descriptor)
            yield (folder if folder.is_dir() else root.joinpath(*parts[:-1])) / parts[-1]


class Tree:
    """Folder with the files and folders below it. Every path is a tuple of names checked by `parts_of`."""

    def __init__(self, descriptor: int) -> None:
        self._root = descriptor

    def look(self, parts: tuple[str, ...]) -> Met | None:
        """Return the file or folder at a path, None when there is none. Raises Refused for a link, a device,
        or a file with other names."""
        if not parts:
            return Met(parts=(), is_folder=True, size_bytes=os.fstat(self._root).st_size)
        try:
            with self.folder(parts[:-1]) as folder:
                return _found(parts, os.stat(parts[-1], dir_fd=folder, follow_symlinks=False))
        except (FileNotFoundError, NotADirectoryError):
            return None

    def entries(self, parts: tuple[str, ...]) -> list[Met]:
        """Return the folders and files in a folder, by name; links and special files are left out."""
        with self.folder(parts) as folder:
            names = _names(folder)
            found = [self._entry(folder, (*parts, name)) for name in names]
        return [met for met in found if met is not None]

    def below(self, parts: tuple[str, ...]) -> Iterator[Met]:
        """Yield every file below a folder. Raises Refused for anything that is neither a file nor a folder,
        rather than skip it."""
        with self.folder(parts) as folder:
            names = _names(folder)
        for name in names:
            met = self.look((*parts, name))
            if met is not None and met.is_folder:
                yield from self.below(met.parts)
            elif met is not None:
                yield met

    def read(self, parts: tuple[str, ...], *, limit_bytes: int) -> tuple[bytes, int]:
        """Return a file's bytes and its modification time (UTC microseconds). Raises Refused."""
        with self.folder(parts[:-1]) as folder:
            try:
                descriptor = os.open(parts[-1], _FILE, dir_fd=folder)
            except OSError as error:
                raise Refused(
                    message("{name} could not be read: {error}.", name=parts[-1], error=_reason(error))
                ) from error
            with os.fdopen(descriptor, "rb") as file:
                about = os.fstat(descriptor)
                _found(parts, about)
                data = file.read(limit_bytes + 1)
        if len(data) > limit_bytes:
            raise Refused(
                message("{name} is larger than {count} MB.", name=parts[-1], count=limit_bytes // 1024**2)
            )
        return data, about.st_mtime_ns // 1000

    def make_folders(self, parts: tuple[str, ...]) -> None:
        """Create a folder and those above it where they are missing, private to their owner. Raises Refused,
        StorageFailed."""
        descriptor = os.dup(self._root)
        try:
            for part in parts:
                try:
                    os.mkdir(part, 0o700, dir_fd=descriptor)
                except FileExistsError:
                    pass
                except OSError as error:
                    raise StorageFailed(
                        message(
                            "{folder} could not be made: {strerror}.", folder=part, strerror=_reason(error)
                        )
                    ) from error
                try:
                    below = _enter(part, descriptor)
                except NotADirectoryError:
                    raise Refused(message("{part} is a file, not a folder.", part=part)) from None
                os.close(descriptor)
                descriptor = below
        finally:
            os.close(descriptor)

    def set_aside(self, parts: tuple[str, ...]) -> tuple[str, ...]:
        """Rename a folder, in one step, to a hidden temporary name in the same folder; return its path.
        Raises StorageFailed."""
        aside = (*parts[:-1], _ASIDE.format(uuid.uuid4().hex))
        self.move_folder(parts, aside)
        return aside

    def clear(self, parts: tuple[str, ...]) -> None:
        """Remove a folder with all its contents; links are removed, never followed. Raises StorageFailed."""
        try:
            with self.folder(parts) as folder:
                for name in _names(folder):
                    if stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                        self.clear((*parts, name))
                    else:
                        os.unlink(name, dir_fd=folder)
            with self.folder(parts[:-1]) as above:
                os.rmdir(parts[-1], dir_fd=above)
        except OSError as error:
            raise StorageFailed(
                message("{parts} could not be removed: {error}.", parts=parts[-1], error=_reason(error))
            ) from error

    def move_folder(self, parts: tuple[str, ...], target: tuple[str, ...]) -> None:
        """Move a folder to another path, whose parent exists. Raises StorageFailed."""
        try:
            with self.folder(parts[:-1]) as source, self.folder(target[:-1]) as into:
                os.rename(parts[-1], target[-1], src_dir_fd=source, dst_dir_fd=into)
                os.fsync(into)
        except OSError as error:
            raise StorageFailed(
                message("{parts} could not be renamed: {error}.", parts=parts[-1], error=_reason(error))
            ) from error

    @contextmanager
    def folder(self, parts: tuple[str, ...]) -> Iterator[int]:
        """Yield the descriptor of a folder, reached name by name without following a link.

        Raises FileNotFoundError, NotADirectoryError, or Refused for a link."""
        descriptor = os.dup(self._root)
        try:
            for part in parts:
                below = _enter(part, descriptor)
                os.close(descriptor)
                descriptor = below
            yield descriptor
        finally:
            os.close(descriptor)

    def _entry(self, folder: int, parts: tuple[str, ...]) -> Met | None:
        try:
            return _found(parts, os.stat(parts[-1], dir_fd=folder, follow_symlinks=False))
        except (FileNotFoundError, Refused):
            return None


def _enter(part: str, folder: int) -> int:
    try:
        return os.open(part, _FOLDER, dir_fd=folder)
    except NotADirectoryError:
        # With O_DIRECTORY a link is told as no folder, and only looking tells the two apart.
        if stat.S_ISLNK(os.stat(part, dir_fd=folder, follow_symlinks=False).st_mode):
            raise Refused(message("{parts} is a link.", parts=part)) from None
        raise
    except FileNotFoundError:
        raise
    except OSError as error:
        raise Refused(
            message("{part} could not be entered: {error}.", part=part, error=_reason(error))
        ) from error


def _names(folder: int) -> list[str]:
    return sorted(os.listdir(folder))  # noqa: PTH208 - a Path knows no descriptors


def _found(parts: tuple[str, ...], about: os.stat_result) -> Met:
    """Return a file or folder. Raises Refused for a link, a device, a pipe, a file with a second name, or a
    name that is no text."""
    if printable(parts[-1]) != parts[-1]:
        raise Refused(message("{parts} has a name that is not UTF-8.", parts=printable(parts[-1])))
    if stat.S_ISDIR(about.st_mode):
        return Met(parts=parts, is_folder=True, size_bytes=about.st_size)
    if not stat.S_ISREG(about.st_mode):
        raise Refused(
            message("{parts} is a link.", parts=parts[-1])
            if stat.S_ISLNK(about.st_mode)
            else message("{parts} is no regular file.", parts=parts[-1])
        )
    if about.st_nlink > 1:
        raise Refused(message("{parts} is a hard link: it has another name elsewhere.", parts=parts[-1]))
    return Met(parts=parts, is_folder=False, size_bytes=about.st_size)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
