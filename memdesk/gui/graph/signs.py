"""Signs at a row's outer end: open it, show more of its neighbours, close it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import icons, look
from memdesk.gui.graph.order import LEFT
from memdesk.gui.graph.spots import Spot
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets.paint import CENTER, draw_text, text_width

SIGN_PX = 20
COUNT_PX = 11
COUNT_PAD_PX = 8


@dataclass(frozen=True, slots=True)
class Hidden:
    """Number of an open row's neighbours that are left out. is_least: there are more, which were not counted."""

    count: int = 0
    is_least: bool = False

    def __bool__(self) -> bool:
        return self.count > 0 or self.is_least

    @property
    def short(self) -> str:
        """Count as “+37”, or as “>4,952” if there are more that were not counted."""
        return f"{'>' if self.is_least else '+'}{self.count:,}"

    @property
    def said(self) -> str:
        """Count as part of a sentence."""
        if self.is_least:
            return tr("more than %Ln connection(s) not shown", "", self.count)
        return tr("%Ln connection(s) not shown", "", self.count)


NOTHING = Hidden()
Opened = Mapping[str, Hidden]
"""Open rows, and the neighbours that each leaves out."""


def paint_signs(painter: QPainter, spot: Spot, opened: Opened, *, looked_at: bool) -> float:
    """Paint a row's signs and return their width in px. The count of neighbours left out is always shown, the
    button only on a selected or hovered row."""
    hidden = opened.get(spot.id, NOTHING)
    if hidden:
        draw_text(painter, _count_area(spot, hidden), hidden.short, look.font(COUNT_PX), c("t3"), CENTER)
    if looked_at:
        area = _sign_area(spot)
        icon = "minus" if spot.id in opened else "plus"
        icons.paint(painter, icon, QPointF(area.x() + 2, round(area.center().y() - 8)), "t2")
    return (SIGN_PX if looked_at or hidden else 0) + (_count_area(spot, hidden).width() if hidden else 0)


def grows_at(spot: Spot, opened: Opened, point: QPointF) -> bool:
    """Return True if a press at a point adds neighbours."""
    hidden = opened.get(spot.id, NOTHING)
    if hidden and _count_area(spot, hidden).contains(point):
        return True
    return spot.id not in opened and _sign_area(spot).contains(point)


def shrinks_at(spot: Spot, opened: Opened, point: QPointF) -> bool:
    """Return True if a press at a point removes neighbours."""
    return spot.id in opened and _sign_area(spot).contains(point)


def _sign_area(spot: Spot) -> QRectF:
    x = spot.area.left() if spot.side == LEFT else spot.area.right() - SIGN_PX
    return QRectF(x, spot.area.top(), SIGN_PX, spot.area.height())


def _count_area(spot: Spot, hidden: Hidden) -> QRectF:
    """Return the area of the count: next to the sign, towards the words."""
    sign, wide = _sign_area(spot), text_width(hidden.short, look.font(COUNT_PX)) + COUNT_PAD_PX
    return QRectF(sign.right() if spot.side == LEFT else sign.left() - wide, sign.top(), wide, sign.height())
