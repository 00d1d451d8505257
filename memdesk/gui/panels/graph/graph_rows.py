"""Rows of a graph: their words, and the painter of them, of the regions around them, of the centre's pill and of a
dragged row. And the map of a high drawing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from memdesk.gui import formatting, icons, look
from memdesk.gui.language import tr
from memdesk.gui.look import c, mix
from memdesk.gui.panels.graph.graph_data import NOTHING, Hidden, Marks, Opened, Scene
from memdesk.gui.panels.graph.graph_edges import (
    DASHED,
    HALO_RADIUS_PX,
    SOLID,
    arrowhead,
    color,
    elbow,
    pen,
    radius,
    stroke,
)
from memdesk.gui.panels.graph.graph_layout import (
    COUNT_PX,
    HEAD_PX,
    LEFT,
    PILL_HEIGHT_PX,
    PILL_PAD_PX,
    SIGN_PX,
    TITLE_PX,
    Arrangement,
    PlacedScene,
    Region,
    Spot,
    row_font,
    row_text,
    row_width,
)
from memdesk.gui.terms import term
from memdesk.gui.widgets import span
from memdesk.gui.widgets.paint import CENTER, box, channel_square, draw_text, ring, text_width
from memdesk.gui.widgets.paint import LEFT as FLUSH_LEFT
from memdesk.gui.widgets.paint import RIGHT as FLUSH_RIGHT
from memdesk.gui.widgets.text import TIP_CHARACTERS, excerpt, shorten
from memdesk.model.graph import GraphNode

TINT_SHARE = 0.04
RIM_SHARE = 0.38
SELECTED_OFF_PX = 5
COUNT_PAD_PX = 8
SURE, UNSURE = 0.95, 0.50
"""Ends of AgentX's calibration of confidence: a shape is solid at SURE and hollow at UNSURE."""
CARD_HEIGHT_PX, CARD_MOST_PX, CARD_OFF_PX = 24, 320, 12
TITLE_LETTERS = 40


def category(node: GraphNode) -> str:
    """Return the kind whose shape a node has."""
    return "entity" if node.kind == "entity" else node.category


def fill(confidence: float) -> float:
    """Return the solid share of a shape at this confidence, 0 to 1."""
    return max(0.0, min(1.0, (confidence - UNSURE) / (SURE - UNSURE)))


def kind_word(node: GraphNode) -> str:
    """Return the kind of memory in a word: a fact's category, an entity's type."""
    return term(node.category)


def short_description(node: GraphNode) -> str:
    """Return “Every migration needs a down step, constraint in _global”, with “, past” for a past fact."""
    parts = {"title": node.title, "kind": kind_word(node), "channel": node.channel}
    if node.past:
        return tr("{title}, {kind} in {channel}, past", **parts)
    if node.question:
        return tr("{title}, {kind} in {channel}, contradicted", **parts)
    return tr("{title}, {kind} in {channel}", **parts)


def full_description(node: GraphNode, hidden: Hidden = NOTHING) -> str:
    """Return “Every migration needs a down step, constraint in _global, confidence 0.95, salience 0.66”.

    hidden: the neighbours that an open row leaves out."""
    words = f"{short_description(node)}, {_strengths(node)}"
    return f"{words}, {hidden.said}" if hidden else words


def _strengths(node: GraphNode) -> str:
    salience = tr("salience {value}", value=f"{node.salience:.2f}")
    if category(node) == "entity":
        return salience
    confidence = tr("confidence {value}", value=f"{node.confidence:.2f}")
    return f"{confidence}, {salience}"


def tip(node: GraphNode) -> str:
    """Return the tool tip: the title, then channel, kind, confidence, salience and the day it was first seen."""
    states = [tr("past")] * node.past + [tr("contradicted")] * bool(node.question)
    where = " · ".join((node.channel, kind_word(node), *states))
    seen = tr("seen {day}", day=formatting.day(node.created_at))
    when = f"{_strengths(node)} · {seen}"
    return "<br>".join(
        (span(shorten(node.title, TIP_CHARACTERS), "t1", weight=500), span(where, "t2"), span(when, "t2"))
    )


def paint_rows(
    painter: QPainter, scene: Scene, arrangement: Arrangement, marks: Marks, band: tuple[float, float]
) -> None:
    """Paint every region and row that touches the band between two heights."""
    top, bottom = band
    for region in arrangement.regions:
        if region.box.top() < bottom and region.box.bottom() > top:
            painter.setOpacity(marks.opacity(region.channel))
            _paint_region(painter, region, scene.numbers.get(region.channel, 0), band)
    seen = arrangement.in_band(top, bottom)
    painter.setOpacity(1.0)
    for spot in seen:
        _paint_ground(painter, spot, marks)
    for spot in arrangement.hanging(seen):
        if spot.parent is not None:
            painter.setOpacity(marks.opacity(spot.id))
            _paint_elbow(painter, scene, arrangement.spots[spot.parent], spot)
    for spot in seen:
        painter.setOpacity(marks.opacity(spot.id))
        _paint_row(painter, scene, spot, marks)
    painter.setOpacity(1.0)


def _paint_region(painter: QPainter, region: Region, number: int, band: tuple[float, float]) -> None:
    tone, _ = look.channel_color(number)
    box(painter, region.box, 6, mix(tone, c("stage"), TINT_SHARE), mix(tone, c("stage"), RIM_SHARE))
    head = QRectF(region.box.x(), region.box.y(), region.box.width(), HEAD_PX).adjusted(12, 0, -12, -2)
    if head.bottom() < band[0] or head.top() > band[1]:
        return
    channel_square(painter, QPointF(head.x(), round(head.center().y() - 4)), number)
    width = draw_text(
        painter, head, tr("%Ln shown", "", len(region.rows)), look.font(12), c("t3"), FLUSH_RIGHT
    )
    draw_text(painter, head.adjusted(16, 0, -width - 10, 0), region.channel, look.font(12, 600), c("t1"))


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
    taken = _paint_signs(painter, spot, marks.opened, looked_at=looked_at)
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
    if node.question:
        return "warn"
    return "t1" if spot.depth == 0 else "t2"


def _paint_halo(painter: QPainter, at: QPointF) -> None:
    painter.setPen(pen(SOLID, on_path=True))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(at, HALO_RADIUS_PX, HALO_RADIUS_PX)


def _words_area(spot: Spot, *, selected: bool) -> QRectF:
    """Return the area of a row's text; the ring around a selected shape moves it outwards."""
    off = SELECTED_OFF_PX if selected else 0
    return spot.label.adjusted(0, 0, -off, 0) if spot.side == LEFT else spot.label.adjusted(off, 0, 0, 0)


def _paint_signs(painter: QPainter, spot: Spot, opened: Opened, *, looked_at: bool) -> float:
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


def pill_area(arrangement: Arrangement, center: QPointF) -> QRectF:
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
    words = area.adjusted(PILL_PAD_PX - 6, 0, 6 - PILL_PAD_PX, 0)
    upper, lower = words.adjusted(0, 7, 0, -23), words.adjusted(0, 26, 0, -7)
    draw_text(painter, upper, scene.center.title, look.font(TITLE_PX, 600), c("t1"), CENTER)
    draw_text(painter, lower, scene.counted, look.font(COUNT_PX), c("t3"), CENTER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drag:
    """State of a drag: the row, the pointer's place in the drawing, and the row below it.

    links: the two would be linked, else merged. fits: that is possible."""

    id: str
    at: QPointF
    onto: str | None
    fits: bool
    links: bool = False


def paint_drag(painter: QPainter, placed: PlacedScene, carry: Drag, center: QPointF) -> None:
    """Paint a ring around the row that would be merged into or linked to, a line if it is linked, and a card with the
    result next to the pointer."""
    if carry.links:
        own = placed.area(carry.id)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(pen(DASHED, on_path=True))
        painter.drawLine(center if own is None else own.center(), carry.at)
    if carry.fits and carry.onto is not None:
        area = placed.area(carry.onto)
        pill = pill_area(placed.arrangement, center).adjusted(-3, -3, 3, 3)
        ring(painter, pill if area is None else area, 3 if area is not None else round(pill.height() / 2))
    words, face = _words(placed, carry), look.font(12, 500)
    wide = min(CARD_MOST_PX, text_width(words, face) + 20)
    x = carry.at.x() + CARD_OFF_PX
    if x + wide > placed.arrangement.width:
        x = carry.at.x() - CARD_OFF_PX - wide
    card = QRectF(x, carry.at.y() + CARD_OFF_PX, wide, CARD_HEIGHT_PX)
    box(painter, card, 5, c("panel"), c("acc" if carry.fits else "line2"))
    draw_text(painter, card.adjusted(10, 0, -10, 0), words, face, c("t1" if carry.fits else "t3"))


def _words(placed: PlacedScene, carry: Drag) -> str:
    title = excerpt(placed.scene.nodes[carry.id].title, TITLE_LETTERS)
    if carry.onto is None:
        return title
    into = placed.scene.nodes[carry.onto]
    if not carry.fits:
        return tr("A link leads to or from an entity")
    if carry.links:
        return tr("Link to “{title}”", title=excerpt(into.title, TITLE_LETTERS))
    return tr("Merge into “{title}”", title=excerpt(into.title, TITLE_LETTERS))


MAP_WIDE_PX, MAP_HIGH_PX = 104, 120
MAP_FROM_VIEWS = 1.25
"""Height of the drawing, in heights of the view, from which the map is shown."""
MAP_PAD_PX = 4
MAP_TINT_SHARE = 0.22
SEEN_OPACITY = 0.16


class MiniMap(QWidget):
    """Regions in their channels' tones. The signal `moved` carries the height in the drawing to scroll to."""

    moved = Signal(float)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedSize(MAP_WIDE_PX, MAP_HIGH_PX)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("The whole graph in small"))
        self.setToolTip(tr("Press or drag to look elsewhere"))
        self._arrangement: Arrangement | None = None
        self._numbers: Mapping[str, int] = {}
        self._view = (0.0, 0.0)
        self._kept: QPixmap | None = None
        look.themed.changed.connect(self._forget)
        self.hide()

    def show_arrangement(
        self, arrangement: Arrangement, numbers: Mapping[str, int], view: tuple[float, float]
    ) -> None:
        """Show a drawing. numbers: colour numbers of its channels. view: top and foot of its visible part."""
        if arrangement is not self._arrangement:
            self._kept = None
        self._arrangement, self._numbers, self._view = arrangement, numbers, view
        self.update()

    def _forget(self) -> None:
        self._kept = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Scroll to the pointer."""
        self._look(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Continue to scroll to the pointer while the left button is pressed."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._look(event)

    def _look(self, event: QMouseEvent) -> None:
        if self._arrangement is not None:
            share = (event.position().y() - MAP_PAD_PX) / (MAP_HIGH_PX - 2 * MAP_PAD_PX)
            self.moved.emit(max(0.0, min(1.0, share)) * self._arrangement.height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cached regions, and the visible part over them."""
        painter, arrangement = QPainter(self), self._arrangement
        if arrangement is None:
            return
        if self._kept is None:
            self._kept = self._painted(arrangement)
        painter.drawPixmap(0, 0, self._kept)
        scale = (MAP_HIGH_PX - 2 * MAP_PAD_PX) / arrangement.height
        top, bottom = self._view
        seen = QRectF(1, MAP_PAD_PX + top * scale, MAP_WIDE_PX - 2, max(4.0, (bottom - top) * scale))
        painter.setOpacity(SEEN_OPACITY)
        painter.fillRect(seen, c("acc"))
        painter.setOpacity(1.0)
        painter.setPen(c("acc"))
        painter.drawRect(seen.adjusted(0.5, 0.5, -0.5, -0.5))

    def _painted(self, arrangement: Arrangement) -> QPixmap:
        dpr = self.devicePixelRatioF()
        made = QPixmap(round(MAP_WIDE_PX * dpr), round(MAP_HIGH_PX * dpr))
        made.setDevicePixelRatio(dpr)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        box(painter, QRectF(0, 0, MAP_WIDE_PX, MAP_HIGH_PX), 5, c("panel"), c("line2"))
        across = (MAP_WIDE_PX - 2 * MAP_PAD_PX) / arrangement.width
        down = (MAP_HIGH_PX - 2 * MAP_PAD_PX) / arrangement.height
        for region in arrangement.regions:
            tone, _ = look.channel_color(self._numbers.get(region.channel, 0))
            area = QRectF(
                MAP_PAD_PX + region.box.x() * across,
                MAP_PAD_PX + region.box.y() * down,
                region.box.width() * across,
                max(1.0, region.box.height() * down),
            )
            painter.fillRect(area, mix(tone, c("panel"), MAP_TINT_SHARE))
            painter.fillRect(QRectF(area.x(), area.y(), 2, area.height()), tone)
        painter.end()
        return made
