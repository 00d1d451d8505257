"""Row of action buttons at the foot of a record, each with its key; actions that do not apply are hidden."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QSizePolicy

from memdesk.gui.language import tr
from memdesk.gui.widgets.control import Control
from memdesk.gui.widgets.ground import Ground

Act = tuple[str, str, str]
"""Label, icon and key of one action."""


class Acts(Ground):
    """Action buttons of a record. acts: by name. The signal `asked` carries the name of the button pressed.

    The chosen record may still be loading: a key pressed after `expect` waits until `arrived` reports that
    the record is shown."""

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
        """Note that a record was chosen and is loading, or the same record again. A key already waiting is
        kept only for the same record."""
        self._pressed = self._pressed if id == self._awaited else ""
        self._awaited = id

    def show_acts(self, names: Sequence[str], why_not: Callable[[str], str]) -> None:
        """Show these actions in this order, two per line; why_not gives the reason for a disabled one, empty
        if enabled."""
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
        """Note that the chosen record is shown, and run the action whose key was pressed meanwhile."""
        pressed, self._awaited, self._pressed = self._pressed, "", ""
        if pressed:
            self.press(pressed)

    def press(self, name: str) -> None:
        """Run an action by its name, as its key does; wait if the chosen record is still loading."""
        if self._awaited:
            self._pressed = name
        elif name in self._shown:
            self.buttons[name].click()

    @property
    def shown(self) -> tuple[str, ...]:
        """Names of the actions shown now."""
        return self._shown
