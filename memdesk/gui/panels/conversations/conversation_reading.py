"""Search in the open conversation: the number of turns with a match, and steps to the next and previous one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from memdesk.api import context, memory
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Field, Text, row
from memdesk.model.browse import AskBeside, BesideTurns, ConversationView, ReadConversation
from memdesk.model.context import CompactionRow, ListCompactions
from memdesk.model.prompt import ListSeen, SeenRow

TURNS_AT_ONCE, STEP = 300, 150
"""So many turns are held; at their end so many others come in their place."""
PAGE_ROWS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Range of a conversation. told: the contexts the agent was given before these turns or without a turn.

    compaction: the latest one in force, None if the context begins with the first turn."""

    talk: ConversationView
    beside: BesideTurns
    told: tuple[SeenRow, ...]
    compaction: CompactionRow | None

    @property
    def reaches_end(self) -> bool:
        """Return True if the last turn of the conversation is in this range."""
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
    beside, told, compacted = await asyncio.gather(
        session.call(memory.BESIDE, AskBeside(conversation_id=id, first_index=begin, last_index=end)),
        _contexts_given(session, id, begin, end),
        session.call(context.COMPACTIONS, asked),
    )
    latest = compacted.rows[0] if compacted.rows else None
    return Reading(talk=talk, beside=beside, told=told, compaction=latest)


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


async def spot_of(session: Session, id: str, turn: int) -> Spot | None:
    """Return the place of a turn by its index, None if the conversation does not have it."""
    first, total = 0, 1
    while first < total:
        page = await _turns(session, id, first, PAGE_ROWS)
        total = page.total
        for n, each in enumerate(page.turns):
            if each.turn_index == turn:
                return Spot(place=first + n, turn=turn)
        first += PAGE_ROWS
    return None


async def spots(session: Session, id: str, words: str) -> AsyncIterator[list[Spot]]:
    """Yield the turns that contain a text, ignoring case, page by page."""
    sought, first, total = words.casefold(), 0, 1
    while first < total:
        page = await _turns(session, id, first, PAGE_ROWS)
        total = page.total
        yield [
            Spot(place=first + n, turn=turn.turn_index)
            for n, turn in enumerate(page.turns)
            if sought in turn.content.casefold()
        ]
        first += PAGE_ROWS


TYPED_MS = 160


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
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._look)
        self.setLayout(row(self.count, self._back, self._on, self.field, gap=4))
        self.field.textChanged.connect(lambda _: self._soon.start(TYPED_MS))
        self.field.installEventFilter(self)
        self._back.clicked.connect(lambda: self.step(-1))
        self._on.clicked.connect(lambda: self.step(1))
        self._say()

    @property
    def words(self) -> str:
        """Return the text to search for."""
        return self.field.text().strip()

    def open(self) -> None:
        """Take the keyboard focus."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def show_talk(self, id: str) -> None:
        """Search in another conversation from now on, and clear the text."""
        if id != self._id:
            self._id = id
            self.field.clear()
            self._soon.stop()
            self._look()

    def _look(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self.spots, self._at = [], -1
        self.sought.emit(self.words)
        self._say()
        if self.words:
            self._task = self._session.spawn(self._seek(self._id, self.words))

    async def _seek(self, id: str, words: str) -> None:
        """Search page by page; the first match is shown immediately."""
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
        """Handle Enter and Esc in the field."""
        if not isinstance(event, QKeyEvent):
            return False
        key = event.key()
        if event.type() == QEvent.Type.ShortcutOverride and key == Qt.Key.Key_Escape:
            event.accept()
            return False
        if event.type() != QEvent.Type.KeyPress:
            return False
        if key == Qt.Key.Key_Escape:
            self.field.clear()
            self._soon.stop()
            self._look()
            self.left.emit()
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._soon.isActive():
                self._soon.stop()
                self._look()
            else:
                self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
            return True
        return False
