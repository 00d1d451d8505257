"""Dragging of a row onto another one, with which it would be merged."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import look
from memdesk.gui.graph.edges_painter import pill_area
from memdesk.gui.graph.stand import Stand
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets.paint import LEFT, box, draw_text, ring, text_width

HIGH_PX = 24
WIDE_MOST_PX = 320
OFF_PX = 12
TITLE_LETTERS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Carry:
    """State of a drag: the row, the pointer's place in the drawing, the row below it, and True in `fits` if
    the two can be merged."""

    id: str
    at: QPointF
    onto: str | None
    fits: bool


def paint_carry(painter: QPainter, stand: Stand, carry: Carry, center: QPointF) -> None:
    """Paint a ring around the row that would be merged into, and a card with the result next to the pointer."""
    if carry.fits and carry.onto is not None:
        area = stand.area(carry.onto)
        pill = pill_area(stand.arrangement, center).adjusted(-3, -3, 3, 3)
        ring(painter, pill if area is None else area, 3 if area is not None else round(pill.height() / 2))
    words, face = _words(stand, carry), look.font(12, 500)
    wide = min(WIDE_MOST_PX, text_width(words, face) + 20)
    x = carry.at.x() + OFF_PX
    if x + wide > stand.arrangement.width:
        x = carry.at.x() - OFF_PX - wide
    card = QRectF(x, carry.at.y() + OFF_PX, wide, HIGH_PX)
    box(painter, card, 5, c("panel"), c("acc" if carry.fits else "line2"))
    draw_text(painter, card.adjusted(10, 0, -10, 0), words, face, c("t1" if carry.fits else "t3"), LEFT)


def _words(stand: Stand, carry: Carry) -> str:
    title = _short(stand.scene.nodes[carry.id].title)
    if carry.onto is None:
        return title
    into = stand.scene.nodes[carry.onto]
    if carry.fits:
        return tr("Merge into “{title}”", title=_short(into.title))
    return tr("Only two of a kind can be merged")


def _short(title: str) -> str:
    return title if len(title) <= TITLE_LETTERS else title[: TITLE_LETTERS - 1].rstrip() + "…"
