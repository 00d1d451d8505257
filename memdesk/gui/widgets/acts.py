"""Buttons at the foot of what is shown, each with its key; those that make no sense are not there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QSizePolicy

from memdesk.gui.language import tr
from memdesk.gui.widgets.control import Control
from memdesk.gui.widgets.ground import Ground

Act = tuple[str, str, str]
"""The word, the icon and the key of an act."""


class Acts(Ground):
    """acts: by name. The signal `asked` carries the name of the one that is pressed.

    What is chosen may still be on its way: from `expect` on, a key waits for the next `show_acts`."""

    asked = Signal(str)

    def __init__(self, acts: dict[str, Act], *, primary: str = "") -> None:
        self._awaited, self._pressed = "", ""
        self._shown: tuple[str, ...] = ()
        self._grid = QGridLayout()
        self._grid.setContentsMargins(16, 12, 16, 12)
        self._grid.setSpacing(8)
        super().__init__("panel", "top", self._grid)
        self.buttons = {
            name: Control("primary" if name == primary else "button", tr(says), icon, keys=keys, parent=self)
            for name, (says, icon, keys) in acts.items()
        }
        for name, button in self.buttons.items():
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.hide()
            button.clicked.connect(lambda _=False, name=name: self.asked.emit(name))

    def expect(self, id: str) -> None:
        """Another record was chosen, or this one anew."""
        self._pressed = self._pressed if id == self._awaited else ""
        self._awaited = id

    def show_acts(self, names: Sequence[str], why_not: Callable[[str], str]) -> None:
        """Show these, in this order, two a line; one that cannot be taken says why not."""
        self._shown = tuple(names)
        for name, button in self.buttons.items():
            self._grid.removeWidget(button)
            button.setVisible(name in names)
            reason = why_not(name)
            button.set_enabled(not reason, reason)
        for place, name in enumerate(names):
            self._grid.addWidget(self.buttons[name], place // 2, place % 2)
        self.setVisible(bool(names))

    def arrived(self) -> None:
        """What was chosen is shown: a key that was pressed meanwhile acts on it."""
        pressed, self._awaited, self._pressed = self._pressed, "", ""
        if pressed:
            self.press(pressed)

    def press(self, name: str) -> None:
        """Press a button by its key."""
        if self._awaited:
            self._pressed = name
        elif name in self._shown:
            self.buttons[name].click()

    @property
    def shown(self) -> tuple[str, ...]:
        """Those that are there now."""
        return self._shown
