"""Dialog about the program: its version, what it runs on, its licence, and the software that it is made of."""

from __future__ import annotations

import platform

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QDialog, QWidget

import memdesk
from memdesk.files.licences import notices, packages
from memdesk.gui.editor.markdown_preview import Preview, parse
from memdesk.gui.language import tr
from memdesk.gui.widgets import Control, Ground, Text, column, row

SIZE = (640, 620)


NAME = f"MemDesk {memdesk.__version__}"


def surroundings() -> str:
    """Return the versions of what the program runs on, as a report of a fault names them."""
    system = f"{platform.system()} {platform.machine()}"
    return f"Python {platform.python_version()}, Qt {qVersion()}, {system}"


def software() -> str:
    """Return the notices of third parties and the table of installed packages, as markdown."""
    rows = "\n".join(f"| {each.name} | {each.version} | {each.licence} |" for each in packages())
    heads = " | ".join((tr("Package"), tr("Version"), tr("Licence")))
    title = tr("Packages of this installation")
    return f"{notices()}\n## {title}\n\n| {heads} |\n| --- | --- | --- |\n{rows}\n"


class About(QDialog):
    """Dialog of the program's version and licences. Copy puts all of it on the clipboard, Esc closes."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._software = software()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("About MemDesk"))
        self.resize(*SIZE)
        name = Text(NAME, 15, "t1", weight=600)
        says = tr("See, judge and correct what AI agents remember. Free software under the MIT licence.")
        self.surroundings = Text(surroundings(), 12, "t3", mono=True, wrap=True, selectable=True)
        self.text = Preview()
        self.text.setAccessibleName(tr("Third-party software"))
        self.copy = Control("button", tr("Copy"), tip=tr("Versions and licences, as markdown"))
        self.copy.clicked.connect(self._copy)
        leave = Control("ghost", tr("Close"), keys="Esc")
        leave.clicked.connect(self.close)
        head = column(
            name, Text(says, 12, "t2", wrap=True), self.surroundings, gap=6, margins=(20, 18, 20, 14)
        )
        footer = row(self.copy, None, leave, gap=8, margins=(20, 10, 14, 12))
        parts = column(
            Ground("panel", "bottom", head),
            self.text,
            Ground("panel", "top", footer),
            gap=0,
            stretch=self.text,
        )
        self.setLayout(column(Ground("panel", layout=parts), gap=0))
        self.text.show_parsed(parse(self._software))
        # Writing leaves Qt's cursor, to which it scrolls, at the end.
        self.text.moveCursor(QTextCursor.MoveOperation.Start)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(f"{NAME}, {surroundings()}\n\n{self._software}")
        self.copy.setText(tr("Copied"))
