"""Tells when files are changed by other programs, without asking anything again and again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

GATHER_MS = 120
"""An editor writes a file in several steps."""


class FileWatch(QObject):
    """Follows a few files. `changed` comes once for changes close together.

    Where the system cannot watch, nothing is told; a save still meets the change as a conflict."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._paths: frozenset[str] = frozenset()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._tell)
        self._watcher.fileChanged.connect(lambda _: self._soon.start(GATHER_MS))
        self._watcher.directoryChanged.connect(lambda _: self._look_for_files())

    def follow(self, paths: Iterable[Path]) -> None:
        """Follow these files and no others. Their folders are followed too, since programs replace files whole."""
        wanted = [str(path) for path in paths]
        self._paths = frozenset(wanted)
        folders = {str(Path(path).parent) for path in wanted}
        held = set(self._watcher.files() + self._watcher.directories())
        if gone := held - self._paths - folders:
            self._watcher.removePaths(sorted(gone))
        if new := (self._paths | folders) - held:
            self._watcher.addPaths(sorted(new))

    def _look_for_files(self) -> None:
        """A file that was replaced is no longer followed; follow the new one and tell of it."""
        if lost := self._paths - set(self._watcher.files()):
            found = set(lost) - set(self._watcher.addPaths(sorted(lost)))
            if found:
                self._soon.start(GATHER_MS)

    def _tell(self) -> None:
        self._look_for_files()
        self.changed.emit()
