"""Paths that an archive from elsewhere names: refused if they lead out of their folder, left out if a system of
ours cannot keep them."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path, PurePosixPath, PureWindowsPath

from memdesk.engine.engine import Engine
from memdesk.engine.workspace.placing import PATH_BYTES
from memdesk.files.reading import kernel_devices, printable, real_within
from memdesk.files.walk import NAME_BYTES
from memdesk.model.errors import Refused
from memdesk.model.message import NO_MESSAGE, Message, message

_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(10)))
)
"""Names that are devices on Windows, with any suffix."""
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
        if part.split(".")[0].strip().casefold() in _DEVICES:
            return message("“{part}” is the name of a device.", part=part)
        if part != part.rstrip(" ."):
            return message("A name in its path ends with a space or a full stop.")
    return NO_MESSAGE


def unfit_folder(engine: Engine, path: str) -> Message:
    """Return the sentence why a folder is never registered from an archive, "" if it may be."""
    folder, desk = Path(path), engine.desk.folder.resolve()
    try:
        real = folder.resolve()
        kernel = folder.exists() and folder.stat().st_dev in kernel_devices()
    except (OSError, RuntimeError):
        return message("The folder cannot be looked at.")
    if real != folder:
        return message("A link lies on the way to the folder.")
    if folder in (Path.home(), Path(folder.anchor)) or kernel:
        return message("That is no agent's folder.")
    own = any(folder.is_relative_to(each.resolve()) for each in (engine.desk.workspaces, engine.desk.mem0))
    if desk.is_relative_to(folder) or (folder.is_relative_to(desk) and not own):
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
