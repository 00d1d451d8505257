"""Lists for a person, page by page: facts, turns, conversations, the turn log. Browsing never counts as recalling."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol, TypeVar

from memdesk.engine.engine import Engine
from memdesk.engine.memory.rows import fact_rows, row_of
from memdesk.engine.wording import check_limit
from memdesk.model.browse import (
    AskBeside,
    BesideTurns,
    ConversationView,
    DerivedFact,
    FactsPage,
    ListFacts,
    ReadConversation,
    TurnCall,
    TurnRow,
)
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.instant import SECOND, optional_datetime, optional_instant, to_datetime
from memdesk.model.message import message
from memdesk.model.timeline import (
    STATES,
    AskRecentTurns,
    AskTurnLog,
    ConversationRow,
    ConversationsPage,
    ListConversations,
    LoggedTurn,
    RecentTurns,
    TurnLog,
)
from memdesk.model.turn import CONVERSATION, Conversation, Turn
from memdesk.store import browsing, contexts, episodic, procedures, records, semantic
from memdesk.store.connection import Connection
from memdesk.store.episodic import Extent
from memdesk.store.records import Place, Walk

Row = TypeVar("Row")
ROWS_AT_MOST = 1000
_CURSOR = re.compile(r"-?[0-9]{1,18}_[0-9]{1,18}")


def checked_limit(limit: int) -> int:
    """Return a valid page size. Raises BadAsk."""
    check_limit(limit, ROWS_AT_MOST)
    return limit


class Paged(Protocol):
    """Fields that every request for a page of rows in time has."""

    @property
    def user_id(self) -> str: ...
    @property
    def channels(self) -> tuple[str, ...]: ...
    @property
    def since(self) -> datetime | None: ...
    @property
    def until(self) -> datetime | None: ...
    @property
    def after(self) -> str: ...
    @property
    def limit(self) -> int: ...


def next_page(db: Connection, ask: Paged) -> Walk:
    """Return the range to read for a page: one row more than asked, to know if another page follows. Raises BadAsk."""
    return Walk(
        user_id=ask.user_id,
        channels=semantic.current_channels(db, ask.user_id, ask.channels),
        since=optional_instant(ask.since),
        until=optional_instant(ask.until),
        after=parse_cursor(ask.after),
        limit=checked_limit(ask.limit) + 1,
    )


def parse_cursor(after: str) -> Place | None:
    """Return the position a cursor names, None for the beginning. Raises BadAsk for a malformed cursor."""
    if not after:
        return None
    if _CURSOR.fullmatch(after) is None:
        raise BadAsk(message("`after` is the `next` of the page before, as it came."))
    order, _, seq = after.partition("_")
    return int(order), int(seq)


def split_page(rows: Sequence[Row], limit: int) -> tuple[Sequence[Row], Row | None]:
    """Return (a page, its last row if more follow) from up to limit + 1 rows read."""
    return (rows[:limit], rows[limit - 1]) if len(rows) > limit else (rows, None)


def cursor(order: int, seq: int) -> str:
    """Return the cursor for the page after a row, from the row's time or position in order and its search number."""
    return f"{order}_{seq}"


def facts(engine: Engine, ask: ListFacts) -> FactsPage:
    """Return facts, newest first. Raises BadAsk for an unknown state or a range out of bounds."""
    check_window(ask.first, ask.limit)
    if ask.state not in browsing.FACT_STATES:
        raise BadAsk(message("state should be one of {list}.", list=", ".join(browsing.FACT_STATES)))
    with engine.store.reading() as db:
        total, found = browsing.list_facts(db, ask)
        return FactsPage(first=ask.first, total=total, rows=fact_rows(engine, db, found))


def conversation(engine: Engine, ask: ReadConversation) -> ConversationView:
    """Return a conversation's turns in order. Raises NotFound, or BadAsk for a range out of bounds."""
    check_window(ask.first, ask.limit)
    with engine.store.reading() as db:
        talk = records.need(db, CONVERSATION, ask.conversation_id)
        return row_of(
            ConversationView,
            talk,
            total=browsing.count_turns(db, talk.id),
            first=ask.first,
            turns=turn_rows(db, talk.id, ask.first, ask.limit),
        )


def derived_from_turns(engine: Engine, ask: AskBeside) -> BesideTurns:
    """Return the facts and tool calls that were made from a conversation's turns. Raises NotFound."""
    with engine.store.reading() as db:
        talk = records.need(db, CONVERSATION, ask.conversation_id)
        derived = contexts.facts_of(db, talk.id, ask.first_index, ask.last_index)
        called = procedures.calls_at(db, talk.id, ask.first_index, ask.last_index)
    facts = tuple(row_of(DerivedFact, fact, turns=tuple(turns)) for fact, turns in derived.values())
    calls = tuple(
        row_of(TurnCall, call, turn_index=index, error=call.error_message, at=to_datetime(call.created_at))
        for index, call in called
    )
    return BesideTurns(facts=facts, calls=calls)


def turn_rows(db: Connection, conversation_id: str, first: int, limit: int) -> tuple[TurnRow, ...]:
    return tuple(
        row_of(TurnRow, turn, at=to_datetime(turn.created_at))
        for turn in browsing.turns_of(db, conversation_id, first, limit)
    )


def check_window(first: int, limit: int, at_most: int = ROWS_AT_MOST) -> None:
    """Raise BadAsk for a window of rows that is out of range."""
    if first < 0 or not 1 <= limit <= at_most:
        raise BadAsk(message("first counts from 0 and limit lies between 1 and {count}.", count=at_most))


HOURS_AT_MOST = 1_000_000
"""More than a century; older turns are asked for by their time."""


def recent_turns(engine: Engine, ask: AskRecentTurns) -> RecentTurns:
    """Return the turns of the last hours, newest first. Raises BadAsk for hours or a limit out of range."""
    if not 0 < ask.hours <= HOURS_AT_MOST:
        raise BadAsk(message("hours lies between 0 and {count}.", count=f"{HOURS_AT_MOST:,}"))
    with engine.store.reading() as db:
        asked = Walk(
            user_id=ask.user_id,
            channels=semantic.current_channels(db, ask.user_id, ask.channels),
            limit=checked_limit(ask.limit),
            since=engine.clock() - round(ask.hours * 3600 * SECOND),
        )
        return RecentTurns(rows=_logged(episodic.turns_in_time(db, asked, role=ask.role)))


def turn_log(engine: Engine, ask: AskTurnLog) -> TurnLog:
    """Return one page of the turn log. Raises NotFound for an unknown conversation."""
    with engine.store.reading() as db:
        in_order = ask.oldest_first or ask.conversation_id is not None
        asked = replace(next_page(db, ask), oldest_first=in_order)
        if ask.conversation_id is None:
            found = episodic.turns_in_time(db, asked, role=ask.role, agent_id=ask.agent_id)
        else:
            _need_own(db, ask.conversation_id, ask.user_id)
            found = episodic.turns_in_order(
                db, ask.conversation_id, asked, role=ask.role, agent_id=ask.agent_id
            )
    page, last = split_page(found, ask.limit)
    return TurnLog(rows=_logged(page), next=_next(last, in_order=ask.conversation_id is not None))


def conversations(engine: Engine, ask: ListConversations) -> ConversationsPage:
    """Return conversations, latest started first. Raises BadAsk for an unknown state."""
    if ask.state not in STATES:
        raise BadAsk(message("state should be one of {states}.", states=", ".join(STATES)))
    with engine.store.reading() as db:
        asked = next_page(db, ask)
        agents = ask.agents if ask.agent_id is None else (ask.agent_id,)
        found = episodic.conversations(db, asked, agents=agents, text=ask.text.strip(), state=ask.state)
        page, last = split_page(found, ask.limit)
        lengths = episodic.extents(db, [talk.id for talk in page])
    rows = tuple(_talk(talk, lengths.get(talk.id, Extent())) for talk in page)
    return ConversationsPage(rows=rows, next=None if last is None else cursor(last.started_at, last.seq))


def _need_own(db: Connection, id: str, user_id: str) -> None:
    talk = records.need(db, CONVERSATION, id)
    if talk.user_id != user_id:
        raise NotFound(message("There is no conversation {conversation_id}.", conversation_id=id))


def _next(last: Turn | None, *, in_order: bool) -> str | None:
    if last is None:
        return None
    return cursor(last.turn_index if in_order else last.created_at, last.seq)


def _logged(turns: Sequence[Turn]) -> tuple[LoggedTurn, ...]:
    return tuple(
        row_of(
            LoggedTurn,
            turn,
            timestamp=to_datetime(turn.created_at),
            content_hash=hashlib.sha256(turn.content.encode()).hexdigest(),
            metadata=json.loads(turn.metadata),
        )
        for turn in turns
    )


def _talk(talk: Conversation, length: Extent) -> ConversationRow:
    return row_of(
        ConversationRow,
        talk,
        last_turn_at=optional_datetime(length.last_at),
        turns=length.turns,
        consolidated=talk.consolidated_index >= length.last_index,
    )
