"""Closing the window: into the tray, for good, or at once; asks first if text that a person wrote would be
lost."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from memdesk.gui.frame.stage import Stage
from memdesk.gui.frame.strips import Strips
from memdesk.gui.inspector import Inspector
from memdesk.gui.tray.tray import Tray


class Closing(QObject):
    """Closes a window whose closeEvent asks `allowed`. reopens: True if it closed in order to be recreated."""

    def __init__(
        self, window: QWidget, *, stage: Stage, inspector: Inspector, strips: Strips, tray: Tray
    ) -> None:
        super().__init__(window)
        self._window, self._stage, self._inspector = window, stage, inspector
        self._strips, self._tray = strips, tray
        self._for_good = self._at_once = False
        self.reopens = False
        strips.closing.pressed.connect(self.at_once)

    def for_good(self) -> bool:
        """Close even if the program would stay in the tray, but ask first if there is unsaved text. Returns
        True if it closed."""
        self._for_good = True
        return self._window.close()

    def at_once(self) -> None:
        """Close without asking; unsaved text is lost."""
        self._at_once = True
        self._window.close()

    def come_back(self) -> None:
        """Close in order to be recreated; with unsaved text the window stays open as it is."""
        self.reopens = self.for_good()

    def allowed(self) -> bool:
        """Return True if the window may close now; otherwise hide it in the tray, or ask."""
        if self._at_once:
            return True
        if self._tray.keeps and not self._for_good:
            self._window.hide()
            return False
        unsaved = (*self._stage.unsaved(), *self._inspector.unsaved())
        if unsaved:
            self._for_good = False
            come_forward(self._window)
            self._strips.ask_closing(unsaved)
        return not unsaved


def come_forward(window: QWidget) -> None:
    """Bring a window to the front, as far as the desktop allows."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
