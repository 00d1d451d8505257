"""Loading of a conversation: a range of its turns with related records, and the places of a search text."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from memdesk.contract import context, memory
from memdesk.gui.session import Session
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
        _told(session, id, begin, end),
        session.call(context.COMPACTIONS, asked),
    )
    latest = compacted.rows[0] if compacted.rows else None
    return Reading(talk=talk, beside=beside, told=told, compaction=latest)


async def _turns(session: Session, id: str, first: int, limit: int) -> ConversationView:
    ask = ReadConversation(conversation_id=id, first=first, limit=limit)
    return await session.call(memory.CONVERSATION, ask)


async def _told(session: Session, id: str, begin: int, end: int) -> tuple[SeenRow, ...]:
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
