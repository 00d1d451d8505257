"""The table of changes on the overview, which leaves what stands beside it alone until a change is asked for."""

from __future__ import annotations

from PySide6.QtGui import QFocusEvent

from memdesk.gui.widgets import Table


class Changes(Table):
    """Coming to it by keyboard rings a row and shows nothing yet: the inspector takes the room of agents and jobs,
    and whoever goes through the panel by Tab would never reach them."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Ring the current row without telling of it; moving, Enter and the pointer tell."""
        blocked = self.blockSignals(True)
        super().focusInEvent(event)
        self.blockSignals(blocked)
