"""Painted button for every control that is pressed, from the primary button to a rail item."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QFont, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from memdesk.gui import icons, look
from memdesk.gui.look import c
from memdesk.gui.widgets.badges import TAG_HEIGHT_PX, Tone, paint_tag, tag_width
from memdesk.gui.widgets.paint import (
    CAP_HEIGHT_PX,
    CENTER,
    LEFT,
    box,
    cap_width,
    channel_square,
    draw_text,
    key_cap,
    ring_on_focus,
    text_width,
)
from memdesk.gui.widgets.text import tip_text


class Pressable(QAbstractButton):
    """A button that paints itself or consists of other widgets. Its signals are QAbstractButton's."""

    RING_RADIUS_PX = 5

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Ring the button when the keyboard brought the focus."""
        super().focusInEvent(event)
        ring_on_focus(self, event.reason(), radius=self.RING_RADIUS_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint nothing: a button that consists of widgets."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the button with Enter, as Space does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Repaint when enabled or disabled."""
        super().changeEvent(event)
        self.update()


class TagLink(Pressable):
    """Tag that acts as a link."""

    RING_RADIUS_PX = 3

    def __init__(self, text: str, tip: str = "", tone: Tone = "plain") -> None:
        super().__init__()
        self._text, self._tone = text, tone
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedSize(tag_width(text), TAG_HEIGHT_PX)
        self.setAccessibleName(text)
        self.setToolTip(tip_text(tip or text))
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the tag, darker below the pointer."""
        if self.underMouse():
            box(QPainter(self), QRectF(self.rect()), 3, c("hover"))
        paint_tag(QPainter(self), QRectF(self.rect()), self._text, self._tone)


Kind = Literal[
    "button", "primary", "ghost", "chip", "hide", "segment", "rail", "place", "branch", "field", "link"
]
"""button and primary act; ghost acts quietly; chip is on or off; hide is a chip that strikes out the thing it
hides; segment is part of a Segments row; rail opens a panel, place a list of panels, which are its branches;
field looks like a text field and opens one; link is text."""
RAIL: frozenset[Kind] = frozenset(("rail", "place", "branch"))
"""Kinds that the rail consists of."""

ICON_PX = 16
SQUARE_PX = 8
BADGE_PX = 18
COUNT_ROOM = "00"
"""Least room for a count, so that one that passes nine moves no neighbour. Room for hundreds leaves holes in the chips
of small counts."""
RADIUS_PX = 5
BOTH_ENDS = frozenset(("left", "right"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """Measures of one kind of control, in px. pad: before words; icon_pad: before an icon, which has a margin
    already."""

    height: int
    pad: int
    icon_pad: int
    gap: int
    px: int = 12
    weight: int = 400
    checkable: bool = False


STYLES: dict[Kind, Style] = {
    "button": Style(height=28, pad=11, icon_pad=8, gap=6, weight=500),
    "primary": Style(height=28, pad=11, icon_pad=8, gap=6, weight=500),
    "ghost": Style(height=28, pad=6, icon_pad=6, gap=6),
    "chip": Style(height=24, pad=9, icon_pad=7, gap=5, checkable=True),
    "hide": Style(height=24, pad=9, icon_pad=7, gap=5, checkable=True),
    "segment": Style(height=26, pad=11, icon_pad=8, gap=6, checkable=True),
    "rail": Style(height=30, pad=8, icon_pad=8, gap=10, px=13, checkable=True),
    "place": Style(height=30, pad=8, icon_pad=8, gap=10, px=13, checkable=True),
    "branch": Style(height=26, pad=34, icon_pad=34, gap=10, checkable=True),
    "field": Style(height=28, pad=9, icon_pad=9, gap=8, px=13),
    "link": Style(height=18, pad=0, icon_pad=0, gap=4),
}
SMALL: dict[Kind, Style] = {
    "button": Style(height=22, pad=8, icon_pad=5, gap=6, px=11, weight=500),
    "primary": Style(height=22, pad=8, icon_pad=5, gap=6, px=11, weight=500),
    "ghost": Style(height=22, pad=6, icon_pad=3, gap=5, px=11),
    "link": Style(height=16, pad=0, icon_pad=0, gap=4, px=11),
}


@dataclass(slots=True, kw_only=True)
class Label:
    """Text, icon and marks that a control shows. ends: the ends of its row at which a segment is, "left" or
    "right"."""

    text: str = ""
    icon: str = ""
    lead: str = ""
    count: str = ""
    keys: str = ""
    tone: str = ""
    channel: int | None = None
    drop: bool = False
    ends: frozenset[str] = BOTH_ENDS

    @property
    def is_picture(self) -> bool:
        """True if there are no words, only an icon."""
        return bool(self.icon) and not (self.text or self.lead or self.count or self.keys)

    def said(self) -> str:
        """Return the words that a screen reader reads out."""
        return " ".join(part for part in (self.lead, self.text, self.count) if part)


CHEVRON_PAD_PX = 6
CHEVRON_GAP_PX = 4
INKS: dict[Kind, tuple[str, str]] = {
    "primary": ("onfill", "onfill"),
    "link": ("acc", "acc"),
    "field": ("t3", "t3"),
    "hide": ("t2", "t3"),
    "ghost": ("t2", "t1"),
    "chip": ("t2", "t1"),
    "segment": ("t2", "t1"),
    "rail": ("t2", "t1"),
    "place": ("t2", "t1"),
    "branch": ("t2", "t1"),
}
"""Tokens of the own text of a control, and while it is checked; for other kinds t1."""


class Control(Pressable):
    """A painted button. Its signals are QAbstractButton's: clicked, toggled.

    icon: name in icons; on a chip "check" shows only while the chip is on. lead: quiet words before the text.
    count: quiet words after it, a badge in the rail. keys: key cap, as “Ctrl S”. tone: token of the icon.
    channel: number of the channel whose square leads. drop: chevron at the right. small: 22 px instead of 28.
    tip: tool tip, and the accessible name if there is no text."""

    def __init__(
        self,
        kind: Kind,
        text: str = "",
        icon: str = "",
        *,
        lead: str = "",
        count: str = "",
        keys: str = "",
        tone: str = "",
        channel: int | None = None,
        drop: bool = False,
        small: bool = False,
        tip: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.kind: Kind = kind
        self.measures = SMALL.get(kind, STYLES[kind]) if small else STYLES[kind]
        self.label = Label(
            text=text, icon=icon, lead=lead, count=count, keys=keys, tone=tone, channel=channel, drop=drop
        )
        self.collapsed = False
        self._tip = tip
        self._show_tip(tip)
        self._shape()
        self._name()

    def _shape(self) -> None:
        self.setCheckable(self.measures.checkable)
        self.setFixedHeight(self.measures.height)
        grows = self.kind == "field" or self.kind in RAIL
        wide = QSizePolicy.Policy.Expanding if grows else QSizePolicy.Policy.Fixed
        self.setSizePolicy(wide, QSizePolicy.Policy.Fixed)
        if self.kind == "link":
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    # What it says. The text is kept here, not in Qt's property, which would read "&" as a mnemonic.

    def text(self) -> str:
        """Return the control's own words."""
        return self.label.text

    def setText(self, text: str) -> None:
        """Change the control's words."""
        self.label.text = text
        self._relabel()

    def set_count(self, count: str) -> None:
        """Change the count or badge; empty for none."""
        self.label.count = count
        self._relabel()

    def set_tip(self, tip: str) -> None:
        self._tip = tip
        self._show_tip(tip)
        self._relabel()

    def _show_tip(self, tip: str) -> None:
        self.setToolTip(tip_text(tip))

    def set_icon(self, icon: str, tone: str = "") -> None:
        self.label.icon, self.label.tone = icon, tone
        self._relabel()

    def set_channel(self, number: int | None) -> None:
        """Lead with another channel's square, or none."""
        self.label.channel = number
        self._relabel()

    def set_collapsed(self, collapsed: bool) -> None:
        """Show a rail item or a button as its icon alone; its name moves to the tool tip."""
        if collapsed == self.collapsed:
            return
        self.collapsed = collapsed
        self._show_tip(self.label.text if collapsed else self._tip)
        self._relabel()

    def set_enabled(self, enabled: bool, why_not: str = "") -> None:
        """Enable or disable, with the reason in the tool tip."""
        self.setEnabled(enabled)
        self._show_tip(self._tip if enabled else why_not or self._tip)
        self.setAccessibleDescription("" if enabled else why_not)

    def _relabel(self) -> None:
        self._name()
        self.updateGeometry()
        self.update()

    def _name(self) -> None:
        self.setAccessibleName(self.label.said() or self._tip or self.label.icon)

    # Size and state.

    def _shows_icon(self) -> bool:
        if self.kind == "branch":
            return self.collapsed
        hidden = self.kind == "chip" and self.label.icon == "check" and not self.isChecked()
        return bool(self.label.icon) and not hidden

    def _is_alone(self) -> bool:
        """Return True if only the icon is visible."""
        return self.collapsed or self.label.is_picture

    def sizeHint(self) -> QSize:
        high = self.measures.height
        if self._is_alone():
            return QSize(high if self.measures.pad else ICON_PX, high)
        return QSize(self._full_width(), high)

    def minimumSizeHint(self) -> QSize:
        """Allow a rail item and a field to shrink; other controls never cut their words."""
        high = self.measures.height
        shrinks = self.kind == "field" or self.kind in RAIL
        return QSize(high, high) if shrinks else self.sizeHint()

    @property
    def full_px(self) -> int:
        """Width with its words, also while it is collapsed."""
        return self._full_width()

    def _full_width(self) -> int:
        """Return the width of all parts. A segment is measured in its heavier font, so that choosing it moves no
        other part."""
        label, measures = self.label, self.measures
        parts = [text_width(text, face) for text, face, _ in self._words()]
        if self.kind == "segment" and label.text:
            parts[0] = text_width(label.text, look.font(measures.px, 500))
        if label.count and self.kind not in RAIL:
            parts[-1] = max(parts[-1], text_width(COUNT_ROOM, self._figures()))
        parts += [ICON_PX] if self._shows_icon() else []
        parts += [SQUARE_PX] if label.channel is not None else []
        parts += [cap_width(label.keys)] if label.keys else []
        inner = sum(parts) + measures.gap * max(0, len(parts) - 1)
        end = CHEVRON_GAP_PX + ICON_PX + CHEVRON_PAD_PX if label.drop else measures.pad
        return self._start() + inner + end

    def _start(self) -> int:
        return self.measures.icon_pad if self._shows_icon() else self.measures.pad

    def _words(self) -> Iterator[tuple[str, QFont, str]]:
        """Yield each run of words with its font and token."""
        label, measures, on = self.label, self.measures, self.isChecked()
        quiet = look.font(measures.px)
        if label.lead:
            yield label.lead, quiet, "t3"
        if label.text:
            heavy = bool(label.lead) or (on and (self.kind == "segment" or self.kind in RAIL))
            strike = on and self.kind == "hide"
            yield (
                label.text,
                look.font(measures.px, 500 if heavy else measures.weight, strike=strike),
                self._ink(),
            )
        if label.count and self.kind not in RAIL:
            yield label.count, self._figures(), "t1" if on and self.kind == "chip" else "t3"

    def _figures(self) -> QFont:
        """Return the font of the count: figures of one width."""
        return look.font(self.measures.px, tabular=True)

    def _ink(self) -> str:
        """Return the token of the own text in the present state."""
        if not self.isEnabled() and self.kind != "primary":
            return "t3"
        plain, checked = INKS.get(self.kind, ("t1", "t1"))
        return checked if self.isChecked() else plain

    def _icon_token(self) -> str:
        if self.isEnabled() and self.kind in RAIL and self.isChecked():
            return "acc"
        return (self.label.tone if self.isEnabled() else "") or self._ink()

    def checkStateSet(self) -> None:
        """Update the geometry, as a chip's check takes room only while it shows."""
        super().checkStateSet()
        self.updateGeometry()

    def nextCheckState(self) -> None:
        """Update the geometry as checkStateSet does, when pressed."""
        super().nextCheckState()
        self.updateGeometry()

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if not self.isEnabled():
            painter.setOpacity(0.6)
        rect = QRectF(self.rect())
        self._paint_ground(painter, rect)
        if self._is_alone():
            at = QPointF(round((rect.width() - ICON_PX) / 2), self._middle(ICON_PX))
            icons.paint(painter, self.label.icon, at, self._icon_token())
            if self.collapsed and self.label.count:
                box(painter, QRectF(rect.right() - 10, 5, 6, 6), 3, c("acc"))
        else:
            self._paint_parts(painter, rect)

    def _middle(self, high: int) -> int:
        """Return the y at which a part of this height is in the middle."""
        return round((self.height() - high) / 2)

    def _paint_ground(self, painter: QPainter, rect: QRectF) -> None:
        over = self.isEnabled() and self.underMouse()
        down, on = self.isDown(), self.isChecked()
        match self.kind:
            case "primary":
                box(painter, rect, RADIUS_PX, c("fillpress" if down else "accfill"))
            case "button":
                fill = "press" if down else "hover" if over else "ctl"
                rim = "line" if not self.isEnabled() else "edge" if self.label.drop else "line2"
                box(painter, rect, RADIUS_PX, c(fill), c(rim))
            case "field":
                box(painter, rect, RADIUS_PX, c("stage"), c("line2"))
            case "segment":
                self._paint_segment(painter, rect, "sel" if on else "hover" if over else "ctl")
            case "chip" if on:
                box(painter, rect, RADIUS_PX, c("sel"))
            case "chip" | "hide":
                box(painter, rect, RADIUS_PX, c("hover") if over else None, c("line2"))
            case "rail" | "branch" | "ghost" if on or down:
                box(painter, rect, RADIUS_PX, c("on"))
            case "rail" | "place" | "branch" | "ghost" if over:
                box(painter, rect, RADIUS_PX, c("hover" if self.kind == "ghost" else "over"))

    def _paint_segment(self, painter: QPainter, rect: QRectF, fill: str) -> None:
        """Paint a segment's ground. Neighbours share a 1 px line; only the ends of the row are rounded."""
        ends = self.label.ends
        painter.save()
        painter.setClipRect(rect)
        wide = rect.adjusted(0 if "left" in ends else -8, 0, 0 if "right" in ends else 8, 0)
        box(painter, wide, RADIUS_PX, c(fill), c("line2"))
        if "right" not in ends:
            painter.fillRect(QRectF(rect.right() - 1, 1, 1, rect.height() - 2), c("line2"))
        painter.restore()

    def _paint_parts(self, painter: QPainter, rect: QRectF) -> None:
        """Paint icon, channel square and words from the left; key cap, chevron or badge from the right."""
        gap, x, right = self.measures.gap, float(self._start()), self._paint_right(painter, rect)
        if self._shows_icon():
            icons.paint(painter, self.label.icon, QPointF(x, self._middle(ICON_PX)), self._icon_token())
            x += ICON_PX + gap
        if self.label.channel is not None:
            channel_square(painter, QPointF(x, self._middle(SQUARE_PX)), self.label.channel)
            x += SQUARE_PX + gap
        for text, face, token in self._words():
            if right > x:
                area = QRectF(x, 0, right - x, rect.height())
                x += round(draw_text(painter, area, text, face, c(token), LEFT)) + gap

    def _paint_right(self, painter: QPainter, rect: QRectF) -> float:
        """Paint the part at the right edge. Returns the x where the words must end."""
        label, measures = self.label, self.measures
        if label.drop:
            left = rect.right() - CHEVRON_PAD_PX - ICON_PX
            icons.paint(painter, "down", QPointF(left, self._middle(ICON_PX)), "t3")
            return left - CHEVRON_GAP_PX
        if label.keys:
            left = rect.right() - measures.pad - cap_width(label.keys)
            key_cap(
                painter, QPointF(left, self._middle(CAP_HEIGHT_PX)), label.keys, filled=self.kind == "primary"
            )
            return left - measures.gap
        if self.kind in RAIL and label.count:
            face = look.font(11, 500)
            wide = max(BADGE_PX, text_width(label.count, face) + 12)
            badge = QRectF(rect.right() - wide - 8, self._middle(BADGE_PX), wide, BADGE_PX)
            box(painter, badge, BADGE_PX / 2, c("track"))
            draw_text(painter, badge, label.count, face, c("t1"), CENTER)
            return badge.left() - 6
        # A branch is indented at its left alone.
        return rect.right() - (STYLES["rail"].pad if self.kind == "branch" else measures.pad)
