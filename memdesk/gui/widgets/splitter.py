"""Splitter whose line is 1 px and whose grip is 7 px, also moved by the arrow keys."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QRegion, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from memdesk.gui.language import tr
from memdesk.gui.widgets.layout import Ground

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
