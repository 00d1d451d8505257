"""View of one compaction: its turns next to what replaced them, the strip of all turns, and the actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from memdesk.gui import formatting, icons, look
from memdesk.gui.keys import on_key
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.panels.compaction.compaction_sides import (
    FATES,
    Cover,
    FactLine,
    Fate,
    LostLine,
    More,
    ReplacedLine,
    ReplacedList,
    TurnLine,
    Turns,
    count_fates,
    covers_by_turn,
    lines_of,
    summary_problem,
)
from memdesk.gui.panels.conversations.conversation_turns import Speaker, speaker_of
from memdesk.gui.session import Session
from memdesk.gui.shell.record_detail import Heading
from memdesk.gui.widgets import (
    ChannelMark,
    Control,
    Ground,
    List,
    RowState,
    Splitter,
    Text,
    author,
    column,
    laid_out,
    row,
    span,
)
from memdesk.gui.widgets import Strip as Warning
from memdesk.gui.widgets.explaining import explain_terms
from memdesk.gui.widgets.paint import RIGHT, box, draw_text
from memdesk.model.context import ArchivedTurn, CompactionRow, CompactionWhole

BAR_PX, BAR_HIGH = 52, 4


class Listing(List):
    """List with one compaction per row, newest first. shape_of: returns the shape of an agent's mark."""

    def __init__(self, shape_of: Callable[[str], int]) -> None:
        self._shape_of = shape_of
        super().__init__(accessible_text, self._paint, name=tr("Compactions"))

    def _paint(self, painter: QPainter, area: QRectF, row: CompactionRow, state: RowState) -> None:
        past = row.restored
        ink = "t3" if past else "t1"
        if row.agent_id:
            mark = QRectF(area.x(), area.y() + 9, 16, 16)
            author(painter, mark, row.agent_id, self._shape_of(row.agent_id), "agent")
        top = QRectF(area.x() + 24, area.y() + 7, area.width() - 24, 20)
        when = draw_text(painter, top, formatting.minute(row.at), look.font(11, tabular=True), c("t3"), RIGHT)
        title = tr("{title} (taken back)", title=title_of(row)) if past else title_of(row)
        draw_text(painter, top.adjusted(0, 0, -when - 10, 0), title, look.font(13, italic=past), c(ink))
        _paint_figures(painter, QRectF(top.x(), area.y() + 30, top.width(), 16), row)


def title_of(row: CompactionRow) -> str:
    """Return the title of the conversation, or a placeholder if it has none."""
    return " ".join(row.title.split()) or tr("Conversation without a title")


def kept(row: CompactionRow) -> str:
    """Return the count of kept facts: “7 kept”."""
    return tr("{number} kept", number=f"{row.facts:,}")


def lost(row: CompactionRow) -> str:
    """Return the count of lost statements: “2 lost”."""
    return tr("{number} lost", number=f"{row.lost:,}")


def accessible_text(row: CompactionRow) -> str:
    """Return a row as text for a screen reader."""
    sizes = tr("{before} to {after} tokens", before=f"{row.tokens_before:,}", after=f"{row.tokens_after:,}")
    parts = [
        title_of(row),
        row.agent_id or tr("no agent"),
        formatting.minute(row.at),
        sizes,
        kept(row),
        lost(row),
    ]
    parts += [tr("taken back")] * row.restored
    return f"{', '.join(parts)}. {summary_problem(row)}".strip()


def _paint_figures(painter: QPainter, line: QRectF, row: CompactionRow) -> None:
    share = row.tokens_after / row.tokens_before if row.tokens_before else 1.0
    y = round(line.center().y() - BAR_HIGH / 2)
    box(painter, QRectF(line.x(), y, BAR_PX, BAR_HIGH), 2, c("line2"))
    box(painter, QRectF(line.x(), y, max(2, round(BAR_PX * min(1.0, share))), BAR_HIGH), 2, c("acc"))
    face = look.font(11, tabular=True)
    size = f"{short(row.tokens_before)} → {short(row.tokens_after)}"
    x = line.x() + BAR_PX + 8
    x += draw_text(painter, QRectF(x, line.y(), line.right() - x, line.height()), size, face, c("t2")) + 12
    draw_text(painter, QRectF(x, line.y(), line.right() - x, line.height()), kept(row), face, c("t3"))
    wrong = "bad" if row.lost or summary_problem(row) else "t3"
    taken = draw_text(painter, line, lost(row), face, c(wrong), RIGHT)
    if summary_problem(row):
        at = QPointF(line.right() - taken - 18, line.y() + 1)
        icons.paint(painter, "warning", at, "bad", 14)


def short(tokens: int) -> str:
    """Return a short token count: “732”, “66.4k”, “1.2M”."""
    # From 999,950 on thousands would be rounded up to “1000.0k”.
    for least, size, letter in ((999_950, 1_000_000, "M"), (10_000, 1_000, "k")):
        if tokens >= least:
            return f"{tokens / size:.1f}{letter}"
    return f"{tokens:,}"


WIDTH_PX, CELL_PX, PAD_PX = 28, 9, 10
CELL_HIGH_MOST = 11
GRAVITY: tuple[Fate, ...] = ("nothing", "summary", "fact", "lost")
"""Fates from least to most grave; turns that share a cell show the gravest."""


class Strip(QWidget):
    """Column of turn cells. The signal `asked` carries the index of the turn that was pressed."""

    asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._turns: tuple[int, ...] = ()
        self._fates: tuple[Fate, ...] = ()
        self._seen: tuple[int, int] | None = None
        self.setFixedWidth(WIDTH_PX)
        self.setAccessibleName(tr("All turns"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_covers(self, covers: dict[int, Cover]) -> None:
        self._turns, self._fates = tuple(covers), tuple(cover.fate for cover in covers.values())
        self.update()

    def show_seen(self, seen: tuple[int, int] | None) -> None:
        """Frame the turns that are in view in the list."""
        self._seen = seen
        self.update()

    def cells(self) -> int:
        """Return the number of cells: one per turn as long as there is space."""
        return min(len(self._turns), max(1, int((self.height() - 2 * PAD_PX) / 3)))

    def binned(self) -> tuple[Fate, ...]:
        """Return the fate that each cell shows."""
        many = self.cells()
        return tuple(_gravest(self._fates[self._first(n) : self._first(n + 1)]) for n in range(many))

    def _first(self, cell: int) -> int:
        return cell * len(self._turns) // max(1, self.cells())

    def _pitch(self) -> float:
        return min(CELL_HIGH_MOST, (self.height() - 2 * PAD_PX) / max(1, self.cells()))

    def _y(self, turn: int) -> float:
        place = turn - self._turns[0]
        return PAD_PX + place * self.cells() / len(self._turns) * self._pitch()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the turn."""
        self._ask(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go to the turn under the pointer while a button is pressed."""
        self._ask(event)

    def _ask(self, event: QMouseEvent) -> None:
        cell = int((event.position().y() - PAD_PX) / self._pitch()) if self._turns else -1
        if 0 <= cell < self.cells():
            self.asked.emit(self._turns[self._first(cell)])

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cells, and the frame around the turns in view."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), c("stage"))
        if not self._turns:
            return
        x, pitch = (WIDTH_PX - CELL_PX) / 2, self._pitch()
        for place, fate in enumerate(self.binned()):
            _paint_cell(painter, QRectF(x, PAD_PX + place * pitch, CELL_PX, max(1.0, pitch - 1)), fate)
        if self._seen is not None:
            top, bottom = self._y(self._seen[0]), self._y(self._seen[1] + 1)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(c("t1"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(x - 3.5, top - 2.5, CELL_PX + 7, bottom - top + 4), 3, 3)


def _gravest(fates: Sequence[Fate]) -> Fate:
    return max(fates, key=GRAVITY.index, default="nothing")


def _paint_cell(painter: QPainter, cell: QRectF, fate: Fate) -> None:
    match fate:
        case "summary":
            painter.fillRect(cell, look.mix(c("acc"), c("stage"), 0.5))
        case "fact":
            painter.fillRect(cell, c("ok"))
        case "lost" if cell.height() >= 4:
            painter.setPen(QPen(c("bad"), 1.4))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(cell.adjusted(0.7, 0.7, -0.7, -0.7))
        case "lost":
            painter.fillRect(cell, c("bad"))
        case "nothing":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(c("t3"))
            painter.drawEllipse(QPointF(cell.center()), 1.2, 1.2)


HEAD_PX, FOOTER_PX = 40, 49
LEGEND_FROM_PX = 760
TONES = {"summary": "acc", "fact": "ok", "lost": "bad", "nothing": "t3"}
SIGNS = {"summary": "■", "fact": "■", "lost": "□", "nothing": "·"}


class CompactionView(Ground):
    """View of one compaction. Signals: fact_shown and turn_shown carry an id; lost_asked, the index of a turn
    and the text to restore; whole_asked asks to restore all turns of the compaction; talk_asked, to open
    the conversation; earlier_asked carries the id of the previous compaction; turns_asked, the place from
    which to load turns."""

    fact_shown = Signal(str)
    turn_shown = Signal(str)
    lost_asked = Signal(int, str)
    whole_asked = Signal()
    talk_asked = Signal()
    earlier_asked = Signal(str)
    turns_asked = Signal(int)

    def __init__(self, session: Session) -> None:
        super().__init__("stage")
        self._session = session
        self.whole: CompactionWhole | None = None
        self._first = 0
        self._covers: dict[int, Cover] = {}
        self.title = Text("", 13, "t1", weight=600, elide=True)
        self.channel = ChannelMark()
        self.figures = Text("", 12, "t3", elide=True)
        self.earlier = Control("link", tr("takes in an earlier summary"))
        self.legend = Text("", 12, "t2")
        explain_terms(self.legend, "coverage", "kept", "lost")
        self.alarm = Warning("", "")
        self.turns, self.replaced, self.strip = Turns(self._mark), ReplacedList(), Strip()
        self.says = Text("", 12, "t3", elide=True)
        self.talk = Control("button", tr("Open conversation"), "conversations", keys="O")
        self.restore = Control("primary", "", "undo")
        self._furnish()
        self._wire()

    def _furnish(self) -> None:
        head = row(
            self.title,
            self.channel,
            self.figures,
            self.earlier,
            None,
            self.legend,
            gap=12,
            margins=(20, 0, 20, 1),
            stretch=self.figures,
        )
        left = laid_out(row(self.strip, self.turns, gap=0, margins=(8, 0, 0, 0), stretch=self.turns))
        self.sides = Splitter(left, self.replaced, minimum=280)
        self.sides.setSizes([480, 430])
        footer = row(self.says, self.talk, self.restore, gap=8, margins=(20, 1, 20, 0), stretch=self.says)
        layout = column(
            Ground("stage", "bottom", head, height=HEAD_PX),
            self.alarm,
            self.sides,
            Ground("panel", "top", footer, height=FOOTER_PX),
            gap=0,
            stretch=self.sides,
        )
        self.setLayout(layout)

    def _wire(self) -> None:
        self.turns.picked.connect(self._pick_turn)
        self.turns.opened.connect(self._open_turn)
        self.turns.more_asked.connect(self.turns_asked)
        self.replaced.picked.connect(self._pick_replaced)
        self.replaced.opened.connect(self._open_replaced)
        self.replaced.restore_asked.connect(self._ask_lost)
        self.strip.asked.connect(self._go)
        self.turns.verticalScrollBar().valueChanged.connect(lambda _: self._frame())
        self.turns.verticalScrollBar().rangeChanged.connect(
            lambda *_: QTimer.singleShot(0, self, self._frame)
        )
        self.restore.clicked.connect(self.whole_asked)
        self.talk.clicked.connect(self.talk_asked)
        self.earlier.clicked.connect(self._ask_earlier)
        on_key("R", self._restore_chosen, self.turns, self.replaced)
        on_key("O", self.talk.click, self.turns, self.replaced)

    # What is shown.

    def show_whole(self, whole: CompactionWhole, first: int) -> None:
        """Show a compaction. first: place of its first loaded turn, counted from the first removed turn."""
        same = self.whole is not None and self.whole.row.id == whole.row.id
        held = self.turns.verticalScrollBar().value(), self.replaced.verticalScrollBar().value()
        chosen, moved = self.replaced.record(), same and self._first != first
        self.whole, self._first = whole, first
        self._covers = covers_by_turn(whole)
        self._show_head(whole)
        self.strip.show_covers(self._covers)
        if not same:
            self.turns.light(())
            self.replaced.light(())
        for listed in (self.turns, self.replaced):
            listed.clearSelection()
            listed.setCurrentIndex(listed.rootIndex())
        self.turns.set_rows(self._turn_lines(whole, first))
        lines = lines_of(whole)
        self.replaced.set_rows(lines)
        if same and not isinstance(chosen, Heading) and chosen in lines:
            self.replaced.choose(lines.index(chosen))
        # The bars learn of the new rows only when they are laid out.
        self.turns.executeDelayedItemsLayout()
        self.replaced.executeDelayedItemsLayout()
        self.turns.verticalScrollBar().setValue(held[0] if same and not moved else 0)
        self.replaced.verticalScrollBar().setValue(held[1] if same else 0)
        self._show_foot(whole)
        QTimer.singleShot(0, self, self._frame)

    def _turn_lines(self, whole: CompactionWhole, first: int) -> list[TurnLine | More]:
        lines: list[TurnLine | More] = [
            TurnLine(turn=turn, cover=self._covers.get(turn.turn_index, Cover())) for turn in whole.turns
        ]
        last = first + len(whole.turns)
        if first:
            lines.insert(
                0,
                More(first=max(0, first - len(whole.turns)), says=tr("%Ln turn(s) before these", "", first)),
            )
        if last < whole.total:
            lines.append(More(first=last, says=tr("%Ln turn(s) after these", "", whole.total - last)))
        return lines

    def _show_head(self, whole: CompactionWhole) -> None:
        found = whole.row
        self.title.setText(title_of(found))
        self.channel.set_channel(found.channel, self._session.channel_number(found.channel))
        gone, sentences = tr("%Ln turn(s)", "", whole.total), tr("%Ln sentence(s)", "", len(whole.sentences))
        self.figures.setText(f"{gone} → {sentences}")
        self.earlier.setVisible(whole.previous_id is not None)
        counts = count_fates(self._covers)
        plain = ", ".join(f"{counts[fate]:,} {tr(words)}" for fate, words in FATES)
        self.legend.set_markup(
            lambda: "&nbsp;&nbsp;&nbsp;".join(
                f"{span(SIGNS[fate], TONES[fate], weight=600)} {span(f'{tr(words)} {counts[fate]:,}', 't2')}"
                for fate, words in FATES
            ),
            plain,
        )
        wrong = summary_problem(found)
        note = f" {found.note}" if found.note and found.note not in wrong else ""
        self.alarm.set_sentence(f"{wrong}{note}")
        self.alarm.setVisible(bool(wrong))

    def _show_foot(self, whole: CompactionWhole) -> None:
        many = tr("%Ln turn(s)", "", whole.total)
        if whole.row.restored:
            self.says.setText(tr("Taken back: all {turns} count as part of the context again.", turns=many))
        else:
            self.says.setText(
                tr("All {turns} are kept in the conversation; nothing was deleted.", turns=many)
            )
        self.restore.setText(tr("Restore {turns}", turns=many))
        self.restore.set_tip(
            tr(
                "The turns take the place of their summary again, as soon as the agent asks for its context. "
                "Undo puts the summary back."
            )
        )
        self.show_away()

    def show_away(self) -> None:
        """Disable restoring while nothing can be changed or if the compaction was restored already."""
        back = self.whole is not None and self.whole.row.restored
        away = self._session.why_not
        self.restore.set_enabled(not away and not back, away or tr("This compaction was taken back already."))

    def _mark(self, turn: ArchivedTurn) -> Speaker:
        agent = self.whole.row.agent_id if self.whole else None
        return speaker_of(self._session, turn.role, turn.speaker, agent)

    # What is chosen on one side is shown on the other.

    def _pick_turn(self, line: TurnLine | More) -> None:
        if isinstance(line, TurnLine):
            self.turns.light((), bring=False)
            self.replaced.light((line.turn.turn_index,))

    def _pick_replaced(self, line: ReplacedLine) -> None:
        if isinstance(line, Heading):
            return
        self.replaced.light(())
        self.turns.light(line.turns)
        if line.turns and not any(self._is_loaded(turn) for turn in line.turns):
            self._go(line.turns[0])

    def _is_loaded(self, turn: int) -> bool:
        return self.whole is not None and any(each.turn_index == turn for each in self.whole.turns)

    def _go(self, turn: int) -> None:
        """Scroll to a turn; ask for it first if it is not loaded."""
        assert self.whole is not None
        if not self._is_loaded(turn):
            place = turn - self.whole.row.first_index
            if 0 <= place < self.whole.total:
                self.turns_asked.emit(place)
            return
        lines = self.turns.rows.rows()
        place = next(
            n for n, each in enumerate(lines) if isinstance(each, TurnLine) and each.turn.turn_index == turn
        )
        self.turns.scrollTo(self.turns.rows.index(place, 0), self.turns.ScrollHint.PositionAtTop)

    def _frame(self) -> None:
        self.strip.show_seen(self.turns.seen())

    # What can be done.

    def _open_turn(self, line: TurnLine | More) -> None:
        if isinstance(line, TurnLine):
            self.turn_shown.emit(line.id)

    def _ask_earlier(self) -> None:
        if self.whole is not None and self.whole.previous_id is not None:
            self.earlier_asked.emit(self.whole.previous_id)

    def _open_replaced(self, line: ReplacedLine) -> None:
        match line:
            case FactLine(fact=fact):
                self.fact_shown.emit(fact.id)
            case LostLine():
                self._ask_lost(line)

    def _ask_lost(self, line: LostLine) -> None:
        if not self._session.why_not:
            self.lost_asked.emit(line.turn, line.text)

    def _restore_chosen(self) -> None:
        """Ask to restore the chosen lost line, or the first lost statement of the chosen turn.

        A turn without a loss is restored with its own text, unless a fact was kept from it."""
        if self.replaced.hasFocus():
            line = self.replaced.record()
            if isinstance(line, LostLine):
                self._ask_lost(line)
            return
        line = self.turns.record()
        if isinstance(line, TurnLine) and not self._session.why_not and not line.cover.facts:
            words = line.cover.lost[0] if line.cover.lost else line.turn.text
            self.lost_asked.emit(line.turn.turn_index, words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the legend in a narrow panel."""
        super().resizeEvent(event)
        self.legend.setVisible(event.size().width() >= LEGEND_FROM_PX)
