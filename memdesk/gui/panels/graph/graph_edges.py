"""Painter of edges: their strokes, their paths through the gutter, and the path of the selected row."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from memdesk.gui import look
from memdesk.gui.look import c
from memdesk.gui.panels.graph.graph_data import LINEAGE, Marks, Scene
from memdesk.gui.panels.graph.graph_layout import Arrangement, Spot
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
