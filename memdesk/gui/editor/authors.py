"""Names and bars of authors, shown next to lines and versions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.widgets.marks import Who

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


def per_line(text: str, authors: Sequence[str]) -> list[str]:
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
