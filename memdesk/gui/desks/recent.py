"""The desks a person opened, newest first. Stored per person; a desk does not know of others."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings

from memdesk.files.places import Desk, default_desk, windows_file

AT_MOST = 8
KEY = "desks/recent"


def recent() -> tuple[Desk, ...]:
    """Return the desks opened before that still exist."""
    said = _file().value(KEY, [])
    folders = [said] if isinstance(said, str) else said if isinstance(said, list) else []
    desks = (Desk(Path(str(folder))) for folder in folders)
    return tuple(desk for desk in desks if desk.database.exists())


def remember(desk: Desk) -> None:
    """Put a desk first in the list."""
    others = [each for each in recent() if each != desk]
    file = _file()
    file.setValue(KEY, [str(each.folder) for each in (desk, *others)][:AT_MOST])
    file.sync()


def named(desk: Desk) -> str:
    """Return a desk's name for the window: its folder's name, empty for the user's default desk."""
    return "" if desk == default_desk() else desk.folder.name


def _file() -> QSettings:
    return QSettings(str(windows_file()), QSettings.Format.IniFormat)
