"""The area between top bar and status line: rail, stage and inspector, with their widths and animation."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEasingCurve, QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from memdesk.gui import look
from memdesk.gui.frame.rail import NARROW_PX, WIDE_PX, Rail
from memdesk.gui.frame.stage import Stage
from memdesk.gui.language import tr
from memdesk.gui.look import c

MOVE_MS = 140
INSPECTOR_LEAST_PX = 300
INSPECTOR_MOST_PX = 480
RAIL_NAMES_FROM_PX = 1200
"""Least window width that shows the rail's names; in a narrower window the rail collapses automatically."""
INSPECTOR_BESIDE_FROM_PX = 1280
"""Least window width with the inspector next to the stage; in a narrower window it overlaps the stage."""
GRIP_PX = 7
STEP_PX = 16


class Grip(QWidget):
    """The inspector's left edge: drag it, or move it with the arrow keys. `dragged` carries px to the right."""

    dragged = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.SplitHCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Width of the inspector"))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer."""
        self.dragged.emit(round(event.position().x()) - GRIP_PX // 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left widens the inspector, Right narrows it."""
        step = {Qt.Key.Key_Left: -STEP_PX, Qt.Key.Key_Right: STEP_PX}.get(Qt.Key(event.key()), 0)
        if step:
            self.dragged.emit(step)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that the arrow keys move it."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the focus line."""
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a thick line while it has the focus; otherwise the inspector's own edge shows through."""
        if self.hasFocus():
            QPainter(self).fillRect(QRectF(GRIP_PX // 2 - 1, 0, 3, self.height()), c("acc"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """Available space: for the rail's names, and for the inspector next to the stage."""

    names: bool
    inspector: bool


class Body(QWidget):
    """Container that places rail, stage and inspector.

    The stage takes the remaining space. `resized` carries the inspector's width when a person has changed it.
    """

    resized = Signal(int)

    def __init__(self, rail: Rail, stage: Stage, inspector: QWidget, *, inspector_px: int) -> None:
        super().__init__()
        self.rail, self.stage, self.inspector = rail, stage, inspector
        for part in (stage, rail, inspector):
            part.setParent(self)
        self._grip = Grip(self)
        self._grip.dragged.connect(self._drag)
        self._inspector_px = min(INSPECTOR_MOST_PX, max(INSPECTOR_LEAST_PX, inspector_px))
        self._rail_open = self._inspector_open = True
        self._rail_share = self._inspector_share = 1.0
        self._rail_move = self._mover(self._set_rail_share)
        self._inspector_move = self._mover(self._set_inspector_share)

    def _mover(self, set_share: object) -> QVariantAnimation:
        move = QVariantAnimation(self)
        move.setEasingCurve(QEasingCurve.Type.OutCubic)
        move.valueChanged.connect(set_share)
        return move

    @property
    def rail_open(self) -> bool:
        """Return True if the rail shows names."""
        return self._rail_open

    @property
    def inspector_open(self) -> bool:
        """Return True if the inspector is shown."""
        return self._inspector_open

    @property
    def overlays(self) -> bool:
        """Return True if the inspector would overlap the stage."""
        rail = WIDE_PX if self._rail_open else NARROW_PX
        left = self.width() - rail - self._inspector_px
        return self.width() < INSPECTOR_BESIDE_FROM_PX or left < self.stage.least_px

    def room(self, width: int) -> Room:
        """Return the space in a window of this width, after the stage has its minimum."""
        stage = width - self._inspector_px - self.stage.least_px
        return Room(
            names=width >= RAIL_NAMES_FROM_PX and stage >= WIDE_PX,
            inspector=width >= INSPECTOR_BESIDE_FROM_PX and stage >= NARROW_PX,
        )

    def open_rail(self, is_open: bool) -> None:
        """Show the rail with names, or as icons only."""
        if is_open == self._rail_open:
            return
        self._rail_open = is_open
        self.rail.set_collapsed(not is_open)
        self._run(self._rail_move, self._rail_share, float(is_open))

    def open_inspector(self, is_open: bool) -> None:
        """Show or hide the inspector."""
        if is_open == self._inspector_open:
            return
        self._inspector_open = is_open
        self.inspector.setVisible(True)
        self._run(self._inspector_move, self._inspector_share, float(is_open))

    def _run(self, move: QVariantAnimation, now: float, then: float) -> None:
        move.stop()
        move.setDuration(look.motion_ms(MOVE_MS) if self.isVisible() else 0)
        move.setStartValue(now)
        move.setEndValue(then)
        move.start()

    def _set_rail_share(self, share: float) -> None:
        self._rail_share = share
        self._place()

    def _set_inspector_share(self, share: float) -> None:
        self._inspector_share = share
        self.inspector.setVisible(share > 0)
        self._place()

    def _drag(self, by: int) -> None:
        self._inspector_px = min(INSPECTOR_MOST_PX, max(INSPECTOR_LEAST_PX, self._inspector_px - by))
        self._place()
        self.resized.emit(self._inspector_px)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the parts again."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        wide, high = self.width(), self.height()
        rail = round(NARROW_PX + (WIDE_PX - NARROW_PX) * self._rail_share)
        shown = round(self._inspector_px * self._inspector_share)
        beside = 0 if self.overlays else shown
        self.rail.setGeometry(0, 0, rail, high)
        self.stage.setGeometry(rail, 0, wide - rail - beside, high)
        self.inspector.setGeometry(wide - shown, 0, self._inspector_px, high)
        self.inspector.raise_()
        self._grip.setGeometry(wide - shown - GRIP_PX // 2, 0, GRIP_PX, high)
        self._grip.setVisible(shown > 0)
        self._grip.raise_()
