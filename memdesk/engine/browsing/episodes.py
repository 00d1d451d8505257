"""Episodes in order of time: recent turns, the turn log, conversations. Browsing never counts as recall."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace

from memdesk.engine.browsing.paging import checked, cursor, cut, next_page
from memdesk.engine.engine import Engine
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.instant import SECOND, optional_datetime, to_datetime
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
from memdesk.store import episodic, records, semantic
from memdesk.store.connection import Connection
from memdesk.store.episodic import Extent
from memdesk.store.keyset import Walk

HOURS_AT_MOST = 1_000_000
"""More than a century; older turns are asked for by their time."""


def recent_turns(engine: Engine, ask: AskRecentTurns) -> RecentTurns:
    """Return the turns of the last hours, newest first. Raises BadAsk for hours or a limit out of range."""
    if not 0 < ask.hours <= HOURS_AT_MOST:
        raise BadAsk(f"hours lies between 0 and {HOURS_AT_MOST:,}.")
    with engine.store.reading() as db:
        asked = Walk(
            user_id=ask.user_id, channels=semantic.channels_standing(db, ask.user_id, ask.channels),
            limit=checked(ask.limit),
            since=engine.clock() - round(ask.hours * 3600 * SECOND),
        )  # fmt: skip
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
    page, last = cut(found, ask.limit)
    return TurnLog(rows=_logged(page), next=_next(last, in_order=ask.conversation_id is not None))


def conversations(engine: Engine, ask: ListConversations) -> ConversationsPage:
    """Return conversations, latest started first. Raises BadAsk for an unknown state."""
    if ask.state not in STATES:
        raise BadAsk(f"state should be one of {', '.join(STATES)}.")
    with engine.store.reading() as db:
        asked = next_page(db, ask)
        agents = ask.agents if ask.agent_id is None else (ask.agent_id,)
        found = episodic.conversations(db, asked, agents=agents, text=ask.text.strip(), state=ask.state)
        page, last = cut(found, ask.limit)
        lengths = episodic.extents(db, [talk.id for talk in page])
    rows = tuple(_talk(talk, lengths.get(talk.id, Extent())) for talk in page)
    return ConversationsPage(rows=rows, next=None if last is None else cursor(last.started_at, last.seq))


def _need_own(db: Connection, id: str, user_id: str) -> None:
    talk: Conversation = records.need(db, CONVERSATION, id)
    if talk.user_id != user_id:
        raise NotFound(f"There is no conversation {id}.")


def _next(last: Turn | None, *, in_order: bool) -> str | None:
    if last is None:
        return None
    return cursor(last.turn_index if in_order else last.created_at, last.seq)


def _logged(turns: Sequence[Turn]) -> tuple[LoggedTurn, ...]:
    return tuple(
        LoggedTurn(
            id=turn.id, conversation_id=turn.conversation_id, turn_index=turn.turn_index,
            timestamp=to_datetime(turn.created_at), role=turn.role, speaker=turn.speaker, content=turn.content,
            content_hash=hashlib.sha256(turn.content.encode()).hexdigest(), token_count=turn.token_count,
            model=turn.model, channel=turn.channel, agent_id=turn.agent_id, metadata=json.loads(turn.metadata),
        )
        for turn in turns
    )  # fmt: skip


def _talk(talk: Conversation, length: Extent) -> ConversationRow:
    return ConversationRow(
        id=talk.id, title=talk.title, channel=talk.channel, agent_id=talk.agent_id,
        started_at=to_datetime(talk.started_at), last_turn_at=optional_datetime(length.last_at), turns=length.turns,
        consolidated=talk.consolidated_index >= length.last_index,
        consolidated_at=optional_datetime(talk.consolidated_at), patterns_at=optional_datetime(talk.patterns_at),
        archived_at=optional_datetime(talk.archived_at),
    )  # fmt: skip
