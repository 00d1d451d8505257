"""The desks a person opened, newest first. Kept for the person; a desk knows of no other."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings

from memdesk.files.places import Desk, default_desk, windows_file

AT_MOST = 8
KEY = "desks/recent"


def recent() -> tuple[Desk, ...]:
    """Desks opened before that are still there."""
    said = _file().value(KEY, [])
    folders = [said] if isinstance(said, str) else said if isinstance(said, list) else []
    desks = (Desk(Path(str(folder))) for folder in folders)
    return tuple(desk for desk in desks if desk.database.exists())


def remember(desk: Desk) -> None:
    """Put a desk first."""
    others = [each for each in recent() if each != desk]
    file = _file()
    file.setValue(KEY, [str(each.folder) for each in (desk, *others)][:AT_MOST])
    file.sync()


def named(desk: Desk) -> str:
    """How a window calls a desk: by its folder, and not at all where it is the user's default."""
    return "" if desk == default_desk() else desk.folder.name


def _file() -> QSettings:
    return QSettings(str(windows_file()), QSettings.Format.IniFormat)
