"""The rail: one entry a panel, with names or as icons alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup

from memdesk.gui.widgets import Control, Ground, column

WIDE_PX = 184
NARROW_PX = 48


class Entry(Protocol):
    """What a panel says of itself."""

    name: str
    title: str
    icon: str


class Rail(Ground):
    """Chooses the panel. The signal `chosen` carries its name when a person presses an entry."""

    chosen = Signal(str)

    def __init__(self, panels: Sequence[Entry]) -> None:
        self._entries = {panel.name: Control("rail", panel.title, panel.icon) for panel in panels}
        layout = column(*self._entries.values(), None, gap=1, margins=(8, 8, 9, 8))
        super().__init__("win", "right", layout)
        self._keys = {panel.name: f"Ctrl+{place}" for place, panel in enumerate(panels, 1)}
        self._group = QButtonGroup(self)
        for name, entry in self._entries.items():
            self._group.addButton(entry)
            entry.clicked.connect(lambda _=False, name=name: self.chosen.emit(name))
        self.setAccessibleName("Panels")
        self.set_collapsed(False)

    def mark(self, name: str) -> None:
        """Show which panel is open."""
        self._entries[name].setChecked(True)

    def entry(self, name: str) -> Control:
        """The entry of a panel."""
        return self._entries[name]

    def set_collapsed(self, collapsed: bool) -> None:
        """Icons alone, with the names in tool tips, or icons and names."""
        for name, entry in self._entries.items():
            entry.set_collapsed(collapsed)
            entry.setToolTip(f"{entry.text()}  {self._keys[name]}" if collapsed else self._keys[name])
