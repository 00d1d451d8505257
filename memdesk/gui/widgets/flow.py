"""Tags on as many lines as they need, some of them clickable."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QWidget

from memdesk.gui.look import c
from memdesk.gui.widgets.badges import TAG_HEIGHT_PX, Tone, paint_tag, tag_width
from memdesk.gui.widgets.control import Pressable
from memdesk.gui.widgets.paint import box
from memdesk.gui.widgets.text import tip_text


class Flow(QLayout):
    """Layout that places items side by side and wraps them to the width. gap: px between items and between
    lines."""

    def __init__(self, *items: QWidget, gap: int = 6) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self.setContentsMargins(0, 0, 0, 0)
        for item in items:
            self.addWidget(item)

    def addItem(self, item: QLayoutItem) -> None:
        """Add at the end."""
        self._items.append(item)

    def count(self) -> int:
        """Return the number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Return the item at an index, None if out of range."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Remove and return an item, None if out of range."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def hasHeightForWidth(self) -> bool:
        """Return True: the height depends on the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of the items at this width."""
        return self._laid(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        """Place the items."""
        super().setGeometry(rect)
        self._laid(rect, move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """Return the height of the highest item; an item wider than the layout is cut."""
        return QSize(0, max((item.minimumSize().height() for item in self._items), default=0))

    def _laid(self, rect: QRect, *, move: bool) -> int:
        x, y, high = rect.x(), rect.y(), 0
        for item in self._items:
            hint = item.sizeHint()
            size = QSize(min(hint.width(), rect.width()), hint.height())
            if x > rect.x() and x + size.width() > rect.right() + 1:
                x, y, high = rect.x(), y + high + self._gap, 0
            if move:
                item.setGeometry(QRect(QPoint(x, y), size))
            x += size.width() + self._gap
            high = max(high, size.height())
        return y + high - rect.y()


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
