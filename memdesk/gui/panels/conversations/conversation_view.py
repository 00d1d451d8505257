"""View of one conversation: its head with the search in it, its turns, and the details of the selected turn or
of all turns."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.api import context, memory
from memdesk.gui import formatting
from memdesk.gui.keys import on_key
from memdesk.gui.language import tr
from memdesk.gui.newest import Newest
from memdesk.gui.panels.conversations.conversation_turns import (
    More,
    Speaker,
    TalkLine,
    TalkTurns,
    TurnLine,
    lines_of,
    of_all,
    of_turn,
    speaker_of,
)
from memdesk.gui.session import Session
from memdesk.gui.shell.record_detail import DetailLine, DetailLines, Heading
from memdesk.gui.widgets import ChannelMark, Control, Drop, Field, Ground, Splitter, Text, column, row
from memdesk.gui.widgets.layout import delayed
from memdesk.model.browse import AskBeside, BesideTurns, ConversationView, ReadConversation, TurnRow
from memdesk.model.context import CompactionRow, ListCompactions
from memdesk.model.prompt import AskSeen, ListSeen, SeenRow

TURNS_AT_ONCE, STEP = 300, 150
"""So many turns are held; at their end so many others come in their place."""
PAGE_ROWS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Range of a conversation. contexts: the contexts the agent was given before these turns or without a turn.

    compaction: the latest one in force, None if the context begins with the first turn."""

    talk: ConversationView
    beside: BesideTurns
    contexts: tuple[SeenRow, ...]
    compaction: CompactionRow | None

    @property
    def reaches_end(self) -> bool:
        """True if the last turn of the conversation is in this range."""
        return self.talk.first + len(self.talk.turns) >= self.talk.total


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Turn with a match. place: number of turns before it; turn: its index."""

    place: int
    turn: int


async def read(session: Session, id: str, first: int | None) -> Reading:
    """Return the turns from `first` on, or the last ones for None. Raises NotFound."""
    talk = await _turns(session, id, first or 0, TURNS_AT_ONCE)
    if first is None and talk.total > TURNS_AT_ONCE:
        talk = await _turns(session, id, talk.total - TURNS_AT_ONCE, TURNS_AT_ONCE)
    begin, end = (talk.turns[0].turn_index, talk.turns[-1].turn_index) if talk.turns else (0, 0)
    asked = ListCompactions(conversation_id=id, state="current", limit=1)
    beside, prompts, compacted = await asyncio.gather(
        session.call(memory.BESIDE, AskBeside(conversation_id=id, first_index=begin, last_index=end)),
        _contexts_given(session, id, begin, end),
        session.call(context.COMPACTIONS, asked),
    )
    latest = compacted.rows[0] if compacted.rows else None
    return Reading(talk=talk, beside=beside, contexts=prompts, compaction=latest)


async def _turns(session: Session, id: str, first: int, limit: int) -> ConversationView:
    ask = ReadConversation(conversation_id=id, first=first, limit=limit)
    return await session.call(memory.CONVERSATION, ask)


async def _contexts_given(session: Session, id: str, begin: int, end: int) -> tuple[SeenRow, ...]:
    """Return the contexts for a range of turns, newest first; those of later turns are skipped page by page."""
    found: list[SeenRow] = []
    after: str | None = ""
    while after is not None:
        ask = ListSeen(conversation_id=id, after=after, limit=PAGE_ROWS)
        page = await session.call(context.PROMPTS, ask)
        found += [row for row in page.rows if row.turn_index is None or begin <= row.turn_index <= end]
        indexes = [row.turn_index for row in page.rows if row.turn_index is not None]
        after = page.next if not indexes or indexes[-1] >= begin else None
    return tuple(found)


async def _pages(session: Session, id: str) -> AsyncIterator[ConversationView]:
    first, total = 0, 1
    while first < total:
        page = await _turns(session, id, first, PAGE_ROWS)
        total = page.total
        yield page
        first += PAGE_ROWS


async def spot_of(session: Session, id: str, turn: int) -> Spot | None:
    """Return the place of a turn by its index, None if the conversation does not have it."""
    async for page in _pages(session, id):
        for n, each in enumerate(page.turns):
            if each.turn_index == turn:
                return Spot(place=page.first + n, turn=turn)
    return None


async def spots(session: Session, id: str, words: str) -> AsyncIterator[list[Spot]]:
    """Yield the turns that contain a text, ignoring case, page by page."""
    sought = words.casefold()
    async for page in _pages(session, id):
        yield [
            Spot(place=page.first + n, turn=turn.turn_index)
            for n, turn in enumerate(page.turns)
            if sought in turn.content.casefold()
        ]


TYPED_MS = 160
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FindBar(QWidget):
    """Search field. Signals: went carries the Spot to show; sought, the text as it changes; left returns to
    the turns.

    Enter goes to the next turn, Shift+Enter to the previous one, Esc clears the field and leaves it."""

    went = Signal(object)
    sought = Signal(str)
    left = Signal()

    def __init__(self, session: Session, width: int) -> None:
        super().__init__()
        self._session = session
        self._id = ""
        self.spots: list[Spot] = []
        self._at = -1
        self._task: asyncio.Task[None] | None = None
        self.field = Field(
            placeholder=tr("Find in conversation"), icon="search", keys="Ctrl F", quiet=True, width=width
        )
        self.count = Text("", 11, "t3", numeric=True)
        self._back = Control("ghost", icon="up", small=True, tip=tr("Turn before, Shift+Enter"))
        self._on = Control("ghost", icon="down", small=True, tip=tr("Next turn, Enter"))
        self._soon = delayed(self._look, self)
        self.setLayout(row(self.count, self._back, self._on, self.field, gap=4))
        self.field.textChanged.connect(lambda _: self._soon.start(TYPED_MS))
        self.field.installEventFilter(self)
        self._back.clicked.connect(lambda: self.step(-1))
        self._on.clicked.connect(lambda: self.step(1))
        self._say()

    @property
    def words(self) -> str:
        return self.field.text().strip()

    def open(self) -> None:
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def show_talk(self, id: str) -> None:
        if id != self._id:
            self._id = id
            self.field.clear()
            self._look()

    def _look(self) -> None:
        self._soon.stop()
        if self._task is not None:
            self._task.cancel()
        self.spots, self._at = [], -1
        self.sought.emit(self.words)
        self._say()
        if self.words:
            self._task = self._session.spawn(self._seek(self._id, self.words))

    async def _seek(self, id: str, words: str) -> None:
        async for page in spots(self._session, id, words):
            self.spots += page
            if self._at < 0 and self.spots:
                self.step(1)
            self._say()
        self._task = None
        self._say()

    def step(self, by: int) -> None:
        """Go to the next turn with a match, or with -1 to the previous one, wrapping around at the ends."""
        if self.spots:
            self._at = (self._at + by) % len(self.spots)
            self.went.emit(self.spots[self._at])
        self._say()

    def _say(self) -> None:
        for part in (self.count, self._back, self._on):
            part.setVisible(bool(self.words))
        many = f"{len(self.spots):,}" + ("…" if self._task is not None else "")
        found = tr("{place} of {all}", place=f"{self._at + 1:,}", all=many)
        nothing = tr("looking…") if self._task is not None else tr("not said here")
        self.count.setText(found if self.spots else nothing)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent):
            return False
        key = event.key()
        if event.type() == QEvent.Type.ShortcutOverride and key == Qt.Key.Key_Escape:
            event.accept()
            return False
        if event.type() != QEvent.Type.KeyPress or key not in (*ENTER, Qt.Key.Key_Escape):
            return False
        if key == Qt.Key.Key_Escape:
            self.field.clear()
            self._look()
            self.left.emit()
        elif self._soon.isActive():
            self._look()
        else:
            self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        return True


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
        self._fetching = Newest(session)
        self._contexts = Newest(session)
        self._first: int | None = None
        self._then: Callable[[], object] | None = None
        self._asks = 0
        self.pending = ""
        """The conversation that was asked for and is not here yet."""
        self.reading: Reading | None = None
        self.turns, self.beside = TalkTurns(self._speaker), DetailLines(tr("Beside the turns"))
        self.finder = FindBar(session, FIND_PX)
        self.heading = Text("", 13, "t1", weight=600, elide=True)
        self.choice = Drop(name=tr("Conversation"), icon="conversations")
        self.channel = ChannelMark()
        self.figures = Text("", 12, "t3", elide=True)
        self.compactions = Control("button", tr("Compaction"), "compaction", keys="C", small=True)
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
        layout = column(Ground("stage", "bottom", head, height=40), sides, gap=0, stretch=sides)
        self.setLayout(layout)
        self.turns.picked.connect(self._pick_turn)
        self.turns.opened.connect(
            lambda line: self.shown.emit(line.id) if isinstance(line, TurnLine) else None
        )
        self.turns.more_asked.connect(self._ask_turns)
        self.beside.picked.connect(lambda line: self.turns.light(line.turns))
        self.beside.opened.connect(self._open_beside)
        self.finder.went.connect(self.go)
        self.finder.sought.connect(self.turns.seek)
        self.finder.left.connect(lambda: self.turns.setFocus(Qt.FocusReason.OtherFocusReason))
        self.compactions.clicked.connect(self._ask_compaction)
        on_key("Ctrl+Home", lambda: self._go_to_end(last=False), self.turns)
        on_key("Ctrl+End", lambda: self._go_to_end(last=True), self.turns)

    # Loading.

    def fetch(self, id: str, first: int | None = None, then: Callable[[], object] | None = None) -> None:
        """Load and show a conversation. first: place of the first turn, None for the last turns; then: called
        afterwards."""
        self.pending = id
        self._first, self._then = first, then
        self._fetching.start(self._fetched(id))

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
        """Conversation as far as it is loaded."""
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
            self._show_details(chosen)
        else:
            self._show_all()

    def _lines(self, reading: Reading) -> list[TalkLine]:
        talk, beside = reading.talk, reading.beside
        turns = [
            TurnLine(
                turn=turn,
                facts=tuple(fact for fact in beside.facts if turn.turn_index in fact.turns),
                calls=tuple(call for call in beside.calls if call.turn_index == turn.turn_index),
                contexts=tuple(seen for seen in reading.contexts if seen.turn_index == turn.turn_index),
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
        began = tr("began {when}", when=formatting.minute(talk.started_at))
        figures = (talk.agent_id, tr("%Ln turn(s)", "", talk.total), began)
        self.figures.setText(" · ".join(filter(None, figures)))
        self.compactions.setVisible(self._leads and reading.compaction is not None)

    def stand_alone(self, alone: bool) -> None:
        """Set if the list of conversations is hidden; then a drop-down replaces the heading."""
        self.choosing.setVisible(alone)
        self.heading.setVisible(not alone)
        self.finder.field.setMaximumWidth(FIND_ALONE_PX if alone else FIND_PX)
        self._show_figures()

    def _show_all(self) -> None:
        self._contexts.cancel()
        if self.reading is not None:
            beside = self.reading.beside
            self.beside.show_lines(of_all(beside.facts, beside.calls, self.reading.contexts))

    def _speaker(self, turn: TurnRow) -> Speaker:
        return speaker_of(self._session, turn.role, turn.speaker, self.talk.agent_id if self.talk else None)

    # Choosing.

    def _ask_turns(self, first: int) -> None:
        """Load turns before or after the loaded ones, unless a request is running."""
        if self.talk is not None and not self._fetching.goes_on:
            self.fetch(self.talk.id, first)

    def go(self, spot: Spot) -> None:
        """Select a turn, loading it if necessary."""
        if self.talk is None or self.turns.place_of(spot.turn) is not None:
            self.turns.choose_turn(spot.turn)
        else:
            there = max(0, spot.place - STEP)
            self.fetch(self.talk.id, there, lambda: self.turns.choose_turn(spot.turn))

    def _go_to_end(self, *, last: bool) -> None:
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
        self.turns.choose_nothing()
        self._show_all()
        return True

    # Beside a turn.

    def _pick_turn(self, line: TalkLine) -> None:
        if isinstance(line, TurnLine):
            self.turns.light(())
            self._show_details(line)

    def _show_details(self, line: TurnLine) -> None:
        """Show the details of a turn; the exact context texts are fetched first."""
        self._contexts.cancel()
        if line.contexts:
            self._contexts.start(self._fetch_contexts(line))
        else:
            self._show_beside(of_turn(line, ()))

    async def _fetch_contexts(self, line: TurnLine) -> None:
        asked = (self._session.call(context.SEEN, AskSeen(id=seen.id)) for seen in line.contexts)
        self._show_beside(of_turn(line, await asyncio.gather(*asked)))

    def _show_beside(self, lines: list[DetailLine]) -> None:
        self.beside.show_lines(lines)
        self.beside.scrollToTop()

    def _open_beside(self, line: DetailLine) -> None:
        if isinstance(line, Heading):
            return
        if line.opens:
            self.shown.emit(line.opens)
        elif line.turns:
            self.turns.choose_turn(line.turns[0])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.beside.setVisible(event.size().width() >= ASIDE_FROM_PX)
        self._show_figures()

    def _show_figures(self) -> None:
        self.figures.setVisible(self.choosing.isHidden() and self.width() >= FIGURES_FROM_PX)
