"""Stroke icons on a 16 px grid and the shapes of memory kinds, painted from paths in a token's colour."""

from __future__ import annotations

import math
from functools import lru_cache

from PySide6.QtCore import QByteArray, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtSvg import QSvgRenderer

from memdesk.gui import look

STROKE_PX = 1.35

PATHS = {
    # rail
    "overview": "M2.5 2.5h11v3h-11zM2.5 6.5h11v3h-11zM2.5 10.5h11v3h-11z",
    "today": "M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3M5.6 10l1.7 1.6 3.2-3.2",
    "eye": "M1.8 8c2.6-4.6 9.8-4.6 12.4 0-2.6 4.6-9.8 4.6-12.4 0M8 6.2a1.8 1.8 0 1 1-.01 0",
    "plug": "M5.5 2v3.5M10.5 2v3.5M3.5 5.5h9v2a4.5 4.5 0 0 1-9 0zM8 12v2.5",
    "graph": "M4 2.2a1.7 1.7 0 1 1-.01 0M12.2 4a1.5 1.5 0 1 1-.01 0M6.8 10.6a1.7 1.7 0 1 1-.01 0"
    "M4.5 5.5l1.7 5.2M5.6 4.2l5.1 1.1M8 11l3.3-4.3",
    "review": "M2.5 9l2-6h7l2 6v4.5h-11zM2.5 9h3.2l1 1.8h2.6l1-1.8h3.2",
    "identity": "M2 3.5h12v9H2zM5.8 7.9a1.5 1.5 0 1 1 .01 0M3.8 10.9c.5-1.5 3.5-1.5 4 0M10 6.5h2.2M10 9.5h2.2",
    "daily": "M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3M5 9.5h6M5 11.5h3.5",
    "salience": "M2.5 2.5h3v3h-3zM6.5 2.5h3v3h-3zM10.5 2.5h3v3h-3zM2.5 6.5h3v3h-3zM6.5 6.5h3v3h-3z"
    "M2.5 10.5h3v3h-3z",
    "audit": "M8 2.2a5.8 5.8 0 1 1-.01 0M8 5v3.2l2.2 1.6",
    "compaction": "M8 1.5v4M5.8 3.6L8 5.8l2.2-2.2M8 14.5v-4M5.8 12.4L8 10.2l2.2 2.2M2.5 8h11",
    "lab": "M7 2.5a4.5 4.5 0 1 1-.01 0M10.3 10.3l3.4 3.4M7 5v4M5 7h4",
    "facts": "M6 4h7.5M6 8h7.5M6 12h7.5M2.6 4h.8M2.6 8h.8M2.6 12h.8",
    "conversations": "M2.5 3.5h11v7.5h-6L4.5 13.5V11h-2z",
    "goals": "M4 14V2.5h8.5l-2 3 2 3H4",
    "learnings": "M8 4c-1.5-1.3-3.5-1.3-5.5-1v9.5c2-.3 4-.3 5.5 1 1.5-1.3 3.5-1.3 5.5-1V3C11.5 2.7 9.5 2.7 8 4z"
    "M8 4v9.5",
    "tools": "M13 4.5a3.2 3.2 0 0 1-4.2 3.8L4.5 12.7a1.2 1.2 0 0 1-1.7-1.7l4.3-4.3A3.2 3.2 0 0 1 11 2.6"
    "L9.2 4.4l.4 1.7 1.8.4z",
    "scratchpad": "M3.5 3h9v10.5h-9zM6 1.8v2.4M10 1.8v2.4M5.8 7h4.4M5.8 10h2.6",
    "person": "M8 2.5a2.7 2.7 0 1 1-.01 0M2.8 13.5c.5-5.2 9.9-5.2 10.4 0",
    "agents": "M3 6h10v7.5H3zM8 6V3M6.8 2.8h2.4M6 9v1.4M10 9v1.4",
    "folder": "M2 3.5h4.5l1.5 2h6v8H2z",
    "backup": "M2.5 9.5v4h11v-4M8 2.5v7M5.2 6.9L8 9.7l2.8-2.8",
    "settings": "M2 4.5h6M12 4.5h2M10 3v3M2 11.5h2M8 11.5h6M6 10v3",
    # operations and actions
    "recall": "M7 2.8a4.2 4.2 0 1 1-.01 0M10.1 10.1l3.4 3.4",
    "learn": "M8 3v10M3 8h10",
    "update": "M3 13l.6-2.8 7-7a1.3 1.3 0 0 1 2.2 2.2l-7 7zM9.5 4.3l2.2 2.2",
    "promote": "M8 13V3M4.5 6.5L8 3l3.5 3.5",
    "decay": "M8 3v10M4.5 9.5L8 13l3.5-3.5",
    "retire": "M2.5 3h11v3h-11zM3.5 6v7h9V6M6.5 9h3",
    "undo": "M5.5 3L2.5 6l3 3M2.5 6h7a3.5 3.5 0 0 1 0 7H6",
    "redo": "M10.5 3l3 3-3 3M13.5 6h-7a3.5 3.5 0 0 0 0 7H10",
    "pin": "M5.5 2.5h5M6.5 2.5v4.5L4.5 9.5h7L9.5 7V2.5M8 9.5v4",
    "merge": "M4 2.5v2.5a4 4 0 0 0 4 4 4 4 0 0 0 4-4V2.5M8 9v4.5",
    "divide": "M8 13.5V9.5L4 5.5V2.5M8 9.5l4-4V2.5",
    "play": "M5 3l8 5-8 5z",
    "pause": "M5.5 3v10M10.5 3v10",
    "external": "M9.5 2.5h4v4M13.5 2.5L7.5 8.5M11.5 9v4.5h-9v-9H7",
    "file": "M3.5 2h5.5l3.5 3.5V14h-9zM9 2v3.5h3.5",
    "link": "M6.7 9.3a2.6 2.6 0 0 0 3.7 0l2.2-2.2a2.6 2.6 0 0 0-3.7-3.7L8.2 4.1"
    "M9.3 6.7a2.6 2.6 0 0 0-3.7 0L3.4 8.9a2.6 2.6 0 0 0 3.7 3.7l.7-.7",
    "copy": "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
    "contradicts": "M2.5 5.5h10M10 3l2.5 2.5L10 8M13.5 10.5h-10M6 8l-2.5 2.5L6 13",
    "quoted": "M3 9h3.5V5H3v4c0 1.8.8 2.8 2.2 3.2M9.5 9H13V5H9.5v4c0 1.8.8 2.8 2.2 3.2",
    "lock": "M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2",
    "trash": "M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4M6.8 6.5v4.5M9.2 6.5v4.5",
    "refresh": "M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3",
    # furniture
    "rail": "M2.5 3h11v10h-11zM6.5 3v10",
    "split": "M2.5 3h11v10h-11zM8 3v10",
    "inspector": "M2.5 3h11v10h-11zM9.5 3v10",
    "close": "M4 4l8 8M12 4l-8 8",
    "left": "M9.5 4.5L6 8l3.5 3.5",
    "right": "M6.5 4.5L10 8l-3.5 3.5",
    "up": "M5 9.3l3-3 3 3",
    "down": "M5 6.7l3 3 3-3",
    "check": "M4.3 8.3l2.5 2.5 4.9-5.3",
    "cross": "M4.5 4.5l7 7M11.5 4.5l-7 7",
    "minus": "M3 8h10",
    "dot": "M8 6a2 2 0 1 1-.01 0M8 7.3a.7.7 0 1 1-.01 0",
    "warning": "M8 2.5l6 11H2zM8 6.5v3.5M8 11.8v.2",
    "info": "M8 2.2a5.8 5.8 0 1 1-.01 0M8 7.5v3.5M8 5v.2",
    "help": "M8 2.2a5.8 5.8 0 1 1-.01 0M6.2 6.4a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.8.6-.8 1.3M8 11.2v.1",
    "funnel": "M2.5 3h11L9.5 8v5l-3-1.5V8z",
    "calendar": "M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3",
    "sun": "M8 5a3 3 0 1 1-.01 0M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9"
    "M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9",
    "moon": "M12.8 9.7A5.5 5.5 0 1 1 6.3 3.2a4.3 4.3 0 0 0 6.5 6.5z",
    "job": "M2 5h8M12 5h2M2 11h2M6 11h8M11 3.5v3M5 9.5v3",
    "hook": "M2.5 2.5h11v11h-11zM4.5 9.5l2-2.5 2 1.5 3-3.5",
    "more": "M3.5 8h.1M8 8h.1M12.5 8h.1",
}
"""Every icon's path on the 16 px grid; drawn with a round pen and no fill."""

ALIASES = {
    "plus": "learn",
    "edit": "update",
    "search": "recall",
    "demote": "decay",
    "rescue": "promote",
    "filter": "funnel",
    "conflict": "contradicts",
    "agent": "job",
    "error": "warning",
}
"""Other names of the same icon, so that code can name its purpose."""

OPERATIONS = {
    "recall": ("recall", "t3"),
    "learn": ("learn", "acc"),
    "update": ("update", "acc"),
    "promote": ("promote", "ok"),
    "decay": ("decay", "warn"),
    "retire": ("retire", "bad"),
    "delete": ("retire", "bad"),
    "undo": ("undo", "t2"),
}
"""Icon and tone of each operation."""

KINDS = ("entity", "fact", "decision", "preference", "constraint", "event")


def operation(name: str) -> tuple[str, str]:
    """Return the icon name and colour token of an operation; an operation without an icon is shown as an
    update."""
    return OPERATIONS.get(name, OPERATIONS["update"])


def pixmap(name: str, color: str = "t2", dpr: float = 1.0, size: int = 16) -> QPixmap:
    """Return an icon in a token's colour, sharp at a device pixel ratio. Raises KeyError for an unknown icon."""
    return _pixmap(ALIASES.get(name, name), look.token(color), dpr, size)


@lru_cache(maxsize=1024)
def _pixmap(name: str, rgb: str, dpr: float, size: int) -> QPixmap:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">'
        f'<path d="{PATHS[name]}" fill="none" stroke="{rgb}" stroke-width="{STROKE_PX}"'
        ' stroke-linejoin="round" stroke-linecap="round"/></svg>'
    )
    made = QPixmap(round(size * dpr), round(size * dpr))
    made.fill(Qt.GlobalColor.transparent)
    made.setDevicePixelRatio(dpr)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return made


def paint(painter: QPainter, name: str, at: QPointF, color: str = "t2", size: int = 16) -> None:
    """Paint an icon with its top left corner at a point, at the painter's own device pixel ratio."""
    device = painter.device()
    painter.drawPixmap(at, pixmap(name, color, device.devicePixelRatioF() if device else 1.0, size))


def icon(name: str, color: str = "t2") -> QIcon:
    """Return a QIcon for menus and the window frame, in the current colour of a token."""
    made = QIcon()
    for dpr in (1.0, 1.5, 2.0, 3.0):
        made.addPixmap(pixmap(name, color, dpr))
    return made


def kind_shape(painter: QPainter, rect: QRectF, category: str, color: QColor, fill: float = 1.0) -> None:
    """Paint the shape of a kind of memory, filled in part when it is less certain.

    category: one of KINDS; any other kind is drawn as a fact. fill: 0 (outline only) to 1 (solid)."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if category == "event":
        _bars(painter, rect, color)
    else:
        _closed_shape(painter, rect, category, color, min(1.0, max(0.0, fill)))
    painter.restore()


def _bars(painter: QPainter, rect: QRectF, color: QColor) -> None:
    thick = max(1.0, round(rect.height() / 6))
    for place in (0.18, 0.5, 0.82):
        y = round(rect.y() + rect.height() * place - thick / 2)
        painter.fillRect(QRectF(rect.x(), y, rect.width(), thick), color)


def _closed_shape(painter: QPainter, rect: QRectF, category: str, color: QColor, fill: float) -> None:
    inner = rect if fill >= 1.0 else rect.adjusted(0.75, 0.75, -0.75, -0.75)
    ground = QColor(color)
    ground.setAlphaF(fill)
    painter.setBrush(QBrush(ground))
    painter.setPen(Qt.PenStyle.NoPen if fill >= 1.0 else QPen(color, 1.5, j=Qt.PenJoinStyle.MiterJoin))
    match category:
        case "entity":
            painter.drawEllipse(inner)
        case "decision":
            painter.drawPolygon(_diamond(inner))
        case "preference":
            painter.drawPolygon(_triangle(inner))
        case "constraint":
            painter.drawPolygon(_cross(inner))
        case _:
            painter.drawRoundedRect(inner.adjusted(0.5, 0.5, -0.5, -0.5), 1.5, 1.5)


def _diamond(r: QRectF) -> QPolygonF:
    x, y = r.center().x(), r.center().y()
    return QPolygonF(
        [QPointF(x, r.top()), QPointF(r.right(), y), QPointF(x, r.bottom()), QPointF(r.left(), y)]
    )


def _triangle(r: QRectF) -> QPolygonF:
    # An equilateral triangle sits optically centred when its base is a little above the box's foot.
    drop = r.height() * 0.06
    return QPolygonF(
        [
            QPointF(r.center().x(), r.top() + drop),
            QPointF(r.right(), r.bottom() - drop),
            QPointF(r.left(), r.bottom() - drop),
        ]
    )


def _cross(r: QRectF) -> QPolygonF:
    a = max(1.0, math.floor(r.width() * 0.3))
    left, right, top, bottom = r.left(), r.right(), r.top(), r.bottom()
    corners = (
        (left + a, top),
        (right - a, top),
        (right - a, top + a),
        (right, top + a),
        (right, bottom - a),
        (right - a, bottom - a),
        (right - a, bottom),
        (left + a, bottom),
        (left + a, bottom - a),
        (left, bottom - a),
        (left, top + a),
        (left + a, top + a),
    )
    return QPolygonF([QPointF(x, y) for x, y in corners])
