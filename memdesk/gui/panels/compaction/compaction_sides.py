"""List of what replaced the turns: the sentences of the summary, the facts kept, and the statements lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen

from memdesk.gui import icons, look
from memdesk.gui.formatting import turn_ranges
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.panels.conversations.conversation_turns import ABOVE_PX, TEXT_X, Speaker, height, paint_turn
from memdesk.gui.shell.record_detail import Heading, paint_heading
from memdesk.gui.widgets import RowState
from memdesk.gui.widgets.grouped_rows import Grouped
from memdesk.gui.widgets.paint import CENTER, LEFT, box, draw_text
from memdesk.gui.widgets.paper import PITCH_PX, wrap_text
from memdesk.model.context import (
    DROPPED,
    OFFLINE,
    SNIPPETS,
    ArchivedTurn,
    CompactionRow,
    CompactionWhole,
    KeptFact,
    SummarySentence,
)

Fate = Literal["summary", "fact", "lost", "nothing"]

FATES: tuple[tuple[Fate, str], ...] = (
    ("summary", marked("in the summary")),
    ("fact", marked("kept as fact")),
    ("lost", marked("lost")),
    ("nothing", marked("nothing to keep")),
)
SHRUNKEN = 0.02
"""Share of the replaced text below which a summary is reported as too short."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """Content of a turn that was kept or lost.

    sentences: places in the summary, from 0. facts: ids. lost: statements that are in no sentence and no
    fact."""

    sentences: tuple[int, ...] = ()
    facts: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def fate(self) -> Fate:
        """Return the most important fate: “lost” if any statement was lost, then “fact”, “summary”,
        “nothing”."""
        if self.lost:
            return "lost"
        return "fact" if self.facts else "summary" if self.sentences else "nothing"


def covers_by_turn(whole: CompactionWhole) -> dict[int, Cover]:
    """Return the cover of every removed turn by turn index, in order."""
    row = whole.row
    sentences: dict[int, list[int]] = {}
    facts: dict[int, list[str]] = {}
    lost: dict[int, list[str]] = {}
    for place, sentence in enumerate(whole.sentences):
        for turn in sentence.turns:
            sentences.setdefault(turn, []).append(place)
    for fact in whole.facts:
        for turn in fact.turns:
            facts.setdefault(turn, []).append(fact.id)
    for each in whole.lost:
        lost.setdefault(each.turn_index, []).append(each.text)
    return {
        turn: Cover(
            sentences=tuple(sentences.get(turn, ())),
            facts=tuple(facts.get(turn, ())),
            lost=tuple(lost.get(turn, ())),
        )
        for turn in range(row.first_index, row.last_index + 1)
    }


def count_fates(covered: dict[int, Cover]) -> dict[Fate, int]:
    """Return the number of turns with each fate."""
    found = Counter(cover.fate for cover in covered.values())
    return {fate: found[fate] for fate, _ in FATES}


def summary_problem(row: CompactionRow) -> str:
    """Return a sentence about the problem of a summary; "" if there is none."""
    gone = tr("%Ln turn(s)", "", row.last_index - row.first_index + 1)
    if row.by == DROPPED:
        return tr("No summary was made: {turns} left the context and are in the archive alone.", turns=gone)
    if not row.summary_characters:
        return tr("The summary is empty: nothing in the context stands for {turns}.", turns=gone)
    if row.tokens_after >= row.tokens_before:
        return tr("The context is no shorter than before: the summary is as long as what it stands for.")
    removed = row.characters_before - row.characters_after + row.summary_characters
    if row.summary_characters < SHRUNKEN * removed:
        return tr(
            "The summary shrank to {left} of {all} characters; much is missing in it.",
            left=f"{row.summary_characters:,}",
            all=f"{removed:,}",
        )
    return ""


TURN_PAD_PX = 12
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
        super().__init__(turn_text, self._paint, self._height_of, name=tr("Source turns"), pad=TURN_PAD_PX)
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
        return wide - 2 * TURN_PAD_PX - _badges_px(line.cover) - 18

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


def turn_text(line: TurnLine | More) -> str:
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


SUMMARY_PAD_PX, SUMMARY_TEXT_X, SUMMARY_ABOVE_PX = 16, 26, 6
HEADING_PX, NOTE_PX = 38, 17
BY = {
    OFFLINE: marked("extracts, no language model"),
    SNIPPETS: marked("short snippets, no language model"),
    DROPPED: marked("dropped without a summary"),
}
RESTORE, RESTORE_PX, RESTORE_HIGH = marked("Restore"), 60, 22


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceLine:
    """Sentence of the summary. number: from 1, as in the marks of the turns."""

    number: int
    sentence: SummarySentence

    @property
    def turns(self) -> tuple[int, ...]:
        return self.sentence.turns

    @property
    def text(self) -> str:
        return self.sentence.text

    @property
    def note(self) -> str:
        rule = [tr("a constraint, word for word")] * self.sentence.constraint
        return " · ".join([*rule, turn_ranges(self.turns)])


@dataclass(frozen=True, slots=True, kw_only=True)
class FactLine:
    """Fact kept from turns."""

    fact: KeptFact

    @property
    def turns(self) -> tuple[int, ...]:
        return self.fact.turns

    @property
    def text(self) -> str:
        return self.fact.claim

    @property
    def note(self) -> str:
        since = [tr("restored since")] * self.fact.since
        where = turn_ranges(self.turns) or tr("known before")
        return " · ".join([*since, where, f"{self.fact.confidence:.2f}"])


@dataclass(frozen=True, slots=True, kw_only=True)
class LostLine:
    """Statement of a turn that is in no sentence and no fact."""

    turn: int
    text: str

    @property
    def turns(self) -> tuple[int, ...]:
        return (self.turn,)

    @property
    def note(self) -> str:
        return turn_ranges(self.turns)


ReplacedLine = Heading | SentenceLine | FactLine | LostLine


def lines_of(whole: CompactionWhole) -> list[ReplacedLine]:
    """Return the three groups under their headings; lost statements come first, because they need a decision."""
    lost = [LostLine(turn=each.turn_index, text=each.text) for each in whole.lost]
    sentences = [SentenceLine(number=place, sentence=each) for place, each in enumerate(whole.sentences, 1)]
    many = tr("%Ln statement(s), in no summary or fact", "", len(lost))
    by = BY.get(whole.row.by)
    return [
        *([Heading(title=tr("Lost"), note=many)] if lost else []),
        *lost,
        Heading(
            title=tr("Summary in the prompt"), note=tr(by) if by else tr("by {model}", model=whole.row.by)
        ),
        *sentences,
        Heading(title=tr("Facts kept"), note=f"{len(whole.facts):,}" if whole.facts else tr("none")),
        *(FactLine(fact=each) for each in whole.facts),
    ]


class ReplacedList(Grouped):
    """List of what replaced the turns. The signal `restore_asked` carries a lost line; lit: the turns chosen
    in the other list."""

    restore_asked = Signal(object)

    def __init__(self) -> None:
        self.lit: frozenset[int] = frozenset()
        super().__init__(
            summary_line_text,
            self._paint,
            self._height_of,
            name=tr("What stands for them"),
            headings=Heading,
            pad=SUMMARY_PAD_PX,
        )

    def light(self, turns: Sequence[int]) -> None:
        """Highlight the lines that are about these turns."""
        self.lit = frozenset(turns)
        self.viewport().update()

    def _room(self, wide: int, line: ReplacedLine) -> int:
        right = RESTORE_PX + 10 if isinstance(line, LostLine) else 4
        return max(80, wide - 2 * SUMMARY_PAD_PX - SUMMARY_TEXT_X - right)

    def _height_of(self, line: ReplacedLine, wide: int) -> int:
        if isinstance(line, Heading):
            return HEADING_PX
        return wrap_text(line.text, self._room(wide, line)).height + NOTE_PX + 2 * SUMMARY_ABOVE_PX

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Emit `restore_asked` if the Restore button of a row was pressed."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        line = self.rows.row(index.row()) if index.isValid() else None
        if isinstance(line, LostLine) and self.restore_area(index.row()).contains(event.position()):
            self.restore_asked.emit(line)

    def restore_area(self, place: int) -> QRectF:
        """Return the area of the Restore button in the row of a lost line."""
        area = QRectF(self.visualRect(self.rows.index(place, 0)))
        right = self.viewport().width() - SUMMARY_PAD_PX
        return QRectF(right - RESTORE_PX, area.y() + SUMMARY_ABOVE_PX - 1, RESTORE_PX, RESTORE_HIGH)

    def _paint(self, painter: QPainter, area: QRectF, line: ReplacedLine, state: RowState) -> None:
        if isinstance(line, Heading):
            paint_heading(painter, area.adjusted(0, 8, 0, 0), line)
            return
        if self.lit.intersection(line.turns) and not state.selected:
            box(painter, area.adjusted(-6, 1, 6, -1), 4, c("accbg"), c("acc"))
        top = area.y() + SUMMARY_ABOVE_PX
        _paint_mark(painter, QPointF(area.x(), top + 2), line)
        words = wrap_text(line.text, self._room(self.viewport().width(), line))
        words.draw(painter, QPointF(area.x() + SUMMARY_TEXT_X, top), "t1")
        note = QRectF(area.x() + SUMMARY_TEXT_X, top + words.height, area.width() - SUMMARY_TEXT_X, NOTE_PX)
        draw_text(painter, note, line.note, look.font(11, tabular=True), c("t3"), LEFT)
        if isinstance(line, LostLine):
            button = QRectF(area.right() - RESTORE_PX, top - 1, RESTORE_PX, RESTORE_HIGH)
            box(painter, button, 5, c("ctl"), c("line2"))
            draw_text(painter, button, tr(RESTORE), look.font(12), c("t1"), CENTER)


def summary_line_text(line: ReplacedLine) -> str:
    """Return a row as text for a screen reader."""
    match line:
        case Heading():
            return f"{line.title}, {line.note}"
        case SentenceLine():
            return tr("Sentence {number}: {text}, {note}", number=line.number, text=line.text, note=line.note)
        case FactLine():
            return tr("Fact: {text}, {note}", text=line.text, note=line.note)
        case LostLine():
            return tr("Lost: {text}, {note}. Enter restores it as a fact.", text=line.text, note=line.note)


def _paint_mark(painter: QPainter, at: QPointF, line: SentenceLine | FactLine | LostLine) -> None:
    match line:
        case SentenceLine():
            paint_badge(painter, QRectF(at.x(), at.y(), 16, 16), str(line.number))
        case FactLine():
            icons.paint(painter, "check", at, "ok")
        case LostLine():
            icons.paint(painter, "warning", at, "bad", 14)
