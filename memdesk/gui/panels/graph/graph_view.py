"""Graph drawing: one surface that paints a scene, scrolls and scales it, and moves the rows from one arrangement to the
next. The canvas handles pointer and keys."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, fields, replace

from PySide6.QtCore import QEasingCurve, QObject, QPointF, QRectF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame

from memdesk.gui import look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.panels.graph.graph_data import NOTHING, Marks, Opened, Scene
from memdesk.gui.panels.graph.graph_edges import paint_edges
from memdesk.gui.panels.graph.graph_layout import (
    LEFT,
    PILL_HEIGHT_PX,
    RIGHT,
    ROW_PX,
    Arrangement,
    PlacedScene,
    Spot,
    place_scene,
)
from memdesk.gui.panels.graph.graph_rows import (
    MAP_FROM_VIEWS,
    Drag,
    MiniMap,
    full_description,
    paint_drag,
    paint_pill,
    paint_rows,
    pill_area,
)
from memdesk.gui.widgets import Control
from memdesk.gui.widgets.paint import CENTER, Fade, draw_text

TURN_MS = 220
MOVED_AT_MOST = 400
"""Greatest number of rows that move; a larger drawing changes at once."""


def appearing(before: Arrangement, after: Arrangement) -> frozenset[str]:
    """Return the rows, and the channels of regions, that do not move to a drawing but appear in it: new ones,
    and those that change their column, whose words change direction."""
    then, now = _sides(before), _sides(after)
    return frozenset(name for name, side in now.items() if then.get(name) != side)


def _sides(arrangement: Arrangement) -> dict[str, int]:
    """Return the column of each channel and of each row."""
    rows = {id: spot.side for id, spot in arrangement.spots.items()}
    return rows | {region.channel: region.side for region in arrangement.regions}


@dataclass(frozen=True, kw_only=True, eq=False)
class Moving(Arrangement):
    """Arrangement between two others."""

    before: Arrangement
    after: Arrangement

    def in_band(self, top: float, bottom: float) -> list[Spot]:
        """Return the rows that are between two heights at the begin or at the end of the transition."""
        ends = (spot.id for each in (self.after, self.before) for spot in each.in_band(top, bottom))
        return [self.spots[id] for id in dict.fromkeys(ends) if id in self.spots]


def interpolate(before: Arrangement, after: Arrangement, share: float, new: Set[str]) -> Arrangement:
    """Return the drawing in transition from one arrangement to another, share from 0 to 1. new: the rows and
    channels that are at their final places."""
    boxes = {region.channel: region.box for region in before.regions}
    final = {field.name: getattr(after, field.name) for field in fields(Arrangement)}
    regions = tuple(
        region
        if region.channel in new
        else replace(region, box=_mid_box(boxes[region.channel], region.box, share))
        for region in after.regions
    )
    spots = {
        id: spot if id in new else _mid_spot(before.spots[id], spot, share)
        for id, spot in after.spots.items()
    }
    moved = {
        "middle": _mid(before.middle, after.middle, share),
        "pill": _mid(before.pill, after.pill, share),
        "regions": regions,
        "spots": spots,
    }
    return Moving(**(final | moved), before=before, after=after)


def _mid_spot(before: Spot, after: Spot, share: float) -> Spot:
    return replace(
        after,
        shape=QPointF(before.shape + (after.shape - before.shape) * share),
        area=_mid_box(before.area, after.area, share),
        label=_mid_box(before.label, after.label, share),
    )


def _mid_box(before: QRectF, after: QRectF, share: float) -> QRectF:
    return QRectF(
        _mid(before.x(), after.x(), share),
        _mid(before.y(), after.y(), share),
        _mid(before.width(), after.width(), share),
        _mid(before.height(), after.height(), share),
    )


def _mid(before: float, after: float, share: float) -> float:
    return before + (after - before) * share


class Transition(QObject):
    """Transition from one arrangement to another in 220 ms. `moved` asks for a repaint; with reduced motion
    it never runs."""

    moved = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._before: Arrangement | None = None
        self._pill_before = 0.0
        self._share = 1.0
        self.new: frozenset[str] = frozenset()
        self._run = QVariantAnimation(self)
        self._run.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._run.setStartValue(0.0)
        self._run.setEndValue(1.0)
        self._run.valueChanged.connect(self._go_on)

    @property
    def is_running(self) -> bool:
        """True while rows are moving."""
        return self._share < 1.0

    @property
    def share(self) -> float:
        """Progress, 0 to 1; also the opacity of the rows and channels in `new`, which appear."""
        return self._share

    def start(self, before: Arrangement, after: Arrangement, pill_y: float) -> None:
        """Begin at the places of an arrangement, with the pill at this height."""
        self.stop()
        lasts_ms = look.motion_ms(TURN_MS)
        if lasts_ms and max(len(before.spots), len(after.spots)) <= MOVED_AT_MOST:
            self._before, self._pill_before = before, pill_y
            self.new, self._share = appearing(before, after), 0.0
            self._run.setDuration(lasts_ms)
            self._run.start()

    def stop(self) -> None:
        """Jump to the end."""
        self._run.stop()
        self._share, self.new = 1.0, frozenset()

    def _go_on(self, share: float) -> None:
        self._share = share
        self.moved.emit()

    def arrangement(self, after: Arrangement) -> Arrangement:
        if not self.is_running or self._before is None:
            return after
        return interpolate(self._before, after, self._share, self.new)

    def pill_y(self, after: float) -> float:
        """Return the pill's height at this moment."""
        return _mid(self._pill_before, after, self._share) if self.is_running else after


def transition_start(before: Arrangement, old: str, new: str, old_at: QPointF) -> tuple[Arrangement, float]:
    """Return the start of a transition to another centre, as the arrangement and the pill's height: the old
    centre is a row at the place of its pill, and the pill is at the new centre's row."""
    pill = pill_area(before, old_at)
    side = LEFT if old_at.x() < before.width / 2 else RIGHT
    row = Spot(id=old, area=pill, shape=old_at, label=pill, side=side, depth=0, parent=None)
    from_row = before.spots.get(new)
    middle = before.middle if from_row is None else from_row.shape.x()
    height = old_at.y() if from_row is None else from_row.shape.y()
    return replace(before, spots={**before.spots, old: row}, middle=middle), height


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
