"""List of removed turns, each coloured by its fate and marked with the sentences and facts that keep its
content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen

from memdesk.gui import icons, look
from memdesk.gui.calendar.wrapping import PITCH_PX
from memdesk.gui.compaction.coverage import Cover
from memdesk.gui.editor.grouped import Grouped
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.talks.turn_row import ABOVE_PX, TEXT_X, Speaker, height, paint_turn
from memdesk.gui.widgets import RowState
from memdesk.gui.widgets.paint import CENTER, box, draw_text
from memdesk.model.context import ArchivedTurn

PAD_PX = 12
BADGE_PX, BADGES_AT_MOST = 18, 3
GAP_PX = 3
MORE_PX = 32
GROUNDS = {"summary": "accbg", "fact": "okbg", "lost": "badbg"}
EDGES = {"summary": "acc", "fact": "ok", "lost": "bad"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLine:
    """Turn with its cover."""

    turn: ArchivedTurn
    cover: Cover

    @property
    def id(self) -> str:
        return self.turn.id


@dataclass(frozen=True, slots=True, kw_only=True)
class More:
    """Row that loads turns not loaded yet. first: place of the first of them, counted from the first removed
    turn."""

    first: int
    says: str


class Turns(Grouped):
    """List of removed turns. Signals: `opened` carries a turn to show in full; `more_asked`, the place from
    which to load.

    lit: turns that the line chosen in the other list is about. mark_of: returns name, shape and kind of a
    turn's speaker."""

    more_asked = Signal(int)

    def __init__(self, mark_of: Callable[[ArchivedTurn], Speaker]) -> None:
        self._mark_of = mark_of
        self.lit: frozenset[int] = frozenset()
        super().__init__(
            said, self._paint, is_heading=lambda _: False, height=self._height_of, name=tr("Source turns"), pad=PAD_PX,
            hairlines=False,
        )  # fmt: skip
        self.opened.connect(self._open)
        self.clicked.connect(lambda _: self._open(self.record()) if isinstance(self.record(), More) else None)

    def _open(self, line: object) -> None:
        if isinstance(line, More):
            self.more_asked.emit(line.first)

    def light(self, turns: Sequence[int], *, bring: bool = True) -> None:
        """Highlight turns. bring: scroll to the first loaded one if none of them is in view."""
        self.lit = frozenset(turns)
        places = [
            place
            for place, line in enumerate(self.rows.rows())
            if isinstance(line, TurnLine) and line.turn.turn_index in self.lit
        ]
        if places and bring and not any(self._is_seen(place) for place in places):
            self.scrollTo(self.rows.index(places[0], 0), self.ScrollHint.PositionAtTop)
        self.viewport().update()

    def _is_seen(self, place: int) -> bool:
        area = self.visualRect(self.rows.index(place, 0))
        return area.top() >= 0 and area.bottom() <= self.viewport().height()

    def seen(self) -> tuple[int, int] | None:
        """Return the indexes of the first and the last turn in view, None if there is none."""
        high = self.viewport().height()
        rows = self.rows.rows()
        first, last = self.rowAt(0), self.rowAt(high - 1)
        shown = rows[max(0, first) : (last if last >= 0 else len(rows) - 1) + 1]
        turns = [line.turn.turn_index for line in shown if isinstance(line, TurnLine)]
        return (turns[0], turns[-1]) if turns else None

    def _room(self, wide: int, line: TurnLine) -> int:
        return wide - 2 * PAD_PX - _badges_px(line.cover) - 18

    def _height_of(self, line: TurnLine | More, wide: int) -> int:
        if isinstance(line, More):
            return MORE_PX
        return height(line.turn.text, self._room(wide, line)) + GAP_PX

    def _paint(self, painter: QPainter, area: QRectF, line: TurnLine | More, state: RowState) -> None:
        if isinstance(line, More):
            draw_text(painter, area.adjusted(TEXT_X, 0, 0, 0), line.says, look.font(12), c("acc"))
            return
        card = area.adjusted(0, 0, 0, -GAP_PX)
        lit = line.turn.turn_index in self.lit
        _paint_ground(painter, card, line.cover.fate, lit=lit, chosen=state.selected)
        room, token = (
            self._room(self.viewport().width(), line),
            "t2" if line.cover.fate == "nothing" else "t1",
        )
        number = line.turn.turn_index + 1
        paint_turn(painter, card.topLeft(), number, self._mark_of(line.turn), line.turn.text, room, token)
        top = card.y() + ABOVE_PX
        _paint_badges(painter, QRectF(card.x(), top, card.width() - 8, PITCH_PX), line.cover)


def said(line: TurnLine | More) -> str:
    """Return a row as text for a screen reader."""
    if isinstance(line, More):
        return line.says
    cover = line.cover
    parts = [tr("sentence {number}", number=place + 1) for place in cover.sentences]
    parts += [tr("kept as fact")] * bool(cover.facts)
    parts += [tr("lost: {text}", text=text) for text in cover.lost]
    fate = ", ".join(parts) or tr("nothing to keep")
    return f"{line.turn.turn_index + 1}, {line.turn.speaker}: {line.turn.text} ({fate})"


def _paint_ground(painter: QPainter, card: QRectF, fate: str, *, lit: bool, chosen: bool) -> None:
    if fate in GROUNDS:
        box(painter, card, 3, c(GROUNDS[fate]), c("acc") if lit or chosen else None)
    elif lit or chosen:
        box(painter, card, 3, None, c("acc"))
    if fate in EDGES:
        _edge(painter, card, c(EDGES[fate]), dashed=fate == "lost")


def _edge(painter: QPainter, card: QRectF, color: QColor, *, dashed: bool) -> None:
    if not dashed:
        painter.fillRect(QRectF(card.x(), card.y(), 2, card.height()), color)
        return
    pen = QPen(color, 2)
    pen.setDashPattern([3, 2])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.drawLine(QPointF(card.x() + 1, card.y()), QPointF(card.x() + 1, card.bottom()))


def _marks(cover: Cover) -> list[str]:
    """Return the marks at the right of a turn: “!” for lost, “=” for a fact, then sentence numbers (“+” for
    more)."""
    numbers = [str(place + 1) for place in cover.sentences]
    room = BADGES_AT_MOST - bool(cover.lost) - bool(cover.facts)
    shown = numbers if len(numbers) <= room else [*numbers[: room - 1], "+"]
    return ["!"] * bool(cover.lost) + ["="] * bool(cover.facts) + shown


def _badges_px(cover: Cover) -> int:
    return max(1, len(_marks(cover))) * (BADGE_PX + 2)


def _paint_badges(painter: QPainter, line: QRectF, cover: Cover) -> None:
    marks = _marks(cover)
    x = line.right() - len(marks) * (BADGE_PX + 2)
    for mark in marks:
        spot = QRectF(x, round(line.center().y() - 8), 16, 16)
        paint_badge(painter, spot, mark)
        x += BADGE_PX + 2


def paint_badge(painter: QPainter, spot: QRectF, mark: str) -> None:
    """Paint one mark in 16 px: “!” lost, “=” kept as a fact, otherwise a sentence number."""
    if mark == "!":
        box(painter, spot, 3, None, c("bad"))
        draw_text(painter, spot, "!", look.font(11, 600), c("bad"), CENTER)
    elif mark == "=":
        box(painter, spot, 3, None, c("ok"))
        icons.paint(painter, "link", spot.topLeft() + QPointF(2, 2), "ok", 12)
    else:
        box(painter, spot, 8, c("accfill"))
        draw_text(painter, spot, mark, look.font(10, 600), c("onfill"), CENTER)
