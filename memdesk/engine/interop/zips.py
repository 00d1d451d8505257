"""ZIP archives from unknown sources: read in memory, never unpacked, and refused if one is damaged or
malicious."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from memdesk.engine.interop.parsing import NOT_JSON, parsed
from memdesk.engine.interop.peek import Peek
from memdesk.files.reading import MEGABYTE
from memdesk.model.errors import Refused

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
        raise Refused(f"{name} holds more than {MEMBERS_AT_MOST:,} files.")
    for info in archive.infolist():
        path = PurePosixPath(info.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or path.parts[:1] and path.parts[0].endswith(":"):
            raise Refused(f"{name} holds a file that leads out of it: {info.filename[:100]}.")


def check_size(archive: zipfile.ZipFile, peek: Peek) -> None:
    """Raise Refused for an archive whose unpacked size is too large."""
    total, most = sum(info.file_size for info in archive.infolist()), GROWTH * peek.limit_bytes
    if total > most:
        raise Refused(
            f"{peek.name} unpacks to {total // MEGABYTE:,} MB; {most // MEGABYTE:,} MB at most.",
            next="Raise import_file_megabytes in settings.toml if you trust it.",
        )


def json_in(archive: zipfile.ZipFile, member: str, name: str) -> Any:
    """Return the JSON value of a member. Raises Refused, naming it, if it has none or cannot be read."""
    try:
        text = archive.read(member).decode("utf-8", "replace")
    except TORN as error:
        raise _damaged(f"{name}, {member},") from error
    value = parsed(text)
    if value is NOT_JSON:
        raise Refused(f"{name}: {member} is not JSON, or is torn.")
    return value


def _damaged(what: str) -> Refused:
    return Refused(
        f"{what} is damaged: it cannot be read as a ZIP archive.",
        next="Nothing was brought in; make it again.",
    )
