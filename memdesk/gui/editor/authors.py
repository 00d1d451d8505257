"""Who wrote what, as it is named and drawn beside lines and versions."""

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
    """An author as people know them. shape: as AgentMark draws an agent."""

    name: str
    shape: int
    who: Who

    @property
    def stroke(self) -> Stroke:
        """How a bar beside this author's lines is drawn."""
        return "person" if self.who == "person" else "agent" if self.who == "agent" else "other"


def author_of(session: Session, author: str) -> Author:
    """An author such as "agent:Iris" or "outside" in words."""
    if ":" not in author:
        return Author(name=tr(ELSEWHERE), shape=0, who="hook")
    name, shape, who = session.mark(author)
    return Author(name=name, shape=shape, who=who)


def stroke_of(author: str) -> Stroke:
    """The stroke alone, where no name is needed."""
    kind = author.partition(":")[0]
    return "person" if kind == "person" else "agent" if kind == "agent" else "other"


def paint_stroke(painter: QPainter, place: QRectF, stroke: Stroke) -> None:
    """A bar: solid in the text's colour for a person, in the accent for an agent, dotted for anything else."""
    if stroke != "other":
        painter.fillRect(place, c("t1" if stroke == "person" else "acc"))
        return
    y = place.y() + DOT_GAP_PX / 2
    while y + BAR_PX <= place.bottom() + 0.5:
        painter.fillRect(QRectF(place.x(), y, place.width(), BAR_PX), c("t3"))
        y += BAR_PX + DOT_GAP_PX


def per_line(text: str, authors: Sequence[str]) -> list[str]:
    """Authors by the lines an editor shows, from authors by Python's lines, which also end at rarer signs.

    Empty where nobody is known."""
    if not authors:
        return []
    found, place = [], 0
    for line in text.split("\n"):
        found.append(authors[place] if place < len(authors) else "")
        place += max(1, len(line.splitlines()))
    return found
