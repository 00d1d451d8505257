"""Page of a graph: the drawing or its table, the legend and the time brush below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from operator import is_

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from memdesk.gui.graph.brush import Brush
from memdesk.gui.graph.canvas import Canvas
from memdesk.gui.graph.fetching import Fetched
from memdesk.gui.graph.legend import Legend
from memdesk.gui.graph.scene import Scene, changed, grown, staged
from memdesk.gui.graph.table import NodesTable
from memdesk.gui.language import tr
from memdesk.gui.widgets import column
from memdesk.model.graph import GraphNode


class GraphPage(QWidget):
    """Fetched data as a drawing or as a table; both choose the same row.

    picked and entered carry ids: a row was chosen; a row is to be the new centre."""

    picked = Signal(str)
    entered = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.canvas, self.table = Canvas(), NodesTable()
        self.legend, self.brush = Legend(), Brush()
        self.scene: Scene | None = None
        self._ground: Scene | None = None
        self._shown: Fetched | None = None
        self._views = QStackedWidget()
        self._views.addWidget(self.canvas)
        self._views.addWidget(self.table)
        parts = column(self._views, self.legend, self.brush, gap=0)
        parts.setStretch(0, 1)
        self.setLayout(parts)
        self.canvas.picked.connect(self._picked_in_canvas)
        self.canvas.entered.connect(self.entered)
        self.table.picked.connect(self._picked_in_table)
        self.table.clicked.connect(lambda _: self._picked_in_table(self.table.record()))
        self.table.opened.connect(lambda node: self.entered.emit(node.id))

    def show_fetched(self, it: Fetched, numbers: Mapping[str, int], *, is_news: bool) -> None:
        """Show a graph. numbers: colour numbers of its channels. is_news: True to tint new rows."""
        before, self.scene = self.scene, self._staged(it, numbers)
        fresh = frozenset[str]()
        if is_news and before is not None:
            _, come = changed(before.graph.nodes, self.scene.graph.nodes)
            fresh = frozenset(node.id for node in come if node.id not in before.nodes)
        self.canvas.alone = (
            tr("Nothing around it passes these filters.")
            if it.wish.narrows
            else tr("Nothing is connected to it yet.")
        )
        opened = {id: it.hidden(id) for id in it.opened if id in self.scene.nodes}
        self.canvas.show_scene(self.scene, in_order(numbers), opened, fresh)
        if self.shows_table:
            self.table.show_scene(self.scene, self.canvas.reading())
        self.brush.show_births(it.born, date.today())

    def _staged(self, it: Fetched, numbers: Mapping[str, int]) -> Scene:
        """Build the scene of the fetched data, reusing the present scene if that is a part of it."""
        shown, self._shown = self._shown, it
        if self._ground is None or shown is None or it.graph is not shown.graph:
            self._ground = staged(it.graph, numbers)
        scene, rest = self._ground, list(it.opened.items())
        if self.scene is not None and shown is not None and it.graph is shown.graph:
            known = len(shown.opened)
            if known <= len(rest) and all(map(is_, it.opened.values(), shown.opened.values())):
                scene, rest = self.scene, rest[known:]
        for id, more in rest:
            scene = grown(scene, id, more)
        return replace(scene, numbers=numbers)

    @property
    def shows_table(self) -> bool:
        """True if the table is shown instead of the drawing."""
        return self._views.currentWidget() is self.table

    def show_table(self, is_table: bool) -> None:
        """Show the table or the drawing, with the same row chosen, and focus it."""
        front: QWidget = self.table if is_table else self.canvas
        chosen = self.selected()
        self._views.setCurrentWidget(front)
        self.legend.setVisible(not is_table)
        if is_table and self.scene is not None:
            self.table.show_scene(self.scene, self.canvas.reading())
            self.table.choose_node(chosen)
        front.setFocus()

    def selected(self) -> str | None:
        """Return the id of the chosen row."""
        return self.canvas.selected()

    def _picked_in_canvas(self, id: str) -> None:
        self.picked.emit(id)

    def _picked_in_table(self, node: GraphNode | None) -> None:
        if node is None:
            return
        self.canvas.select(node.id)
        self.picked.emit(node.id)


def in_order(numbers: Mapping[str, int]) -> Sequence[str]:
    """Return the channels in the order of their colour numbers, `_global` first."""
    return sorted(numbers, key=lambda channel: (numbers[channel], channel))
