"""Reading of files of unknown size, encoding and kind; unreadable ones are refused with their name and the
reason."""

from __future__ import annotations

import codecs
import errno
import functools
import math
import os
import re
import stat
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from memdesk.files.merge import opcodes
from memdesk.model.errors import MemDeskError, Refused
from memdesk.model.message import NO_MESSAGE, Message, message, remade

_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFormat:
    """Encoding and line ends of a file. newline: its most common line end. ends: True if the last line has
    one. hidden: (placeholder, value) of what its text does not show; its bytes have the value."""

    encoding: str = "utf-8"
    bom: bytes = b""
    newline: str = "\n"
    ends: bool = True
    hidden: tuple[tuple[str, str], ...] = ()

    def exact(self, text: str) -> bytes:
        """Return a text as the file's bytes. Raises UnicodeEncodeError for half a character."""
        return self.bom + self.bare(text)

    def bare(self, text: str) -> bytes:
        """Return a text as bytes inside the file, without the byte order mark."""
        for placeholder, value in self.hidden:
            text = text.replace(placeholder, value)
        return text.encode(self.encoding)

    def kept(self, text: str) -> str:
        """Return a text with the file's line ends and final newline."""
        return self.ended(plain(text)).replace("\n", self.newline)

    def ended(self, text: str) -> str:
        """Return a plain text with a final newline if the file has one."""
        return text + "\n" if text and self.ends and not text.endswith("\n") else text

    def with_manner(self, was: str, text: str) -> str:
        """Return the text that replaces `was` in the file: unchanged lines keep their own line ends.

        was: the file's text with its line ends; text: the new one, with any."""
        new = self.ended(plain(text)).split("\n")
        if len(Counter(_END.findall(was))) <= 1:
            return self.newline.join(new)
        old = _END.split(was)
        ends = [*_END.findall(was), ""]
        kept = dict[int, str]()
        for tag, a, b, x, _ in opcodes(old, new):
            if tag == "equal":
                kept.update({x + n: ends[a + n] for n in range(b - a)})
        last = len(new) - 1
        return "".join(
            line + ("" if n == last else kept.get(n) or self.newline) for n, line in enumerate(new)
        )

    def added(self, was: str, text: str) -> str:
        """Return the text to append after `was`: starting on a new line, in the file's line ends."""
        more = plain(text)
        gap = "" if not was or was.endswith(("\n", "\r")) or more.startswith("\n") else "\n"
        return (gap + more).replace("\n", self.newline)


def text_format_of(text: str, *, encoding: str, bom: bytes) -> TextFormat:
    """Return the manner of a file with this text. Among equally common line ends Unix's are taken, then
    Windows'."""
    counted = Counter(_END.findall(text))
    newline = max(("\n", "\r\n", "\r"), key=lambda end: counted[end])
    return TextFormat(encoding=encoding, bom=bom, newline=newline, ends=text.endswith(("\n", "\r")))


def plain(text: str) -> str:
    """Return the text with Unix line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


MEGABYTE = 1024 * 1024
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_SKIPPED_FOLDERS = ("node_modules", "__pycache__")
_MOUNTS = Path("/proc/self/mountinfo")
_OF_THE_KERNEL = frozenset(
    (
        "proc",
        "sysfs",
        "devtmpfs",
        "devpts",
        "cgroup",
        "cgroup2",
        "debugfs",
        "tracefs",
        "securityfs",
        "configfs",
    )
    + ("bpf", "pstore", "efivarfs", "mqueue", "hugetlbfs", "binfmt_misc", "fusectl", "selinuxfs", "nsfs")
)
"""File systems without real files: a read asks the kernel, may never end, and some reads consume what they
return."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFile:
    """Text of a file, with its line ends. mended: bytes that are no text were replaced by U+FFFD.

    modified_at: UTC microseconds."""

    text: str
    manner: TextFormat
    mended: bool
    size_bytes: int
    modified_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Regular file found by a walk. name: its path from the walk's start, with slashes."""

    path: Path
    name: str
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """File or folder that a walk left out, and the reason as a sentence."""

    name: str
    why: Message

    @classmethod
    def because(cls, name: str, error: MemDeskError) -> Left:
        """Return the record of a file left out for an error, with the file's name removed from its sentence."""
        says = error.says
        first, rest = says.id.partition("}")[0].removeprefix("{"), says.parts
        if says.id.startswith("{") and rest.get(first) == name:
            says = remade(says, dict(rest) | {first: message("It")})
        return cls(name=name, why=says)


def read_text(path: Path, name: str, *, limit_bytes: int, follow: bool = True) -> TextFile:
    """Read a text file. Raises Refused, naming it, when it is no text, too large or out of reach."""
    data, modified_at = read_bytes(path, name, limit_bytes=limit_bytes, follow=follow)
    return text_of(data, name, modified_at=modified_at)


def text_of(data: bytes, name: str, *, modified_at: int) -> TextFile:
    """Decode a file's bytes. Raises Refused, naming it, when they are no text."""
    bom, encoding = next(((bom, code) for bom, code in _BOMS if data.startswith(bom)), (b"", "utf-8"))
    body = data[len(bom) :]
    if encoding == "utf-8" and b"\0" in body:
        raise Refused(message("{name} holds NUL bytes, so it is not text.", name=name))
    text, mended = _decoded(body, encoding)
    manner = text_format_of(text, encoding=encoding, bom=bom)
    return TextFile(text=text, manner=manner, mended=mended, size_bytes=len(data), modified_at=modified_at)


def read_bytes(path: Path, name: str, *, limit_bytes: int, follow: bool = True) -> tuple[bytes, int]:
    """Return a regular file's bytes and its modification time (UTC microseconds). Raises Refused, naming it.

    follow: the path itself may be a link."""
    with opened_file(path, name, follow=follow) as file:
        about = os.fstat(file.fileno())
        # None: a file of the kernel that has nothing to say yet.
        data: bytes = file.read(limit_bytes + 1) or b""
    if len(data) > limit_bytes:
        raise Refused(
            message("{name} is larger than {count} MB.", name=name, count=limit_bytes // MEGABYTE),
            next=message("Raise import_file_megabytes in settings.toml, or split the file."),
        )
    return data, about.st_mtime_ns // 1000


@contextmanager
def opened_file(path: Path, name: str, *, follow: bool = True) -> Iterator[BinaryIO]:
    """Yield a regular file opened for reading. Raises Refused, naming it, where it is none or cannot be
    opened or read.

    follow: the path itself may be a link."""
    # A FIFO would make a plain open wait for its writer.
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise Refused(message("{name} is not a regular file.", name=name))
            if about.st_dev in kernel_devices():
                raise Refused(message("{name} is a view of the running system, not a file.", name=name))
            yield file
    except ValueError as error:
        raise Refused(
            message("{name} is no path: it holds a NUL or half a character.", name=printable(name))
        ) from error
    except OSError as error:
        raise Refused(
            message("{name} could not be read: {error}.", name=name, error=_reason(error))
        ) from error


@functools.cache
def kernel_devices() -> frozenset[int]:
    """Return the devices of mounted file systems without real files; empty where the system has no such list."""
    try:
        mounts = _MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return frozenset()
    # "36 35 98:0 /root /mnt rw,noatime master:1 - ext3 /dev/root rw", as proc(5) has it.
    mounted = ((line.split(" ")[2], line.partition(" - ")[2].split(" ")[0]) for line in mounts)
    return frozenset(
        os.makedev(*map(int, device.split(":"))) for device, type in mounted if type in _OF_THE_KERNEL
    )


def within(root: Path, name: str) -> Path:
    """Return the path of `name` under root. Raises Refused when a link on the way leads out of root."""
    real_within(root, name)
    return root / name


def real_within(root: Path, name: str) -> Path:
    """Return the real path of `name` under root, with links followed. Raises Refused when one leads out of
    root."""
    try:
        real = (root / name).resolve()
        inside = real.is_relative_to(root.resolve())
    except (OSError, RuntimeError) as error:
        raise Refused(message("{name} is a link that leads nowhere.", name=name)) from error
    if not inside:
        raise Refused(message("{name} leads out of {root}.", name=name, root=root.name or root))
    return real


def without_unstorable(text: str) -> str:
    """Return the text with NUL and half characters, which no file or database can store, replaced by U+FFFD."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace_half").decode("utf-8")


def storable(value: Any) -> Any:
    """Return a JSON value without NUL, half characters and infinities."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, str):
        return without_unstorable(value)
    if isinstance(value, list):
        return [storable(each) for each in value]
    if isinstance(value, dict):
        return {without_unstorable(name): storable(each) for name, each in value.items()}
    return value


def walk(root: Path, *, known_hidden: Collection[str] = ()) -> Iterator[Entry | Left]:
    """Yield every regular file under root, folder by folder in the order of names.

    Links are never followed. Hidden files and folders are left out, except those named in `known_hidden`;
    so are folders of packages and caches. Each omission is yielded as a Left."""
    waiting, kernel = [(root, "")], kernel_devices()
    while waiting:
        folder, prefix = waiting.pop()
        try:
            if folder.stat().st_dev in kernel:
                yield Left(
                    name=prefix or str(root),
                    why=message("A view of the running system, not a folder of files."),
                )
                continue
            with os.scandir(folder) as scan:
                found = sorted(scan, key=lambda item: item.name)
        except OSError as error:
            yield Left(
                name=prefix or str(root),
                why=message("The folder could not be opened: {error}.", error=_reason(error)),
            )
            continue
        below: list[tuple[Path, str]] = []
        for item in found:
            seen = _entry_of(item, root, prefix + item.name, known_hidden)
            if isinstance(seen, str):
                below.append((Path(item.path), seen + "/"))
            else:
                yield seen
        waiting.extend(reversed(below))


def look(root: Path, name: str, *, known_hidden: Collection[str] = ()) -> Entry | None:
    """Return the file of this name under root as a walk would find it; None when a walk would leave it out."""
    *folders, last = name.split("/")
    path = root
    for folder in folders:
        path /= folder
        if path.is_symlink() or not path.is_dir() or _not_entered(folder, known_hidden):
            return None
    path /= last
    if (last.startswith(".") and last not in known_hidden) or printable(name) != name:
        return None
    try:
        about = path.lstat()
    except OSError:
        return None
    return Entry(path=path, name=name, size_bytes=about.st_size) if stat.S_ISREG(about.st_mode) else None


def _entry_of(
    item: os.DirEntry[str], root: Path, name: str, known_hidden: Collection[str]
) -> Entry | Left | str:
    """Return a walk's result for one item; a string is a folder to enter."""
    shown = printable(name)
    try:
        if item.is_symlink():
            return Left(name=shown, why=_link(Path(item.path), root))
        if item.is_dir():
            why = _not_entered(item.name, known_hidden)
            return Left(name=shown + "/", why=why) if why else name
        about = item.stat()
    except OSError as error:
        return Left(name=shown, why=message("Could not be looked at: {error}.", error=_reason(error)))
    if item.name.startswith(".") and item.name not in known_hidden:
        return Left(name=shown, why=message("Hidden."))
    if shown != name:
        return Left(name=shown, why=message("The file's name is not UTF-8."))
    if not stat.S_ISREG(about.st_mode):
        return Left(name=name, why=message("Not a regular file."))
    return Entry(path=Path(item.path), name=name, size_bytes=about.st_size)


def _not_entered(folder: str, known_hidden: Collection[str]) -> Message:
    if folder in _SKIPPED_FOLDERS:
        return message("A folder of packages or caches.")
    if folder.startswith(".") and folder not in known_hidden:
        return message("A hidden folder.")
    return NO_MESSAGE if printable(folder) == folder else message("The folder's name is not UTF-8.")


def _link(path: Path, root: Path) -> Message:
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return message("A link that leads nowhere.")
    if target.is_relative_to(root.resolve()):
        return message("A link to something in this folder, which is taken where it lies.")
    return message("A link that leads out of this folder.")


def printable(name: str) -> str:
    """Return a file name that can be shown and stored: bytes that are not UTF-8 become U+FFFD."""
    try:
        return os.fsencode(name).decode("utf-8", "replace")
    except UnicodeEncodeError:
        return without_unstorable(name)  # Half a character stands for no byte.


def _decoded(body: bytes, encoding: str) -> tuple[str, bool]:
    try:
        return body.decode(encoding), False
    except UnicodeDecodeError:
        return body.decode(encoding, "replace"), True


def _reason(error: OSError) -> str:
    if error.errno in (errno.EACCES, errno.EPERM):
        return message("permission denied")
    if error.errno == errno.ENOENT:
        return message("it is gone")
    return (error.strerror or str(error)).lower()


def _replace_half(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "\ufffd".encode() * (error.end - error.start), error.end


codecs.register_error("replace_half", _replace_half)
