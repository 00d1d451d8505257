"""Entries of a day under their headings: time, agent, words. The chosen line offers to become a fact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter, QResizeEvent, QShortcut

from memdesk.gui import icons, look
from memdesk.gui.calendar.around import MEMORY
from memdesk.gui.calendar.wrapping import PITCH_PX, wrapped
from memdesk.gui.editor.grouped import Grouped
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.widgets import Control, RowState
from memdesk.gui.widgets.marks import author, paint_tag, tag_width
from memdesk.gui.widgets.paint import draw_text
from memdesk.model.workspace import DayEntry

SHOWN_AT_ONCE = 500
HEADING_PX, MORE_PX = 37, 40
PAD_PX, ABOVE_PX = 20, 7
MARK_X, TEXT_X = 52, 80
RESERVED_PX = 296
"""Width kept free at the right of a line, for its buttons."""
RESERVED_NARROW_PX = 84
WIDE_FROM_PX = 840
GAP_PX = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """Heading of a group of lines: its title, its agent, and the number of lines."""

    title: str
    agent: str
    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An entry. fact: id of the fact that was made of it in this window, empty for none.

    kept: its agent's long-term file contains it too."""

    entry: DayEntry
    fact: str = ""
    kept: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class More:
    """Row that shows more lines of a very long day. next: number of lines it adds; left: number of hidden
    lines."""

    next: int
    left: int


DayRow = Heading | Line | More


def rows_of(entries: Sequence[DayEntry], line_of: Callable[[DayEntry], Line], shown: int) -> list[DayRow]:
    """Return headings and lines through the day, at most `shown` lines. line_of: turns an entry into a Line
    with its present state."""
    rows: list[DayRow] = []
    left = shown
    for group in by_time(entries):
        members = group[: max(0, left)]
        left -= len(members)
        if members:
            first = members[0]
            rows.append(
                Heading(title=first.section or tr("Notes"), agent=first.agent_id or "", lines=len(group))
            )
            rows += [line_of(entry) for entry in members]
    if len(entries) > shown:
        hidden = len(entries) - shown
        rows.append(More(next=min(SHOWN_AT_ONCE, hidden), left=hidden))
    return rows


def by_time(entries: Sequence[DayEntry]) -> list[list[DayEntry]]:
    """Group entries by heading, the groups in the order in which they begin.

    A group without a time stays behind the group above it in its file."""
    groups: list[tuple[str, list[DayEntry]]] = []
    began: dict[str, str] = {}
    for (document, _), found in groupby(entries, key=lambda each: (each.document_id, each.section)):
        members = list(found)
        began[document] = next((each.time for each in members if each.time), began.get(document, ""))
        groups.append((began[document], members))
    return [members for _, members in sorted(groups, key=lambda group: group[0])]


def same_entry(one: Line, other: Line) -> bool:
    """Return True if two lines are the same entry, even if lines were added above it since."""
    a, b = one.entry, other.entry
    return (a.document_id, a.time, a.text) == (b.document_id, b.time, b.text)


class DayLines(Grouped):
    """List of a day's lines. `fact_asked` carries the entry of a line that is to become a fact, and
    `fact_made` of a line that is to become a fact at once (F); `fact_shown` the id of the fact that was
    made of a line before; `kept` the entry of a line that is to be added to the long-term file (M);
    `more_asked` is the press of the last row. shape_of: the shape number of an agent's mark."""

    fact_asked = Signal(object)
    fact_made = Signal(object)
    kept = Signal(object)
    fact_shown = Signal(str)
    more_asked = Signal()

    def __init__(self, shape_of: Callable[[str], int]) -> None:
        self._shape_of, self.sought = shape_of, ""
        super().__init__(
            _said,
            self._paint,
            is_heading=lambda row: isinstance(row, Heading),
            height=self._height_of,
            name=tr("Entries"),
            pad=PAD_PX,
        )
        self.make = Control(
            "primary",
            tr("Make a fact"),
            "plus",
            keys="Enter",
            small=True,
            tip=tr("Enter opens it first, F at once"),
        )
        self.make_short = Control(
            "primary", icon="plus", small=True, tip=tr("Make a fact: Enter opens it first, F at once")
        )
        self.keep = Control("button", MEMORY, "file", keys="M", small=True)
        self.keep_short = Control("button", icon="file", small=True, tip=tr("Into MEMORY.md, M"))
        for button, act in (
            (self.make, self._act),
            (self.make_short, self._act),
            (self.keep, self._keep),
            (self.keep_short, self._keep),
        ):
            button.setParent(self.viewport())
            button.hide()
            button.clicked.connect(act)
        for keys, act in (("F", self._make), ("M", self._keep)):
            key = QShortcut(QKeySequence(keys), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
            key.activated.connect(act)
        self.picked.connect(lambda _: self._place_button())
        self.opened.connect(lambda _: self._act())
        self.verticalScrollBar().valueChanged.connect(lambda _: self._place_button())

    def show_rows(self, rows: Sequence[DayRow], *, same_day: bool) -> None:
        """Show a day. same_day: the choice and the scroll position stay."""
        chosen, top = self.record(), self.verticalScrollBar().value()
        self.set_rows(rows)
        self.clearSelection()
        self.setCurrentIndex(self.rootIndex())
        if same_day:
            self._choose_again(chosen)
            self.verticalScrollBar().setValue(top)
        else:
            self.scrollToTop()
        self._place_button()

    def _choose_again(self, chosen: DayRow | None) -> None:
        """Choose the same entry, which may be on another line by now."""
        if isinstance(chosen, Line):
            rows = self.rows.rows()
            found = (n for n, row in enumerate(rows) if isinstance(row, Line) and same_entry(row, chosen))
            if (place := next(found, None)) is not None:
                self.choose(place)

    # Acting on a line.

    def _act(self) -> None:
        match self.record():
            case Line(fact="", entry=entry):
                self.fact_asked.emit(entry)
            case Line(fact=fact):
                self.fact_shown.emit(fact)
            case More():
                self.more_asked.emit()

    def _make(self) -> None:
        row = self.record()
        if isinstance(row, Line) and not row.fact:
            self.fact_made.emit(row.entry)

    def _keep(self) -> None:
        row = self.record()
        if isinstance(row, Line) and not row.kept:
            self.kept.emit(row.entry)

    def seek(self, words: str) -> None:
        """Highlight every occurrence of these words."""
        self.sought = words
        self.viewport().update()

    def _place_button(self) -> None:
        """Place the buttons in the chosen line, next to its first line of words."""
        row = self.record()
        wide = self.viewport().width() >= WIDE_FROM_PX
        shown, others = (self.make, self.keep), (self.make_short, self.keep_short)
        if not wide:
            shown, others = others, shown
        for other in others:
            other.hide()
        area = self.visualRect(self.currentIndex())
        right = self.viewport().width() - PAD_PX
        for button, done in zip(shown, ("fact", "kept"), strict=True):
            button.setVisible(isinstance(row, Line) and not getattr(row, done))
            if button.isVisible():
                size = button.sizeHint()
                right -= size.width()
                button.setGeometry(right, area.y() + 6, size.width(), size.height())
                right -= GAP_PX

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the buttons at the right."""
        super().resizeEvent(event)
        self._place_button()

    # Painting.

    def _free(self, area: QRectF) -> float:
        """Return the right edge of the free space in the chosen line: its buttons are to the right of it."""
        buttons = (self.make, self.make_short, self.keep, self.keep_short)
        shown = [float(button.x() - GAP_PX) for button in buttons if button.isVisible()]
        return min(shown, default=area.right())

    def _room(self, wide: int) -> int:
        reserved = RESERVED_PX if wide >= WIDE_FROM_PX else RESERVED_NARROW_PX
        return max(80, wide - PAD_PX - TEXT_X - reserved)

    def _height_of(self, row: DayRow, wide: int) -> int:
        match row:
            case Heading():
                return HEADING_PX
            case More():
                return MORE_PX
            case Line(entry=entry):
                return wrapped(entry.text, self._room(wide)).height + 2 * ABOVE_PX
        return HEADING_PX

    def _paint(self, painter: QPainter, area: QRectF, row: DayRow, state: RowState) -> None:
        match row:
            case Heading():
                _paint_heading(painter, area, row)
            case More():
                words = _more(row)
                draw_text(painter, area, words, look.font(12), c("acc"))
            case Line():
                self._paint_line(painter, area, row, state)

    def _paint_line(self, painter: QPainter, area: QRectF, line: Line, state: RowState) -> None:
        entry, top = line.entry, area.y() + ABOVE_PX
        time = QRectF(area.x(), top, MARK_X - 8, PITCH_PX)
        draw_text(painter, time, entry.time, look.font(13, tabular=True), c("t3"))
        if entry.agent_id:
            mark = QRectF(area.x() + MARK_X, top + 2, 16, 16)
            author(painter, mark, entry.agent_id, self._shape_of(entry.agent_id), "agent")
        words = wrapped(entry.text, self._room(self.viewport().width()))
        for place in words.places(self.sought) if self.sought else ():
            painter.fillRect(place.translated(area.x() + TEXT_X, top), c("warnbg"))
        words.draw(painter, QPointF(area.x() + TEXT_X, top), "t1")
        right = self._free(area) if state.selected else area.right()
        if line.fact:
            right = _paint_became(painter, right, top, "link", tr("%Ln fact(s)", "", 1))
        if line.kept:
            _paint_became(painter, right, top, "file", MEMORY)


def _more(row: More) -> str:
    return tr("Show {next} more of {left}", next=f"{row.next:,}", left=f"{row.left:,}")


def _said(row: DayRow) -> str:
    match row:
        case Heading():
            return ", ".join(
                part for part in (row.title, row.agent, tr("%Ln line(s)", "", row.lines)) if part
            )
        case More():
            return _more(row)
        case Line(entry=entry):
            said = " ".join(part for part in (entry.time, entry.agent_id, entry.text) if part)
            became = [tr("a fact was made of it")] * bool(row.fact)
            became += [tr("it stands in {file}", file=MEMORY)] * row.kept
            return ", ".join([said, *became])


def _paint_heading(painter: QPainter, area: QRectF, heading: Heading) -> None:
    line = area.adjusted(0, 3, 0, 0)
    taken = draw_text(painter, line, heading.title, look.font(12, 600), c("t1"))
    note = " · ".join(part for part in (heading.agent, tr("%Ln line(s)", "", heading.lines)) if part)
    draw_text(painter, line.adjusted(taken + 10, 0, 0, 0), note, look.font(12), c("t3"))


def _paint_became(painter: QPainter, right: float, top: float, icon: str, words: str) -> float:
    """Paint a tag for the result of a line, ending at a right edge. Returns the right edge that remains."""
    wide = tag_width(words) + 18
    tag = QRectF(right - wide, top + 1, wide, 18)
    paint_tag(painter, tag, "", "plain")
    icons.paint(painter, icon, QPointF(tag.x() + 5, top + 4), "t2", 12)
    draw_text(painter, tag.adjusted(21, 0, 0, 0), words, look.font(11), c("t2"))
    return tag.x() - GAP_PX
