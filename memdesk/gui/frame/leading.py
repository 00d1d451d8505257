"""Navigation from links and the search: show a record in its panel, with Back to the previous position."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt

from memdesk.gui.frame.palette import Palette
from memdesk.gui.frame.stage import Stage
from memdesk.gui.inspector import Inspector
from memdesk.model.browse import Found

FOUND_IN = {
    "fact": "graph", "entity": "graph", "turn": "conversations", "goal": "goals", "strategy": "procedures",
}  # fmt: skip
"""Panel in which a found record of each kind is shown."""


class Leading(QObject):
    """Connects the stage, the search and the inspector, which stores the history."""

    def __init__(self, stage: Stage, inspector: Inspector, search: Palette) -> None:
        super().__init__(stage)
        self._stage, self._inspector = stage, inspector
        inspector.leads_to = frozenset(stage.names)
        inspector.where = self._where
        inspector.navigated.connect(self.go)
        inspector.returned.connect(self._return)
        search.opened.connect(self.open_found)
        search.aimed.connect(stage.aim_beside)
        search.audit_asked.connect(lambda text: stage.open("audit").search(text))
        search.lab_asked.connect(lambda text: stage.open("lab").search(text))

    def go(self, name: str, id: str) -> None:
        """Show a record in a panel and give it the keyboard focus; without an id, show the panel as it is.
        Back returns."""
        if not self._stage.has(name):
            return
        self._inspector.leave()
        panel = self._stage.open(name)
        if id:
            panel.select(id)
        panel.take_focus()

    def open_found(self, found: Found) -> None:
        """Show a search result in its panel and in the inspector."""
        if found.kind == "passage":
            # A passage is named by its document and its lines.
            self.go("daily" if found.category == "day" else "identity", found.id.partition("#")[0])
            return
        self.go(FOUND_IN[found.kind], found.id)
        self._inspector.show_memory(found.id)

    def _where(self) -> tuple[str, str]:
        panel = self._stage.panel
        return (panel.name, panel.at) if panel is not None else ("", "")

    def _return(self, name: str, record: str) -> None:
        panel = self._stage.open(name)
        if record and panel.at != record:
            panel.select(record)
        # As if the person had never left: a list without a chosen row is not to choose one.
        panel.setFocus(Qt.FocusReason.ActiveWindowFocusReason)
