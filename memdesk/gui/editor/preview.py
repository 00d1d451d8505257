"""Preview of the file as the agent reads it. No linked resource is fetched; only a clicked web link opens
outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QPainter, QPaintEvent, QPalette, QTextBlock
from PySide6.QtWidgets import QFrame, QTextBrowser

from memdesk.gui import look
from memdesk.gui.editor.authors import paint_stroke
from memdesk.gui.editor.markdown import Parsed
from memdesk.gui.editor.paper import DROP_PX
from memdesk.gui.editor.render import BODY_PITCH_PX, Placed, build
from memdesk.gui.language import tr
from memdesk.gui.look import c

PAD_PX = 12
LEFT_PX = 12
"""Space between the bar of a passage and its text."""
BAR_PX = 2
WEB = ("http", "https", "mailto")


class Preview(QTextBrowser):
    """Rendered file. The signal `followed` carries the path of a link to another file of the workspace.

    is_noted: returns True if a source line, from 0, was written by a job; such passages get a dotted bar."""

    followed = Signal(str)

    def __init__(self, is_noted: Callable[[int], bool] = lambda _: False) -> None:
        super().__init__()
        self._is_noted = is_noted
        self._parsed: Parsed | None = None
        self._placed: Sequence[Placed] = ()
        self.setAccessibleName(tr("Preview"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setFont(look.font(13))
        self.setViewportMargins(PAD_PX, 12, 8, 8)
        self.anchorClicked.connect(self._follow)
        look.keep(self, self._retheme)

    def show_parsed(self, parsed: Parsed) -> None:
        """Show a file; the scroll position stays."""
        self._parsed = parsed
        top = self.verticalScrollBar().value()
        self._placed = build(parsed, self.document())
        self._set_margin()
        # The layout is made as it is needed; asking for the end makes it whole, or the place could not be kept.
        self.document().documentLayout().blockBoundingRect(self.document().lastBlock())
        self.verticalScrollBar().setValue(top)

    def _set_margin(self) -> None:
        self.document().setDocumentMargin(0)
        frame = self.document().rootFrame()
        shape = frame.frameFormat()
        shape.setLeftMargin(LEFT_PX)
        frame.setFrameFormat(shape)

    def show_line(self, line: int) -> None:
        """Scroll the block of a source line, from 0, to the top."""
        places = [n for n, placed in enumerate(self._placed) if placed.last and placed.first <= line]
        block = self.document().findBlockByNumber(places[-1] if places else 0)
        top = self.document().documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(0 if line == 0 else round(top))

    def loadResource(self, type: int, name: QUrl | str) -> object:
        """Return None: no resource is fetched, neither from the network nor from the disk."""
        return None

    def _follow(self, url: QUrl) -> None:
        if url.scheme() in WEB:
            QDesktopServices.openUrl(url)
        elif url.isRelative() and url.path():
            self.followed.emit(url.path())

    def _retheme(self) -> None:
        made = QPalette(self.palette())
        made.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        made.setColor(QPalette.ColorRole.Text, c("t2"))
        made.setColor(QPalette.ColorRole.Highlight, look.mix(c("acc"), c("stage"), 0.28))
        made.setColor(QPalette.ColorRole.HighlightedText, c("t1"))
        self.setPalette(made)
        self.viewport().setAutoFillBackground(False)
        if self._parsed is not None:
            self.show_parsed(self._parsed)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the backgrounds of code, then the text, then bars and rules."""
        painter = QPainter(self.viewport())
        shown = self._shown()
        for placed, place in shown:
            if placed.ground:
                painter.fillRect(place.adjusted(LEFT_PX, 0, 0, 0), c(placed.ground))
        painter.end()
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        for placed, place in shown:
            self._paint_beside(painter, placed, place)

    def _shown(self) -> list[tuple[Placed, QRectF]]:
        layout, top = self.document().documentLayout(), self.verticalScrollBar().value()
        shown: list[tuple[Placed, QRectF]] = []
        block: QTextBlock = self.cursorForPosition(self.viewport().rect().topLeft()).block()
        while block.isValid() and block.blockNumber() < len(self._placed):
            y = layout.blockBoundingRect(block).y() - top
            if y > self.viewport().height():
                break
            high = max(1, block.layout().lineCount()) * BODY_PITCH_PX
            place = QRectF(0, y + DROP_PX, self.viewport().width(), high)
            shown.append((self._placed[block.blockNumber()], place))
            block = block.next()
        return shown

    def _paint_beside(self, painter: QPainter, placed: Placed, place: QRectF) -> None:
        if placed.quoted:
            painter.fillRect(QRectF(LEFT_PX, place.y(), 2, place.height()), c("line2"))
        if placed.ruled:
            painter.fillRect(QRectF(LEFT_PX, round(place.center().y()), place.width(), 1), c("line"))
        if placed.last and all(self._is_noted(line) for line in range(placed.first, placed.last)):
            paint_stroke(painter, QRectF(0, place.y(), BAR_PX, place.height()), "other")
