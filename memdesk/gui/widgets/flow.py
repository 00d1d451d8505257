"""Layout of tags on as many lines as they need."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class Flow(QLayout):
    """Layout that places items side by side, each in the middle of its line, and wraps them to the width. gap: px
    between items and between lines."""

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
        margins = self.contentsMargins()
        high = max((item.minimumSize().height() for item in self._items), default=0)
        return QSize(0, high + margins.top() + margins.bottom())

    def _laid(self, rect: QRect, *, move: bool) -> int:
        lines: list[list[tuple[QLayoutItem, QRect]]] = [[]]
        margins = self.contentsMargins()
        rect = rect.marginsRemoved(margins)
        x, y, high = rect.x(), rect.y(), 0
        for item in self._items:
            if item.isEmpty():
                continue
            hint = item.sizeHint()
            size = QSize(min(hint.width(), rect.width()), hint.height())
            if x > rect.x() and x + size.width() > rect.right() + 1:
                x, y, high = rect.x(), y + high + self._gap, 0
                lines.append([])
            lines[-1].append((item, QRect(QPoint(x, y), size)))
            x += size.width() + self._gap
            high = max(high, size.height())
        for line in lines if move else ():
            tall = max((place.height() for _, place in line), default=0)
            for item, place in line:
                item.setGeometry(place.translated(0, (tall - place.height()) // 2))
        return y + high - rect.y() + margins.top() + margins.bottom()
