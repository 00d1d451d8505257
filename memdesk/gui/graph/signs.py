"""The signs at a row's outer end: open it, show more of what an open one leaves out, close it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import icons, look
from memdesk.gui.graph.order import LEFT
from memdesk.gui.graph.spots import Spot
from memdesk.gui.look import c
from memdesk.gui.widgets.paint import CENTER, draw_text, text_width

SIGN_PX = 20
COUNT_PX = 11
COUNT_PAD_PX = 8
Opened = Mapping[str, int]
"""Open rows, and how many of each one's neighbours are left out."""


def paint_signs(painter: QPainter, spot: Spot, opened: Opened, *, looked_at: bool) -> float:
    """Paint a row's signs and return the room they take in px. How much is left out is told always, what can be done
    only where a person looks."""
    hidden = opened.get(spot.id, 0)
    if hidden:
        draw_text(painter, _count_area(spot, hidden), _count(hidden), look.font(COUNT_PX), c("t3"), CENTER)
    if looked_at:
        area = _sign_area(spot)
        icon = "minus" if spot.id in opened else "plus"
        icons.paint(painter, icon, QPointF(area.x() + 2, round(area.center().y() - 8)), "t2")
    return (SIGN_PX if looked_at or hidden else 0) + (_count_area(spot, hidden).width() if hidden else 0)


def grows_at(spot: Spot, opened: Opened, point: QPointF) -> bool:
    """Whether a press there adds neighbours."""
    hidden = opened.get(spot.id, 0)
    if hidden and _count_area(spot, hidden).contains(point):
        return True
    return spot.id not in opened and _sign_area(spot).contains(point)


def shrinks_at(spot: Spot, opened: Opened, point: QPointF) -> bool:
    """Whether a press there takes neighbours away."""
    return spot.id in opened and _sign_area(spot).contains(point)


def _count(hidden: int) -> str:
    return f"+{hidden:,}"


def _sign_area(spot: Spot) -> QRectF:
    x = spot.area.left() if spot.side == LEFT else spot.area.right() - SIGN_PX
    return QRectF(x, spot.area.top(), SIGN_PX, spot.area.height())


def _count_area(spot: Spot, hidden: int) -> QRectF:
    """Beside the sign, towards the words."""
    sign, wide = _sign_area(spot), text_width(_count(hidden), look.font(COUNT_PX)) + COUNT_PAD_PX
    return QRectF(sign.right() if spot.side == LEFT else sign.left() - wide, sign.top(), wide, sign.height())
