"""Field for a path that is typed, chosen in the system's dialog, or dropped from a file manager."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from memdesk.gui.language import tr
from memdesk.gui.widgets import Control, Field, row


def ask_to_save(
    parent: QWidget, title: str, file: str, formats: Mapping[str, str], then: Callable[[Path], object]
) -> QFileDialog:
    """Open the dialog to choose the file to write, without exec(), which would stop the event loop.

    file: the name suggested. formats: words of each by its suffix. then: called with the file."""
    dialog = QFileDialog(parent.window(), title)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(list(formats.values()))
    dialog.setDefaultSuffix(next(iter(formats)))
    suffixes = {words: suffix for suffix, words in formats.items()}
    dialog.filterSelected.connect(lambda words: dialog.setDefaultSuffix(suffixes[words]))
    dialog.selectFile(file)
    dialog.fileSelected.connect(lambda chosen: then(Path(chosen)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog


class PathField(QWidget):
    """Field for a path. Signals with a full path: `chosen` in a dialog, `entered` by Enter in the field.

    writes: it names a file to write, so the dialog is a save dialog."""

    chosen = Signal(str)
    entered = Signal(str)

    def __init__(
        self, *, name: str, placeholder: str, folders: bool, files: bool, writes: bool = False
    ) -> None:
        super().__init__()
        self._writes = writes
        self.field = Field(name=name, placeholder=placeholder, icon="file")
        self.folder = Control("button", tr("Folder…"), tip=tr("Choose a folder"))
        self.file = Control("button", tr("File…"), tip=tr("Choose a file"))
        self.folder.setVisible(folders)
        self.file.setVisible(files)
        self.setLayout(row(self.field, self.folder, self.file, gap=8, stretch=self.field))
        self.setFocusProxy(self.field)
        self.field.returnPressed.connect(self._entered)
        self.folder.clicked.connect(lambda: self._ask(QFileDialog.FileMode.Directory))
        self.file.clicked.connect(lambda: self._ask(QFileDialog.FileMode.ExistingFile))

    @property
    def path(self) -> str:
        """Return the path with the home folder expanded; empty if there is none."""
        said = self.field.text().strip()
        return str(Path(said).expanduser()) if said else ""

    def set_path(self, path: str) -> None:
        """Show a path without emitting `chosen`."""
        self.field.setText(path)
        self.field.set_error()

    def offers(self, *, folders: bool, files: bool) -> None:
        """Set which dialogs can be opened."""
        self.folder.setVisible(folders)
        self.file.setVisible(files)

    def _entered(self) -> None:
        if self.path:
            self.entered.emit(self.path)

    def _ask(self, mode: QFileDialog.FileMode) -> None:
        """Open the system's dialog without blocking the window."""
        dialog = QFileDialog(self, tr("Choose a folder") if self._is_folder(mode) else tr("Choose a file"))
        dialog.setFileMode(QFileDialog.FileMode.AnyFile if self._writes else mode)
        if self._writes:
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        start = Path(self.path) if self.path else Path.home()
        dialog.setDirectory(str(start if start.is_dir() else start.parent))
        if self._writes:
            dialog.selectFile(start.name)
        dialog.fileSelected.connect(self.take)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def take(self, path: str) -> None:
        """Show a path and emit `chosen`."""
        self.set_path(path)
        self.chosen.emit(path)

    @staticmethod
    def _is_folder(mode: QFileDialog.FileMode) -> bool:
        return mode == QFileDialog.FileMode.Directory


class Dropping(QObject):
    """Event filter that accepts one file or folder dropped on a widget or its children. `dropped` carries its
    path."""

    dropped = Signal(str)

    def __init__(self, on: QWidget) -> None:
        super().__init__(on)
        on.setAcceptDrops(True)
        on.installEventFilter(self)

    def eventFilter(self, on: QObject, event: object) -> bool:
        """Accept a dragged path; leave all other events to the widget."""
        if not isinstance(event, QDragEnterEvent | QDropEvent):
            return False
        path = path_in(event)
        if not path:
            return False
        event.acceptProposedAction()
        if not isinstance(event, QDragEnterEvent):
            self.dropped.emit(path)
        return True


def path_in(event: QDropEvent) -> str:
    """Return the path of the dragged file or folder; empty for anything else, and for several."""
    urls = event.mimeData().urls()
    return urls[0].toLocalFile() if len(urls) == 1 else ""


def reveal(path: str) -> None:
    """Open a folder, or the folder of a file, in the system's file manager."""
    place = Path(path)
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(place if place.is_dir() else place.parent)))
