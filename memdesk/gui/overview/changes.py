"""Table of changes on the overview, which opens the inspector only when a change is asked for."""

from __future__ import annotations

from PySide6.QtGui import QFocusEvent

from memdesk.gui.widgets import Table


class Changes(Table):
    """Table that rings a row, but does not pick it, when it gets the keyboard focus: the inspector takes the
    place of agents and jobs, and a person who moves through the panel by Tab would never reach them."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Ring the current row without a signal; moving, Enter and the pointer emit one."""
        blocked = self.blockSignals(True)
        super().focusInEvent(event)
        self.blockSignals(blocked)
