"""View of one compaction: its turns next to what replaced them, the strip of all turns, and the actions."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QWidget

from memdesk.gui.compaction.coverage import FATES, Cover, alarm, counted, covers
from memdesk.gui.compaction.listing import title_of
from memdesk.gui.compaction.strip import Strip
from memdesk.gui.compaction.told import FactLine, Heading, LostLine, ToldLine, lines_of
from memdesk.gui.compaction.told import Told as ToldList
from memdesk.gui.compaction.turns import More, TurnLine, Turns
from memdesk.gui.help.asking import explain_terms
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.talks.turn_row import Speaker, speaker_of
from memdesk.gui.widgets import ChannelMark, Control, Ground, Splitter, Text, column, row, span
from memdesk.gui.widgets import Strip as Warning
from memdesk.model.context import ArchivedTurn, CompactionWhole

HEAD_PX, FOOT_PX = 40, 49
LEGEND_FROM_PX = 760
TONES = {"summary": "acc", "fact": "ok", "lost": "bad", "nothing": "t3"}
SIGNS = {"summary": "■", "fact": "■", "lost": "□", "nothing": "·"}
AWAY = marked("The service is away; nothing can be changed.")


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
        self.turns, self.told, self.strip = Turns(self._mark), ToldList(), Strip()
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
        )
        head.setStretchFactor(self.figures, 1)
        left = QWidget()
        turns = row(self.strip, self.turns, gap=0, margins=(8, 0, 0, 0))
        turns.setStretchFactor(self.turns, 1)
        left.setLayout(turns)
        self.sides = Splitter(left, self.told, minimum=280)
        self.sides.setSizes([480, 430])
        foot = row(self.says, self.talk, self.restore, gap=8, margins=(20, 1, 20, 0))
        foot.setStretchFactor(self.says, 1)
        layout = column(
            Ground("stage", "bottom", head, height=HEAD_PX), self.alarm, self.sides,
            Ground("panel", "top", foot, height=FOOT_PX), gap=0,
        )  # fmt: skip
        layout.setStretchFactor(self.sides, 1)
        self.setLayout(layout)

    def _wire(self) -> None:
        self.turns.picked.connect(self._pick_turn)
        self.turns.opened.connect(self._open_turn)
        self.turns.more_asked.connect(self.turns_asked)
        self.told.picked.connect(self._pick_told)
        self.told.opened.connect(self._open_told)
        self.told.restore_asked.connect(self._ask_lost)
        self.strip.asked.connect(self._go)
        self.turns.verticalScrollBar().valueChanged.connect(lambda _: self._frame())
        self.turns.verticalScrollBar().rangeChanged.connect(
            lambda *_: QTimer.singleShot(0, self, self._frame)
        )
        self.restore.clicked.connect(self.whole_asked)
        self.talk.clicked.connect(self.talk_asked)
        self.earlier.clicked.connect(self._ask_earlier)
        for listed in (self.turns, self.told):
            for keys, act in (("R", self._restore_chosen), ("O", self.talk.click)):
                key = QShortcut(QKeySequence(keys), listed, context=Qt.ShortcutContext.WidgetShortcut)
                key.activated.connect(act)

    # What is shown.

    def show_whole(self, whole: CompactionWhole, first: int) -> None:
        """Show a compaction. first: place of its first loaded turn, counted from the first removed turn."""
        same = self.whole is not None and self.whole.row.id == whole.row.id
        held = self.turns.verticalScrollBar().value(), self.told.verticalScrollBar().value()
        chosen, moved = self.told.record(), same and self._first != first
        self.whole, self._first = whole, first
        self._covers = covers(whole)
        self._show_head(whole)
        self.strip.show_covers(self._covers)
        if not same:
            self.turns.light(())
            self.told.light(())
        for listed in (self.turns, self.told):
            listed.clearSelection()
            listed.setCurrentIndex(listed.rootIndex())
        self.turns.set_rows(self._turn_lines(whole, first))
        lines = lines_of(whole)
        self.told.set_rows(lines)
        if same and not isinstance(chosen, Heading) and chosen in lines:
            self.told.choose(lines.index(chosen))
        # The bars learn of the new rows only when they are laid out.
        self.turns.executeDelayedItemsLayout()
        self.told.executeDelayedItemsLayout()
        self.turns.verticalScrollBar().setValue(held[0] if same and not moved else 0)
        self.told.verticalScrollBar().setValue(held[1] if same else 0)
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
        counts = counted(self._covers)
        plain = ", ".join(f"{counts[fate]:,} {tr(words)}" for fate, words in FATES)
        self.legend.set_markup(
            lambda: "&nbsp;&nbsp;&nbsp;".join(
                f"{span(SIGNS[fate], TONES[fate], weight=600)} {span(f'{tr(words)} {counts[fate]:,}', 't2')}"
                for fate, words in FATES
            ),
            plain,
        )
        wrong = alarm(found)
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
        """Disable restoring while the service is away or if the compaction was restored already."""
        back = self.whole is not None and self.whole.row.restored
        away = tr(AWAY) if self._session.is_away else ""
        self.restore.set_enabled(not away and not back, away or tr("This compaction was taken back already."))

    def _mark(self, turn: ArchivedTurn) -> Speaker:
        agent = self.whole.row.agent_id if self.whole else None
        return speaker_of(self._session, turn.role, turn.speaker, agent)

    # What is chosen on one side is shown on the other.

    def _pick_turn(self, line: TurnLine | More) -> None:
        if isinstance(line, TurnLine):
            self.turns.light((), bring=False)
            self.told.light((line.turn.turn_index,))

    def _pick_told(self, line: ToldLine) -> None:
        if isinstance(line, Heading):
            return
        self.told.light(())
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

    def _open_told(self, line: ToldLine) -> None:
        match line:
            case FactLine(fact=fact):
                self.fact_shown.emit(fact.id)
            case LostLine():
                self._ask_lost(line)

    def _ask_lost(self, line: LostLine) -> None:
        if not self._session.is_away:
            self.lost_asked.emit(line.turn, line.text)

    def _restore_chosen(self) -> None:
        """Ask to restore the chosen lost line, or the first lost statement of the chosen turn.

        A turn without a loss is restored with its own text, unless a fact was kept from it."""
        if self.told.hasFocus():
            line = self.told.record()
            if isinstance(line, LostLine):
                self._ask_lost(line)
            return
        line = self.turns.record()
        if isinstance(line, TurnLine) and not self._session.is_away and not line.cover.facts:
            words = line.cover.lost[0] if line.cover.lost else line.turn.text
            self.lost_asked.emit(line.turn.turn_index, words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the legend in a narrow panel."""
        super().resizeEvent(event)
        self.legend.setVisible(event.size().width() >= LEGEND_FROM_PX)
