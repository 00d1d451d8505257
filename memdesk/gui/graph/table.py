"""Graph as a table: every node with the information that the drawing shows by place, shape, size and fill, in
words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QResizeEvent

from memdesk.gui import icons, look
from memdesk.gui.graph.rows_painter import category, fill
from memdesk.gui.graph.scene import Scene
from memdesk.gui.graph.telling import kind_word
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import Column, RowsModel, RowState, Table
from memdesk.gui.widgets.paint import channel, draw_text
from memdesk.gui.widgets.tips import plain
from memdesk.model.graph import GraphNode

SHAPE_PX = 11
REACHED_FROM = 3
REACHED_FROM_PX = 760
Key = Callable[[GraphNode], Any]


class NodesTable(Table):
    """All nodes of a scene, sorted by the column whose title was pressed, at first in the drawing's reading
    order."""

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._place: dict[str, int] = {}
        self.nodes: RowsModel[GraphNode] = RowsModel(self._columns())
        super().__init__(self.nodes, name=tr("Graph as a table"))
        head = self.horizontalHeader()
        head.setSectionsClickable(True)
        head.setSortIndicatorClearable(True)
        head.setSortIndicatorShown(True)
        head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        head.sortIndicatorChanged.connect(lambda *_: self._sort())

    def _columns(self) -> tuple[Column[GraphNode], ...]:
        return (
            Column(title=tr("Kind"), text=kind_word, width=134, paint=self._paint_kind),
            Column(
                title=tr("Title"),
                text=lambda n: n.title,
                token=_ink,
                italic=lambda n: n.past,
                tip=lambda n: plain(n.title),
            ),
            Column(title=tr("Channel"), text=lambda n: n.channel, width=124, paint=self._paint_channel),
            Column(title=tr("Reached from"), text=self._from, width=150, tip=lambda n: plain(self._from(n))),
            Column(title=tr("Confidence"), text=lambda n: f"{n.confidence:.2f}", width=90, numeric=True),
            Column(title=tr("Salience"), text=lambda n: f"{n.salience:.2f}", width=84, numeric=True),
            Column(title=tr("Hop"), text=lambda n: str(n.hop), width=66, numeric=True),
        )  # fmt: skip

    def _from(self, node: GraphNode) -> str:
        parent = self._scene.nodes.get(node.parent or "") if self._scene is not None else None
        return "" if parent is None else parent.title

    def _number(self, node: GraphNode) -> int:
        return self._scene.numbers.get(node.channel, 0) if self._scene is not None else 0

    def _paint_kind(self, painter: QPainter, area: QRectF, node: GraphNode, state: RowState) -> None:
        tone, _ = look.channel_color(self._number(node))
        shape = QRectF(area.x(), round(area.center().y() - SHAPE_PX / 2), SHAPE_PX, SHAPE_PX)
        icons.kind_shape(painter, shape, category(node), tone, fill(node.confidence))
        draw_text(painter, area.adjusted(SHAPE_PX + 8, 0, 0, 0), kind_word(node), look.font(12), c("t2"))

    def _paint_channel(self, painter: QPainter, area: QRectF, node: GraphNode, state: RowState) -> None:
        channel(painter, area, node.channel, self._number(node))

    def show_scene(self, scene: Scene, reading: tuple[str, ...]) -> None:
        """Show a scene's nodes; the row that was chosen stays chosen."""
        self._scene = scene
        self._place = {id: place for place, id in enumerate(reading)}
        self._sort()

    def choose_node(self, id: str | None) -> None:
        """Choose the row of a record, without a signal."""
        place = next((place for place, node in enumerate(self.nodes.rows()) if node.id == id), None)
        silent = self.blockSignals(True)
        if place is not None:
            self.choose(place)
        self.blockSignals(silent)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the column “Reached from” in a narrow table, as titles need its room."""
        super().resizeEvent(event)
        self.setColumnHidden(REACHED_FROM, self.width() < REACHED_FROM_PX)

    def _sort(self) -> None:
        if self._scene is None:
            return
        chosen = self.record()
        head = self.horizontalHeader()
        section, down = head.sortIndicatorSection(), head.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder
        nodes = sorted(self._scene.graph.nodes, key=lambda node: self._place.get(node.id, -1))
        key = self._key(section)
        self.nodes.set_rows(nodes if key is None else sorted(nodes, key=key, reverse=down))
        self.choose_node(chosen.id if chosen is not None else None)

    def _key(self, section: int) -> Key | None:
        keys: tuple[Key, ...] = (
            kind_word,
            lambda node: node.title.casefold(),
            lambda node: node.channel,
            lambda node: self._from(node).casefold(),
            lambda node: node.confidence,
            lambda node: node.salience,
            lambda node: node.hop,
        )
        return keys[section] if 0 <= section < len(keys) else None


def _ink(node: GraphNode) -> str:
    return "t3" if node.past else "t1"
