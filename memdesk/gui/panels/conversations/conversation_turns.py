"""Turns of a conversation under their days, and the details of turns: the context the agent was given, tool
calls, and extracted facts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QPainter

from memdesk.gui import formatting, icons, look
from memdesk.gui.formatting import turn_ranges
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.shell.record_detail import DetailLine, Heading, Item
from memdesk.gui.terms import term
from memdesk.gui.widgets import RowState, author
from memdesk.gui.widgets.badges import Who
from memdesk.gui.widgets.grouped_rows import Grouped
from memdesk.gui.widgets.paint import RIGHT, box, draw_text
from memdesk.gui.widgets.paper import LINES_AT_MOST, PITCH_PX, wrap_text
from memdesk.model.browse import DerivedFact, TurnCall, TurnRow
from memdesk.model.prompt import ContextPiece, SeenRow, SeenWhole

NUMBER_PX, MARK_X, TEXT_X, ABOVE_PX = 32, 40, 64, 5
LEFT_PX = 8
"""Part of the margin that a long number uses."""
TOOLS = ("tool", "function")
WHOLE = 200
"""Limit of lines for a turn shown in full; a longer one is read in the inspector."""

Speaker = tuple[str, int, Who]
"""Name, shape and kind, as `author` paints them."""


def speaker_of(session: Session, role: str, speaker: str, agent_id: str | None) -> Speaker:
    """Return the speaker of a turn: a person, the conversation's agent, or a tool."""
    if role == "user":
        return speaker or tr("user"), 0, "person"
    if role in TOOLS:
        return speaker or tr("tool"), 0, "job"
    return session.mark(f"agent:{agent_id or speaker or role}")


def height(text: str, room: int, most: int = LINES_AT_MOST) -> int:
    """Return the height of a turn in px. room: px to the right edge of its text; most: limit of lines."""
    return wrap_text(text, max(80, room - TEXT_X), most).height + 2 * ABOVE_PX


def paint_turn(
    painter: QPainter,
    at: QPointF,
    number: int,
    by: Speaker,
    text: str,
    room: int,
    token: str,
    most: int = LINES_AT_MOST,
) -> None:
    """Paint a turn from its top left corner. number: from 1; room: px to the right edge of the text; most:
    limit of lines."""
    top = at.y() + ABOVE_PX
    place = QRectF(at.x() - LEFT_PX, top, NUMBER_PX + LEFT_PX, PITCH_PX)
    face = look.font(12 if number < 1_000 else 11, tabular=True)
    draw_text(painter, place, f"{number:,}", face, c("t3"), RIGHT)
    author(painter, QRectF(at.x() + MARK_X, top + 2, 16, 16), *by)
    wrap_text(text, max(80, room - TEXT_X), most).draw(painter, QPointF(at.x() + TEXT_X, top), token)


def ground_words(painter: QPainter, at: QPointF, text: str, room: int, sought: str) -> None:
    """Paint the background of the search matches in a turn; the turn is painted over it."""
    if sought and sought.casefold() in text.casefold():
        shown = wrap_text(text, max(80, room - TEXT_X), WHOLE)
        for area in shown.places(sought):
            painter.fillRect(area.translated(at.x() + TEXT_X, at.y() + ABOVE_PX), c("warnbg"))


PAD_PX, MARK_PX = 12, 20
HEADING_PX, MORE_PX = 34, 32
TIME_PX = 56
CALL_PX, CALLS_AT_MOST = 20, 4
OUTCOMES = {True: ("check", "ok"), False: ("cross", "bad"), None: ("tools", "t3")}
"""Icon and tone of a tool call by its success."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Divider:
    """Line for a day, or for the start of the current context."""

    says: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLine:
    """Turn with its extracted facts and tool calls, and with the contexts the agent was given before it."""

    turn: TurnRow
    facts: tuple[DerivedFact, ...]
    calls: tuple[TurnCall, ...]
    contexts: tuple[SeenRow, ...]

    @property
    def id(self) -> str:
        return self.turn.id

    @property
    def call_rows(self) -> int:
        """Return the number of lines for its tool calls; the last one counts those that are left out."""
        return min(len(self.calls), CALLS_AT_MOST + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class More:
    """Row that loads turns not loaded yet. first: the number of turns before them.

    leads_back: they come before the loaded turns."""

    first: int
    says: str
    leads_back: bool = False


TalkLine = Divider | TurnLine | More


def lines_of(turns: Sequence[TurnLine], archived: int) -> list[TalkLine]:
    """Return turns under their days. archived: number of first turns that a summary has replaced."""
    lines: list[TalkLine] = []
    for day, group in groupby(turns, key=lambda line: formatting.local(line.turn.at).date()):
        members = list(group)
        lines.append(Divider(says=formatting.long_date(day), note=tr("%Ln turn(s)", "", len(members))))
        for line in members:
            if archived and line.turn.turn_index == archived:
                note = tr("%Ln turn(s) above gave way to a summary", "", archived)
                lines.append(Divider(says=tr("The context begins here"), note=note))
            lines.append(line)
    return lines


class TalkTurns(Grouped):
    """List of turns. The signal `more_asked` carries the place from which to load others. speaker: returns a
    turn's speaker."""

    more_asked = Signal(int)

    def __init__(self, speaker: Callable[[TurnRow], Speaker]) -> None:
        self._speaker = speaker
        self.lit: frozenset[int] = frozenset()
        self.sought = ""
        super().__init__(
            accessible_text, self._paint, self._height_of, name=tr("Turns"), headings=Divider, pad=PAD_PX
        )
        self.picked.connect(self._ask)
        # Looked at once the rows are in place: showing them moves the bar for a moment.
        self.verticalScrollBar().valueChanged.connect(lambda _: QTimer.singleShot(0, self, self._ask_at_end))

    def _ask(self, line: object) -> None:
        if isinstance(line, More):
            self.more_asked.emit(line.first)

    def _ask_at_end(self) -> None:
        """Ask for more turns if the list is scrolled to an end of the loaded ones."""
        bar, rows = self.verticalScrollBar(), self.rows.rows()
        if rows and bar.maximum() and bar.value() in (0, bar.maximum()):
            self._ask(rows[-1 if bar.value() else 0])

    def show_lines(self, lines: Sequence[TalkLine]) -> None:
        """Replace the lines; the turn at the top keeps its position, and the selection stays.

        If a More row was selected, the turn next to the previously loaded ones is selected."""
        anchor, chosen = self._anchor(), self.record()
        turns = self.turn_lines()
        with QSignalBlocker(self):
            self.choose_nothing()
            self.set_rows(lines)
            # The bar learns of the new rows only when they are laid out.
            self.executeDelayedItemsLayout()
            index = _next_to(chosen, turns)
            if index is not None:
                self.choose_turn(index)
            if anchor is not None:
                self._put_back(*anchor)

    def _anchor(self) -> tuple[int, int] | None:
        """Return the index of the first turn in view, and its position in px."""
        rows = self.rows.rows()
        for place in range(max(0, self.rowAt(0)), len(rows)):
            line = rows[place]
            if isinstance(line, TurnLine):
                return line.turn.turn_index, self.rowViewportPosition(place)
        return None

    def _put_back(self, index: int, y: int) -> None:
        place = self.place_of(index)
        if place is not None:
            self.verticalScrollBar().setValue(self.verticalHeader().sectionPosition(place) - y)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select a turn if none is selected: the last one if the list is scrolled to its end, otherwise the
        first in view."""
        bar, anchor = self.verticalScrollBar(), self._anchor()
        if anchor is not None and not self.currentIndex().isValid():
            at_end = bar.maximum() > 0 and bar.value() == bar.maximum()
            self.choose_turn(self.turn_lines()[-1].turn.turn_index if at_end else anchor[0])
        super().focusInEvent(event)

    def seek(self, words: str) -> None:
        """Mark all matches of this text."""
        self.sought = words
        self.viewport().update()

    def turn_lines(self) -> list[TurnLine]:
        """Return the loaded turns."""
        return [line for line in self.rows.rows() if isinstance(line, TurnLine)]

    def light(self, turns: Sequence[int]) -> None:
        """Highlight turns, and scroll to the first loaded one."""
        self.lit = frozenset(turns)
        for place, line in enumerate(self.rows.rows()):
            if isinstance(line, TurnLine) and line.turn.turn_index in self.lit:
                self.scrollTo(self.rows.index(place, 0))
                break
        self.viewport().update()

    def choose_turn(self, index: int) -> None:
        """Select a turn by its index, if it is loaded."""
        place = self.place_of(index)
        if place is not None:
            self.choose(place)

    def place_of(self, index: int) -> int | None:
        """Return the row of a turn by its index, None if it is not loaded."""
        lines = enumerate(self.rows.rows())
        return next(
            (n for n, each in lines if isinstance(each, TurnLine) and each.turn.turn_index == index), None
        )

    def _room(self, wide: int, line: TurnLine) -> int:
        return wide - 2 * PAD_PX - len(marks(line)) * MARK_PX - TIME_PX - 12

    def _height_of(self, line: TalkLine, wide: int) -> int:
        match line:
            case Divider():
                return HEADING_PX
            case More():
                return MORE_PX
        calls = line.call_rows * CALL_PX
        return height(line.turn.content, self._room(wide, line), WHOLE) + calls + 2

    def _paint(self, painter: QPainter, area: QRectF, line: TalkLine, state: RowState) -> None:
        match line:
            case Divider():
                _paint_heading(painter, area.adjusted(8, 4, -8, 0), line)
            case More():
                draw_text(painter, area.adjusted(TEXT_X, 0, 0, 0), line.says, look.font(12), c("acc"))
            case TurnLine(turn=turn):
                if turn.turn_index in self.lit:
                    box(painter, area.adjusted(0, 1, 0, -1), 3, c("accbg"), c("acc"))
                room = self._room(self.viewport().width(), line)
                ground_words(painter, area.topLeft(), turn.content, room, self.sought)
                number, by = turn.turn_index + 1, self._speaker(turn)
                paint_turn(painter, area.topLeft(), number, by, turn.content, room, "t1", WHOLE)
                _paint_calls(painter, area.adjusted(TEXT_X, 0, 0, 0), line)
                _paint_right(painter, QRectF(area.x(), area.y() + ABOVE_PX, area.width() - 8, PITCH_PX), line)


def marks(line: TurnLine) -> list[tuple[str, str]]:
    """Return (icon, tone) for the context given before the turn, and for the facts extracted from it."""
    found = [("lab", "acc")] if line.contexts else []
    return [*found, ("link", "ok")] if line.facts else found


def accessible_text(line: TalkLine) -> str:
    """Return a row as text for a screen reader."""
    if isinstance(line, Divider):
        return ", ".join(part for part in (line.says, line.note) if part)
    if isinstance(line, More):
        return line.says
    parts = [tr("%Ln fact(s)", "", len(line.facts))] * bool(line.facts)
    parts += [
        ", ".join(part for part in (call.tool_name, call_note(call), error_of(call)) if part)
        for call in line.calls
    ]
    parts += [tr("told before it")] * bool(line.contexts)
    came = f" ({', '.join(parts)})" if parts else ""
    return f"{line.turn.turn_index + 1}, {line.turn.speaker or line.turn.role}: {line.turn.content}{came}"


def call_note(call: TurnCall) -> str:
    """Return the task type and duration of a call: “deploy · 30 ms”."""
    parts = [call.task_type] if call.task_type else []
    parts += [tr("{took} ms", took=f"{call.latency_ms:,}")] if call.latency_ms is not None else []
    return " · ".join(parts)


def error_of(call: TurnCall) -> str:
    """Return the error message of a failed call on one line."""
    return " ".join(call.error.split())


def _next_to(chosen: object, turns: Sequence[TurnLine]) -> int | None:
    """Return the index of the turn to select again: the same one, or for a More row the turn beyond the
    loaded ones."""
    if isinstance(chosen, TurnLine):
        return chosen.turn.turn_index
    if isinstance(chosen, More) and turns:
        indexes = [line.turn.turn_index for line in turns]
        return indexes[0] - 1 if chosen.leads_back else indexes[-1] + 1
    return None


def _paint_calls(painter: QPainter, area: QRectF, line: TurnLine) -> None:
    """Paint the tool calls of a turn, below its text."""
    top = area.bottom() - line.call_rows * CALL_PX - 4
    for place in range(line.call_rows):
        spot = QRectF(area.x(), top + place * CALL_PX, area.width() - 8, CALL_PX)
        if place == CALLS_AT_MOST and len(line.calls) > CALLS_AT_MOST:
            more = tr("%Ln more tool call(s)", "", len(line.calls) - CALLS_AT_MOST)
            draw_text(painter, spot, more, look.font(11), c("t3"))
            return
        call = line.calls[place]
        icon, tone = OUTCOMES[call.success]
        icons.paint(painter, icon, QPointF(spot.x(), round(spot.center().y() - 7)), tone, 14)
        words = spot.adjusted(20, 0, 0, 0)
        taken = draw_text(painter, words, call.tool_name, look.font(11, mono=True), c("t2"))
        token = "bad" if call.success is False else "t3"
        note = " · ".join(part for part in (call_note(call), error_of(call)) if part)
        draw_text(painter, words.adjusted(taken + 10, 0, 0, 0), note, look.font(11), c(token))


def _paint_heading(painter: QPainter, line: QRectF, heading: Divider) -> None:
    taken = draw_text(painter, line, heading.says, look.font(12, 600), c("t2"))
    draw_text(painter, line.adjusted(taken + 10, 0, 0, 0), heading.note, look.font(11), c("t3"))


def _paint_right(painter: QPainter, line: QRectF, shown: TurnLine) -> None:
    draw_text(painter, line, formatting.clock(shown.turn.at), look.font(11, tabular=True), c("t3"), RIGHT)
    x = line.right() - 46
    for icon, tone in reversed(marks(shown)):
        x -= MARK_PX
        icons.paint(painter, icon, QPointF(x, round(line.center().y() - 8)), tone)


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


def of_turn(line: TurnLine, prompts: Sequence[SeenWhole]) -> list[DetailLine]:
    """Return the details of one turn. prompts: the exact context texts its agent was given before it."""
    lines: list[DetailLine] = []
    for seen in prompts:
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
    facts: Sequence[DerivedFact], calls: Sequence[TurnCall], prompts: Sequence[SeenRow]
) -> list[DetailLine]:
    """Return the details of the conversation, as far as its turns are loaded."""
    lines = _facts(facts, numbered=True) or [
        Heading(title=tr("Facts"), note=tr("none was read from these turns"))
    ]
    lines += _calls(calls, numbered=True)
    if prompts:
        lines.append(Heading(title=tr("Told before turns"), note=tr("%Ln time(s)", "", len(prompts))))
        lines += [_time(row) for row in prompts]
    return lines


def _piece(piece: ContextPiece) -> list[DetailLine]:
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


def _calls(calls: Sequence[TurnCall], *, numbered: bool) -> list[DetailLine]:
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


def _facts(facts: Sequence[DerivedFact], *, numbered: bool) -> list[DetailLine]:
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
