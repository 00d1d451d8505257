"""Focus ring: drawn around a widget by a sibling on top of it, since a widget cannot paint outside itself."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QWidget
from shiboken6 import isValid

from memdesk.gui.widgets.paint import ring

FOLLOWED = (QEvent.Type.Move, QEvent.Type.Resize)
MOUSE = (
    Qt.FocusReason.MouseFocusReason,
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.PopupFocusReason,
)
"""Reasons for gaining the focus after which no ring is needed."""
RETURNS = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
"""Reasons for losing the focus after which it returns to the same widget, and the ring with it."""


DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


class Ring(QWidget):
    """A ring that follows its target for as long as the target has the focus.

    outset: px between the target's edge and the ring's outer edge. focus: the widget inside the target that
    really has the focus, if it is another."""

    def __init__(
        self, target: QWidget, *, outset: int = 3, radius: int = 5, focus: QWidget | None = None
    ) -> None:
        super().__init__(target.parentWidget())
        self.target, self._outset, self._radius = target, outset, radius
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for watched in {target, focus or target}:
            watched.installEventFilter(self)
        self._follow()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the target as it moves; remove the ring when the target loses the focus or is hidden."""
        if event.type() in FOLLOWED and watched is self.target:
            self._follow()
        elif event.type() == QEvent.Type.FocusIn:
            self.show()
        elif isinstance(event, QFocusEvent) and event.reason() in RETURNS:
            self.hide()
        elif event.type() in (QEvent.Type.FocusOut, QEvent.Type.Hide):
            # A ring that is gone must not be shown again by a focus that comes right back: it would be a window.
            for each in (self.target, watched):
                # A target that is being deleted loses the focus as its last deed.
                if isValid(each):
                    each.removeEventFilter(self)
            self.setParent(None)
            self.deleteLater()
        return False

    def _follow(self) -> None:
        out = self._outset
        self.setGeometry(self.target.geometry().adjusted(-out, -out, out, out))
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ring."""
        ring(QPainter(self), QRectF(self.rect()), self._radius + self._outset - 1)


def ring_on_focus(target: QWidget, reason: Qt.FocusReason, *, outset: int = 3, radius: int = 5) -> None:
    """Show a ring around a widget that has just got the focus from the keyboard. Call it from focusInEvent."""
    if reason not in MOUSE:
        show_ring(target, outset=outset, radius=radius)


def show_ring(target: QWidget, *, outset: int = 2, radius: int = 5, focus: QWidget | None = None) -> None:
    """Show a ring around a widget, unless it has one. A window's outermost widget has no room for a ring, and
    a splitter would take the ring for another part."""
    parent = target.parentWidget()
    if parent is None or isinstance(parent, QSplitter):
        return
    if not any(ring.target is target for ring in parent.findChildren(Ring, options=DIRECT)):
        Ring(target, outset=outset, radius=radius, focus=focus)
