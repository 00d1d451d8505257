"""Painter of a Control: its ground by kind and state, its parts from left to right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QPainter

from memdesk.gui import icons, look
from memdesk.gui.look import c
from memdesk.gui.widgets.control_style import BADGE_PX, ICON_PX, RADIUS_PX, SQUARE_PX, Kind, Label, Style
from memdesk.gui.widgets.paint import (
    CAP_HEIGHT_PX,
    CENTER,
    LEFT,
    box,
    cap_width,
    channel_square,
    draw_text,
    key_cap,
    text_width,
)

CHEVRON_PAD_PX = 6
CHEVRON_GAP_PX = 4


class Drawn(Protocol):
    """Attributes of a control that the painter needs."""

    label: Label
    collapsed: bool

    @property
    def kind(self) -> Kind: ...

    @property
    def measures(self) -> Style: ...

    def shows_picture(self) -> bool: ...
    def isChecked(self) -> bool: ...
    def isDown(self) -> bool: ...
    def isEnabled(self) -> bool: ...
    def underMouse(self) -> bool: ...


def _face(control: Drawn) -> QFont:
    """Return the font of the control's own text in its present state."""
    measures, on = control.measures, control.isChecked()
    heavy = bool(control.label.lead) or (on and control.kind in ("segment", "rail"))
    return look.font(measures.px, 500 if heavy else measures.weight, strike=on and control.kind == "hide")


def _words(control: Drawn) -> Iterator[tuple[str, QFont, str]]:
    """Yield each run of words with its font and token."""
    label = control.label
    quiet = look.font(control.measures.px)
    if label.lead:
        yield label.lead, quiet, "t3"
    if label.text:
        yield label.text, _face(control), _ink(control)
    if label.count and control.kind != "rail":
        yield label.count, quiet, "t1" if control.kind == "chip" and control.isChecked() else "t3"


def _start(control: Drawn) -> int:
    return control.measures.icon_pad if control.shows_picture() else control.measures.pad


def width(control: Drawn) -> int:
    """Return the full width of the control, in px. A segment is measured in its heavier font, so that
    choosing it moves no other part."""
    label, measures = control.label, control.measures
    parts = [text_width(text, face) for text, face, _ in _words(control)]
    if control.kind == "segment":
        parts = [text_width(label.text, look.font(measures.px, 500))] if label.text else []
        parts += [text_width(label.count, look.font(measures.px))] if label.count else []
    parts += [ICON_PX] if control.shows_picture() else []
    parts += [SQUARE_PX] if label.channel is not None else []
    parts += [cap_width(label.keys)] if label.keys else []
    inner = sum(parts) + measures.gap * max(0, len(parts) - 1)
    end = CHEVRON_GAP_PX + ICON_PX + CHEVRON_PAD_PX if label.drop else measures.pad
    return _start(control) + inner + end


def _ink(control: Drawn) -> str:
    """Return the token of the control's own text in its present state."""
    if not control.isEnabled() and control.kind != "primary":
        return "t3"
    on = control.isChecked()
    match control.kind:
        case "primary":
            return "onfill"
        case "link":
            return "acc"
        case "field":
            return "t3"
        case "hide":
            return "t3" if on else "t2"
        case "ghost" | "chip" | "segment" | "rail":
            return "t1" if on else "t2"
        case _:
            return "t1"


def _icon_token(control: Drawn) -> str:
    if not control.isEnabled():
        return _ink(control)
    if control.kind == "rail" and control.isChecked():
        return "acc"
    return control.label.tone or _ink(control)


def paint_ground(painter: QPainter, rect: QRectF, control: Drawn) -> None:
    """Paint the control's ground and rim in its state."""
    over = control.isEnabled() and control.underMouse()
    down, on = control.isDown(), control.isChecked()
    match control.kind:
        case "primary":
            box(painter, rect, RADIUS_PX, c("fillpress" if down else "accfill"))
        case "button":
            _paint_button(painter, rect, control, over=over)
        case "field":
            box(painter, rect, RADIUS_PX, c("stage"), c("line2"))
        case "segment":
            _paint_segment(painter, rect, control, over=over)
        case "chip" if on:
            box(painter, rect, RADIUS_PX, c("sel"))
        case "chip" | "hide":
            box(painter, rect, RADIUS_PX, c("hover") if over else None, c("line2"))
        case "rail" | "ghost" if on or down:
            box(painter, rect, RADIUS_PX, c("on"))
        case "rail" | "ghost" if over:
            box(painter, rect, RADIUS_PX, c("hover" if control.kind == "ghost" else "over"))


def _paint_button(painter: QPainter, rect: QRectF, control: Drawn, *, over: bool) -> None:
    fill = "press" if control.isDown() else "hover" if over else "ctl"
    rim = "edge" if control.label.drop else "line2"
    box(painter, rect, RADIUS_PX, c(fill), c(rim if control.isEnabled() else "line"))


def _paint_segment(painter: QPainter, rect: QRectF, control: Drawn, *, over: bool) -> None:
    """Paint a segment's ground. Neighbours share a 1 px line; only the ends of the row are rounded."""
    ends = control.label.ends
    painter.save()
    painter.setClipRect(rect)
    wide = rect.adjusted(0 if "left" in ends else -8, 0, 0 if "right" in ends else 8, 0)
    fill = "sel" if control.isChecked() else "hover" if over else "ctl"
    box(painter, wide, RADIUS_PX, c(fill), c("line2"))
    if "right" not in ends:
        painter.fillRect(QRectF(rect.right() - 1, 1, 1, rect.height() - 2), c("line2"))
    painter.restore()


def paint_alone(painter: QPainter, rect: QRectF, control: Drawn) -> None:
    """Paint the icon in the middle, and a dot if a collapsed rail item has a badge."""
    at = QPointF(round((rect.width() - ICON_PX) / 2), round((rect.height() - ICON_PX) / 2))
    icons.paint(painter, control.label.icon, at, _icon_token(control))
    if control.collapsed and control.label.count:
        box(painter, QRectF(rect.right() - 10, 5, 6, 6), 3, c("acc"))


def paint_parts(painter: QPainter, rect: QRectF, control: Drawn) -> None:
    """Paint icon, channel square and words from the left; key cap, chevron or badge from the right."""
    label, gap = control.label, control.measures.gap
    x: float = _start(control)
    right = _paint_right(painter, rect, control)
    if control.shows_picture():
        at = QPointF(x, round((rect.height() - ICON_PX) / 2))
        icons.paint(painter, label.icon, at, _icon_token(control))
        x += ICON_PX + gap
    if label.channel is not None:
        channel_square(painter, QPointF(x, round((rect.height() - SQUARE_PX) / 2)), label.channel)
        x += SQUARE_PX + gap
    for text, face, token in _words(control):
        if right > x:
            area = QRectF(x, 0, right - x, rect.height())
            x += round(draw_text(painter, area, text, face, c(token), LEFT)) + gap


def _paint_right(painter: QPainter, rect: QRectF, control: Drawn) -> float:
    """Paint the part at the right edge. Returns the x where the words must end."""
    label, measures = control.label, control.measures
    if label.drop:
        left = rect.right() - CHEVRON_PAD_PX - ICON_PX
        icons.paint(painter, "down", QPointF(left, round((rect.height() - ICON_PX) / 2)), "t3")
        return left - CHEVRON_GAP_PX
    if label.keys:
        left = rect.right() - measures.pad - cap_width(label.keys)
        at = QPointF(left, round((rect.height() - CAP_HEIGHT_PX) / 2))
        key_cap(painter, at, label.keys, filled=control.kind == "primary")
        return left - measures.gap
    if control.kind == "rail" and label.count:
        return _paint_badge(painter, rect, label.count)
    return rect.right() - measures.pad


def _paint_badge(painter: QPainter, rect: QRectF, count: str) -> float:
    face = look.font(11, 500)
    wide = max(BADGE_PX, text_width(count, face) + 12)
    badge = QRectF(rect.right() - wide - 8, (rect.height() - BADGE_PX) / 2, wide, BADGE_PX)
    box(painter, badge, BADGE_PX / 2, c("track"))
    draw_text(painter, badge, count, face, c("t1"), CENTER)
    return badge.left() - 6
