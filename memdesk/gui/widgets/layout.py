"""Layouts: rows, columns, flat surfaces, sections, scroll areas and splitters."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QRegion, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QSplitter,
    QSplitterHandle,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets.explaining import explain
from memdesk.gui.widgets.paint import box
from memdesk.gui.widgets.text import Text


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
        self._items.append(item)

    def count(self) -> int:
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
        return self._laid(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
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


Item = QWidget | QLayout | int | None
"""Argument of row() and column(): a widget, a layout, px of space, or None for the stretch that takes the
rest."""

Margins = tuple[int, int, int, int]
NONE: Margins = (0, 0, 0, 0)


def _fill(
    layout: QBoxLayout, items: tuple[Item, ...], gap: int, margins: Margins, stretch: QWidget | QLayout | None
) -> None:
    layout.setSpacing(gap)
    layout.setContentsMargins(*margins)
    for item in items:
        if item is None:
            layout.addStretch(1)
        elif isinstance(item, int):
            layout.addSpacing(item)
        elif isinstance(item, QLayout):
            layout.addLayout(item, int(item is stretch))
        else:
            layout.addWidget(item, int(item is stretch))


def row(
    *items: Item, gap: int = 8, margins: Margins = NONE, stretch: QWidget | QLayout | None = None
) -> QHBoxLayout:
    """Return a layout of items side by side. gap in px; margins left, top, right, bottom. stretch: the item that takes
    the rest."""
    layout = QHBoxLayout()
    _fill(layout, items, gap, margins, stretch)
    return layout


def column(
    *items: Item, gap: int = 8, margins: Margins = NONE, stretch: QWidget | QLayout | None = None
) -> QVBoxLayout:
    """Return a layout of items from top to bottom. gap in px; margins left, top, right, bottom. stretch: the item that
    takes the rest."""
    layout = QVBoxLayout()
    _fill(layout, items, gap, margins, stretch)
    return layout


def laid_out(layout: QLayout) -> QWidget:
    """Return a widget that has only a layout."""
    made = QWidget()
    made.setLayout(layout)
    return made


def pages(*widgets: QWidget) -> QStackedWidget:
    """Return a stack of widgets that shows the first."""
    made = QStackedWidget()
    for each in widgets:
        made.addWidget(each)
    return made


def remove_widgets(layout: QLayout) -> None:
    """Take every item out of a layout, and delete its widgets."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()


def delayed(then: Callable[[], object], parent: QObject | None = None) -> QTimer:
    """Return a timer that calls a function once, after the delay it is started with."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.timeout.connect(then)
    return timer


class Ground(QWidget):
    """A flat surface in a token's colour with hairlines on the edges asked for, named as in "bottom right".

    radius: of a card's corners, px. rim: token of the line around a card, if any. opacity: of a cover of what is
    below, from 0 to 1."""

    def __init__(
        self,
        token: str = "stage",
        edges: str = "",
        layout: QLayout | None = None,
        *,
        height: int = 0,
        width: int = 0,
        radius: int = 0,
        rim: str = "",
        opacity: float = 1.0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._token, self._radius, self._rim, self._opacity = token, radius, rim, opacity
        self.set_edges(edges)
        if layout is not None:
            self.setLayout(layout)
        if height:
            self.setFixedHeight(height)
        if width:
            self.setFixedWidth(width)

    def set_token(self, token: str) -> None:
        """Change the ground's colour."""
        self._token = token
        self.update()

    def set_edges(self, edges: str) -> None:
        """Draw the hairlines at other edges."""
        self._edges = frozenset(edges.split())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Fill the surface, then draw the hairlines."""
        painter = QPainter(self)
        painter.setOpacity(self._opacity)
        if self._radius:
            box(
                painter,
                QRectF(self.rect()),
                self._radius,
                c(self._token),
                c(self._rim) if self._rim else None,
            )
            return
        painter.fillRect(self.rect(), c(self._token))
        wide, high = self.width(), self.height()
        lines = {
            "top": QRect(0, 0, wide, 1),
            "bottom": QRect(0, high - 1, wide, 1),
            "left": QRect(0, 0, 1, high),
            "right": QRect(wide - 1, 0, 1, high),
        }
        for edge in self._edges:
            painter.fillRect(lines[edge], c("line"))


def rule(vertical: bool = False) -> Ground:
    """Return a hairline between two parts."""
    return Ground("line", width=1) if vertical else Ground("line", height=1)


class Section(Ground):
    """A part of the inspector: a heading, a note or link at the right, its content, a hairline below.

    The content is the `body` layout; `heading` and `note` are Texts."""

    def __init__(
        self,
        heading: str = "",
        note: QWidget | str = "",
        *items: Item,
        token: str = "panel",
        edges: str = "bottom",
        gap: int = 6,
        margins: Margins = (16, 12, 16, 14),
    ) -> None:
        self.heading = Text(heading, 12, "t2", weight=600)
        self.note = Text(note, 11, "t3") if isinstance(note, str) else note
        self.body = column(*items, gap=gap)
        head = row(self.heading, None, self.note)
        parts: tuple[Item, ...] = (head, self.body) if heading else (self.body,)
        super().__init__(token, edges, column(*parts, gap=8, margins=margins))
        self.setAccessibleName(heading)
        explain(self.heading, heading)
        explain(self, heading, with_tip=False)


class Scroll(QScrollArea):
    """Content taller than its area, with a thin bar. Its width follows the area's; it never scrolls sideways."""

    def __init__(self, content: QWidget, token: str = "stage") -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setViewport(Ground(token))
        self.setWidget(content)
        content.setAutoFillBackground(False)
        content.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep at least the content's minimum width."""
        if isinstance(watched, QWidget) and event.type() == QEvent.Type.LayoutRequest:
            self.setMinimumWidth(watched.minimumSizeHint().width())
        return super().eventFilter(watched, event)


GRIP_PX = 7
STEP_PX = 16
STACKED_LEAST_PX = 120
PARTS_PX = 1000
"""Size larger than any window, in px: the parts are divided by their shares."""


class Handle(QSplitterHandle):
    """A 1 px line with room around it to grip."""

    def __init__(self, orientation: Qt.Orientation, parent: QSplitter) -> None:
        super().__init__(orientation, parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Divider"))
        self.setAttribute(Qt.WidgetAttribute.WA_MouseNoMask)
        self._shown = Ground("line", parent=self)
        self._shown.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Widen the grip to the 7 px of the design; Qt gives a thin handle 5 px."""
        across = self.width() if self._upright() else self.height()
        if across < GRIP_PX:
            out = (GRIP_PX - across) // 2
            wide = (-out, 0, out, 0) if self._upright() else (0, -out, 0, out)
            self.setGeometry(self.geometry().adjusted(*wide))
        self._show_line()

    def _upright(self) -> bool:
        return self.orientation() == Qt.Orientation.Horizontal

    def _show_line(self) -> None:
        """Show a hairline, thicker with the focus, as then the arrow keys move it."""
        first, thick = (GRIP_PX // 2 - 1, 3) if self.hasFocus() else (GRIP_PX // 2, 1)
        line = QRect(0, first, self.width(), thick)
        if self._upright():
            line = QRect(first, 0, thick, self.height())
        self._shown.set_token("acc" if self.hasFocus() else "line")
        self._shown.setGeometry(line)
        self.setMask(QRegion(line))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_line()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_line()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the line by 16 px with the arrow keys."""
        back, on = (
            (Qt.Key.Key_Left, Qt.Key.Key_Right) if self._upright() else (Qt.Key.Key_Up, Qt.Key.Key_Down)
        )
        step = {back: -STEP_PX, on: STEP_PX}.get(Qt.Key(event.key()), 0)
        if not step:
            return super().keyPressEvent(event)
        place = self.x() if self._upright() else self.y()
        self.moveSplitter(place + (GRIP_PX - 1) // 2 + step)
        return None


def least_height(part: QWidget) -> int:
    """Return the height that the parts of a vertical splitter need together, in px; 0 for any other widget."""
    if not isinstance(part, QSplitter) or part.orientation() != Qt.Orientation.Vertical:
        return 0
    within = (part.widget(place) for place in range(part.count()))
    return sum(each.minimumHeight() + 1 for each in within if each is not None)


class Splitter(QSplitter):
    """Parts side by side or stacked, with a movable line between them.

    grows: place of the part that takes the room of a larger window; None shares it among all.
    minimum: the least px each part keeps; 0 leaves it to the part. stacks_below: width in px below which
    parts side by side are stacked, two fifths to the first."""

    def __init__(
        self,
        *parts: QWidget,
        grows: int | None = None,
        vertical: bool = False,
        minimum: int = 0,
        stacks_below: int = 0,
    ) -> None:
        super().__init__(Qt.Orientation.Vertical if vertical else Qt.Orientation.Horizontal)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self._vertical, self._minimum, self._stacks_below = vertical, minimum, stacks_below
        self._grows = grows
        self._left: list[int] = []
        self._beside: list[int] = []
        """Sizes of the parts side by side, kept while they are stacked."""
        for part in parts:
            self.add(part)
        self._share()

    def _share(self) -> None:
        """Say which parts take the room of a larger window: all of them while they are stacked."""
        for place in range(self.count()):
            if self._grows is not None:
                self.setStretchFactor(place, int(bool(self._beside) or place == self._grows))

    def add(self, part: QWidget) -> None:
        if self._minimum and self._vertical:
            part.setMinimumHeight(self._minimum)
        elif self._minimum:
            part.setMinimumWidth(self._minimum)
        self.addWidget(part)

    @property
    def divided(self) -> list[int]:
        """Sizes of the parts as a person divided them, in px, to restore in a later session."""
        return self._beside or self.sizes()

    def _stack(self, stacks: bool) -> None:
        if stacks == bool(self._beside):
            return
        if stacks:
            self._beside = self._left or self.sizes()
            self.setOrientation(Qt.Orientation.Vertical)
            for part in (self.widget(place) for place in range(self.count())):
                # Wrapped words ask for the height they would have in a far narrower place.
                if part is not None:
                    part.setMinimumHeight(max(STACKED_LEAST_PX, least_height(part)))
            self._share()
            self.setSizes([2 * PARTS_PX, *(3 * PARTS_PX for _ in self._beside[1:])])
        else:
            self.setOrientation(Qt.Orientation.Horizontal)
            sizes, self._beside = self._beside, []
            self._share()
            self.setSizes(sizes)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stack the parts if there is no room for them side by side."""
        if self._stacks_below:
            self._stack(event.size().width() < self._stacks_below)
        super().resizeEvent(event)

    def resume(self, sizes: list[int]) -> None:
        """Restore the sizes of an earlier session, once there is room; sizes that do not fit the parts are
        ignored."""
        if len(sizes) == self.count() and sum(sizes) > 0:
            if self._beside:
                self._beside = sizes
            else:
                self._left = sizes
                self.setSizes(sizes)

    def showEvent(self, event: QShowEvent) -> None:
        """Apply the restored sizes: only a splitter that is laid out keeps them."""
        super().showEvent(event)
        if self._left and not self._beside:
            self.setSizes(self._left)
        self._left = []

    def createHandle(self) -> QSplitterHandle:
        return Handle(self.orientation(), self)
