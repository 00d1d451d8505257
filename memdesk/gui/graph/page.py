"""The page of a graph: the drawing or its table, the legend and the time brush below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from memdesk.gui.graph.brush import Brush
from memdesk.gui.graph.canvas import Canvas
from memdesk.gui.graph.fetching import Fetched
from memdesk.gui.graph.legend import Legend
from memdesk.gui.graph.scene import Scene, staged
from memdesk.gui.graph.table import NodesTable
from memdesk.gui.language import tr
from memdesk.gui.widgets import column
from memdesk.model.graph import GraphNode


class GraphPage(QWidget):
    """Shows what was fetched, drawn or as a table; both choose the same row.

    picked and entered carry ids: a row was chosen; a row is to be the new centre."""

    picked = Signal(str)
    entered = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.canvas, self.table = Canvas(), NodesTable()
        self.legend, self.brush = Legend(), Brush()
        self.scene: Scene | None = None
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

    def show_fetched(self, it: Fetched, numbers: Mapping[str, int], fresh: frozenset[str]) -> None:
        """Show a graph. numbers: colour numbers of its channels. fresh: rows to tint as newcomers."""
        self.scene = staged(it.graph, numbers)
        self.canvas.alone = (
            tr("Nothing around it passes these filters.")
            if it.wish.narrows
            else tr("Nothing is connected to it yet.")
        )
        self.canvas.show_scene(self.scene, in_order(numbers), it.opened, fresh)
        self.table.show_scene(self.scene, self.canvas.reading())
        self.brush.show_births(it.born, date.today())

    @property
    def shows_table(self) -> bool:
        """Whether the table is in front."""
        return self._views.currentWidget() is self.table

    def show_table(self, is_table: bool) -> None:
        """Bring the table or the drawing to the front, with the same row chosen, and the focus there."""
        front: QWidget = self.table if is_table else self.canvas
        chosen = self.selected()
        self._views.setCurrentWidget(front)
        self.legend.setVisible(not is_table)
        if is_table:
            self.table.choose_node(chosen)
        front.setFocus()

    def selected(self) -> str | None:
        """Id of the chosen row."""
        return self.canvas.selected()

    def _picked_in_canvas(self, id: str) -> None:
        self.picked.emit(id)

    def _picked_in_table(self, node: GraphNode | None) -> None:
        if node is None:
            return
        self.canvas.select(node.id)
        self.picked.emit(node.id)


def in_order(numbers: Mapping[str, int]) -> Sequence[str]:
    """Channels as their colours are numbered, `_global` first."""
    return sorted(numbers, key=lambda channel: (numbers[channel], channel))
