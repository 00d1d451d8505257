"""Window state saved between sessions: position, widths, the open panel. Stored in the desk's folder."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

from memdesk.files.places import Desk

INSPECTOR_PX = 340


class Memo:
    """State saved in `window.ini` next to the desk's database, so that every desk opens as it was left."""

    def __init__(self, file: Path) -> None:
        self._kept = QSettings(str(file), QSettings.Format.IniFormat)

    @classmethod
    def of(cls, desk: Desk) -> Memo:
        """Return the memo of a desk."""
        return cls(desk.folder / "window.ini")

    @property
    def geometry(self) -> QByteArray:
        """The window's geometry as returned by QWidget.saveGeometry; empty at first."""
        said = self._kept.value("geometry")
        return said if isinstance(said, QByteArray) else QByteArray()

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._kept.setValue("geometry", geometry)

    @property
    def panel(self) -> str:
        """Name of the panel that was open; empty at first."""
        return str(self._kept.value("panel", ""))

    @panel.setter
    def panel(self, name: str) -> None:
        self._kept.setValue("panel", name)

    @property
    def left(self) -> dict[str, Any]:
        """State of the window's parts as JSON data; empty at first."""
        try:
            said = json.loads(str(self._kept.value("left", "{}")))
        except ValueError:
            return {}
        return said if isinstance(said, dict) else {}

    @left.setter
    def left(self, left: dict[str, Any]) -> None:
        self._kept.setValue("left", json.dumps(left))

    @property
    def visited_at(self) -> datetime | None:
        """Time of the last visit: all changes marked as seen, or the window closed. None at first."""
        said = str(self._kept.value("visited", ""))
        return datetime.fromisoformat(said) if said else None

    @visited_at.setter
    def visited_at(self, when: datetime) -> None:
        self._kept.setValue("visited", when.isoformat())

    @property
    def rail_open(self) -> bool:
        """Return True if the rail showed its names; True at first."""
        return self._flag("rail", at_first=True)

    @rail_open.setter
    def rail_open(self, is_open: bool) -> None:
        self._kept.setValue("rail", int(is_open))

    @property
    def inspector_open(self) -> bool:
        """Return True if a person wants the inspector even while nothing is chosen; False at first."""
        return self._flag("inspector", at_first=False)

    @inspector_open.setter
    def inspector_open(self, is_open: bool) -> None:
        self._kept.setValue("inspector", int(is_open))

    @property
    def inspector_px(self) -> int:
        """The inspector's width, in px."""
        said = str(self._kept.value("inspector_px", INSPECTOR_PX))
        return int(said) if said.isdigit() else INSPECTOR_PX

    @inspector_px.setter
    def inspector_px(self, px: int) -> None:
        self._kept.setValue("inspector_px", px)

    @property
    def tour(self) -> int:
        """The step of the tour to show next; -1 for none."""
        said = str(self._kept.value("tour", -1))
        return int(said) if said.isdigit() else -1

    @tour.setter
    def tour(self, step: int) -> None:
        self._kept.setValue("tour", step)

    @property
    def welcomed(self) -> bool:
        """Return True if the first steps were offered."""
        return self._flag("welcomed", at_first=False)

    @welcomed.setter
    def welcomed(self, is_so: bool) -> None:
        self._kept.setValue("welcomed", int(is_so))

    def keep(self) -> None:
        """Write to disk now; otherwise it is written when the event loop is idle."""
        self._kept.sync()

    def _flag(self, name: str, *, at_first: bool) -> bool:
        return str(self._kept.value(name, int(at_first))) == "1"
