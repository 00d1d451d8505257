"""Flaws of the window that a program can see: cut, overlapping or faint texts, parts outside others, buttons without
a name.

Painted texts are recorded while the window paints itself; labels and other widgets are read from the tree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QImage, QPainter, QPixmap
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QBoxLayout,
    QLabel,
    QLayoutItem,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QToolTip,
    QWidget,
)

from memdesk.gui.widgets import ColumnsModel, Control, Table
from memdesk.gui.widgets.paint import Ring
from memdesk.gui.widgets.rows import TEXT_LEAST_PX

LEAST_CONTRAST, LEAST_CONTRAST_LARGE = 4.5, 3.0
"""WCAG 2.2, 1.4.3. Large is 24 px, or 19 px and bold."""
GRACE_PX = 2
OVERLAP_PX = 3
LEAVES = (QLabel, QAbstractButton, QLineEdit)


@dataclass(frozen=True, slots=True)
class Drawn:
    """One text as it was painted. area: its box in the widget. color: its ink, or None if it was painted faint on
    purpose, as a disabled control is."""

    widget: QWidget
    text: str
    area: QRectF
    color: QColor | None
    is_large: bool


def grabbed(window: QWidget) -> tuple[QPixmap, list[str]]:
    """Return a picture of a window and the flaws seen in it, each a sentence."""
    drawn: list[Drawn] = []
    with recording(drawn.append):
        picture = window.grab()
    visible = [each for each in drawn if _is_seen(each.widget, each.area.center().toPoint(), window)]
    image = picture.toImage()
    image.setDevicePixelRatio(1.0)
    scale = picture.devicePixelRatio()
    found = [
        *_cut(visible),
        *_overlapping_texts(visible),
        *_faint(visible, window, image, scale),
        *_labels(window, image, scale),
        *_tree(window),
    ]
    return picture, list(dict.fromkeys(found))


@contextmanager
def recording(record: Callable[[Drawn], object]) -> Iterator[None]:
    """Record each text that Python code paints on a widget."""
    paint = QPainter.drawText

    def painted(painter: QPainter, *args: Any) -> Any:
        device = painter.device()
        if (
            isinstance(device, QWidget)
            and args
            and (text := next(each for each in args if isinstance(each, str)))
        ):
            record(_drawn(painter, device, text, args))
        return paint(painter, *args)

    QPainter.drawText = painted  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        QPainter.drawText = paint  # type: ignore[method-assign]


def _drawn(painter: QPainter, widget: QWidget, text: str, args: Sequence[Any]) -> Drawn:
    font, first = painter.font(), args[0]
    if isinstance(first, (QRect, QRectF)):
        flags = args[1] if isinstance(args[1], int) else args[1].value if hasattr(args[1], "value") else 0
        area = painter.boundingRect(QRectF(first), flags, text)
    else:
        at = QPointF(first) if isinstance(first, (QPoint, QPointF)) else QPointF(first, args[1])
        area = QFontMetricsF(font).boundingRect(text).translated(at)
    px = font.pixelSize()
    return Drawn(
        widget,
        text,
        painter.worldTransform().mapRect(area),
        QColor(painter.pen().color()) if painter.opacity() == 1 else None,
        px >= 24 or (px >= 19 and font.bold()),
    )


def _is_seen(widget: QWidget, at: QPoint, window: QWidget) -> bool:
    """Return True if a point of a widget is not scrolled away or below another widget."""
    if not window.isAncestorOf(widget) or not widget.visibleRegion().contains(at):
        return False
    top = window.childAt(widget.mapTo(window, at))
    return top is widget or top is None or widget.isAncestorOf(top) or isinstance(top, Ring)


def _cut(drawn: Sequence[Drawn]) -> Iterator[str]:
    """Texts with an ellipsis and no tip, and texts that cross the edge of their widget."""
    for each in drawn:
        is_meant = isinstance(each.widget, Control) and each.widget.text() == each.text
        if (
            each.text.endswith("…")
            and not is_meant
            and not _tip_at(each.widget, each.area.center().toPoint())
        ):
            yield f"cut without a tip: “{each.text}” in {_place(each.widget)}"
        room = QRectF(each.widget.rect()).adjusted(-GRACE_PX, -GRACE_PX, GRACE_PX, GRACE_PX)
        scrolls = isinstance(each.widget.parent(), QAbstractScrollArea)
        if each.area.left() < room.left() or each.area.right() > room.right():
            yield f"over the edge: “{each.text}” in {_place(each.widget)}"
        elif not scrolls and (each.area.top() < room.top() - 2 or each.area.bottom() > room.bottom() + 2):
            yield f"too high for its place: “{each.text}” in {_place(each.widget)}"


def _tip_at(widget: QWidget, at: QPoint) -> str:
    QToolTip.hideText()
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    said = QToolTip.text()
    QToolTip.hideText()
    return said


def _overlapping_texts(drawn: Sequence[Drawn]) -> Iterator[str]:
    of: dict[QWidget, list[Drawn]] = defaultdict(list)
    for each in drawn:
        if each.text.strip():
            of[each.widget].append(each)
    for widget, texts in of.items():
        for one, other in combinations(texts, 2):
            if (one.text, one.area) != (other.text, other.area) and _overlaps(one.area, other.area):
                yield f"texts over each other: “{one.text}” and “{other.text}” in {_place(widget)}"


def _overlaps(one: QRectF, other: QRectF) -> bool:
    # A line's box has 2 px of air above and below its letters.
    common = one.adjusted(0, 2, 0, -2).intersected(other.adjusted(0, 2, 0, -2))
    return common.width() >= OVERLAP_PX and common.height() >= OVERLAP_PX


def _faint(drawn: Sequence[Drawn], window: QWidget, image: QImage, scale: float) -> Iterator[str]:
    for each in drawn:
        if each.color is not None and len(each.text.strip()) > 0:
            area = each.area.translated(QPointF(each.widget.mapTo(window, QPoint())))
            yield from _too_faint(each.text, each.color, area, each.is_large, each.widget, image, scale)


def _too_faint(
    text: str, ink: QColor, area: QRectF, is_large: bool, widget: QWidget, image: QImage, scale: float
) -> Iterator[str]:
    ground = _ground(image, area, scale)
    if ground is None:
        return
    ratio = contrast(ink, ground)
    if ratio < (LEAST_CONTRAST_LARGE if is_large else LEAST_CONTRAST) - 0.02:
        yield f"faint, {ratio:.1f}:1 ({ink.name()} on {ground.name()}): “{text}” in {_place(widget)}"


def _ground(image: QImage, area: QRectF, scale: float) -> QColor | None:
    """Commonest colour of an area, given in px of the window; None outside the picture."""
    wide, high = image.width(), image.height()
    left, top = max(0, round(area.left() * scale)), max(0, round(area.top() * scale))
    right, bottom = min(wide, round(area.right() * scale)), min(high, round(area.bottom() * scale))
    if right <= left or bottom <= top:
        return None
    rows = np.frombuffer(image.constBits(), np.uint32).reshape(high, image.bytesPerLine() // 4)
    values, counts = np.unique(rows[top:bottom, left:right], return_counts=True)
    return QColor.fromRgb(int(values[np.argmax(counts)]))


def contrast(one: QColor, other: QColor) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.2, relative luminance)."""

    def luminance(color: QColor) -> float:
        parts = (color.redF(), color.greenF(), color.blueF())
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _labels(window: QWidget, image: QImage, scale: float) -> Iterator[str]:
    for label in window.findChildren(QLabel):
        # A label of ours returns what it was given; Qt knows what it shows.
        shown = QLabel.text(label)
        middle = label.visibleRegion().boundingRect().center()
        if not label.isVisible() or not shown or not _is_seen(label, middle, window):
            continue
        text = label.accessibleName() or shown
        if label.wordWrap() or label.textFormat() == Qt.TextFormat.RichText:
            if label.heightForWidth(label.width()) > label.height() + GRACE_PX:
                yield f"cut below: “{text}” in {_place(label)}"
            continue
        if label.fontMetrics().horizontalAdvance(shown) > label.contentsRect().width() + GRACE_PX:
            yield f"cut: “{text}” in {_place(label)}"
        elif shown != text and not label.toolTip():
            yield f"cut without a tip: “{text}” in {_place(label)}"
        if label.isEnabled():
            area = QRectF(label.visibleRegion().boundingRect())
            at = area.translated(QPointF(label.mapTo(window, QPoint())))
            ink = label.palette().color(label.foregroundRole())
            yield from _too_faint(text, ink, at, label.font().pixelSize() >= 24, label, image, scale)


def _tree(window: QWidget) -> Iterator[str]:
    """Widgets outside their parent, over each other, or without a name."""
    for widget in window.findChildren(QWidget):
        parent = widget.parentWidget()
        if parent is None or widget.isWindow() or not widget.isVisible() or isinstance(widget, Ring):
            continue
        if widget.visibleRegion().isEmpty() and not isinstance(widget, LEAVES):
            continue
        inside = parent.rect().adjusted(-1, -1, 1, 1)
        scrolls = isinstance(parent.parent(), QAbstractScrollArea)
        if not scrolls and not inside.contains(widget.geometry()) and not widget.geometry().isEmpty():
            yield f"outside its parent: {_name(widget)} in {_place(parent)}"
        if isinstance(widget, Table):
            yield from _columns(widget)
        if isinstance(widget, QAbstractButton) and not (widget.accessibleName() or widget.text()):
            yield f"button without a name: {_place(widget)}"
        if isinstance(widget, (QLineEdit, QPlainTextEdit, QTextEdit)) and not widget.accessibleName():
            yield f"field without a name: {_place(widget)}"
    for parent in (window, *window.findChildren(QWidget)):
        if isinstance(layout := parent.layout(), QBoxLayout) and not parent.visibleRegion().isEmpty():
            least = layout.minimumSize().width()
            if least > parent.width():
                yield f"{parent.width()} px wide, {least} needed: {_place(parent)}"
            yield from _parts(layout, parent)
        children = [
            each
            for each in parent.children()
            if isinstance(each, LEAVES) and each.isVisible() and not each.isWindow()
        ]
        for one, other in combinations(children, 2):
            if _overlaps(QRectF(one.geometry()), QRectF(other.geometry())):
                yield f"over each other: {_name(one)} and {_name(other)} in {_place(parent)}"


def _parts(layout: QBoxLayout, parent: QWidget) -> Iterator[str]:
    """Parts of a row or column that are over each other."""
    items = [item for place in range(layout.count()) if (item := layout.itemAt(place)) and not item.isEmpty()]
    for one, other in pairwise(items):
        if _overlaps(QRectF(one.geometry()), QRectF(other.geometry())):
            yield f"parts over each other: {_part(one)} and {_part(other)} in {_place(parent)}"


def _columns(table: Table) -> Iterator[str]:
    """Columns of a table that show next to nothing of their words."""
    model = table.model()
    for place, column in enumerate(model.columns if isinstance(model, ColumnsModel) else ()):
        if not column.width and not table.isColumnHidden(place) and table.columnWidth(place) < TEXT_LEAST_PX:
            wide = table.columnWidth(place)
            yield f"column of {wide} px: “{column.title}” in {_place(table)}"


def _part(item: QLayoutItem) -> str:
    widget = item.widget()
    return _name(widget) if widget is not None else "a layout"


def _name(widget: QWidget) -> str:
    said = widget.accessibleName() or (widget.text() if isinstance(widget, LEAVES) else "")
    return f"{type(widget).__name__} “{said[:60]}”" if said else type(widget).__name__


def _place(widget: QWidget) -> str:
    """Name of a widget, with those of three widgets around it that have classes of ours."""
    chain = [widget]
    while (parent := chain[-1].parentWidget()) is not None:
        chain.append(parent)
    ours = [each for each in chain[1:] if type(each).__module__.startswith("memdesk")][:3]
    names = [_name(widget), *(type(each).__name__ for each in ours)]
    return " < ".join(name for last, name in pairwise(["", *names]) if name != last)
