"""The turns of a conversation under their days, each with marks for what came of it and what was told before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QPainter

from memdesk.gui import icons, look
from memdesk.gui.calendar.wrapping import PITCH_PX
from memdesk.gui.editor.grouped import Grouped
from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.talks.turn_row import ABOVE_PX, TEXT_X, Speaker, height, paint_turn
from memdesk.gui.widgets import RowState
from memdesk.gui.widgets.paint import RIGHT, box, draw_text
from memdesk.model.browse import DerivedFact, TurnCall, TurnRow
from memdesk.model.prompt import SeenRow

PAD_PX, MARK_PX = 12, 20
HEADING_PX, MORE_PX = 34, 32
RIGHT_PX = 3 * MARK_PX + 56
"""For the marks and the time of day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A day, or where the context of today begins."""

    says: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLine:
    """A turn with what came of it and what the agent was told before it."""

    turn: TurnRow
    facts: tuple[DerivedFact, ...]
    calls: tuple[TurnCall, ...]
    told: tuple[SeenRow, ...]

    @property
    def id(self) -> str:
        return self.turn.id


@dataclass(frozen=True, slots=True, kw_only=True)
class More:
    """The way to turns that are not loaded. first: the number of turns before them."""

    first: int
    says: str


TalkLine = Heading | TurnLine | More


def lines_of(turns: Sequence[TurnLine], archived: int) -> list[TalkLine]:
    """Turns under their days. archived: so many of the conversation's first turns gave way to a summary."""
    lines: list[TalkLine] = []
    for day, group in groupby(turns, key=lambda line: times.local(line.turn.at).date()):
        members = list(group)
        lines.append(Heading(says=times.long_date(day), note=tr("%Ln turn(s)", "", len(members))))
        for line in members:
            if archived and line.turn.turn_index == archived:
                note = tr("%Ln turn(s) above gave way to a summary", "", archived)
                lines.append(Heading(says=tr("The context begins here"), note=note))
            lines.append(line)
    return lines


class TalkTurns(Grouped):
    """The list. `more_asked` carries from where on to load others. speaker: who said a turn."""

    more_asked = Signal(int)

    def __init__(self, speaker: Callable[[TurnRow], Speaker]) -> None:
        self._speaker = speaker
        self.lit: frozenset[int] = frozenset()
        super().__init__(
            said, self._paint, is_heading=lambda line: isinstance(line, Heading), height=self._height_of,
            name=tr("Turns"), pad=PAD_PX, hairlines=False,
        )  # fmt: skip
        self.opened.connect(self._open)
        self.clicked.connect(lambda _: self._open(self.record()))

    def _open(self, line: object) -> None:
        if isinstance(line, More):
            self.more_asked.emit(line.first)

    def turn_lines(self) -> list[TurnLine]:
        """The turns that are loaded."""
        return [line for line in self.rows.rows() if isinstance(line, TurnLine)]

    def light(self, turns: Sequence[int]) -> None:
        """Show which turns are meant, and bring the first that is loaded into view."""
        self.lit = frozenset(turns)
        for place, line in enumerate(self.rows.rows()):
            if isinstance(line, TurnLine) and line.turn.turn_index in self.lit:
                self.scrollTo(self.rows.index(place, 0))
                break
        self.viewport().update()

    def choose_turn(self, index: int) -> None:
        """Choose a turn by its index, where it is loaded."""
        for place, line in enumerate(self.rows.rows()):
            if isinstance(line, TurnLine) and line.turn.turn_index == index:
                self.choose(place)

    def _room(self, wide: int) -> int:
        return wide - 2 * PAD_PX - RIGHT_PX - 12

    def _height_of(self, line: TalkLine, wide: int) -> int:
        match line:
            case Heading():
                return HEADING_PX
            case More():
                return MORE_PX
        return height(line.turn.content, self._room(wide)) + 2

    def _paint(self, painter: QPainter, area: QRectF, line: TalkLine, state: RowState) -> None:
        match line:
            case Heading():
                _paint_heading(painter, area.adjusted(8, 4, -8, 0), line)
            case More():
                draw_text(painter, area.adjusted(TEXT_X, 0, 0, 0), line.says, look.font(12), c("acc"))
            case TurnLine(turn=turn):
                if turn.turn_index in self.lit:
                    box(painter, area.adjusted(0, 1, 0, -1), 3, c("accbg"), c("acc"))
                room, token = self._room(self.viewport().width()), "t1" if turn.content.strip() else "t3"
                number, by = turn.turn_index + 1, self._speaker(turn)
                paint_turn(painter, area.topLeft(), number, by, turn.content, room, token)
                _paint_right(painter, QRectF(area.x(), area.y() + ABOVE_PX, area.width() - 8, PITCH_PX), line)


def marks(line: TurnLine) -> list[tuple[str, str]]:
    """(icon, tone) for what the agent was told, the tools it called, and the facts that were read from it."""
    failed = any(call.success is False for call in line.calls)
    found = [("lab", "acc")] if line.told else []
    found += [("tools", "bad" if failed else "t2")] if line.calls else []
    return [*found, ("link", "ok")] if line.facts else found


def said(line: TalkLine) -> str:
    """A row for a screen reader."""
    if isinstance(line, Heading):
        return ", ".join(part for part in (line.says, line.note) if part)
    if isinstance(line, More):
        return line.says
    parts = [tr("%Ln fact(s)", "", len(line.facts))] * bool(line.facts)
    parts += [tr("%Ln tool call(s)", "", len(line.calls))] * bool(line.calls)
    parts += [tr("told before it")] * bool(line.told)
    came = f" ({', '.join(parts)})" if parts else ""
    return f"{line.turn.turn_index + 1}, {line.turn.speaker or line.turn.role}: {line.turn.content}{came}"


def _paint_heading(painter: QPainter, line: QRectF, heading: Heading) -> None:
    taken = draw_text(painter, line, heading.says, look.font(12, 600), c("t2"))
    draw_text(painter, line.adjusted(taken + 10, 0, 0, 0), heading.note, look.font(11), c("t3"))


def _paint_right(painter: QPainter, line: QRectF, shown: TurnLine) -> None:
    draw_text(painter, line, times.clock(shown.turn.at), look.font(11, tabular=True), c("t3"), RIGHT)
    x = line.right() - 46
    for icon, tone in reversed(marks(shown)):
        x -= MARK_PX
        icons.paint(painter, icon, QPointF(x, round(line.center().y() - 8)), tone)
