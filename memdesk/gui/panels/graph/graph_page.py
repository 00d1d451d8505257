"""Page of a graph: the drawing or its table, the legend and the time brush below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from memdesk.gui import formatting, icons, look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.panels.graph.graph_canvas import Canvas
from memdesk.gui.panels.graph.graph_data import Fetched, Scene, build_scene
from memdesk.gui.panels.graph.graph_edges import Legend
from memdesk.gui.panels.graph.graph_rows import category, fill, kind_word, short_description, tip
from memdesk.gui.panels.graph.time_brush import Brush
from memdesk.gui.session import Session
from memdesk.gui.shell.finder import Finder
from memdesk.gui.widgets import (
    Column,
    RowsModel,
    RowState,
    Table,
    Text,
    column,
    pages,
    remove_widgets,
    row,
    span,
)
from memdesk.gui.widgets.control import Pressable
from memdesk.gui.widgets.paint import box, channel, channel_square, draw_text
from memdesk.gui.widgets.text import excerpt, tip_text
from memdesk.model.graph import GraphNode

SHAPE_PX = 11
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
            Column(tr("Kind"), kind_word, width=134, paint=self._paint_kind),
            Column(
                tr("Title"),
                lambda n: tr("Contradicted: {title}", title=n.title) if n.question else n.title,
                token=_ink,
                italic=lambda n: n.past,
                tip=lambda n: tip_text(n.title),
            ),
            Column(tr("Channel"), lambda n: n.channel, width=124, paint=self._paint_channel),
            Column(
                tr("Reached from"),
                self._from,
                width=150,
                tip=lambda n: tip_text(self._from(n)),
                hidden_below=REACHED_FROM_PX,
            ),
            Column(tr("Confidence"), lambda n: f"{n.confidence:.2f}", width=90, numeric=True),
            Column(tr("Salience"), lambda n: f"{n.salience:.2f}", width=84, numeric=True),
            Column(tr("Hop"), lambda n: str(n.hop), width=66, numeric=True),
        )

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
        with QSignalBlocker(self):
            if place is not None:
                self.choose(place)

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
    return "t3" if node.past else "warn" if node.question else "t1"


CARD_HEIGHT_PX = 54
CARD_MOST_PX = 360
COLUMNS = 2
FIELD_PX = 430


class Card(Pressable):
    """Card of a memory to begin with: its shape and name, its channel and kind. Pressing it makes it the
    centre."""

    RING_RADIUS_PX = 6

    def __init__(self, node: GraphNode, number: int) -> None:
        super().__init__()
        self._node, self._number = node, number
        self.setFixedHeight(CARD_HEIGHT_PX)
        self.setMaximumWidth(CARD_MOST_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(short_description(node))
        self.setToolTip(tip(node))

    def set_number(self, number: int) -> None:
        self._number = number
        self.update()

    def sizeHint(self) -> QSize:
        """Return a size wide enough for a name."""
        return QSize(CARD_MOST_PX, CARD_HEIGHT_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, node = QPainter(self), self._node
        ground = "press" if self.isDown() else "hover" if self.underMouse() else "panel"
        box(painter, QRectF(self.rect()), 6, c(ground), c("line2" if self.underMouse() else "line"))
        tone, _ = look.channel_color(self._number)
        icons.kind_shape(painter, QRectF(16, 11, 14, 14), category(node), tone, fill(node.confidence))
        words = QRectF(44, 8, self.width() - 60, 20)
        draw_text(painter, words, node.title, look.font(13, 500), c("t1"))
        channel_square(painter, QPointF(44, 34), self._number)
        below = QRectF(58, 29, self.width() - 74, 18)
        draw_text(painter, below, f"{node.channel} · {kind_word(node)}", look.font(12), c("t3"))


class Start(QWidget):
    """Page without a centre. The signal `chosen` carries the id of the memory to begin with."""

    chosen = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.finder = Finder(session, placeholder=tr("Find an entity or a fact"), width=FIELD_PX)
        self.finder.chosen.connect(self.chosen)
        self.cards: tuple[Card, ...] = ()
        self._nodes: tuple[GraphNode, ...] = ()
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(12)
        for place in range(COLUMNS):
            self._grid.setColumnMinimumWidth(place, 120)
        self._most = Text(tr("Most talked of"), 12, "t2", weight=600)
        body = column(
            Text(tr("Choose what the graph should be around."), 13, "t1", weight=500),
            self.finder,
            12,
            self._most,
            row(self._grid, None, gap=0),
            None,
            gap=10,
            margins=(20, 20, 20, 20),
        )
        self.setLayout(body)

    def show_suggestions(self, nodes: Sequence[GraphNode]) -> None:
        self._nodes = tuple(nodes)
        remove_widgets(self._grid)
        self.cards = tuple(self._card(node) for node in nodes)
        for place, card in enumerate(self.cards):
            self._grid.addWidget(card, place // COLUMNS, place % COLUMNS)
        self._most.setVisible(bool(nodes))

    def recolour(self) -> None:
        """Update the channels' colours to those known now."""
        for card, node in zip(self.cards, self._nodes, strict=True):
            card.set_number(self._session.channel_number(node.channel))

    def _card(self, node: GraphNode) -> Card:
        card = Card(node, self._session.channel_number(node.channel))
        card.clicked.connect(lambda: self.chosen.emit(node.id))
        return card


TITLE_LETTERS = 48
PLAIN_BELOW_PX = 860
"""Width of the panel in px below which the heading has one tone: only plain text ends in an ellipsis."""


def show_heading(said: Text, node: GraphNode, wide_px: int) -> None:
    """Show the centre of the graph in the heading, to fit a panel of this width."""
    whole = heading_plain(node)
    if wide_px < PLAIN_BELOW_PX:
        said.setText(whole)
    else:
        said.set_markup(lambda: heading(node), whole)
    said.setToolTip(tip_text(whole))


def heading(node: GraphNode) -> str:
    """Return the heading as rich text: “around PostgreSQL · technology”."""
    title = excerpt(node.title, TITLE_LETTERS)
    before, _, after = tr("around {title}").partition("{title}")
    return span(before, "t2") + span(title, "t1", weight=500) + span(f"{after} · {kind_word(node)}", "t3")


def heading_plain(node: GraphNode) -> str:
    """Return the heading for a screen reader and the tool tip, uncut, and with the day it was first seen."""
    around = tr("around {title}", title=node.title)
    seen = tr("first seen {day}", day=formatting.day(node.created_at))
    return f"{around} · {kind_word(node)} · {seen}"


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
        self._views = pages(self.canvas, self.table)
        parts = column(self._views, self.legend, self.brush, gap=0, stretch=self._views)
        self.setLayout(parts)
        self.canvas.picked.connect(self.picked)
        self.canvas.entered.connect(self.entered)
        self.table.picked.connect(self._picked_in_table)
        self.table.clicked.connect(lambda _: self._picked_in_table(self.table.record()))
        self.table.opened.connect(lambda node: self.entered.emit(node.id))

    def show_fetched(self, it: Fetched, numbers: Mapping[str, int], *, is_news: bool) -> None:
        """Show a graph. numbers: colour numbers of its channels. is_news: True to tint new rows."""
        before, self.scene = self.scene, build_scene(it.graph, numbers, it.opened)
        fresh = (
            frozenset(self.scene.nodes.keys() - before.nodes.keys()) if is_news and before else frozenset()
        )
        self.canvas.alone = (
            tr("Nothing around it passes these filters.")
            if it.query.narrows
            else tr("Nothing is connected to it yet.")
        )
        opened = {id: it.hidden(id) for id in it.opened if id in self.scene.nodes}
        self.canvas.show_scene(self.scene, in_order(numbers), opened, fresh)
        if self.shows_table:
            self.table.show_scene(self.scene, self.canvas.reading())
        self.brush.show_births(it.born, date.today())

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

    def _picked_in_table(self, node: GraphNode | None) -> None:
        if node is None:
            return
        self.canvas.select(node.id)
        self.picked.emit(node.id)


def in_order(numbers: Mapping[str, int]) -> Sequence[str]:
    """Return the channels in the order of their colour numbers, `_global` first."""
    return sorted(numbers, key=lambda channel: (numbers[channel], channel))
