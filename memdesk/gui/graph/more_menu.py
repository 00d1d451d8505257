"""Menu of further actions on a graph."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from memdesk.gui.graph.canvas import Canvas
from memdesk.gui.graph.deeds import Deeds
from memdesk.gui.graph.way import Way
from memdesk.gui.graph.wish import Wish
from memdesk.gui.language import tr
from memdesk.gui.widgets import Control


class MoreMenu:
    """Menu that opens below its button."""

    def __init__(self, button: Control, way: Way, deeds: Deeds, canvas: Canvas) -> None:
        self._button, self._way, self._deeds, self._canvas = button, way, deeds, canvas

    def open(self, wish: Wish) -> None:
        """Open the menu."""
        menu = self.menu(wish)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._button.mapToGlobal(QPoint(0, self._button.height() + 2)))

    def menu(self, wish: Wish) -> QMenu:
        """Return the menu as it would open now."""
        menu = QMenu(self._button)
        menu.addAction(tr("Find a way to…"), self._way.ask)
        back = menu.addAction(tr("All that surrounds it"), self._way.end)
        back.setEnabled(wish.to is not None)
        menu.addSeparator()
        menu.addAction(tr("Export the picture…"), self._ask_picture)
        return menu

    def _ask_picture(self) -> None:
        if self._canvas.stand is not None:
            self._deeds.ask_where(self._canvas.stand)
