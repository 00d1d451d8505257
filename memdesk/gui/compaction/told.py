"""List of what replaced the turns: the sentences of the summary, the facts kept, and the statements lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QMouseEvent, QPainter

from memdesk.gui import icons, look
from memdesk.gui.calendar.wrapping import wrapped
from memdesk.gui.compaction.coverage import spans
from memdesk.gui.compaction.turns import paint_badge
from memdesk.gui.editor.grouped import Grouped
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.widgets import RowState
from memdesk.gui.widgets.paint import CENTER, LEFT, RIGHT, box, draw_text, text_width
from memdesk.model.compaction import DROPPED, OFFLINE, SNIPPETS
from memdesk.model.context import CompactionWhole, KeptFact, SummarySentence

PAD_PX, TEXT_X, ABOVE_PX = 16, 26, 6
HEADING_PX, NOTE_PX = 38, 17
BY = {
    OFFLINE: marked("extracts, no language model"),
    SNIPPETS: marked("short snippets, no language model"),
    DROPPED: marked("dropped without a summary"),
}
RESTORE, RESTORE_PX, RESTORE_HIGH = marked("Restore"), 60, 22


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """Heading of a group of lines."""

    title: str
    note: str


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
        return " · ".join([*rule, spans(self.turns)])


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
        where = spans(self.turns) or tr("known before")
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
        return spans(self.turns)


ToldLine = Heading | SentenceLine | FactLine | LostLine


def lines_of(whole: CompactionWhole) -> list[ToldLine]:
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


class Told(Grouped):
    """List of what replaced the turns. The signal `restore_asked` carries a lost line; lit: the turns chosen
    in the other list."""

    restore_asked = Signal(object)

    def __init__(self) -> None:
        self.lit: frozenset[int] = frozenset()
        super().__init__(
            said, self._paint, is_heading=lambda line: isinstance(line, Heading), height=self._height_of,
            name=tr("What stands for them"), pad=PAD_PX, hairlines=False,
        )  # fmt: skip

    def light(self, turns: Sequence[int]) -> None:
        """Highlight the lines that are about these turns."""
        self.lit = frozenset(turns)
        self.viewport().update()

    def _room(self, wide: int, line: ToldLine) -> int:
        right = RESTORE_PX + 10 if isinstance(line, LostLine) else 4
        return max(80, wide - 2 * PAD_PX - TEXT_X - right)

    def _height_of(self, line: ToldLine, wide: int) -> int:
        if isinstance(line, Heading):
            return HEADING_PX
        return wrapped(line.text, self._room(wide, line)).height + NOTE_PX + 2 * ABOVE_PX

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
        right = self.viewport().width() - PAD_PX
        return QRectF(right - RESTORE_PX, area.y() + ABOVE_PX - 1, RESTORE_PX, RESTORE_HIGH)

    def _paint(self, painter: QPainter, area: QRectF, line: ToldLine, state: RowState) -> None:
        if isinstance(line, Heading):
            _paint_heading(painter, area, line)
            return
        if self.lit.intersection(line.turns) and not state.selected:
            box(painter, area.adjusted(-6, 1, 6, -1), 4, c("accbg"), c("acc"))
        top = area.y() + ABOVE_PX
        _paint_mark(painter, QPointF(area.x(), top + 2), line)
        words = wrapped(line.text, self._room(self.viewport().width(), line))
        words.draw(painter, QPointF(area.x() + TEXT_X, top), "t1")
        note = QRectF(area.x() + TEXT_X, top + words.height, area.width() - TEXT_X, NOTE_PX)
        draw_text(painter, note, line.note, look.font(11, tabular=True), c("t3"), LEFT)
        if isinstance(line, LostLine):
            button = QRectF(area.right() - RESTORE_PX, top - 1, RESTORE_PX, RESTORE_HIGH)
            box(painter, button, 5, c("ctl"), c("line2"))
            draw_text(painter, button, tr(RESTORE), look.font(12), c("t1"), CENTER)


def said(line: ToldLine) -> str:
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


def _paint_heading(painter: QPainter, area: QRectF, heading: Heading) -> None:
    line = area.adjusted(0, 8, 0, 0)
    taken = draw_text(painter, line, heading.title, look.font(12, 600), c("t2"))
    room = line.adjusted(taken + 10, 0, 0, 0)
    align = RIGHT if text_width(heading.note, look.font(11)) < room.width() else LEFT
    draw_text(painter, room, heading.note, look.font(11), c("t3"), align)


def _paint_mark(painter: QPainter, at: QPointF, line: SentenceLine | FactLine | LostLine) -> None:
    match line:
        case SentenceLine():
            paint_badge(painter, QRectF(at.x(), at.y(), 16, 16), str(line.number))
        case FactLine():
            icons.paint(painter, "check", at, "ok")
        case LostLine():
            icons.paint(painter, "warning", at, "bad", 14)
