"""The stage: one panel at a time, each made when it is first opened, and the strip that offers a way back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget

from memdesk.gui.inspector import Inspector
from memdesk.gui.panels.panel import Panel
from memdesk.gui.session import Session
from memdesk.gui.widgets import Ground, UndoStrip, column

STRIP_PX = 560
STRIP_FROM_FOOT_PX = 12


class Stage(Ground):
    """Holds the panels. `open(name)` shows one and returns it; `panel` is the one that is open."""

    def __init__(self, session: Session, inspector: Inspector, panels: Sequence[type[Panel]]) -> None:
        self._session, self._inspector = session, inspector
        self._kinds = {panel.name: panel for panel in panels}
        self._panels: dict[str, Panel] = {}
        self._stack = QStackedWidget()
        super().__init__("stage", layout=column(self._stack, gap=0))
        self.strip = UndoStrip()
        self.strip.setParent(self)

    @property
    def panel(self) -> Panel | None:
        """The open panel."""
        panel = self._stack.currentWidget()
        return panel if isinstance(panel, Panel) else None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all panels, in the rail's order."""
        return tuple(self._kinds)

    def has(self, name: str) -> bool:
        """Whether there is such a panel."""
        return name in self._kinds

    def open(self, name: str) -> Panel:
        """Show a panel. Raises KeyError for a name that is none."""
        if name not in self._panels:
            self._panels[name] = self._kinds[name](self._session, self._inspector)
            self._stack.addWidget(self._panels[name])
        self._stack.setCurrentWidget(self._panels[name])
        return self._panels[name]

    def unsaved(self) -> tuple[str, ...]:
        """Names of the texts in any panel that closing the window would lose."""
        return tuple(name for panel in self._panels.values() for name in panel.unsaved())

    def offer(self, sentence: str, change: int, icon: str) -> None:
        """Offer the way back from a change for 8 s, over the foot of the panel."""
        self.strip.offer(sentence, change, icon)
        self._place_strip()
        self.strip.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the strip at the foot."""
        super().resizeEvent(event)
        self._place_strip()

    def _place_strip(self) -> None:
        wide = min(STRIP_PX, self.width() - 40)
        high = self.strip.height()
        self.strip.setGeometry(
            (self.width() - wide) // 2, self.height() - high - STRIP_FROM_FOOT_PX, wide, high
        )
