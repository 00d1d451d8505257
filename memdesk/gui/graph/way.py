"""Path from the centre to another memory: asked for in the header, drawn alone, reported with its length."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from memdesk.gui.graph.canvas import Canvas
from memdesk.gui.graph.fetching import Fetched
from memdesk.gui.graph.tools import Tools
from memdesk.gui.graph.wish import WAY_HOPS
from memdesk.gui.language import tr
from memdesk.gui.widgets.told import Told


class Way(QObject):
    """Lets a person choose the other end of a path and shows the result.

    The signal `asked` carries the id of that end, or None for all that surrounds the centre."""

    asked = Signal(object)

    def __init__(self, tools: Tools, canvas: Canvas, told: Told, parent: QObject) -> None:
        super().__init__(parent)
        self._tools, self._canvas, self._told = tools, canvas, told
        tools.target.chosen.connect(self.find)
        tools.target.left.connect(self._leave)

    def ask(self) -> None:
        """Show the field in which a person finds the other end."""
        self._tools.ask_target(True)

    def find(self, id: str) -> None:
        """Ask for a path to a memory."""
        self._leave()
        self.asked.emit(id)

    def end(self) -> None:
        """Ask for all that surrounds the centre again."""
        self.asked.emit(None)

    def _leave(self) -> None:
        self._tools.ask_target(False)
        self._canvas.setFocus()

    def tell(self, it: Fetched) -> None:
        """Show the length of the path, or that there is none."""
        if it.wish.to is None:
            return
        steps = len(it.graph.nodes) - 1
        if steps:
            self._canvas.select(it.wish.to)
            said = tr("A shortest way, of %Ln step(s).", "", steps)
        elif it.wish.to == it.wish.center:
            said = tr("This is the centre itself.")
        else:
            said = tr("No way of up to %Ln step(s) was found with these filters.", "", 2 * WAY_HOPS)
        if it.graph.more:
            said += " " + tr("Not everything was searched: a hub has more links than are followed.")
        self._told.tell(said, icon="link", button=tr("All that surrounds it"), act=self.end)
