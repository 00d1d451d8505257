"""Painted button for every control that is pressed, from the primary button to a rail item."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui.widgets import control_painter
from memdesk.gui.widgets.control_style import ICON_PX, SMALL, STYLES, Kind, Label
from memdesk.gui.widgets.pressable import Pressable
from memdesk.gui.widgets.tips import plain


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
        grows = self.kind in ("rail", "field")
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
        """Change the tool tip."""
        self._tip = tip
        self._show_tip(tip)
        self._relabel()

    def _show_tip(self, tip: str) -> None:
        self.setToolTip(plain(tip))

    def set_icon(self, icon: str, tone: str = "") -> None:
        """Change the icon and its token."""
        self.label.icon, self.label.tone = icon, tone
        self._relabel()

    def set_channel(self, number: int | None) -> None:
        """Lead with another channel's square, or none."""
        self.label.channel = number
        self._relabel()

    def set_collapsed(self, collapsed: bool) -> None:
        """Show a rail item as its icon alone; its name moves to the tool tip."""
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

    def shows_picture(self) -> bool:
        """Return True if an icon leads now."""
        hidden = self.kind == "chip" and self.label.icon == "check" and not self.isChecked()
        return bool(self.label.icon) and not hidden

    def is_alone(self) -> bool:
        """Return True if only the icon is visible."""
        return self.collapsed or self.label.is_picture

    def sizeHint(self) -> QSize:
        """Return room for every part; an icon alone is square."""
        high = self.measures.height
        if self.is_alone():
            return QSize(high if self.measures.pad else ICON_PX, high)
        return QSize(control_painter.width(self), high)

    def minimumSizeHint(self) -> QSize:
        """Allow a rail item and a field to shrink; other controls never cut their words."""
        high = self.measures.height
        return QSize(high, high) if self.kind in ("rail", "field") else self.sizeHint()

    def checkStateSet(self) -> None:
        """Update the geometry, as a chip's check takes room only while it shows."""
        super().checkStateSet()
        self.updateGeometry()

    def nextCheckState(self) -> None:
        """Update the geometry as checkStateSet does, when pressed."""
        super().nextCheckState()
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground, then the parts from left to right."""
        painter = QPainter(self)
        if not self.isEnabled():
            painter.setOpacity(0.6)
        rect = QRectF(self.rect())
        control_painter.paint_ground(painter, rect, self)
        if self.is_alone():
            control_painter.paint_alone(painter, rect, self)
        else:
            control_painter.paint_parts(painter, rect, self)
