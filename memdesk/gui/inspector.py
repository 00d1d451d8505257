"""The right-hand side of the window: one memory or one change whole, with what can be done about it."""

from __future__ import annotations

from PySide6.QtCore import Signal

from memdesk.gui.session import Session
from memdesk.gui.widgets import Ground


class Inspector(Ground):
    """Shows what was chosen anywhere in the window, and remembers the way back.

    The signal `navigated` carries (panel name, record id) when a link leads to another panel."""

    navigated = Signal(str, str)

    def __init__(self, session: Session) -> None:
        super().__init__("panel", "left")
        self.session = session

    def show_memory(self, id: str) -> None:
        """Show a memory: a fact, an entity, a turn."""

    def show_event(self, id: int) -> None:
        """Show a change of the audit timeline."""
