"""View of one conversation: its head, its turns, and the details of the selected turn or of all turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QSizePolicy

from memdesk.api import context
from memdesk.gui import formatting
from memdesk.gui.language import tr
from memdesk.gui.panels.conversations.conversation_aside import AsideLine, Beside, Heading, of_all, of_turn
from memdesk.gui.panels.conversations.conversation_reading import STEP, FindBar, Reading, Spot, read
from memdesk.gui.panels.conversations.conversation_turns import (
    More,
    Speaker,
    TalkLine,
    TalkTurns,
    TurnLine,
    lines_of,
    speaker_of,
)
from memdesk.gui.session import Session
from memdesk.gui.widgets import ChannelMark, Control, Drop, Ground, Splitter, Text, column, row
from memdesk.model.browse import ConversationView, TurnRow
from memdesk.model.prompt import AskSeen

ASIDE_FROM_PX = 560
"""Width from which the details are shown next to the turns."""
FIGURES_FROM_PX = 620
CHOICE_LEAST_PX, FIND_LEAST_PX = 128, 128
"""In a narrow view the choice and the field give way as far as this."""
FIND_PX, FIND_ALONE_PX = 224, 168


class TalkView(Ground):
    """View of a conversation. Signals: shown carries the id of a memory to show; compaction_asked, of the
    latest compaction."""

    shown = Signal(str)
    compaction_asked = Signal(str)

    def __init__(self, session: Session, *, compactions: bool) -> None:
        super().__init__("stage")
        self._session, self._leads = session, compactions
        self._task: asyncio.Task[None] | None = None
        self._telling: asyncio.Task[None] | None = None
        self._first: int | None = None
        self._then: Callable[[], object] | None = None
        self._asks = 0
        self.pending = ""
        """The conversation that was asked for and is not here yet."""
        self.reading: Reading | None = None
        self.turns, self.beside = TalkTurns(self._speaker), Beside()
        self.finder = FindBar(session, FIND_PX)
        self.heading = Text("", 13, "t1", weight=600, elide=True)
        self.choice = Drop(name=tr("Conversation"), icon="conversations")
        self.channel = ChannelMark()
        self.figures = Text("", 12, "t3", elide=True)
        self.compactions = Control("button", tr("Compaction"), "compaction", keys="C", small=True)
        self._furnish()
        self._wire()

    def _furnish(self) -> None:
        self.choice.setMinimumWidth(CHOICE_LEAST_PX)
        self.choice.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.finder.field.setMinimumWidth(FIND_LEAST_PX)
        self.choosing = Ground("stage", layout=row(self.choice, None))
        # The choice takes what the others leave.
        self.choosing.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.choosing.setMinimumWidth(CHOICE_LEAST_PX)
        head = row(
            self.heading,
            self.choosing,
            self.channel,
            self.figures,
            self.finder,
            self.compactions,
            gap=12,
            margins=(20, 0, 12, 1),
        )
        head.setStretchFactor(self.choosing, 1)
        head.setStretchFactor(self.figures, 1)
        sides = Splitter(self.turns, self.beside)
        self.beside.setMinimumWidth(260)
        self.turns.setMinimumWidth(300)
        sides.setSizes([600, 340])
        layout = column(Ground("stage", "bottom", head, height=40), sides, gap=0)
        layout.setStretchFactor(sides, 1)
        self.setLayout(layout)

    def _wire(self) -> None:
        self.turns.picked.connect(self._pick_turn)
        self.turns.opened.connect(self._open_turn)
        self.turns.more_asked.connect(self._ask_turns)
        self.beside.picked.connect(self._pick_beside)
        self.beside.opened.connect(self._open_beside)
        self.finder.went.connect(self.go)
        self.finder.sought.connect(self.turns.seek)
        self.finder.left.connect(lambda: self.turns.setFocus(Qt.FocusReason.OtherFocusReason))
        self.compactions.clicked.connect(self._ask_compaction)
        within = Qt.ShortcutContext.WidgetWithChildrenShortcut
        for keys, widget, act in (
            ("Ctrl+Home", self.turns, lambda: self._go_to_end(last=False)),
            ("Ctrl+End", self.turns, lambda: self._go_to_end(last=True)),
        ):
            QShortcut(QKeySequence(keys), widget, context=within).activated.connect(act)

    # Loading.

    def fetch(self, id: str, first: int | None = None, then: Callable[[], object] | None = None) -> None:
        """Load and show a conversation. first: place of the first turn, None for the last turns; then: called
        afterwards."""
        if self._task is not None:
            self._task.cancel()
        self.pending = id
        self._first, self._then = first, then
        self._task = self._session.spawn(self._fetched(id))

    async def load(self, id: str) -> None:
        """Load a conversation, with the range of turns shown before, or its last turns. Raises NotFound."""
        held = self.reading
        if held is None or held.talk.id != id:
            self._first = self._then = None
        elif self._then is None and held.reaches_end and self._is_at_end():
            self._first = None
        await self._fetched(id)

    async def _fetched(self, id: str) -> None:
        """Load and show a conversation; an answer to an older request is ignored."""
        self._asks += 1
        mine = self._asks
        try:
            reading = await read(self._session, id, self._first)
        finally:
            if mine == self._asks:
                self.pending = ""
        if mine == self._asks:
            self._first = reading.talk.first
            self._show(reading)
            then, self._then = self._then, None
            if then is not None:
                then()

    # What is shown.

    @property
    def talk(self) -> ConversationView | None:
        """Return the conversation as far as it is loaded."""
        return self.reading.talk if self.reading is not None else None

    def _is_at_end(self) -> bool:
        bar = self.turns.verticalScrollBar()
        return bar.value() == bar.maximum()

    def _show(self, reading: Reading) -> None:
        bar, held = self.turns.verticalScrollBar(), self.reading
        same = held is not None and held.talk.id == reading.talk.id
        followed = same and held is not None and held.reaches_end and bar.value() > 0 and self._is_at_end()
        self.reading = reading
        self.finder.show_talk(reading.talk.id)
        self._show_head(reading)
        if not same:
            self.turns.set_rows(())
            self.turns.light(())
        self.turns.show_lines(self._lines(reading))
        if followed or not (same or reading.reaches_end and not reading.talk.first):
            # Who reads the end goes on reading it, and a long conversation opens there.
            bar.setValue(bar.maximum())
        elif not same:
            bar.setValue(0)
        chosen = self.turns.record()
        if isinstance(chosen, TurnLine):
            self._tell(chosen)
        else:
            self._show_all()

    def _lines(self, reading: Reading) -> list[TalkLine]:
        talk, beside = reading.talk, reading.beside
        turns = [
            TurnLine(
                turn=turn,
                facts=tuple(fact for fact in beside.facts if turn.turn_index in fact.turns),
                calls=tuple(call for call in beside.calls if call.turn_index == turn.turn_index),
                told=tuple(seen for seen in reading.told if seen.turn_index == turn.turn_index),
            )
            for turn in talk.turns
        ]
        latest = reading.compaction
        lines = lines_of(turns, latest.last_index + 1 if latest else 0)
        after = talk.total - talk.first - len(talk.turns)
        if talk.first:
            says = tr("%Ln turn(s) before these", "", talk.first)
            lines.insert(0, More(first=max(0, talk.first - STEP), says=says, leads_back=True))
        if after:
            lines.append(More(first=talk.first + STEP, says=tr("%Ln turn(s) after these", "", after)))
        return lines

    def _show_head(self, reading: Reading) -> None:
        talk = reading.talk
        self.heading.setText(" ".join(talk.title.split()) or tr("Conversation without a title"))
        self.channel.set_channel(talk.channel, self._session.channel_number(talk.channel))
        whose = f"{talk.agent_id} · " if talk.agent_id else ""
        many = tr("%Ln turn(s)", "", talk.total)
        began = tr("began {when}", when=formatting.minute(talk.started_at))
        self.figures.setText(f"{whose}{many} · {began}")
        self.compactions.setVisible(self._leads and reading.compaction is not None)

    def stand_alone(self, alone: bool) -> None:
        """Set whether the list of conversations is hidden; if so, a drop-down replaces the heading."""
        self.choosing.setVisible(alone)
        self.heading.setVisible(not alone)
        self.finder.field.setMaximumWidth(FIND_ALONE_PX if alone else FIND_PX)
        self._show_figures()

    def _show_all(self) -> None:
        if self._telling is not None:
            self._telling.cancel()
        if self.reading is not None:
            beside = self.reading.beside
            self.beside.show_lines(of_all(beside.facts, beside.calls, self.reading.told))

    def _speaker(self, turn: TurnRow) -> Speaker:
        return speaker_of(self._session, turn.role, turn.speaker, self.talk.agent_id if self.talk else None)

    # Choosing.

    def _ask_turns(self, first: int) -> None:
        """Load turns before or after the loaded ones, unless a request is running."""
        if self.talk is not None and (self._task is None or self._task.done()):
            self.fetch(self.talk.id, first)

    def go(self, spot: Spot) -> None:
        """Select a turn, loading it if necessary."""
        if self.talk is None or self.turns.place_of(spot.turn) is not None:
            self.turns.choose_turn(spot.turn)
        else:
            there = max(0, spot.place - STEP)
            self.fetch(self.talk.id, there, lambda: self.turns.choose_turn(spot.turn))

    def _go_to_end(self, *, last: bool) -> None:
        """Select the first or the last turn of the conversation."""
        if self.talk is not None:
            self.fetch(self.talk.id, None if last else 0, lambda: self._choose_end(last=last))

    def _choose_end(self, *, last: bool) -> None:
        turns = self.turns.turn_lines()
        if turns:
            self.turns.choose_turn(turns[-1 if last else 0].turn.turn_index)
            if not last:
                self.turns.scrollToTop()

    def _ask_compaction(self) -> None:
        if self.reading is not None and self.reading.compaction is not None:
            self.compaction_asked.emit(self.reading.compaction.id)

    def leave_turn(self) -> bool:
        """Clear the selected turn and show the details of all turns; return False if no turn was selected."""
        if not isinstance(self.turns.record(), TurnLine):
            return False
        self.turns.clearSelection()
        self.turns.setCurrentIndex(self.turns.rootIndex())
        self._show_all()
        return True

    # Beside a turn.

    def _pick_turn(self, line: TalkLine) -> None:
        if isinstance(line, TurnLine):
            self.turns.light(())
            self._tell(line)

    def _tell(self, line: TurnLine) -> None:
        """Show the details of a turn; the exact context texts are fetched first."""
        if self._telling is not None:
            self._telling.cancel()
        if line.told:
            self._telling = self._session.spawn(self._fetch_told(line))
        else:
            self._show_beside(of_turn(line, ()))

    async def _fetch_told(self, line: TurnLine) -> None:
        asked = (self._session.call(context.SEEN, AskSeen(id=seen.id)) for seen in line.told)
        self._show_beside(of_turn(line, await asyncio.gather(*asked)))

    def _show_beside(self, lines: list[AsideLine]) -> None:
        self.beside.show_lines(lines)
        self.beside.scrollToTop()

    def _pick_beside(self, line: AsideLine) -> None:
        if not isinstance(line, Heading):
            self.turns.light(line.turns)

    def _open_turn(self, line: TalkLine) -> None:
        if isinstance(line, TurnLine):
            self.shown.emit(line.id)

    def _open_beside(self, line: AsideLine) -> None:
        if isinstance(line, Heading):
            return
        if line.opens:
            self.shown.emit(line.opens)
        elif line.turns:
            self.turns.choose_turn(line.turns[0])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the details in a narrow view."""
        super().resizeEvent(event)
        self.beside.setVisible(event.size().width() >= ASIDE_FROM_PX)
        self._show_figures()

    def _show_figures(self) -> None:
        """Show the figures if there is space and the drop-down, which shows the start itself, is hidden."""
        self.figures.setVisible(self.choosing.isHidden() and self.width() >= FIGURES_FROM_PX)
