"""Painter of the parts that do not follow the view: regions, rows and the elbows within a region. The canvas
keeps them as a picture."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from memdesk.gui import icons, look
from memdesk.gui.graph.arrangement import Arrangement
from memdesk.gui.graph.curves import arrowhead, elbow
from memdesk.gui.graph.order import LEFT
from memdesk.gui.graph.relations import SOLID, color, pen, stroke
from memdesk.gui.graph.row_words import row_font, row_text, row_width
from memdesk.gui.graph.scene import Scene
from memdesk.gui.graph.signs import Opened, paint_signs
from memdesk.gui.graph.spots import HEAD_PX, Region, Spot
from memdesk.gui.language import tr
from memdesk.gui.look import c, mix
from memdesk.gui.widgets.paint import LEFT as FLUSH_LEFT
from memdesk.gui.widgets.paint import RIGHT as FLUSH_RIGHT
from memdesk.gui.widgets.paint import box, channel_square, draw_text, ring
from memdesk.model.graph import GraphNode

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
