"""Opening of rows in place: only the neighbours of the opened row are fetched."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from memdesk.gui.graph.canvas import Canvas
from memdesk.gui.graph.fetching import Fetched, with_neighbours, without_neighbours
from memdesk.gui.graph.scene import Scene
from memdesk.gui.graph.telling import no_news
from memdesk.gui.graph.wish import Wish
from memdesk.gui.session import Session


class Opening(QObject):
    """Opens and closes rows of the drawing. grow and shrink return the resulting wish.

    changed: the data shown before, and the new data. outdated: all data must be loaded again."""

    changed = Signal(object, object)
    outdated = Signal()

    def __init__(self, session: Session, canvas: Canvas, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._canvas = session, canvas

    def grow(self, wish: Wish, shown: Fetched | None, id: str) -> Wish:
        """Show neighbours of a row, or more of them, or a message that there are none. shown: None while a
        load is pending."""
        wanted = wish.opening(id)
        if shown is None:
            self.outdated.emit()
        elif id in shown.opened and (not shown.hidden(id) or wanted == wish):
            self._canvas.say_at(id, no_news(shown.hidden(id), wish.opened[id]))
            return wish
        else:
            self._session.spawn(self._ask(wanted, shown, id))
        return wanted

    async def _ask(self, wish: Wish, shown: Fetched, id: str) -> None:
        self.changed.emit(shown, await with_neighbours(self._session, shown, wish, id))

    def shrink(self, wish: Wish, shown: Fetched | None, id: str) -> Wish:
        """Hide the neighbours of a row."""
        if shown is None:
            self.outdated.emit()
        else:
            self.changed.emit(shown, without_neighbours(shown, id))
        return wish.closing(id)

    def tell(self, before: Fetched | None, it: Fetched, scene: Scene) -> None:
        """Show a message if a row that was just opened added no new rows."""
        known = before.opened if before is not None else {}
        for id, more in it.opened.items():
            if id not in scene.nodes or more is known.get(id):
                continue
            if not any(node.id in scene.nodes and scene.nodes[node.id].parent == id for node in more.nodes):
                self._canvas.say_at(id, no_news(it.hidden(id), it.wish.opened[id]))
