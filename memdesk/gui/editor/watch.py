"""Watcher for changes made to files by other programs, without polling."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal

from memdesk.gui.widgets.layout import delayed

GATHER_MS = 120
"""Delay that joins the several steps in which an editor writes a file."""


class FileWatch(QObject):
    """Watcher for a few files. The signal `changed` is emitted once for changes close together.

    If the system cannot watch files, there is no signal; a save still finds the change as a conflict."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._paths: frozenset[str] = frozenset()
        self._soon = delayed(self._announce, self)
        self._watcher.fileChanged.connect(lambda _: self._soon.start(GATHER_MS))
        self._watcher.directoryChanged.connect(lambda _: self._look_for_files())

    def follow(self, paths: Iterable[Path]) -> None:
        """Follow only these files. Their folders are followed too, because programs replace files instead of
        changing them."""
        wanted = [str(path) for path in paths]
        self._paths = frozenset(wanted)
        folders = {str(Path(path).parent) for path in wanted}
        held = set(self._watcher.files() + self._watcher.directories())
        if gone := held - self._paths - folders:
            self._watcher.removePaths(sorted(gone))
        if new := (self._paths | folders) - held:
            self._watcher.addPaths(sorted(new))

    def _look_for_files(self) -> None:
        """Follow replaced files again, and report the change."""
        if lost := self._paths - set(self._watcher.files()):
            found = set(lost) - set(self._watcher.addPaths(sorted(lost)))
            if found:
                self._soon.start(GATHER_MS)

    def _announce(self) -> None:
        self._look_for_files()
        self.changed.emit()
