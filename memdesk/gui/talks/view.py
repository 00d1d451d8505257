"""One conversation: its head, its turns, and beside them what belongs to the chosen turn or to all of them."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent

from memdesk.contract import context, memory
from memdesk.gui.frame import times
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.talks.aside import AsideLine, Beside, Heading, of_all, of_turn
from memdesk.gui.talks.turn_row import Speaker, speaker_of
from memdesk.gui.talks.turns import More, TalkLine, TalkTurns, TurnLine, lines_of
from memdesk.gui.widgets import ChannelMark, Control, Ground, Splitter, Text, column, row
from memdesk.model.browse import AskBeside, BesideTurns, ConversationView, ReadConversation, TurnRow
from memdesk.model.context import ListCompactions
from memdesk.model.prompt import AskSeen, ListSeen, SeenRow

ASIDE_FROM_PX = 560
"""In a narrower view the turns stand alone."""
TURNS_AT_ONCE, TOLD_AT_MOST = 300, 500


class TalkView(Ground):
    """`shown` carries the id of a memory that is to be seen; `compaction_asked` that of the latest compaction."""

    shown = Signal(str)
    compaction_asked = Signal(str)

    def __init__(self, session: Session, *, compactions: bool) -> None:
        super().__init__("stage")
        self._session, self._leads = session, compactions
        self._task: asyncio.Task[None] | None = None
        self._telling: asyncio.Task[None] | None = None
        self._first: int | None = None
        self._compaction = ""
        self._told: tuple[SeenRow, ...] = ()
        self._beside = BesideTurns(facts=(), calls=())
        self.talk: ConversationView | None = None
        self.turns, self.beside = TalkTurns(self._speaker), Beside()
        self.heading = Text("", 13, "t1", weight=600, elide=True)
        self.channel = ChannelMark()
        self.figures = Text("", 12, "t3", elide=True)
        self.compactions = Control("button", tr("Compaction"), "compaction", keys="C", small=True)
        self._furnish()
        self._wire()

    def _furnish(self) -> None:
        head = row(self.heading, self.channel, self.figures, self.compactions, gap=12, margins=(20, 0, 20, 1))
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
        self.compactions.clicked.connect(lambda: self.compaction_asked.emit(self._compaction))

    # Loading.

    def fetch(self, id: str) -> None:
        """Show a conversation; one that is being fetched is given up."""
        if self._task is not None:
            self._task.cancel()
        self._task = self._session.spawn(self.load(id))

    async def load(self, id: str) -> None:
        """A conversation, with the part of its turns that was looked at, or its last."""
        same = self.talk is not None and self.talk.id == id
        first = self._first if same else None
        talk = await self._read(id, first)
        span = (talk.turns[0].turn_index, talk.turns[-1].turn_index) if talk.turns else (0, 0)
        asked = ListCompactions(conversation_id=id, state="current", limit=1)
        self._beside, told, compacted = await asyncio.gather(
            self._session.call(memory.BESIDE, AskBeside(conversation_id=id, first_index=span[0], last_index=span[1])),
            self._session.call(context.PROMPTS, ListSeen(conversation_id=id, limit=TOLD_AT_MOST)),
            self._session.call(context.COMPACTIONS, asked),
        )  # fmt: skip
        self._told, self._first = told.rows, talk.first
        latest = compacted.rows[0] if compacted.rows else None
        self._compaction = latest.id if latest else ""
        self._show_talk(talk, archived=latest.last_index + 1 if latest else 0, same=same)

    async def _read(self, id: str, first: int | None) -> ConversationView:
        """first: None for the last part."""
        ask = ReadConversation(conversation_id=id, first=first or 0, limit=TURNS_AT_ONCE)
        talk = await self._session.call(memory.CONVERSATION, ask)
        if first is None and talk.total > TURNS_AT_ONCE:
            last = ReadConversation(conversation_id=id, first=talk.total - TURNS_AT_ONCE, limit=TURNS_AT_ONCE)
            talk = await self._session.call(memory.CONVERSATION, last)
        return talk

    # What is shown.

    def _show_talk(self, talk: ConversationView, *, archived: int, same: bool) -> None:
        bar, moved = self.turns.verticalScrollBar(), self.talk is not None and self.talk.first != talk.first
        at_end, top, chosen = bar.value() == bar.maximum(), bar.value(), self.turns.record()
        self.talk = talk
        self._show_head(talk)
        with_signals = self.turns.blockSignals(True)
        self.turns.clearSelection()
        self.turns.setCurrentIndex(self.turns.rootIndex())
        self.turns.set_rows(self._lines(talk, archived))
        if not same:
            self.turns.light(())
        if same and isinstance(chosen, TurnLine):
            self.turns.choose_turn(chosen.turn.turn_index)
        self.turns.blockSignals(with_signals)
        # The bar learns of the new rows only when they are laid out.
        self.turns.executeDelayedItemsLayout()
        if same and not moved:
            # Who reads the end goes on reading the end.
            bar.setValue(bar.maximum() if at_end and top else top)
        else:
            bar.setValue(0)
        chosen = self.turns.record()
        if isinstance(chosen, TurnLine):
            self._tell(chosen)
        else:
            self._show_all()

    def _lines(self, talk: ConversationView, archived: int) -> list[TalkLine]:
        turns = [
            TurnLine(
                turn=turn,
                facts=tuple(fact for fact in self._beside.facts if turn.turn_index in fact.turns),
                calls=tuple(call for call in self._beside.calls if call.turn_index == turn.turn_index),
                told=tuple(seen for seen in self._told if seen.turn_index == turn.turn_index),
            )
            for turn in talk.turns
        ]
        lines = lines_of(turns, archived)
        last = talk.first + len(talk.turns)
        if talk.first:
            lines.insert(
                0,
                More(
                    first=max(0, talk.first - TURNS_AT_ONCE),
                    says=tr("%Ln turn(s) before these", "", talk.first),
                ),
            )
        if last < talk.total:
            lines.append(More(first=last, says=tr("%Ln turn(s) after these", "", talk.total - last)))
        return lines

    def _show_head(self, talk: ConversationView) -> None:
        self.heading.setText(" ".join(talk.title.split()) or tr("Conversation without a title"))
        self.channel.set_channel(talk.channel, self._session.channel_number(talk.channel))
        whose = f"{talk.agent_id} · " if talk.agent_id else ""
        self.figures.setText(
            f"{whose}{tr('%Ln turn(s)', '', talk.total)} · {tr('began {when}', when=times.minute(talk.started_at))}"
        )
        self.compactions.setVisible(self._leads and bool(self._compaction))

    def _show_all(self) -> None:
        self.beside.show_lines(of_all(self._beside.facts, self._beside.calls, self._told))

    def _speaker(self, turn: TurnRow) -> Speaker:
        return speaker_of(self._session, turn.role, turn.speaker, self.talk.agent_id if self.talk else None)

    # Choosing.

    def _ask_turns(self, first: int) -> None:
        if self.talk is not None:
            self._first = first
            self.fetch(self.talk.id)

    def leave_turn(self) -> bool:
        """From a turn back to the whole conversation."""
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
        """Show what belongs to a turn; what its agent was told is fetched to the letter."""
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
        """In a narrow view the turns have the room."""
        super().resizeEvent(event)
        self.beside.setVisible(event.size().width() >= ASIDE_FROM_PX)
