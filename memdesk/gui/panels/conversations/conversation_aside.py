"""Details of a turn or of all turns: the context the agent was given, its tool calls, and the facts
extracted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from memdesk.gui import formatting, icons, look
from memdesk.gui.formatting import turn_ranges
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.panels.conversations.conversation_turns import OUTCOMES, TurnLine, call_note, error_of
from memdesk.gui.terms import term
from memdesk.gui.widgets import RowState
from memdesk.gui.widgets.grouped_rows import Grouped
from memdesk.gui.widgets.paint import LEFT, RIGHT, draw_text, text_width
from memdesk.gui.widgets.paper import wrap_text
from memdesk.model.browse import DerivedFact, TurnCall
from memdesk.model.prompt import ContextPiece, SeenRow, SeenWhole

PAD_PX, TEXT_X, ABOVE_PX = 16, 26, 6
HEADING_PX, NOTE_PX = 38, 17
PARAGRAPHS = re.compile(r"\n\s*\n")
PART_AT_MOST = 400
"""Limit of characters per line, so that each line is shown in full even in a narrow list."""
NAMES = {
    "identity": marked("Identity files"),
    "learnings": marked("Learnings"),
    "recall": marked("Recalled"),
    "facts": marked("Strong facts"),
    "goals": marked("Goals"),
    "scratchpad": marked("Scratchpad"),
    "subagents": marked("Sub-agents"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """Heading of the lines below it."""

    title: str
    note: str
    icon: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Line with an icon and its tone, a text, and a note below it.

    opens: the id of a memory to show; turns: the indexes of the turns it is about."""

    icon: str
    tone: str
    text: str
    note: str
    opens: str = ""
    turns: tuple[int, ...] = ()


AsideLine = Heading | Item


def of_turn(line: TurnLine, told: Sequence[SeenWhole]) -> list[AsideLine]:
    """Return the details of one turn. told: the exact context texts its agent was given before it."""
    lines: list[AsideLine] = []
    for seen in told:
        lines.append(Heading(title=tr("Told before this turn"), note=_cost(seen.row)))
        for piece in seen.pieces:
            lines += _piece(piece)
    lines += _calls(line.calls, numbered=False)
    lines += _facts(line.facts, numbered=False)
    if not lines:
        number = f"{line.turn.turn_index + 1:,}"
        lines = [Heading(title=tr("Turn {number}", number=number), note=tr("nothing came of it"))]
    return lines


def of_all(
    facts: Sequence[DerivedFact], calls: Sequence[TurnCall], told: Sequence[SeenRow]
) -> list[AsideLine]:
    """Return the details of the conversation, as far as its turns are loaded."""
    lines = _facts(facts, numbered=True) or [
        Heading(title=tr("Facts"), note=tr("none was read from these turns"))
    ]
    lines += _calls(calls, numbered=True)
    if told:
        lines.append(Heading(title=tr("Told before turns"), note=tr("%Ln time(s)", "", len(told))))
        lines += [_time(row) for row in told]
    return lines


def _piece(piece: ContextPiece) -> list[AsideLine]:
    """Return a heading and the exact text of a context piece, one line per paragraph, so that no text is cut."""
    opens = piece.ids[0] if piece.ids else ""
    where = "" if piece.source == piece.name else piece.source
    said = [part for each in PARAGRAPHS.split(piece.text.strip()) for part in _parts(each)]
    lines = [Item(icon="", tone="", text=text, note="", opens=opens) for text in said]
    last = [replace(lines[-1], note=where)] if lines else []
    tokens = tr("%Ln token(s)", "", piece.tokens)
    note = tr("{tokens}, cut to fit", tokens=tokens) if piece.cut else tokens
    return [Heading(title=_name(piece.name), note=note, icon="lab"), *lines[:-1], *last]


def _name(piece: str) -> str:
    return tr(NAMES[piece]) if piece in NAMES else piece


def _parts(text: str) -> list[str]:
    """Split a paragraph into parts that are shown in full, between its lines if possible, otherwise between
    words."""
    parts: list[str] = []
    while len(text) > PART_AT_MOST:
        head = text[:PART_AT_MOST]
        at = max(head.rfind("\n"), 0) or max(head.rfind(" "), 0) or PART_AT_MOST
        parts.append(text[:at])
        text = text[at:].strip()
    return [*parts, text] if text else parts


def _cost(row: SeenRow) -> str:
    return tr("{tokens} of {budget} tokens", tokens=f"{row.tokens:,}", budget=f"{row.budget_tokens:,}")


def _time(row: SeenRow) -> Item:
    turns = () if row.turn_index is None else (row.turn_index,)
    names = tr(", ").join(_name(name).lower() for name in row.pieces)
    where = tr("before {turns}", turns=turn_ranges(turns)) if turns else formatting.minute(row.at)
    return Item(
        icon="lab", tone="acc", text=names or tr("nothing"), note=f"{where} · {_cost(row)}", turns=turns
    )


def _calls(calls: Sequence[TurnCall], *, numbered: bool) -> list[AsideLine]:
    if not calls:
        return []
    failed = sum(call.success is False for call in calls)
    many = f"{len(calls):,}"
    note = tr("{calls}, {failed} failed", calls=many, failed=f"{failed:,}") if failed else many
    return [Heading(title=tr("Tool calls"), note=note), *(_call(call, numbered=numbered) for call in calls)]


def _call(call: TurnCall, *, numbered: bool) -> Item:
    where = turn_ranges((call.turn_index,)) if numbered else ""
    note = " · ".join(part for part in (where, call_note(call)) if part)
    icon, tone = OUTCOMES[call.success]
    text = "\n".join(part for part in (call.tool_name, error_of(call)) if part)
    return Item(icon=icon, tone=tone, text=text, note=note, turns=(call.turn_index,))


def _facts(facts: Sequence[DerivedFact], *, numbered: bool) -> list[AsideLine]:
    if not facts:
        return []
    title = tr("Facts of this conversation") if numbered else tr("Facts read from it")
    return [Heading(title=title, note=f"{len(facts):,}"), *(_fact(fact, numbered=numbered) for fact in facts)]


def _fact(fact: DerivedFact, *, numbered: bool) -> Item:
    where = f"{turn_ranges(fact.turns)} · " if numbered or len(fact.turns) > 1 else ""
    return Item(
        icon="link",
        tone="ok",
        text=fact.claim,
        note=f"{where}{term(fact.category)} · {fact.confidence:.2f}",
        opens=fact.id,
        turns=fact.turns,
    )


class Beside(Grouped):
    """List of details."""

    def __init__(self) -> None:
        super().__init__(
            said,
            self._paint,
            is_heading=lambda line: isinstance(line, Heading),
            height=self._height_of,
            name=tr("Beside the turns"),
            token="panel",
            pad=PAD_PX,
            hairlines=False,
        )

    def show_lines(self, lines: Sequence[AsideLine]) -> None:
        """Replace the lines; the selected line stays selected if it is still there."""
        chosen = self.record()
        self.clearSelection()
        self.setCurrentIndex(self.rootIndex())
        self.set_rows(lines)
        if isinstance(chosen, Item) and chosen in lines:
            with_signals = self.blockSignals(True)
            self.choose(list(lines).index(chosen))
            self.blockSignals(with_signals)

    def _height_of(self, line: AsideLine, wide: int) -> int:
        if isinstance(line, Heading):
            return HEADING_PX
        note = NOTE_PX if line.note else 0
        return wrap_text(line.text, self._room(wide)).height + note + 2 * ABOVE_PX

    def _room(self, wide: int) -> int:
        return max(80, wide - 2 * PAD_PX - TEXT_X)

    def _paint(self, painter: QPainter, area: QRectF, line: AsideLine, state: RowState) -> None:
        if isinstance(line, Heading):
            _paint_heading(painter, area.adjusted(0, 8, 0, 0), line)
            return
        top = area.y() + ABOVE_PX
        if line.icon:
            icons.paint(painter, line.icon, QPointF(area.x(), top + 2), line.tone)
        words = wrap_text(line.text, self._room(self.viewport().width()))
        words.draw(painter, QPointF(area.x() + TEXT_X, top), "t1")
        note = QRectF(area.x() + TEXT_X, top + words.height, area.width() - TEXT_X, NOTE_PX)
        draw_text(painter, note, line.note, look.font(11, tabular=True), c("t3"), LEFT)


def said(line: AsideLine) -> str:
    """Return a row as text for a screen reader."""
    if isinstance(line, Heading):
        return f"{line.title}, {line.note}"
    return ", ".join(part for part in (line.text, line.note) if part)


def _paint_heading(painter: QPainter, line: QRectF, heading: Heading) -> None:
    if heading.icon:
        icons.paint(painter, heading.icon, QPointF(line.x(), round(line.center().y() - 8)), "acc")
        line = line.adjusted(TEXT_X, 0, 0, 0)
    taken = draw_text(painter, line, heading.title, look.font(12, 600), c("t2"))
    room = line.adjusted(taken + 10, 0, 0, 0)
    align = RIGHT if text_width(heading.note, look.font(11)) < room.width() else LEFT
    draw_text(painter, room, heading.note, look.font(11), c("t3"), align)
