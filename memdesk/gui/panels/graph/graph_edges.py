"""Painter of edges: their strokes, their paths through the gutter, and the path of the selected row. And the legend of
lines and shapes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui import icons, look
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.panels.graph.graph_data import LEGEND, LINEAGE, Marks, Scene
from memdesk.gui.panels.graph.graph_layout import Arrangement, Spot
from memdesk.gui.terms import relation_words, term
from memdesk.gui.widgets.explaining import explain_terms
from memdesk.gui.widgets.paint import LEFT, draw_text, text_width
from memdesk.model.entity import ABOUT, PROMOTED_FROM, SUPERSEDES
from memdesk.model.graph import GraphEdge, GraphNode

CORNER_PX = 6
HEAD_LENGTH_PX = 8.0
HEAD_HALF_PX = 3.6
CLEAR_PX = 3.0
"""Gap between a shape and the end of a line."""
LANE_PX = 26.0
LANES = 5
LANE_STEP_PX = 7.0
SHAPE_LEAST_PX = 9.0
SHAPE_GROWS_PX = 9.0
HALO_RADIUS_PX = 11.0
QUIET_SHARE = 0.6
LINE_PX = 1.2
TONE_PX = 1.6
PATH_PX = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """Style of an edge. dash: lengths in px, () for solid. tone: a token; empty for the quiet line.

    arrow: the end of the relation that has an arrowhead, "source" or "target"."""

    dash: tuple[float, ...] = ()
    tone: str = ""
    arrow: str = ""


SOLID = Stroke()
DASHED = Stroke(dash=(5.0, 4.0))
STROKES: dict[str, Stroke] = {
    PROMOTED_FROM: Stroke(tone="acc", arrow="source"),
    SUPERSEDES: Stroke(tone="warn", arrow="target"),
    "PART_OF": Stroke(dash=(1.5, 3.5)),
    ABOUT: SOLID,
}
"""Types with a stroke of their own, the most important first; all others are dashed as RELATED_TO is.

A promotion points at the copy in `_global`, the way the claim went; a supersession points at the past claim.
"""


def stroke(type: str) -> Stroke:
    return STROKES.get(type, DASHED)


def pen(stroke: Stroke, *, on_path: bool = False, quiet: bool = False) -> QPen:
    """Return the pen of a stroke, shared and so never changed. on_path: it leads from the selected row to the
    centre. quiet: neither end is selected or hovered, and there may be many of its kind."""
    return _pen(stroke, on_path, color(stroke, on_path=on_path, quiet=quiet).rgb())


@lru_cache(maxsize=64)
def _pen(stroke: Stroke, on_path: bool, rgb: int) -> QPen:
    made = QPen(QColor(rgb), PATH_PX if on_path else TONE_PX if stroke.tone else LINE_PX)
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    if stroke.dash:
        # Qt counts dashes in pen widths.
        made.setDashPattern([length / made.widthF() for length in stroke.dash])
    return made


def color(stroke: Stroke, *, on_path: bool = False, quiet: bool = False) -> QColor:
    if on_path:
        return c("acc")
    if stroke.tone:
        return c(stroke.tone)
    return c("line2") if quiet else _half(look.token("t3"), look.token("stage"))


@lru_cache(maxsize=8)
def _half(over: str, ground: str) -> QColor:
    """Return the colour of a line without a tone: quieter than any text."""
    return look.mix(QColor(over), QColor(ground), QUIET_SHARE)


def radius(node: GraphNode) -> float:
    """Return half the size of a node's shape, in px. Its area, not its width, follows salience, as the eye
    compares areas."""
    return float((SHAPE_LEAST_PX + SHAPE_GROWS_PX * max(0.0, min(1.0, node.salience)) ** 0.5) / 2)


def anchor(spot: Spot, radius: float) -> QPointF:
    """Return the point where an edge from the gutter meets a row: next to its shape, on the side of the
    centre."""
    return spot.shape - QPointF(spot.side * (radius + CLEAR_PX), 0)


def spoke(at: QPointF, spot: Spot, center: QPointF, pill: float) -> QPainterPath:
    """Return the path from the centre to a row: horizontal at the row, and leaving the pill towards it."""
    start = QPointF(center.x() + spot.side * pill * 0.24, center.y())
    wide = at.x() - start.x()
    path = QPainterPath(start)
    bend = QPointF(start.x() + wide * 0.24, center.y() + (at.y() - center.y()) * 0.5)
    path.cubicTo(bend, QPointF(start.x() + wide * 0.5, at.y()), at)
    return path


def bridge(
    one: tuple[QPointF, Spot], other: tuple[QPointF, Spot], arrangement: Arrangement, lane: int
) -> QPainterPath:
    """Return the path between rows of different regions, through a lane of the gutter next to the pill."""
    (start, here), (end, there) = one, other
    off = LANE_PX + lane % LANES * LANE_STEP_PX
    if here.side == there.side:
        x = min(start.x(), end.x()) - off if here.side > 0 else max(start.x(), end.x()) + off
    else:
        x = arrangement.middle - arrangement.pill / 2 - off
    path = QPainterPath(start)
    path.cubicTo(QPointF(x, start.y()), QPointF(x, end.y()), end)
    return path


def elbow(parent: Spot, child: Spot, radii: tuple[float, float]) -> QPainterPath:
    """Return the path from a row to one indented under it: down from the parent's shape, round the corner, to
    the child's shape."""
    x, y = parent.shape.x(), child.shape.y()
    end = child.shape.x() - child.side * (radii[1] + CLEAR_PX)
    path = QPainterPath(QPointF(x, parent.shape.y() + radii[0] + CLEAR_PX))
    if abs(end - x) <= CORNER_PX:
        path.lineTo(QPointF(x, y - radii[1] - CLEAR_PX))
        return path
    path.lineTo(QPointF(x, y - CORNER_PX))
    path.quadTo(QPointF(x, y), QPointF(x + child.side * CORNER_PX, y))
    path.lineTo(QPointF(end, y))
    return path


def arrowhead(painter: QPainter, path: QPainterPath, color: QColor, *, at_start: bool) -> None:
    """Paint a filled arrowhead at one end of a path, along the path's own direction there."""
    tip = path.pointAtPercent(0.0 if at_start else 1.0)
    share = path.percentAtLength(HEAD_LENGTH_PX)
    back = path.pointAtPercent(share if at_start else 1.0 - share)
    angle = math.atan2(tip.y() - back.y(), tip.x() - back.x())
    along = QPointF(math.cos(angle), math.sin(angle))
    across = QPointF(-along.y(), along.x()) * HEAD_HALF_PX
    bottom = tip - along * HEAD_LENGTH_PX
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawPolygon(QPolygonF([tip, bottom + across, bottom - across]))


def paint_edges(
    painter: QPainter,
    scene: Scene,
    arrangement: Arrangement,
    marks: Marks,
    center: QPointF,
    view: tuple[float, float],
) -> None:
    """Paint the edges of the rows in view, then the path from the selected row to the centre over them.

    view: its top and foot in the drawing. Edges to rows outside the view are left out, as they would only
    crowd around the centre."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    seen = [spot.id for spot in arrangement.in_band(*view) if view[0] <= spot.shape.y() <= view[1]]
    for id in seen:
        edge = scene.spokes.get(id)
        if edge is not None:
            painter.setOpacity(marks.opacity(id))
            _paint(painter, _spoke(scene, arrangement, id, marks, center), stroke(edge.type), edge, row=id)
    painter.setOpacity(1.0)
    _paint_bridges(painter, scene, arrangement, marks, seen)
    if marks.selected is not None:
        _paint_path(painter, scene, arrangement, marks, center)


def _spot_radius(scene: Scene, marks: Marks, id: str) -> float:
    """Return the radius of a shape, with the ring of a selected one."""
    return HALO_RADIUS_PX - CLEAR_PX if id == marks.selected else radius(scene.nodes[id])


def _end(scene: Scene, arrangement: Arrangement, marks: Marks, id: str) -> tuple[QPointF, Spot]:
    spot = arrangement.spots[id]
    return anchor(spot, _spot_radius(scene, marks, id)), spot


def _spoke(scene: Scene, arrangement: Arrangement, id: str, marks: Marks, center: QPointF) -> QPainterPath:
    at, spot = _end(scene, arrangement, marks, id)
    return spoke(at, spot, center, arrangement.pill)


def _paint(
    painter: QPainter,
    path: QPainterPath,
    drawn: Stroke,
    edge: GraphEdge,
    *,
    row: str = "",
    quiet: bool = False,
) -> None:
    """Paint one edge. Its path runs from source to target, or from the centre to `row`."""
    painter.setPen(pen(drawn, quiet=quiet))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)
    if drawn.arrow:
        tip = edge.source if drawn.arrow == "source" else edge.target
        arrowhead(painter, path, color(drawn), at_start=tip != row if row else tip == edge.source)


def _paint_bridges(
    painter: QPainter, scene: Scene, arrangement: Arrangement, marks: Marks, seen: list[str]
) -> None:
    """Paint edges between regions; those that are not lineage only at the selected or hovered row."""
    looked_at = {marks.selected, marks.hovered}
    for lane, edge in sorted({tie.lane: tie.edge for id in seen for tie in scene.ties.get(id, ())}.items()):
        pair = {edge.source, edge.target}
        if not _is_bridge(scene, arrangement, edge, near=bool(pair & looked_at)):
            continue
        painter.setOpacity(min(marks.opacity(edge.source), marks.opacity(edge.target)))
        one, other = (_end(scene, arrangement, marks, id) for id in (edge.source, edge.target))
        path = bridge(one, other, arrangement, lane)
        _paint(painter, path, stroke(edge.type), edge, quiet=not pair & looked_at)
    painter.setOpacity(1.0)


def _is_bridge(scene: Scene, arrangement: Arrangement, edge: GraphEdge, *, near: bool) -> bool:
    """Return True if an edge is painted between regions now: not if one row is indented under the other, as
    an elbow connects them."""
    for one, other in ((edge.source, edge.target), (edge.target, edge.source)):
        if scene.nodes[one].parent == other:
            return arrangement.spots[one].parent is None
    return near or edge.type in LINEAGE


def _paint_path(
    painter: QPainter, scene: Scene, arrangement: Arrangement, marks: Marks, center: QPointF
) -> None:
    """Paint the path from the selected row to the centre."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for id in scene.path(marks.selected or ""):
        edge = scene.spokes.get(id) or scene.branches.get(id)
        painter.setPen(pen(stroke(edge.type) if edge else SOLID, on_path=True))
        painter.drawPath(_path_step(scene, arrangement, marks, id, center))


def _path_step(
    scene: Scene, arrangement: Arrangement, marks: Marks, id: str, center: QPointF
) -> QPainterPath:
    """Return a step of that path: to the centre, to the row it is indented under, or across to the row it was
    reached from."""
    spot, parent = arrangement.spots[id], scene.nodes[id].parent or ""
    if parent not in arrangement.spots:
        return _spoke(scene, arrangement, id, marks, center)
    if spot.parent is not None:
        radii = (_spot_radius(scene, marks, parent), _spot_radius(scene, marks, id))
        return elbow(arrangement.spots[parent], spot, radii)
    one, other = _end(scene, arrangement, marks, parent), _end(scene, arrangement, marks, id)
    return bridge(one, other, arrangement, 0)


PAD_PX = 20
LEGEND_LINE_PX = 22
EDGE_PX = 6
GAP_PX = 16
SAMPLE_PX = 24
SHAPE_PX = 10

Paint = Callable[[QPainter, QRectF], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A sample and its meaning. wide: width of the sample in px."""

    text: str
    wide: float
    paint: Paint

    @property
    def width(self) -> float:
        """Width of sample and words together, in px."""
        return self.wide + 6 + text_width(self.text, look.font(11))


def _kind(name: str) -> Entry:
    def paint(painter: QPainter, area: QRectF) -> None:
        icons.kind_shape(painter, _square(area.x(), area.center().y(), SHAPE_PX), name, c("t2"))

    return Entry(text=term(name).capitalize(), wide=SHAPE_PX, paint=paint)


def _relation(type: str) -> Entry:
    def paint(painter: QPainter, area: QRectF) -> None:
        y = round(area.center().y()) + 0.5
        path = QPainterPath(QPointF(area.x(), y))
        path.lineTo(QPointF(area.x() + SAMPLE_PX, y))
        drawn = stroke(type)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(drawn))
        painter.drawPath(path)
        if drawn.arrow:
            arrowhead(painter, path, color(drawn), at_start=False)

    return Entry(text=relation_words(type), wide=SAMPLE_PX, paint=paint)


def _size() -> Entry:
    def paint(painter: QPainter, area: QRectF) -> None:
        icons.kind_shape(painter, _square(area.x(), area.center().y(), 7), "entity", c("t2"))
        icons.kind_shape(painter, _square(area.x() + 11, area.center().y(), 13), "entity", c("t2"))

    return Entry(text=tr("Size: salience"), wide=26, paint=paint)


def _fill() -> Entry:
    def paint(painter: QPainter, area: QRectF) -> None:
        for place, share in enumerate((0.0, 0.5, 1.0)):
            at = _square(area.x() + 14 * place, area.center().y(), 11)
            icons.kind_shape(painter, at, "fact", c("t2"), share)

    return Entry(text=tr("Fill: confidence"), wide=41, paint=paint)


def _square(x: float, middle: float, size: float) -> QRectF:
    return QRectF(x, middle - size / 2, size, size)


class Legend(QWidget):
    """Kinds, then relations, then the meaning of size and fill; in as many lines as the width needs."""

    def __init__(self) -> None:
        super().__init__()
        self._groups = (
            tuple(_kind(name) for name in icons.KINDS),
            tuple(_relation(type) for type in LEGEND),
            (_size(), _fill()),
        )
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        explain_terms(self, "salience", "confidence")
        said = ", ".join((*map(term, icons.KINDS), *(relation_words(type) for type in LEGEND)))
        self.setAccessibleName(tr("Legend: {said}; size is salience, fill is confidence", said=said))
        self.setFixedHeight(2 * LEGEND_LINE_PX + 2 * EDGE_PX)

    def _lines(self) -> list[list[Entry]]:
        """Break the entries into lines that fit the width."""
        lines: list[list[Entry]] = [[]]
        for entry in self._in_order():
            wide = sum(each.width + GAP_PX for each in lines[-1]) + entry.width
            if lines[-1] and wide > self.width() - 2 * PAD_PX:
                lines.append([])
            lines[-1].append(entry)
        return lines

    def _in_order(self) -> Iterator[Entry]:
        for group in self._groups:
            yield from group

    def _fits_beside(self, first: Sequence[Entry], second: Sequence[Entry]) -> bool:
        wide = sum(entry.width + GAP_PX for entry in (*first, *second))
        return wide + GAP_PX <= self.width() - 2 * PAD_PX

    def _places(self) -> Iterator[tuple[Entry, QPointF]]:
        """Yield entries with their points: in two lines with size and fill at the right, or in one flow in a
        narrow panel."""
        kinds, relations, measures = self._groups
        if not (self._fits_beside(kinds, measures) and self._fits_beside(relations, ())):
            for number, line in enumerate(self._lines()):
                yield from self._placed(line, PAD_PX, number)
            return
        right = self.width() - PAD_PX - sum(entry.width for entry in measures) - GAP_PX * (len(measures) - 1)
        yield from self._placed(kinds, PAD_PX, 0)
        yield from self._placed(measures, right, 0)
        yield from self._placed(relations, PAD_PX, 1)

    def _placed(self, line: Sequence[Entry], x: float, number: int) -> Iterator[tuple[Entry, QPointF]]:
        for entry in line:
            yield entry, QPointF(x, EDGE_PX + number * LEGEND_LINE_PX)
            x += entry.width + GAP_PX

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Set the height that the lines need."""
        super().resizeEvent(event)
        lowest = max(at.y() for _, at in self._places())
        self.setFixedHeight(round(lowest) + LEGEND_LINE_PX + EDGE_PX)

    def minimumSizeHint(self) -> QSize:
        """Allow any width; a narrow legend is higher."""
        return QSize(0, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a hairline, then every entry."""
        painter = QPainter(self)
        painter.fillRect(0, 0, self.width(), 1, c("line"))
        for entry, at in self._places():
            area = QRectF(at.x(), at.y(), entry.width + 2, LEGEND_LINE_PX)
            entry.paint(painter, area)
            text = area.adjusted(entry.wide + 6, 0, 0, 0)
            draw_text(painter, text, entry.text, look.font(11), c("t2"), LEFT)
