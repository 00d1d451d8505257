"""Rail and inspector at the sides of the stage: shown if the person wants them and the window has space."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from memdesk.gui.frame.body import Body, Room
from memdesk.gui.frame.memo import Memo


class Sides(QObject):
    """Opens and closes rail and inspector, and saves the person's choice. `turned` carries True if the
    inspector is open."""

    turned = Signal(bool)

    def __init__(self, body: Body, memo: Memo) -> None:
        super().__init__(body)
        self._body, self._memo = body, memo
        self._room: Room | None = None
        self._wants_inspector = memo.inspector_open
        self._opening = QTimer(self)
        self._opening.setSingleShot(True)
        self._opening.timeout.connect(lambda: self._set_inspector(True))
        body.resized.connect(self._remember_width)

    def toggle_rail(self, width: int) -> None:
        """Show the rail's names, or its icons only. width: of the window, in px."""
        self._body.open_rail(not self._body.rail_open)
        if self._body.room(width).names:
            self._memo.rail_open = self._body.rail_open

    def toggle_inspector(self) -> None:
        """Show or hide the inspector."""
        self._set_inspector(not self._body.inspector_open)
        if not self._body.overlays:
            self._wants_inspector = self._memo.inspector_open = self._body.inspector_open

    def show_inspector(self) -> None:
        """Show the inspector for a chosen record. This is not saved: the next window does not begin with an
        empty inspector."""
        self._wants_inspector = True
        if self._body.inspector_open:
            return
        if QApplication.mouseButtons() != Qt.MouseButton.NoButton:
            # What is pressed must not move away under the pointer, nor before it is pressed twice.
            self._opening.start(QApplication.doubleClickInterval())
        elif not self._opening.isActive():
            self._set_inspector(True)

    def _set_inspector(self, is_open: bool) -> None:
        self._opening.stop()
        self._body.open_inspector(is_open)
        self.turned.emit(is_open)

    def _remember_width(self, px: int) -> None:
        self._memo.inspector_px = px

    def fit(self, width: int) -> None:
        """Close or reopen both for a window width in px; does nothing if the available space is unchanged."""
        room = self._body.room(width)
        if room == self._room:
            return
        self._room = room
        self._body.open_rail(room.names and self._memo.rail_open)
        self._set_inspector(room.inspector and self._wants_inspector)
