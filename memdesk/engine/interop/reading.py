"""Reading of files from unknown sources: their beginning, JSON, ZIP archives (in memory, never unpacked, refused if
damaged or malicious), the paths that an archive names (refused if they lead out of their folder, left out if a system
of ours cannot keep them), and databases of other programs (copied first, so that a live one is never locked or
changed)."""

from __future__ import annotations

import json
import math
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Final

from memdesk.engine.engine import Engine
from memdesk.engine.workspace.layouts import Place
from memdesk.engine.workspace.placing import PATH_BYTES
from memdesk.files.places import scratch_folder
from memdesk.files.reading import (
    MEGABYTE,
    Left,
    TextFile,
    kernel_devices,
    printable,
    read_bytes,
    read_text,
    real_within,
    storable,
)
from memdesk.files.walk import DEVICES, NAME_BYTES
from memdesk.model.errors import Refused
from memdesk.model.message import NO_MESSAGE, Message, message
from memdesk.store import database_file

NOT_JSON: Final = object()
"""Result for a text that is not one JSON value; None is a JSON value."""
DEEPEST = 200
"""Most levels of lists and objects: far above any export, and far below the limit at which Python can write JSON."""


def parsed(text: str) -> Any:
    """Return the JSON value of a text, NOT_JSON if it has none. NaN and infinities become None, as JSON has neither."""
    try:
        value = json.loads(text, parse_constant=_nothing, parse_float=_finite)
    except (ValueError, RecursionError):
        return NOT_JSON
    if _is_too_deep(value):
        return NOT_JSON
    # An escape can spell a NUL or half a character, which the text of the file does not show.
    return storable(value) if "\\u" in text else value


def _nothing(_name: str) -> None:
    return None


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return True


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [inner for inner in value.values() if isinstance(inner, dict | list)]
    return [inner for inner in value if isinstance(inner, dict | list)] if isinstance(value, list) else []


HEAD_BYTES = 1024
SQLITE, ZIP, PDF = b"SQLite format 3\0", b"PK\x03\x04", b"%PDF-"
"""First bytes of files that are not text."""
_LINES = (".jsonl", ".ndjson")


class Peek:
    """Path with its content, read on demand. name: its name in messages. limit_bytes: larger files are refused.
    registered: the workspaces that the desk has; files under one of them belong to it."""

    def __init__(
        self, path: Path, name: str, *, limit_bytes: int, registered: tuple[Place, ...] = ()
    ) -> None:
        self.path, self.name, self.limit_bytes, self.registered = path, name, limit_bytes, registered
        self.tables: dict[str, frozenset[str]] | None = None
        """Columns by table, once a database has been examined; else None."""

    @property
    def suffix(self) -> str:
        return self.path.suffix.lower()

    @cached_property
    def is_folder(self) -> bool:
        return self.path.is_dir()

    @cached_property
    def head(self) -> bytes:
        """First bytes of a regular file, empty if it cannot be read."""
        try:
            if not self.path.is_file():
                return b""
            with self.path.open("rb") as file:
                return file.read(HEAD_BYTES)
        except OSError:
            return b""

    @cached_property
    def file(self) -> TextFile:
        """Text of the file. Raises Refused, naming it."""
        return read_text(self.path, self.name, limit_bytes=self.limit_bytes)

    @cached_property
    def modified_at(self) -> int:
        """Modification time of the file, UTC microseconds. Raises Refused, naming it."""
        try:
            return self.path.stat().st_mtime_ns // 1000
        except OSError as error:
            raise Refused(message("{name} could not be read.", name=self.name)) from error

    @cached_property
    def json(self) -> Any:
        """Single JSON value of this file, NOT_JSON if it has none or is JSON Lines."""
        if not self._is_text or self.suffix in _LINES or self.file.text.lstrip()[:1] not in ("{", "[", '"'):
            return NOT_JSON
        return parsed(self.file.text)

    @cached_property
    def lines(self) -> tuple[tuple[tuple[int, Any], ...], tuple[Left, ...]]:
        """(the JSON values of a JSON Lines file with their line numbers, from 1; the lines left out)."""
        if not self._is_text or not (self.suffix in _LINES or self._looks_like_lines):
            return (), ()
        values: list[tuple[int, Any]] = []
        bad: list[int] = []
        last = 0
        for number, line in enumerate(self.file.text.split("\n"), 1):
            if line.strip():
                last = number
                value = parsed(line)
                if value is NOT_JSON:
                    bad.append(number)
                else:
                    values.append((number, value))
        return tuple(values), tuple(self._left_out(number, number == last) for number in bad)

    @property
    def first(self) -> dict[str, Any]:
        """First JSON object: the value itself, the first item of its list, or the object of the first line;
        empty if none."""
        value = self.json
        if value is NOT_JSON:
            value = next((value for _, value in self.lines[0]), None)
        elif isinstance(value, list):
            value = next(iter(value), None)
        return value if isinstance(value, dict) else {}

    @property
    def _is_text(self) -> bool:
        return not (self.is_folder or self.head.startswith((SQLITE, ZIP, PDF)))

    @property
    def _looks_like_lines(self) -> bool:
        """True if the text is JSON Lines; False for one object over several lines whose end is missing."""
        start = self.file.text.lstrip()
        return self.json is NOT_JSON and start[:1] == "{" and parsed(start.split("\n", 1)[0]) is not NOT_JSON

    def _left_out(self, number: int, last: bool) -> Left:
        why = (
            message("The last line is torn; it comes in once it is whole.")
            if last
            else message("The line is not JSON.")
        )
        return Left(name=message("{name}, line {count}", name=self.name, count=number), why=why)


def other_version(name: str, what: Message, version: object, known: int) -> Refused:
    """Return the refusal of a file in a version of its format that MemDesk does not read. what: the file in words, such
    as "an AgentX export"."""
    return Refused(
        message(
            "{name} is {what} of version {version}; this MemDesk reads version {known}.",
            name=name,
            what=what,
            version=version,
            known=known,
        ),
        next=message("Install a newer MemDesk, or bring in a file of version {known}.", known=known),
    )


TORN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    KeyError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
"""Exceptions that reading a damaged, encrypted or foreign ZIP raises."""
GROWTH = 20
"""Most unpacked bytes, as a multiple of the file size limit: text shrinks to a fifth; a higher ratio suggests
a ZIP bomb."""
MEMBERS_AT_MOST = 100_000


@contextmanager
def opened(path: Path, name: str) -> Iterator[zipfile.ZipFile]:
    """Open an archive. Raises Refused, naming it, if it is damaged or contains unsafe names."""
    try:
        archive = zipfile.ZipFile(path)
    except TORN as error:
        raise _damaged(name) from error
    with archive:
        check_names(archive, name)
        yield archive


def check_names(archive: zipfile.ZipFile, name: str) -> None:
    """Raise Refused for an archive with a name that leads out of it, or with more names than MEMBERS_AT_MOST."""
    if len(archive.infolist()) > MEMBERS_AT_MOST:
        raise Refused(
            message("{name} holds more than {count} files.", name=name, count=f"{MEMBERS_AT_MOST:,}")
        )
    for info in archive.infolist():
        path = PurePosixPath(info.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or path.parts[:1] and path.parts[0].endswith(":"):
            raise Refused(
                message(
                    "{name} holds a file that leads out of it: {filename}.",
                    name=name,
                    filename=info.filename[:100],
                )
            )


def check_size(archive: zipfile.ZipFile, peek: Peek) -> None:
    """Raise Refused for an archive whose unpacked size is too large."""
    total, most = sum(info.file_size for info in archive.infolist()), GROWTH * peek.limit_bytes
    if total > most:
        raise Refused(
            message(
                "{peek} unpacks to {count} MB; {most} MB at most.",
                peek=peek.name,
                count=f"{total // MEGABYTE:,}",
                most=f"{most // MEGABYTE:,}",
            ),
            next=message("Raise import_file_megabytes in settings.toml if you trust it."),
        )


BOMB_BYTES, BOMB_RATIO = 256 * MEGABYTE, 100
"""Unpacked size from which the ratio counts, and the ratio of a ZIP bomb: JSON Lines shrink to a tenth."""


def check_growth(archive: zipfile.ZipFile, path: Path, name: str) -> None:
    """Raise Refused for an archive with two files of one name, with files that share their bytes, or that unpacks
    to far more than it is."""
    names = [info.filename for info in archive.infolist()]
    packed = sum(info.compress_size for info in archive.infolist())
    total = sum(info.file_size for info in archive.infolist())
    if len(set(names)) < len(names):
        raise Refused(message("{name} holds two files of one name.", name=name))
    if packed > path.stat().st_size or (total > BOMB_BYTES and total > BOMB_RATIO * packed):
        raise Refused(
            message(
                "{name} unpacks to {count} MB, far more than any memory of its size.",
                name=name,
                count=f"{total // MEGABYTE:,}",
            )
        )


def json_in(archive: zipfile.ZipFile, member: str, name: str) -> Any:
    """Return the JSON value of a member. Raises Refused, naming it, if it has none or cannot be read."""
    try:
        text = archive.read(member).decode("utf-8", "replace")
    except TORN as error:
        raise _damaged(f"{name}, {member},") from error
    value = parsed(text)
    if value is NOT_JSON:
        raise Refused(message("{name}: {member} is not JSON, or is torn.", name=name, member=member))
    return value


def _damaged(what: str) -> Refused:
    return Refused(
        message("{what} is damaged: it cannot be read as a ZIP archive.", what=what),
        next=message("Nothing was brought in; make it again."),
    )


_COPY_TRIES = 5
_DATABASE_PARTS = ("", "-wal", "-journal")
"""Suffixes of the files that make up a database: the latest commits may be only in its log."""
Row = dict[str, Any]


def tables_of(peek: Peek) -> dict[str, frozenset[str]]:
    """Return the columns of each table of a database file, empty for other files. Raises Refused, naming it."""
    if not peek.head.startswith(SQLITE):
        return {}
    if peek.tables is None:
        with _opened(peek) as found:
            peek.tables = found.tables
    return peek.tables


def rows_of(peek: Peek, *tables: str) -> tuple[dict[str, list[Row]], int]:
    """Return every row of these tables at one moment, and the database's own version. Raises Refused, naming it."""
    with _opened(peek) as found:
        return {table: [storable(row) for row in found.rows(table)] for table in tables}, found.version


@contextmanager
def _opened(peek: Peek) -> Iterator[database_file.Foreign]:
    with scratch_folder() as folder:
        copy = folder / "copy.db"
        _copy(peek, copy)
        with database_file.open_foreign(copy, peek.name) as found:
            yield found


def _copy(peek: Peek, copy: Path) -> None:
    """Copy a database in a consistent state. Raises Refused if it is being written to at every attempt."""
    for _ in range(_COPY_TRIES):
        before = _state(peek.path)
        for part in _DATABASE_PARTS:
            _copy_part(peek, part, copy.with_name(copy.name + part))
        if _state(peek.path) == before:
            return
    raise Refused(
        message("{peek} is being written to.", peek=peek.name),
        next=message("Close the program it belongs to, and import it again."),
    )


def _copy_part(peek: Peek, part: str, target: Path) -> None:
    source = peek.path.with_name(peek.path.name + part)
    target.unlink(missing_ok=True)
    if part == "" or source.is_file():
        try:
            target.write_bytes(read_bytes(source, peek.name, limit_bytes=peek.limit_bytes)[0])
        except Refused as refused:
            # A journal goes with each commit, also in the moment after it was seen.
            if part == "" or not isinstance(refused.__cause__, FileNotFoundError):
                raise


def _state(path: Path) -> list[tuple[int, int]]:
    """Return size and modification time of each part that exists."""
    found: list[tuple[int, int]] = []
    for part in _DATABASE_PARTS:
        try:
            about = path.with_name(path.name + part).stat()
        except OSError:
            continue
        found.append((about.st_size, about.st_mtime_ns))
    return found


_DRIVE = re.compile(r"[A-Za-z]:")


def refuse_path(path: str, archive: str) -> None:
    """Raise Refused for the path of a file that leads out of its folder, or is no path."""
    odd = not path.strip() or path.endswith("/") or _has_controls(path) or "\\" in path
    parts = PurePosixPath(path).parts
    if odd or path.startswith(("/", "~")) or ".." in parts or "." in path.split("/") or _DRIVE.match(path):
        raise Refused(
            message(
                "{archive} has a file whose path leads out of its folder: “{path}”.",
                archive=archive,
                path=printable(path[:100]),
            ),
            next=message("Nothing was brought in. Do not trust this archive."),
        )


def refuse_folder(path: str, archive: str) -> None:
    """Raise Refused for the path of a folder that is no absolute path without detours."""
    windows = PureWindowsPath(path).is_absolute()
    parts = (PureWindowsPath(path) if windows else PurePosixPath(path)).parts
    if not (path.startswith("/") or windows) or ".." in parts or _has_controls(path):
        raise Refused(
            message(
                "{archive} has a folder with the path “{path}”.", archive=archive, path=printable(path[:100])
            ),
            next=message("Nothing was brought in. Do not trust this archive."),
        )


def unfit_name(path: str) -> Message:
    """Return the sentence why no system of ours keeps a file under this path, "" if it can."""
    parts = PurePosixPath(path).parts
    if max(len(part.encode()) for part in parts) > NAME_BYTES or len(path.encode()) > PATH_BYTES:
        return message("Its path is too long.")
    for part in parts:
        if part.split(".")[0].strip().casefold() in DEVICES:
            return message("“{part}” is the name of a device.", part=part)
        if part != part.rstrip(" ."):
            return message("A name in its path ends with a space or a full stop.")
    return NO_MESSAGE


def holds_desk(engine: Engine, path: Path) -> bool:
    """Return True for a folder around the desk's own, or in it and not of its workspaces."""
    desk = engine.desk.folder.resolve()
    own = any(path.is_relative_to(each.resolve()) for each in (engine.desk.workspaces, engine.desk.mem0))
    return desk.is_relative_to(path) or (path.is_relative_to(desk) and not own)


def unfit_folder(engine: Engine, path: str) -> Message:
    """Return the sentence why a folder is never registered from an archive, "" if it may be."""
    folder = Path(path)
    try:
        real = folder.resolve()
        kernel = folder.exists() and folder.stat().st_dev in kernel_devices()
    except (OSError, RuntimeError):
        return message("The folder cannot be looked at.")
    if real != folder:
        return message("A link lies on the way to the folder.")
    if folder in (Path.home(), Path(folder.anchor)) or kernel:
        return message("That is no agent's folder.")
    if holds_desk(engine, folder):
        return message("That folder holds this desk itself.")
    return NO_MESSAGE


def leads_out(folder: str, path: str) -> bool:
    """Return True if a link in the folder leads the path out of it."""
    try:
        real_within(Path(folder), path)
    except Refused:
        return True
    return False


def _has_controls(path: str) -> bool:
    return any(unicodedata.category(character) in ("Cc", "Cs") for character in path)
