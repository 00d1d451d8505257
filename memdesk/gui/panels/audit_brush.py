"""Brush over the timeline's bars, to choose a range by pointer and keyboard."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent

from memdesk.gui.panels.audit_bars import EVERYTHING, Bars
from memdesk.gui.widgets import ring_on_focus

GRAB_PX = 6
KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Backspace)

Hold = Literal["new", "from", "to", "both"]
"""Target of a drag: a new range, the start or end handle, or the entire range."""


class Brush(Bars):
    """Bars with a range that a person can change: drag to choose a range, drag its handles or its middle to
    change it, double click for the full range.

    By keyboard: Left and Right move the range by a bucket, with Shift its end, with Alt its beginning;
    Backspace chooses the full range. The signal `ranged` carries the range when a person has changed it."""

    ranged = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._hold: Hold | None = None
        self._held_at = 0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def _choose(self, first: int, end: int) -> None:
        """Set the range to the buckets from `first` to before `end`; a range at an outer edge stays open
        there, to include new events."""
        first, end = max(0, first), min(self._count(), max(first + 1, end))
        after = None if first <= 0 else self._time(first)
        self.set_range((after, None if end >= self._count() else self._time(end)))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start dragging a handle, the range, or a new range."""
        if not self._count() or event.button() != Qt.MouseButton.LeftButton:
            return
        self._hold = self._what_is_at(event.position().x())
        self._held_at = self._bucket_at(event.position().x())
        self._began = self._edges()

    def _what_is_at(self, x: float) -> Hold:
        first, end = self._edges()
        if self._range == EVERYTHING:
            return "new"
        if abs(x - self._x(first)) <= GRAB_PX:
            return "from"
        if abs(x - self._x(end)) <= GRAB_PX:
            return "to"
        return "both" if self._x(first) < x < self._x(end) else "new"

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Continue a drag; otherwise show by the cursor what a drag would change."""
        if not self._count():
            return
        x = event.position().x()
        if self._hold is None:
            self._show_cursor(self._what_is_at(x))
            return
        here = self._bucket_at(x)
        first, end = self._began
        match self._hold:
            case "new":
                self._choose(min(here, self._held_at), max(here, self._held_at))
            case "from":
                self._choose(min(here, end - 1), end)
            case "to":
                self._choose(first, max(here, first + 1))
            case "both":
                by = max(-first, min(self._count() - end, here - self._held_at))
                self._choose(first + by, end + by)

    def _show_cursor(self, hold: Hold) -> None:
        cursors = {"new": Qt.CursorShape.CrossCursor, "both": Qt.CursorShape.OpenHandCursor}
        self.setCursor(cursors.get(hold, Qt.CursorShape.SizeHorCursor))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the drag and send the range; a click without a drag sends nothing."""
        moved = self._hold is not None and self._bucket_at(event.position().x()) != self._held_at
        self._hold = None
        if moved:
            self.ranged.emit(self._range)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Choose the full range."""
        self._hold = None
        self.clear()

    def clear(self) -> None:
        """Choose the full range and send it."""
        if self._range != EVERYTHING:
            self.set_range(EVERYTHING)
            self.ranged.emit(self._range)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the range or one of its ends."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if event.key() == Qt.Key.Key_Backspace:
            self.clear()
        elif step and self._count():
            self._step(step, event.modifiers())
            self.ranged.emit(self._range)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Claim these keys while the brush has the focus, before the window's shortcuts."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() in KEYS
        ):
            event.accept()
            return True
        return super().event(event)

    def _step(self, step: int, modifiers: Qt.KeyboardModifier) -> None:
        first, end = self._edges()
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            self._choose(first, max(first + 1, end + step))
        elif modifiers & Qt.KeyboardModifier.AltModifier:
            self._choose(min(end - 1, first + step), end)
        elif first + step >= 0 and end + step <= self._count():
            self._choose(first + step, end + step)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show a focus ring if the focus came by keyboard."""
        super().focusInEvent(event)
        ring_on_focus(self, event.reason(), outset=-1)
