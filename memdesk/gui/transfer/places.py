"""A field for a path, which a person types, chooses in the system's dialog, or drops from a file manager."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from memdesk.gui.language import tr
from memdesk.gui.widgets import Control, Field, row


class PathField(QWidget):
    """Signals: chosen carries a whole path that was entered, chosen or dropped.

    writes: it names a file to be written, which the dialog then asks for as such."""

    chosen = Signal(str)

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
        layout = row(self.field, self.folder, self.file, gap=8)
        layout.setStretchFactor(self.field, 1)
        self.setLayout(layout)
        self.setFocusProxy(self.field)
        self.field.returnPressed.connect(self._entered)
        self.folder.clicked.connect(lambda: self._ask(QFileDialog.FileMode.Directory))
        self.file.clicked.connect(lambda: self._ask(QFileDialog.FileMode.ExistingFile))

    @property
    def path(self) -> str:
        """What stands there as a whole path; empty while nothing does."""
        said = self.field.text().strip()
        return str(Path(said).expanduser()) if said else ""

    def set_path(self, path: str) -> None:
        """Show a path without a signal."""
        self.field.setText(path)
        self.field.set_error()

    def offers(self, *, folders: bool, files: bool) -> None:
        """Which of the dialogs can be opened."""
        self.folder.setVisible(folders)
        self.file.setVisible(files)

    def _entered(self) -> None:
        if self.path:
            self.chosen.emit(self.path)

    def _ask(self, mode: QFileDialog.FileMode) -> None:
        """Open the system's dialog beside the window, so that the window goes on meanwhile."""
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
        """Show a path and tell of it."""
        self.set_path(path)
        self.chosen.emit(path)

    @staticmethod
    def _is_folder(mode: QFileDialog.FileMode) -> bool:
        return mode == QFileDialog.FileMode.Directory


class Dropping(QObject):
    """Lets one file or folder be dropped on a widget and all that lies in it. The signal `dropped` carries its path."""

    dropped = Signal(str)

    def __init__(self, on: QWidget) -> None:
        super().__init__(on)
        on.setAcceptDrops(True)
        on.installEventFilter(self)

    def eventFilter(self, on: QObject, event: object) -> bool:
        """Take a path that is dragged over the widget, and leave everything else to it."""
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
    """The file or folder that is dragged; empty for anything else, and for several."""
    urls = event.mimeData().urls()
    return urls[0].toLocalFile() if len(urls) == 1 else ""


def reveal(path: str) -> None:
    """Show a folder, or the folder that a file lies in, in the system's file manager."""
    place = Path(path)
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(place if place.is_dir() else place.parent)))
