"""Painter of the parts that follow the view: the centre's pill, which stays while rows scroll, and edges that
cross the gutter."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath

from memdesk.gui import look
from memdesk.gui.graph.arrangement import PILL_HEIGHT_PX, PILL_PAD_PX, Arrangement
from memdesk.gui.graph.curves import CLEAR_PX, anchor, arrowhead, bridge, elbow, spoke
from memdesk.gui.graph.relations import LINEAGE, SOLID, Stroke, color, pen, stroke
from memdesk.gui.graph.rows_painter import HALO_RADIUS_PX, Marks, radius
from memdesk.gui.graph.scene import Scene
from memdesk.gui.graph.spots import Spot
from memdesk.gui.look import c
from memdesk.gui.widgets.paint import CENTER, box, draw_text, ring
from memdesk.model.graph import GraphEdge

TITLE_PX = 13
COUNT_PX = 11


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
    seen = [spot.id for spot in arrangement.spots.in_band(*view) if view[0] <= spot.shape.y() <= view[1]]
    for id in seen:
        edge = scene.spokes.get(id)
        if edge is not None:
            painter.setOpacity(marks.opacity(id))
            _paint(painter, _spoke(scene, arrangement, id, marks, center), stroke(edge.type), edge, row=id)
    painter.setOpacity(1.0)
    _paint_bridges(painter, scene, arrangement, marks, seen)
    if marks.selected is not None:
        _paint_way(painter, scene, arrangement, marks, center)


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


def _paint_way(
    painter: QPainter, scene: Scene, arrangement: Arrangement, marks: Marks, center: QPointF
) -> None:
    """Paint the path from the selected row to the centre."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for id in scene.path(marks.selected or ""):
        edge = scene.spokes.get(id) or scene.branches.get(id)
        painter.setPen(pen(stroke(edge.type) if edge else SOLID, on_path=True))
        painter.drawPath(_way(scene, arrangement, marks, id, center))


def _way(scene: Scene, arrangement: Arrangement, marks: Marks, id: str, center: QPointF) -> QPainterPath:
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


def pill_words(scene: Scene) -> tuple[str, str]:
    """Return the centre's two lines."""
    return scene.center.title, scene.counted


def pill_area(arrangement: Arrangement, center: QPointF) -> QRectF:
    """Return the rectangle of the centre."""
    wide, high = round(arrangement.pill), PILL_HEIGHT_PX
    return QRectF(round(center.x() - wide / 2), round(center.y() - high / 2), wide, high)


def paint_pill(painter: QPainter, scene: Scene, area: QRectF, marks: Marks) -> None:
    """Paint the centre: a rounded pill with its title and the number of its surroundings shown."""
    id, round_px = scene.graph.center, PILL_HEIGHT_PX / 2
    ground = "sel" if id == marks.selected else "hover" if id == marks.hovered else "stage"
    box(painter, area, round_px, c("t1"))
    box(painter, area.adjusted(2, 2, -2, -2), round_px - 2, c(ground))
    if marks.focused and marks.selected in (id, None):
        ring(painter, area.adjusted(-3, -3, 3, 3), round_px + 2)
    title, count = pill_words(scene)
    words = area.adjusted(PILL_PAD_PX - 6, 0, 6 - PILL_PAD_PX, 0)
    upper, lower = words.adjusted(0, 7, 0, -23), words.adjusted(0, 26, 0, -7)
    draw_text(painter, upper, title, look.font(TITLE_PX, 600), c("t1"), CENTER)
    draw_text(painter, lower, count, look.font(COUNT_PX), c("t3"), CENTER)
