"""Painting shared by widgets and row delegates: crisp boxes, elided text, key caps and marks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QIcon,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtWidgets import QAbstractScrollArea, QSplitter, QStackedWidget, QWidget
from shiboken6 import isValid

from memdesk.gui import icons, look
from memdesk.gui.look import c
from memdesk.model.hidden import revealed
from memdesk.model.quotation import answer_at

ONE_LINE = Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | ONE_LINE
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | ONE_LINE
CENTER = Qt.AlignmentFlag.AlignCenter | ONE_LINE
"""Alignments of a line for draw_text; made once, since joining Qt's flags costs as much as drawing."""

CAP_HEIGHT_PX = 16
CAP_FONT = (10, 500)
AGENT_SHAPES = 3
"""Number of shapes: circle, square, hexagon; then the order starts again."""


def box(
    painter: QPainter, rect: QRectF, radius: float, fill: QColor | None, rim: QColor | None = None
) -> None:
    """Paint a rounded box: filled to the pixel, its 1 px rim on the half pixel, so that it stays crisp."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(rim, 1) if rim else Qt.PenStyle.NoPen)
    painter.setBrush(fill if fill else Qt.BrushStyle.NoBrush)
    if rim:
        half = rect.adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(half, radius - 0.5, radius - 0.5)
    else:
        painter.drawRoundedRect(rect, radius, radius)


def ring(painter: QPainter, rect: QRectF, radius: float) -> None:
    """Paint the 2 px focus ring, entirely inside a rectangle."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(c("acc"), 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), radius, radius)


def text_width(text: str, font: QFont) -> int:
    """Return the width of a text in px, rounded up."""
    return math.ceil(QFontMetricsF(font).horizontalAdvance(revealed(text)))


def elided(text: str, metrics: QFontMetricsF, width: float) -> str:
    """Return a text as it fits into a width in px, cut at the right; a quoted exchange without what came before its
    last words, which are what it tells."""
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
    if shown != text and (at := answer_at(text)):
        return metrics.elidedText(f"… {text[at:]}", Qt.TextElideMode.ElideRight, width)
    return shown


def draw_text(
    painter: QPainter, rect: QRectF, text: str, font: QFont, color: QColor, align: int = LEFT
) -> float:
    """Draw one line of text, elided at the right if it does not fit; invisible characters by name. Returns
    the width used, in px."""
    metrics, whole = QFontMetricsF(font), revealed(text)
    # Half a pixel of grace: a width that was rounded must not cost a letter.
    shown = elided(whole, metrics, rect.width() + 0.5)
    if shown != whole:
        for cut in _recorded:
            cut.append(text)
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(rect, align, shown)
    return min(rect.width(), metrics.horizontalAdvance(shown))


_recorded: list[list[str]] = []


def cut_texts(paint: Callable[[QPainter], object]) -> list[str]:
    """Return the texts that draw_text cuts when something is painted, in full. paint: paints it; nothing is seen."""
    found: list[str] = []
    unseen = QPixmap(1, 1)
    painter = QPainter(unseen)
    _recorded.append(found)
    try:
        paint(painter)
    finally:
        _recorded.remove(found)
        painter.end()
    return found


def cap_width(keys: str) -> int:
    """Return the width of a key cap with these keys, in px."""
    return text_width(keys, look.font(*CAP_FONT)) + 10


def key_cap(painter: QPainter, at: QPointF, keys: str, *, filled: bool = False) -> None:
    """Paint a key cap with its top left corner at a point. filled: it is on the accent colour, so it is drawn
    in white."""
    rect = QRectF(at.x(), at.y(), cap_width(keys), CAP_HEIGHT_PX)
    rim = look.mix(c("onfill"), c("accfill"), 0.55) if filled else c("line2")
    box(painter, rect, 3, None, rim)
    draw_text(painter, rect, keys, look.font(*CAP_FONT), c("onfill" if filled else "t3"), CENTER)


def channel_square(painter: QPainter, at: QPointF, number: int) -> None:
    """Paint the square of a channel; hollow from the seventh channel on."""
    color, hollow = look.channel_color(number)
    rect = QRectF(at.x(), at.y(), 8, 8)
    if not hollow:
        return box(painter, rect, 1.5, color)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 0.5, 0.5)
    return None


def channel_icon(number: int, dpr: float) -> QIcon:
    """Return the square of a channel as a 16 px icon. dpr: device pixel ratio."""
    made = QPixmap(round(16 * dpr), round(16 * dpr))
    made.fill(Qt.GlobalColor.transparent)
    made.setDevicePixelRatio(dpr)
    painter = QPainter(made)
    channel_square(painter, QPointF(4, 4), number)
    painter.end()
    return QIcon(made)


def channel(painter: QPainter, rect: QRectF, name: str, number: int, color: QColor | None = None) -> float:
    """Paint a channel's square and name, vertically centred in a rectangle. Returns the width used, in px."""
    channel_square(painter, QPointF(rect.x(), round(rect.center().y() - 4)), number)
    rest = rect.adjusted(13, 0, 0, 0)
    return 13 + draw_text(painter, rest, name, look.font(12), color or c("t2"))


def agent(painter: QPainter, rect: QRectF, name: str, shape: int) -> None:
    """Paint an agent's first letter in its shape. shape: the agent's index on the desk, of any size."""
    rim = c("line2")
    match shape % AGENT_SHAPES:
        case 0:
            box(painter, rect, rect.height() / 2, None, rim)
        case 1:
            box(painter, rect, 3, None, rim)
        case _:
            _hexagon(painter, rect, rim)
    draw_text(painter, rect, name[:1].upper(), look.font(10, 600), c("t1"), CENTER)


def person(painter: QPainter, rect: QRectF, name: str) -> None:
    """Paint a person's first letter in a filled circle."""
    box(painter, rect, rect.height() / 2, c("t2"))
    draw_text(painter, rect, name[:1].upper(), look.font(10, 600), c("win"), CENTER)


def job(painter: QPainter, rect: QRectF, icon: str = "job") -> None:
    """Paint the mark of a job or a hook: its icon in a square."""
    box(painter, rect, 3, None, c("line2"))
    icons.paint(painter, icon, rect.topLeft() + QPointF(2, 2), "t2", 12)


def _hexagon(painter: QPainter, rect: QRectF, rim: QColor) -> None:
    r = rect.adjusted(0.5, 0.5, -0.5, -0.5)
    quarter = r.height() / 4
    points = (
        (r.center().x(), r.top()),
        (r.right(), r.top() + quarter),
        (r.right(), r.bottom() - quarter),
        (r.center().x(), r.bottom()),
        (r.left(), r.bottom() - quarter),
        (r.left(), r.top() + quarter),
    )
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(rim, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in points]))


FOLLOWED = (QEvent.Type.Move, QEvent.Type.Resize)
NO_RING_REASONS = (
    Qt.FocusReason.MouseFocusReason,
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.PopupFocusReason,
)
"""Reasons for gaining the focus after which no ring is needed."""
RETURN_REASONS = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
"""Reasons for losing the focus after which it returns to the same widget, and the ring with it."""


DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
HOLDERS = (QAbstractScrollArea, QSplitter, QStackedWidget)
"""Widgets whose parts a ring must not be beside: it would be taken for a part, or not scroll with them."""


class Frame(QWidget):
    """A ring around a part of the window, which gets the pointer as before."""

    def __init__(self, parent: QWidget, radius: int) -> None:
        super().__init__(parent)
        self._radius = radius
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        ring(QPainter(self), QRectF(self.rect()), self._radius)


class Ring(Frame):
    """A ring that follows its target for as long as the target has the focus, in the nearest widget with room for it.

    outset: px between the target's edge and the ring's outer edge. focus: the widget inside the target that
    really has the focus, if it is another."""

    def __init__(
        self, target: QWidget, *, outset: int = 3, radius: int = 5, focus: QWidget | None = None
    ) -> None:
        around = list(_around(target, outset))
        super().__init__(around[-1], radius + outset - 1)
        self.target, self._outset = target, outset
        self._moving = (target, *around[:-1])
        for watched in {*self._moving, focus or target}:
            watched.installEventFilter(self)
        self._follow()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the target as it moves; remove the ring when the target loses the focus or is hidden."""
        if event.type() in FOLLOWED and watched in self._moving:
            self._follow()
        elif watched in self._moving[1:]:
            return False
        elif event.type() == QEvent.Type.FocusIn:
            self.show()
        elif isinstance(event, QFocusEvent) and event.reason() in RETURN_REASONS:
            self.hide()
        elif event.type() in (QEvent.Type.FocusOut, QEvent.Type.Hide):
            # A ring that is gone must not be shown again by a focus that comes right back: it would be a window.
            for each in (*self._moving, watched):
                # A target that is being deleted loses the focus as its last deed.
                if isValid(each):
                    each.removeEventFilter(self)
            self.setParent(None)
            self.deleteLater()
        return False

    def _follow(self) -> None:
        out = self._outset
        parent = self.parentWidget()
        if parent is not None:
            place = QRect(self.target.mapTo(parent, QPoint()), self.target.size())
            self.setGeometry(place.adjusted(-out, -out, out, out))
        self.raise_()


def _around(target: QWidget, outset: int) -> Iterator[QWidget]:
    """Yield the widgets around a target, up to the first that has room for its ring, or has none around it that a ring
    can be in."""
    parent = target.parentWidget()
    while parent is not None:
        yield parent
        place = QRect(target.mapTo(parent, QPoint()), target.size())
        over = parent.parentWidget()
        has_room = parent.rect().contains(place.adjusted(-outset, -outset, outset, outset))
        if has_room or parent.isWindow() or isinstance(over, HOLDERS):
            return
        parent = over


def ring_on_focus(target: QWidget, reason: Qt.FocusReason, *, outset: int = 3, radius: int = 5) -> None:
    """Show a ring around a widget that has just got the focus from the keyboard. Call it from focusInEvent."""
    if reason not in NO_RING_REASONS:
        show_ring(target, outset=outset, radius=radius)


def show_ring(target: QWidget, *, outset: int = 2, radius: int = 5, focus: QWidget | None = None) -> None:
    """Show a ring around a widget, unless it has one. A window's outermost widget has no room for a ring, and
    a splitter would take the ring for another part."""
    parent = target.parentWidget()
    if parent is None or isinstance(parent, QSplitter):
        return
    within = (each.findChildren(Ring, options=DIRECT) for each in _around(target, outset))
    if not any(ring.target is target for rings in within for ring in rings):
        Ring(target, outset=outset, radius=radius, focus=focus)


FLASH_MS = 600


class Fade(QObject):
    """Tint of rows that just came or changed, fading in 600 ms. `moved` asks for a repaint."""

    moved = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._ids: frozenset[str] = frozenset()
        self._share = 0.0
        self._run = QVariantAnimation(self)
        self._run.setStartValue(1.0)
        self._run.setEndValue(0.0)
        self._run.valueChanged.connect(self._go_on)

    def start(self, ids: frozenset[str]) -> None:
        """Tint these rows."""
        self._run.stop()
        self._ids = ids
        self._run.setDuration(look.motion_ms(FLASH_MS))
        self._run.start()

    def _go_on(self, share: float) -> None:
        self._share = share
        self.moved.emit()

    def shares(self) -> Mapping[str, float]:
        """Return the remaining share of the tint per row, 1 to 0."""
        return dict.fromkeys(self._ids, self._share) if self._share > 0 else {}
