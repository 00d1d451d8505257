"""Rail with one entry per panel, with names or as icons only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup

from memdesk.gui.language import tr
from memdesk.gui.widgets import Control, Ground, column

WIDE_PX = 184
NARROW_PX = 48


class Entry(Protocol):
    """Properties of a panel that the rail needs."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def icon(self) -> str: ...

    @property
    def at_foot(self) -> bool: ...

    @property
    def page_of(self) -> str: ...


class Rail(Ground):
    """List of entries that choose the panel. The signal `chosen` carries the panel's name when a person
    presses its entry."""

    chosen = Signal(str)

    def __init__(self, panels: Sequence[Entry]) -> None:
        own = [panel for panel in panels if not panel.page_of]
        self._entries = {panel.name: Control("rail", tr(panel.title), panel.icon) for panel in own}
        self._pages = {panel.name: panel.page_of for panel in panels if panel.page_of}
        above = [self._entries[panel.name] for panel in own if not panel.at_foot]
        below = [self._entries[panel.name] for panel in own if panel.at_foot]
        layout = column(*above, None, *below, gap=1, margins=(8, 8, 9, 8))
        super().__init__("win", "right", layout)
        self._keys = keys_of(panels)
        self._group = QButtonGroup(self)
        for name, entry in self._entries.items():
            self._group.addButton(entry)
            entry.clicked.connect(lambda _=False, name=name: self.chosen.emit(name))
        self.setAccessibleName(tr("Panels"))
        self.set_collapsed(False)

    def mark(self, name: str) -> None:
        """Show which panel is open."""
        self._entries[self._pages.get(name, name)].setChecked(True)

    def entry(self, name: str) -> Control:
        """Return the entry of a panel."""
        return self._entries[name]

    def show_count(self, name: str, number: int) -> None:
        """Show the number of waiting items at a panel's entry; nothing for 0, or if there is no such panel."""
        if name in self._entries:
            self._entries[name].set_count(f"{number:,}" if number else "")

    def set_collapsed(self, collapsed: bool) -> None:
        """Show icons only, with the names in tool tips, or icons and names."""
        for name, entry in self._entries.items():
            entry.set_collapsed(collapsed)
            keys = self._keys.get(name, "")
            entry.setToolTip(f"{entry.text()}  {keys}".strip() if collapsed else keys)


def keys_of(panels: Sequence[Entry]) -> dict[str, str]:
    """Return the keys Ctrl+1 to Ctrl+9 by the name of the panel that they open: the first nine of the rail."""
    first = [panel for panel in panels if not panel.page_of and not panel.at_foot][:9]
    return {panel.name: f"Ctrl+{place}" for place, panel in enumerate(first, 1)}
