"""Names and bars of authors, shown next to lines and versions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui import look
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.widgets.badges import Who
from memdesk.gui.widgets.paint import draw_text, text_width
from memdesk.gui.widgets.text import tip_text

BAR_PX = 3
DOT_GAP_PX = 2
ELSEWHERE = marked("another program")
Stroke = Literal["person", "agent", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """Author with the name shown to people. shape: the shape that AgentMark draws for an agent."""

    name: str
    shape: int
    who: Who

    @property
    def stroke(self) -> Stroke:
        """Return the style of the bar next to this author's lines."""
        return "person" if self.who == "person" else "agent" if self.who == "agent" else "other"


def author_of(session: Session, author: str) -> Author:
    """Return the author for an identifier such as "agent:Iris" or "outside"."""
    if ":" not in author:
        return Author(name=tr(ELSEWHERE), shape=0, who="hook")
    name, shape, who = session.mark(author)
    return Author(name=name, shape=shape, who=who)


def stroke_of(author: str) -> Stroke:
    """Return only the bar style for an author identifier."""
    kind = author.partition(":")[0]
    return "person" if kind == "person" else "agent" if kind == "agent" else "other"


def paint_stroke(painter: QPainter, place: QRectF, stroke: Stroke) -> None:
    """Paint a bar: solid in the text's colour for a person, in the accent for an agent, dotted for anything
    else."""
    if stroke != "other":
        painter.fillRect(place, c("t1" if stroke == "person" else "acc"))
        return
    y = place.y() + DOT_GAP_PX / 2
    while y + BAR_PX <= place.bottom() + 0.5:
        painter.fillRect(QRectF(place.x(), y, place.width(), BAR_PX), c("t3"))
        y += BAR_PX + DOT_GAP_PX


def authors_by_line(text: str, authors: Sequence[str]) -> list[str]:
    """Return the author of each line as the editor splits a text, from the authors of the lines as Python
    splits it.

    Python also splits at rarer line separators. Returns an empty list if no author is known."""
    if not authors:
        return []
    found, place = [], 0
    for line in text.split("\n"):
        found.append(authors[place] if place < len(authors) else "")
        place += max(1, len(line.splitlines()))
    return found


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
        self.setToolTip(tip_text(names))
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
