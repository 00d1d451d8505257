"""Start page of the graph: a field to find its centre, and cards of suggested memories."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QSizePolicy, QWidget

from memdesk.gui import icons, look
from memdesk.gui.graph.finder import Finder
from memdesk.gui.graph.rows_painter import category, fill
from memdesk.gui.graph.telling import kind_word, said, tip
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.widgets import Text, column, ring_on_focus, row
from memdesk.gui.widgets.paint import box, channel_square, draw_text
from memdesk.model.graph import GraphNode

CARD_HEIGHT_PX = 54
CARD_MOST_PX = 360
COLUMNS = 2
FIELD_PX = 430


class Card(QAbstractButton):
    """Card of a memory to begin with: its shape and name, its channel and kind. Pressing it makes it the
    centre."""

    def __init__(self, node: GraphNode, number: int) -> None:
        super().__init__()
        self._node, self._number = node, number
        self.setFixedHeight(CARD_HEIGHT_PX)
        self.setMaximumWidth(CARD_MOST_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(said(node))
        self.setToolTip(tip(node))

    def set_number(self, number: int) -> None:
        """Change the channel colour."""
        self._number = number
        self.update()

    def sizeHint(self) -> QSize:
        """Return a size wide enough for a name."""
        return QSize(CARD_MOST_PX, CARD_HEIGHT_PX)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the card with Enter, as Space does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus ring when the keyboard brought the focus."""
        super().focusInEvent(event)
        ring_on_focus(self, event.reason(), radius=6)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the card."""
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
            Text(tr("Choose what the graph should be around."), 13, "t1", weight=500), self.finder, 12, self._most,
            row(self._grid, None, gap=0), None, gap=10, margins=(20, 20, 20, 20),
        )  # fmt: skip
        self.setLayout(body)

    def show_suggestions(self, nodes: Sequence[GraphNode]) -> None:
        """Show these nodes as cards."""
        self._nodes = tuple(nodes)
        for card in self.cards:
            self._grid.removeWidget(card)
            card.deleteLater()
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
