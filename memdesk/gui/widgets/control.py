"""The one painted button: every control that is pressed, from the primary button to a rail item."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QFocusEvent, QFont, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from memdesk.gui import icons, look
from memdesk.gui.look import c
from memdesk.gui.widgets.control_style import ICON_PX, SMALL, STYLES, Kind, Label
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
from memdesk.gui.widgets.ring import ring_on_focus

BADGE_PX = 18


class Control(QAbstractButton):
    """A painted button.

    icon: name in icons. lead: quiet words before the text. count: quiet words after it, a badge in the rail.
    keys: key cap, as “Ctrl S”. tone: token of the icon. channel: number of the channel whose square leads.
    drop: chevron at the right. small: 22 px instead of 28. tip: tool tip; say there why it is disabled."""

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
        self._style = SMALL.get(kind, STYLES[kind]) if small else STYLES[kind]
        self.label = Label(
            text=text, icon=icon, lead=lead, count=count, keys=keys, tone=tone, channel=channel, drop=drop
        )
        self.collapsed = False
        self.setCheckable(self._style.checkable)
        self.setFixedHeight(self._style.height)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        wide = QSizePolicy.Policy.Expanding if kind in ("rail", "field") else QSizePolicy.Policy.Fixed
        self.setSizePolicy(wide, QSizePolicy.Policy.Fixed)
        if kind == "link":
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tip)
        self._name()

    # What it says. The text is kept here, not in Qt's property, which would read "&" as a mnemonic.

    def text(self) -> str:
        """The control's own words."""
        return self.label.text

    def setText(self, text: str) -> None:
        """Change the control's words."""
        self.label.text = text
        self._relabel()

    def set_count(self, count: str) -> None:
        """Change the count or badge; empty for none."""
        self.label.count = count
        self._relabel()

    def set_icon(self, icon: str, tone: str = "") -> None:
        """Change the picture and its token."""
        self.label.icon, self.label.tone = icon, tone
        self._relabel()

    def set_channel(self, number: int | None) -> None:
        """Lead with another channel's square, or none."""
        self.label.channel = number
        self._relabel()

    def set_collapsed(self, collapsed: bool) -> None:
        """Show a rail item as its icon alone; its name moves to the tool tip."""
        self.collapsed = collapsed
        self.setToolTip(self.label.text if collapsed else "")
        self._relabel()

    def set_enabled(self, enabled: bool, why_not: str = "") -> None:
        """Enable or disable, with the reason in the tool tip."""
        self.setEnabled(enabled)
        self.setToolTip("" if enabled else why_not)

    def _relabel(self) -> None:
        self._name()
        self.updateGeometry()
        self.update()

    def _name(self) -> None:
        said = (self.label.lead, self.label.text, self.label.count)
        name = " ".join(part for part in said if part)
        self.setAccessibleName(name or self.toolTip() or self.label.icon)

    # Size.

    def _font(self) -> QFont:
        style = self._style
        heavy = self.isChecked() and self.kind in ("segment", "rail")
        weight = 500 if heavy or self.label.lead else style.weight
        return look.font(style.px, weight, strike=self.kind == "hide" and self.isChecked())

    def _picture(self) -> str:
        """The icon now; a chip without one shows a check while it is on, if it was made to ("check")."""
        if self.label.icon == "check" and not self.isChecked() and self.kind == "chip":
            return ""
        return self.label.icon

    def _parts_width(self) -> int:
        """Width of everything between the paddings. Measured at weight 500, so that checking never moves others."""
        label, gap = self.label, self._style.gap
        quiet = look.font(self._style.px)
        heavy = look.font(self._style.px, max(500, self._style.weight))
        own = heavy if self.kind in ("segment", "button", "primary") or label.lead else quiet
        widths = [ICON_PX] if self._picture() else []
        widths += [8] if label.channel is not None else []
        widths += [text_width(label.lead, quiet)] if label.lead else []
        widths += [text_width(label.text, own)] if label.text else []
        widths += [text_width(label.count, quiet)] if label.count else []
        widths += [cap_width(label.keys)] if label.keys else []
        widths += [ICON_PX] if label.drop else []
        return sum(widths) + gap * (len(widths) - 1 if widths else 0)

    def sizeHint(self) -> QSize:
        """Room for every part; an icon alone is square."""
        style = self._style
        if self.collapsed or not (self.label.text or self.label.lead or self.label.count or self.label.keys):
            return QSize(style.height if style.pad else ICON_PX, style.height)
        pad = style.pad - (4 if self._picture() and self.kind == "button" else 0)
        return QSize(style.pad + pad + self._parts_width(), style.height)

    def minimumSizeHint(self) -> QSize:
        """A rail item and a field may shrink; other controls never cut their words."""
        if self.kind in ("rail", "field"):
            return QSize(self._style.height, self._style.height)
        return self.sizeHint()

    # State.

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Ring the control when the keyboard brought the focus."""
        super().focusInEvent(event)
        ring_on_focus(self, event.reason())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses as Space does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Hover shows at once."""
        super().enterEvent(event)
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Repaint when enabled or disabled."""
        super().changeEvent(event)
        self.update()

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground, then the parts from left to right."""
        painter = QPainter(self)
        if not self.isEnabled():
            painter.setOpacity(0.6)
        rect = QRectF(self.rect())
        self._paint_ground(painter, rect)
        if self.collapsed or self.sizeHint().width() == self.height() and not self.label.text:
            self._paint_alone(painter, rect)
        else:
            self._paint_parts(painter, rect)

    def _ink(self) -> str:
        """Token of the text now."""
        if not self.isEnabled():
            return "t3"
        on = self.isChecked()
        match self.kind:
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

    def _icon_token(self) -> str:
        if not self.isEnabled():
            return "t3"
        if self.kind == "rail" and self.isChecked():
            return "acc"
        return self.label.tone or self._ink()

    def _paint_ground(self, painter: QPainter, rect: QRectF) -> None:
        over = self.isEnabled() and self.underMouse()
        down, on = self.isDown(), self.isChecked()
        match self.kind:
            case "primary":
                box(painter, rect, 5, c("fillpress" if down else "accfill"))
            case "button":
                fill = "press" if down else "hover" if over else "ctl"
                box(painter, rect, 5, c(fill), c("line2" if self.isEnabled() else "line"))
            case "field":
                box(painter, rect, 5, c("stage"), c("line2"))
            case "segment":
                self._paint_segment(painter, rect, over)
            case "chip" if on:
                box(painter, rect, 5, c("sel"))
            case "chip" | "hide":
                box(painter, rect, 5, c("hover") if over else None, c("line2"))
            case "rail" | "ghost" if on or down:
                box(painter, rect, 5, c("on"))
            case "rail" | "ghost" if over:
                box(painter, rect, 5, c("hover" if self.kind == "ghost" else "on"))
            case _:
                pass
        if self.label.drop and self.kind == "button" and not down and not over:
            box(painter, rect, 5, c("ctl"), c("edge"))

    def _paint_segment(self, painter: QPainter, rect: QRectF, over: bool) -> None:
        """Neighbours share one 1 px line; only the ends of the row are rounded."""
        ends = self.label.ends
        painter.save()
        painter.setClipRect(rect)
        wide = rect.adjusted(0 if "left" in ends else -6, 0, 0 if "right" in ends else 6, 0)
        box(painter, wide, 5, c("sel" if self.isChecked() else "hover" if over else "ctl"), c("line2"))
        if "right" not in ends:
            painter.fillRect(QRectF(rect.right() - 1, 1, 1, rect.height() - 2), c("line2"))
        painter.restore()

    def _paint_alone(self, painter: QPainter, rect: QRectF) -> None:
        at = QPointF(round((rect.width() - ICON_PX) / 2), round((rect.height() - ICON_PX) / 2))
        icons.paint(painter, self.label.icon, at, self._icon_token())
        if self.collapsed and self.label.count:
            box(painter, QRectF(rect.right() - 9, 4, 6, 6), 3, c("acc"))

    def _paint_parts(self, painter: QPainter, rect: QRectF) -> None:
        label, style = self.label, self._style
        picture = self._picture()
        x: float = style.pad - (4 if picture and self.kind in ("button", "primary") else 0)
        right = self._paint_right(painter, rect)
        if picture:
            at = QPointF(x, round((rect.height() - ICON_PX) / 2))
            icons.paint(painter, picture, at, self._icon_token())
            x += ICON_PX + style.gap
        if label.channel is not None:
            x = self._paint_channel(painter, rect, x)
        quiet = look.font(style.px)
        count = label.count if self.kind != "rail" else ""
        for text, face, token in (
            (label.lead, quiet, "t3"),
            (label.text, self._font(), self._ink()),
            (count, quiet, "t1" if self.kind == "chip" and self.isChecked() else "t3"),
        ):
            if text and right > x:
                area = QRectF(x, 0, right - x, rect.height())
                x += draw_text(painter, area, text, face, c(token), LEFT) + style.gap

    def _paint_channel(self, painter: QPainter, rect: QRectF, x: float) -> float:
        channel_square(painter, QPointF(x, round(rect.height() / 2 - 4)), self.label.channel or 0)
        return x + 8 + self._style.gap

    def _paint_right(self, painter: QPainter, rect: QRectF) -> float:
        """Key cap, chevron or badge at the right edge. Returns where the words must end."""
        label, style = self.label, self._style
        right = rect.right() - style.pad
        if label.drop:
            right = rect.right() - 7 - ICON_PX
            icons.paint(painter, "down", QPointF(right, round((rect.height() - ICON_PX) / 2)), "t3")
            right -= 4
        if label.keys:
            right = rect.right() - (style.pad if style.pad < 11 else 11) - cap_width(label.keys)
            at = QPointF(right, round((rect.height() - CAP_HEIGHT_PX) / 2))
            key_cap(painter, at, label.keys, filled=self.kind == "primary")
            right -= style.gap
        if self.kind == "rail" and label.count:
            right = self._paint_badge(painter, rect)
        return right

    def _paint_badge(self, painter: QPainter, rect: QRectF) -> float:
        face = look.font(11, 500)
        wide = max(BADGE_PX, text_width(self.label.count, face) + 12)
        badge = QRectF(rect.right() - wide - 8, (rect.height() - BADGE_PX) / 2, wide, BADGE_PX)
        box(painter, badge, BADGE_PX / 2, c("track"))
        draw_text(painter, badge, self.label.count, face, c("t1"), CENTER)
        return badge.left() - 6
