"""Card for one side of a question: a letter, its role, its claim, and below that its evidence."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QLayout, QSizePolicy, QWidget

from memdesk.gui import look
from memdesk.gui.inspectors.fields import short_id
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import Control, Text, column, row, span, word_diff
from memdesk.gui.widgets.paint import CENTER, box, draw_text
from memdesk.gui.widgets.tips import shortened
from memdesk.model.browse import SalienceCurve

ALIKE = 0.35
"""Share of a claim's characters that must also be in the other claim for the differing words to be marked."""
SPARK_PX, TICKS_PX = 26, 7
DAYS = 90
CLAIM_CHARACTERS = 1_200


class Letter(QWidget):
    """Letter of a side, filled for the side that would be kept."""

    def __init__(self, letter: str, *, filled: bool) -> None:
        super().__init__()
        self._letter, self._filled = letter, filled
        self.setFixedSize(20, 20)
        self.setAccessibleName(letter)

    def fill(self, filled: bool) -> None:
        """Set whether the letter is filled."""
        self._filled = filled
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the square and the letter."""
        painter = QPainter(self)
        box(painter, QRectF(self.rect()), 3, c("accfill" if self._filled else "track"))
        ink = c("onfill" if self._filled else "t1")
        draw_text(painter, QRectF(self.rect()), self._letter, look.font(12, 600), ink, CENTER)


class Card(QWidget):
    """Card for one side. parts: its evidence, below the claim. The signal `opened` carries its id.

    other: the claim to compare with, for marking the words that differ. chosen: it is the side that would be
    kept."""

    opened = Signal(str)

    def __init__(
        self,
        letter: str,
        role: str,
        claim: str,
        *parts: QWidget | QLayout,
        id: str = "",
        other: str = "",
        chosen: bool = False,
    ) -> None:
        super().__init__()
        self._chosen = chosen
        self.claim = Text("", 15, "t1", weight=500, wrap=True, selectable=True)
        shown, against = shortened(claim, CLAIM_CHARACTERS), shortened(other, CLAIM_CHARACTERS)
        self.claim.set_markup(lambda: differing(shown, against), shown)
        self._letter = Letter(letter, filled=chosen)
        head = row(self._letter, Text(role, 12, "t3"), None, gap=8)
        if id:
            link = Control(
                "link", short_id(id), small=True, tip=tr("Open in the inspector  {key}", key=letter)
            )
            link.clicked.connect(lambda: self.opened.emit(id))
            head.addWidget(link)
        self.setLayout(column(head, self.claim, 5, *parts, None, gap=7, margins=(16, 13, 16, 14)))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        self.setAccessibleName(f"{letter}, {role}: {shown}")

    def set_chosen(self, chosen: bool) -> None:
        """Set whether the card is framed as the side that would be kept."""
        self._chosen = chosen
        self._letter.fill(chosen)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame."""
        painter = QPainter(self)
        area = QRectF(self.rect())
        box(painter, area, 6, c("stage"), None if self._chosen else c("line2"))
        if self._chosen:
            painter.setPen(QPen(c("acc"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), 5, 5)


def differing(claim: str, other: str) -> str:
    """Return a claim as markup; words missing from the other claim are tinted and underlined."""
    if not other or claim == other:
        return span(claim)
    pieces = [piece for piece in word_diff(other, claim) if piece.change != "removed"]
    same = sum(len(piece.text) for piece in pieces if piece.change == "same")
    if same < ALIKE * len(claim):
        return span(claim)
    return "".join(
        f"<u>{span(piece.text, 't1', ground='warnbg')}</u>" if piece.text.strip() and piece.change == "added"
        else span(piece.text)
        for piece in pieces
    )  # fmt: skip


class Spark(QWidget):
    """Line chart of the salience of the last 90 days, with a tick for each day of a recall."""

    def __init__(self, curve: SalienceCurve) -> None:
        super().__init__()
        self._curve = curve
        self.setFixedHeight(SPARK_PX + TICKS_PX)
        self.setMinimumWidth(90)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Salience over {days} days, {now} now", days=DAYS, now=f"{curve.now:.2f}"))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the base line, the curve and the ticks."""
        painter = QPainter(self)
        past = self._curve.past[-DAYS:]
        first = len(self._curve.past) - len(past)
        step = (self.width() - 2) / max(1, DAYS - 1)
        painter.fillRect(QRectF(0, SPARK_PX, self.width(), 1), c("line2"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        path, drawing = QPainterPath(), False
        for place, value in enumerate(past):
            if value is None:
                continue
            point = QPointF(1 + (place + DAYS - len(past)) * step, 2 + (1 - value) * (SPARK_PX - 5))
            path.lineTo(point) if drawing else path.moveTo(point)
            drawing = True
        painter.setPen(QPen(c("acc"), 1.5))
        painter.drawPath(path)
        for day in set(self._curve.recall_days):
            if day >= first:
                x = round(1 + (day - first + DAYS - len(past)) * step)
                painter.fillRect(QRectF(x, SPARK_PX + 2, 1, TICKS_PX - 2), c("t2"))
