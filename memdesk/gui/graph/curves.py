"""Paths of edges: curves across the gutter, elbows within a region, arrowheads."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF

from memdesk.gui.graph.arrangement import Arrangement
from memdesk.gui.graph.spots import Spot

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
