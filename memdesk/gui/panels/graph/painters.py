"""Painter of the parts that follow the view: the centre's pill, which stays while rows scroll, and edges
that cross the gutter."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPolygonF

from memdesk.gui import icons, look
from memdesk.gui.language import tr
from memdesk.gui.look import c, mix
from memdesk.gui.panels.graph.forest import LEFT
from memdesk.gui.panels.graph.graph_layout import (
    HEAD_PX,
    PILL_HEIGHT_PX,
    PILL_PAD_PX,
    Arrangement,
    Opened,
    Region,
    Spot,
    paint_signs,
)
from memdesk.gui.panels.graph.graph_scene import LINEAGE, SOLID, Scene, Stroke, color, pen, stroke
from memdesk.gui.widgets.paint import CENTER, box, channel_square, draw_text, ring, text_width
from memdesk.gui.widgets.paint import LEFT as FLUSH_LEFT
from memdesk.gui.widgets.paint import RIGHT as FLUSH_RIGHT
from memdesk.model.graph import GraphEdge, GraphNode

CORNER_PX = 6
HEAD_LENGTH_PX = 8.0
HEAD_HALF_PX = 3.6
CLEAR_PX = 3.0
"""Gap between a shape and the end of a line."""
LANE_PX = 26.0
LANES = 5
LANE_STEP_PX = 7.0


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
    foot = tip - along * HEAD_LENGTH_PX
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawPolygon(QPolygonF([tip, foot + across, foot - across]))


SIZE_PX = 12
WIDTHS_KEPT = 100_000


def row_text(node: GraphNode) -> str:
    """Return the text of a row."""
    return tr("{title} (past)", title=node.title) if node.past else node.title


def row_font(node: GraphNode) -> QFont:
    """Return the font of a row's text."""
    return look.font(SIZE_PX, italic=node.past)


def face_px() -> int:
    """Return the present size of that font in px; if it changes, widths change too."""
    return look.font(SIZE_PX).pixelSize()


def row_width(node: GraphNode) -> float:
    """Return the width of a row's text in px. A row is measured once for all scales and drawings."""
    return _width(row_text(node), face_px(), node.past)


@lru_cache(maxsize=WIDTHS_KEPT)
def _width(text: str, px: int, past: bool) -> float:
    return text_width(text, look.font(SIZE_PX, italic=past))


TINT_SHARE = 0.04
RIM_SHARE = 0.38
SHAPE_LEAST_PX = 9.0
SHAPE_GROWS_PX = 9.0
HALO_RADIUS_PX = 11.0
SELECTED_OFF_PX = 5
SURE, UNSURE = 0.95, 0.50
"""Ends of AgentX's calibration of confidence: a shape is solid at SURE and hollow at UNSURE."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Temporary state of rows. fades: new rows and the rest of their tint, 1 to 0.

    focused: the selected row is ringed, as keys act on it. opened: rows whose neighbours were added, and the
    number of neighbours left out. veiled: rows, and channels of regions, that are only appearing, and veil:
    their opacity, 0 to 1."""

    selected: str | None = None
    hovered: str | None = None
    focused: bool = False
    fades: Mapping[str, float] = field(default_factory=dict)
    opened: Opened = field(default_factory=dict)
    veiled: Container[str] = frozenset()
    veil: float = 1.0

    def opacity(self, name: str) -> float:
        """Return the opacity of a row or a region, 0 to 1."""
        return self.veil if name in self.veiled else 1.0


def category(node: GraphNode) -> str:
    """Return the kind whose shape a node has."""
    return "entity" if node.kind == "entity" else node.category


def radius(node: GraphNode) -> float:
    """Return half the size of a node's shape, in px. Its area, not its width, follows salience, as the eye
    compares areas."""
    return float((SHAPE_LEAST_PX + SHAPE_GROWS_PX * max(0.0, min(1.0, node.salience)) ** 0.5) / 2)


def fill(confidence: float) -> float:
    """Return the solid share of a shape at this confidence, 0 to 1."""
    return max(0.0, min(1.0, (confidence - UNSURE) / (SURE - UNSURE)))


def paint_rows(
    painter: QPainter, scene: Scene, arrangement: Arrangement, marks: Marks, band: tuple[float, float]
) -> None:
    """Paint every region and row that touches the band between two heights."""
    top, foot = band
    for region in arrangement.regions:
        if region.box.top() < foot and region.box.bottom() > top:
            painter.setOpacity(marks.opacity(region.channel))
            _paint_region(painter, region, scene.numbers.get(region.channel, 0), band)
    seen = arrangement.spots.in_band(top, foot)
    painter.setOpacity(1.0)
    for spot in seen:
        _paint_ground(painter, spot, marks)
    for spot in arrangement.spots.hanging(seen):
        if spot.parent is not None:
            painter.setOpacity(marks.opacity(spot.id))
            _paint_elbow(painter, scene, arrangement.spots[spot.parent], spot)
    for spot in seen:
        painter.setOpacity(marks.opacity(spot.id))
        _paint_row(painter, scene, spot, marks)
    painter.setOpacity(1.0)


def paint_hovered(painter: QPainter, scene: Scene, arrangement: Arrangement, marks: Marks, id: str) -> None:
    """Paint the row under the pointer over the cached picture of all rows."""
    spot = arrangement.spots[id]
    _paint_ground(painter, spot, marks)
    for each in arrangement.spots.hanging([spot]):
        if each.parent is not None and id in (each.id, each.parent):
            _paint_elbow(painter, scene, arrangement.spots[each.parent], each)
    _paint_row(painter, scene, spot, marks)


def _paint_region(painter: QPainter, region: Region, number: int, band: tuple[float, float]) -> None:
    tone, _ = look.channel_color(number)
    box(painter, region.box, 6, mix(tone, c("stage"), TINT_SHARE), mix(tone, c("stage"), RIM_SHARE))
    head = QRectF(region.box.x(), region.box.y(), region.box.width(), HEAD_PX).adjusted(12, 0, -12, -2)
    if head.bottom() < band[0] or head.top() > band[1]:
        return
    channel_square(painter, QPointF(head.x(), round(head.center().y() - 4)), number)
    told = draw_text(painter, head, tr("%Ln shown", "", region.rows), look.font(12), c("t3"), FLUSH_RIGHT)
    draw_text(painter, head.adjusted(16, 0, -told - 10, 0), region.channel, look.font(12, 600), c("t1"))


def _paint_ground(painter: QPainter, spot: Spot, marks: Marks) -> None:
    if spot.id == marks.selected:
        box(painter, spot.area, 3, c("sel"))
    elif spot.id == marks.hovered:
        box(painter, spot.area, 3, c("hover"))
    elif marks.fades.get(spot.id):
        tint = QColor(c("accbg"))
        tint.setAlphaF(marks.fades[spot.id])
        box(painter, spot.area, 3, tint)
    if spot.id == marks.selected and marks.focused:
        ring(painter, spot.area, 3)


def _paint_elbow(painter: QPainter, scene: Scene, parent: Spot, child: Spot) -> None:
    edge = scene.branches.get(child.id)
    if edge is None:
        return
    drawn = stroke(edge.type)
    radii = (radius(scene.nodes[parent.id]), radius(scene.nodes[child.id]))
    path = elbow(parent, child, radii)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen(drawn, quiet=True))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)
    if drawn.arrow:
        tip = edge.source if drawn.arrow == "source" else edge.target
        arrowhead(painter, path, color(drawn), at_start=tip == parent.id)


def _paint_row(painter: QPainter, scene: Scene, spot: Spot, marks: Marks) -> None:
    node = scene.nodes[spot.id]
    tone, _ = look.channel_color(scene.numbers.get(node.channel, 0))
    half = radius(node)
    shape = QRectF(spot.shape.x() - half, spot.shape.y() - half, 2 * half, 2 * half)
    icons.kind_shape(painter, shape, category(node), tone, fill(node.confidence))
    if spot.id == marks.selected:
        _paint_halo(painter, spot.shape)
    label = _words_area(spot, selected=spot.id == marks.selected)
    looked_at = spot.id in (marks.selected, marks.hovered)
    taken = paint_signs(painter, spot, marks.opened, looked_at=looked_at)
    label.adjust(taken if spot.side == LEFT else 0, 0, -taken if spot.side != LEFT else 0, 0)
    _paint_words(painter, node, spot, label)


def _paint_words(painter: QPainter, node: GraphNode, spot: Spot, label: QRectF) -> None:
    """Paint the text of a row. Text known to fit is not measured again, which costs as much as drawing it."""
    align, ink = FLUSH_RIGHT if spot.side == LEFT else FLUSH_LEFT, c(_ink(node, spot))
    if row_width(node) > label.width():
        draw_text(painter, label, row_text(node), row_font(node), ink, align)
    else:
        painter.setFont(row_font(node))
        painter.setPen(ink)
        painter.drawText(label, align, row_text(node))


def _ink(node: GraphNode, spot: Spot) -> str:
    if node.past:
        return "t3"
    return "t1" if spot.depth == 0 else "t2"


def _paint_halo(painter: QPainter, at: QPointF) -> None:
    painter.setPen(pen(SOLID, on_path=True))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(at, HALO_RADIUS_PX, HALO_RADIUS_PX)


def _words_area(spot: Spot, *, selected: bool) -> QRectF:
    """Return the area of a row's text; the ring around a selected shape moves it outwards."""
    off = SELECTED_OFF_PX if selected else 0
    return spot.label.adjusted(0, 0, -off, 0) if spot.side == LEFT else spot.label.adjusted(off, 0, 0, 0)


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
