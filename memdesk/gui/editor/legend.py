"""Legend of the author bars next to the lines: a bar and a name for each author of the file."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui import look
from memdesk.gui.editor.authors import BAR_PX, Author, paint_stroke
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets.paint import draw_text, text_width
from memdesk.gui.widgets.tips import plain

BAR_HIGH_PX = 14
GAP_PX = 5
BETWEEN_PX = 10
NAMES_AT_MOST = 4


class Legend(QWidget):
    """Legend with up to four names; the tool tip has them all. It shrinks if space is short."""

    def __init__(self) -> None:
        super().__init__()
        self._authors: tuple[Author, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(16)

    def set_authors(self, authors: Sequence[Author]) -> None:
        """Replace the authors; duplicates are shown once."""
        self._authors = tuple({(author.name, author.stroke): author for author in authors}.values())
        names = ", ".join(author.name for author in self._authors)
        self.setToolTip(plain(names))
        self.setAccessibleName(tr("Written by {names}", names=names) if names else "")
        self.updateGeometry()
        self.update()

    def _wide(self, author: Author) -> int:
        return BAR_PX + GAP_PX + text_width(author.name, look.font(12)) + BETWEEN_PX

    def sizeHint(self) -> QSize:
        """Return the width needed for the names shown."""
        return QSize(sum(self._wide(author) for author in self._authors[:NAMES_AT_MOST]), 16)

    def minimumSizeHint(self) -> QSize:
        """Return a width of 0, because the legend may be hidden."""
        return QSize(0, 16)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as many names as fit."""
        painter, x = QPainter(self), 0
        for author in self._authors[:NAMES_AT_MOST]:
            if x + self._wide(author) > self.width() + BETWEEN_PX:
                return
            paint_stroke(painter, QRectF(x, 1, BAR_PX, BAR_HIGH_PX), author.stroke)
            name = QRectF(x + BAR_PX + GAP_PX, 0, self._wide(author), 16)
            draw_text(painter, name, author.name, look.font(12), c("t3"))
            x += self._wide(author)
