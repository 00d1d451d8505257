"""Graph drawing: one surface that paints a scene, scrolls and scales it. The canvas handles pointer and
keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame

from memdesk.gui import look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.panels.graph.graph_data import NOTHING, Marks, Opened, Scene
from memdesk.gui.panels.graph.graph_edges import paint_edges
from memdesk.gui.panels.graph.graph_layout import PILL_HEIGHT_PX, ROW_PX, PlacedScene, place_scene
from memdesk.gui.panels.graph.graph_overlays import MAP_FROM_VIEWS, MiniMap
from memdesk.gui.panels.graph.graph_rows import Drag, paint_drag, paint_pill, paint_rows, pill_area
from memdesk.gui.panels.graph.graph_transition import Fade, Transition, transition_start
from memdesk.gui.panels.graph.labels import full_description
from memdesk.gui.widgets import Control
from memdesk.gui.widgets.paint import CENTER, draw_text

SCALE_LEAST = 0.6
SCALE_MOST = 1.5
SCALE_STEP = 1.1


class GraphView(QAbstractScrollArea):
    """View of a Scene. `more` is the button below the centre, shown while some of its surroundings are left
    out.

    alone: the text below a centre without rows."""

    def __init__(self) -> None:
        super().__init__()
        self._placed: PlacedScene | None = None
        self._channels: tuple[str, ...] = ()
        self._selected: str | None = None
        self._hovered: str | None = None
        self._opened: Opened = {}
        self._by_keyboard = False
        self.alone = ""
        self._scale = 1.0
        self._carry: Drag | None = None
        self._turn, self._fade = Transition(self), Fade(self)
        self.more = Control("button", tr("Show more"), small=True, parent=self.viewport())
        self.map = MiniMap(self.viewport())
        self.map.moved.connect(self._look_at)
        self._shape()
        self._wire()

    def _shape(self) -> None:
        self.setProperty("canvas", True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.verticalScrollBar().setSingleStep(ROW_PX)
        self.setAccessibleName(tr("Graph"))
        self.more.hide()

    def _wire(self) -> None:
        self._turn.moved.connect(self._turned)
        self._fade.moved.connect(self.viewport().update)
        self.verticalScrollBar().valueChanged.connect(lambda _: self._scrolled())
        look.themed.changed.connect(self.viewport().update)

    # What is shown.

    def show_scene(
        self, scene: Scene, channels: Sequence[str], opened: Opened, fresh: frozenset[str]
    ) -> None:
        """Show a scene. Rows that stay keep their place; rows that move do so in 220 ms. Another centre
        begins at the top.

        channels: the order of regions. opened: rows whose neighbours were added. fresh: rows to tint as new.
        """
        before = self._placed
        self._channels, self._opened = tuple(channels), opened
        old_pill = self._center_point()
        self._lay_out(scene)
        self._selected = self._selected if self._selected in scene.nodes else None
        self._hovered = None
        if before is not None and self.isVisible():
            self._begin_turn(before, old_pill)
        if before is None or before.center != scene.graph.center:
            self.verticalScrollBar().setValue(0)
        if fresh:
            self._fade.start(fresh)
        self._say()

    def _lay_out(self, scene: Scene) -> None:
        view = self.viewport().size()
        size = (view.width() / self._scale, view.height() / self._scale)
        self._placed = place_scene(scene, size, self._channels, self._placed)
        self._set_range()
        self._place_more()
        self._place_map()
        self.viewport().update()

    def _begin_turn(self, before: PlacedScene, old_pill: QPointF) -> None:
        assert self._placed is not None
        start, pill_y = before.arrangement, old_pill.y()
        if before.center != self._placed.center:
            start, pill_y = transition_start(start, before.center, self._placed.center, old_pill)
        if not start.looks_like(self._placed.arrangement):
            self._turn.start(start, self._placed.arrangement, pill_y)
            self._place_more()

    @property
    def placed(self) -> PlacedScene | None:
        """Scene with its layout, None before the first scene."""
        return self._placed

    def selected(self) -> str | None:
        """Return the id of the chosen row or centre."""
        return self._selected

    def reading(self) -> tuple[str, ...]:
        """Return the ids of the rows in reading order."""
        return () if self._placed is None else self._placed.arrangement.reading

    def select(self, id: str | None) -> None:
        """Choose a row or the centre and bring it into view; None clears the choice."""
        if self._placed is None or (id is not None and id not in self._placed.scene.nodes):
            return
        self._selected = id
        if id is not None:
            self._bring_into_view(id)
        self.viewport().update()
        self._say()

    def _hover(self, id: str | None) -> None:
        if id != self._hovered:
            self._hovered = id
            self.viewport().update()

    def _say(self) -> None:
        """Describe the graph and the chosen row for a screen reader. T shows the graph as a table."""
        if self._placed is None:
            return
        scene = self._placed.scene
        self.setAccessibleName(
            tr(
                "Graph around {title}, {counted}. T shows it as a table.",
                title=scene.center.title,
                counted=scene.counted,
            )
        )
        node = scene.nodes.get(self._selected or "")
        self.setAccessibleDescription(
            "" if node is None else full_description(node, self._opened.get(node.id, NOTHING))
        )

    # Scale and scroll.

    def fit(self) -> None:
        """Scale the drawing down so that all of it is visible, within limits; if it is scaled already, return
        to full size."""
        if self._placed is None:
            return
        share = self.viewport().height() / self._placed.arrangement.height
        self.set_scale(1.0 if self._scale != 1.0 else share)

    def set_scale(self, scale: float) -> None:
        """Change the scale, within limits that keep words readable."""
        self._scale = min(SCALE_MOST, max(SCALE_LEAST, scale))
        if abs(self._scale - 1.0) < (SCALE_STEP - 1) / 2:
            self._scale = 1.0
        self._turn.stop()
        if self._placed is not None:
            self._lay_out(self._placed.scene)

    @property
    def scale_now(self) -> float:
        """Present scale, 1 for full size."""
        return self._scale

    def _set_range(self) -> None:
        assert self._placed is not None
        view = self.viewport().height() / self._scale
        bar = self.verticalScrollBar()
        bar.setPageStep(round(view))
        bar.setRange(0, max(0, round(self._placed.arrangement.height - view)))

    def _scrolled(self) -> None:
        self._hover(None)
        self._place_map()
        self.viewport().update()

    def _bring_into_view(self, id: str) -> None:
        area = self._placed.area(id) if self._placed is not None else None
        if area is None:
            return
        bar, view = self.verticalScrollBar(), self.viewport().height() / self._scale
        if area.top() - ROW_PX < bar.value():
            bar.setValue(round(area.top() - ROW_PX))
        elif area.bottom() + ROW_PX > bar.value() + view:
            bar.setValue(round(area.bottom() + ROW_PX - view))

    def _center_point(self) -> QPointF:
        """Return the middle of the centre: it stays in the middle of the view, so that every edge keeps its
        root."""
        if self._placed is None:
            return QPointF()
        view = self.viewport().height() / self._scale
        y = self.verticalScrollBar().value() + view / 2
        arrangement = self._turn.arrangement(self._placed.arrangement)
        return QPointF(arrangement.middle, self._turn.pill_y(y))

    def _place_more(self) -> None:
        """Place the button below the pill, shown if rows are left out."""
        assert self._placed is not None
        scene = self._placed.scene
        self.more.setVisible(scene.left_out > 0 and not self._turn.is_running)
        size = self.more.sizeHint()
        x = self._placed.arrangement.middle * self._scale - size.width() / 2
        y = self.viewport().height() / 2 + (PILL_HEIGHT_PX / 2 + 8) * self._scale
        self.more.setGeometry(round(x), round(y), size.width(), size.height())

    def _place_map(self) -> None:
        """Place the map at the foot of the gutter, where no words are, shown if the drawing is higher than
        the view and the map does not reach the pill in the middle."""
        assert self._placed is not None
        arrangement = self._placed.arrangement
        self.map.show_arrangement(arrangement, self._placed.scene.numbers, self._view())
        x = arrangement.middle * self._scale - self.map.width() / 2
        self.map.move(round(x), self.viewport().height() - self.map.height() - 8)
        high = self.viewport().height() / self._scale
        free = self.map.y() > self.viewport().height() / 2 + PILL_HEIGHT_PX * self._scale
        self.map.setVisible(arrangement.height > MAP_FROM_VIEWS * high and free)

    def _look_at(self, y: float) -> None:
        """Scroll a height of the drawing to the middle of the view."""
        self.verticalScrollBar().setValue(round(y - self.viewport().height() / self._scale / 2))

    def _turned(self) -> None:
        self._place_more()
        self.viewport().update()

    # Painting.

    def _marks(self) -> Marks:
        assert self._placed is not None
        return Marks(
            selected=self._selected,
            hovered=self._hovered,
            fades=self._fade.shares(),
            opened=self._opened,
            focused=self._by_keyboard and self.hasFocus(),
            appearing=self._turn.new,
            appeared_share=self._turn.share,
        )

    def _view(self) -> tuple[float, float]:
        """Return top and foot of the visible part, in the drawing."""
        top = self.verticalScrollBar().value()
        return top, top + self.viewport().height() / self._scale

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows in view, the edges over them, the pill over both."""
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), c("stage"))
        if self._placed is None:
            return
        scene, marks, view = self._placed.scene, self._marks(), self._view()
        arrangement = self._turn.arrangement(self._placed.arrangement)
        painter.scale(self._scale, self._scale)
        painter.translate(0, -view[0])
        paint_rows(painter, scene, arrangement, marks, view)
        center = self._center_point()
        paint_edges(painter, scene, arrangement, marks, center, view)
        paint_pill(painter, scene, pill_area(arrangement, center), marks)
        if not arrangement.spots:
            self._paint_alone(painter, center)
        if self._carry is not None:
            paint_drag(painter, self._placed, self._carry, center)

    def _paint_alone(self, painter: QPainter, center: QPointF) -> None:
        area = QRectF(center.x() - 240, center.y() + PILL_HEIGHT_PX / 2 + 12, 480, 20)
        draw_text(painter, area, self.alone, look.font(12), c("t2"), CENTER)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the drawing for the new size."""
        super().resizeEvent(event)
        if self._placed is not None:
            self._turn.stop()
            self._lay_out(self._placed.scene)

    def sizeHint(self) -> QSize:
        """Return room for two columns."""
        return QSize(900, 480)

    def minimumSizeHint(self) -> QSize:
        """Return a size small enough for half a split stage."""
        return QSize(320, 160)
