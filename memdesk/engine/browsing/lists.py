"""Lists for a person: facts, and the turns of a conversation. Browsing never counts as recalling."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.engine.recall.rows import fact_rows
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
from memdesk.model.errors import BadAsk
from memdesk.model.instant import to_datetime
from memdesk.model.turn import CONVERSATION, Conversation
from memdesk.store import browsing, contexts, procedures, records
from memdesk.store.connection import Connection

ROWS_AT_MOST = 1000


def facts(engine: Engine, ask: ListFacts) -> FactsPage:
    """Return facts, newest first. Raises BadAsk for an unknown state or a range out of bounds."""
    _check(ask.first, ask.limit)
    if ask.state not in browsing.STATES:
        raise BadAsk(f"state should be one of {', '.join(browsing.STATES)}.")
    with engine.store.reading() as db:
        total, found = browsing.list_facts(
            db, user_id=ask.user_id, channels=ask.channels, categories=ask.categories, text=ask.text.strip(),
            state=ask.state, first=ask.first, limit=ask.limit, tags=ask.tags,
        )  # fmt: skip
        return FactsPage(first=ask.first, total=total, rows=fact_rows(engine, db, found))


def conversation(engine: Engine, ask: ReadConversation) -> ConversationView:
    """Return a conversation's turns in order. Raises NotFound, or BadAsk for a range out of bounds."""
    _check(ask.first, ask.limit)
    with engine.store.reading() as db:
        talk: Conversation = records.need(db, CONVERSATION, ask.conversation_id)
        return ConversationView(
            id=talk.id, title=talk.title, channel=talk.channel, agent_id=talk.agent_id,
            started_at=to_datetime(talk.started_at), total=browsing.count_turns(db, talk.id), first=ask.first,
            turns=turn_rows(db, talk.id, ask.first, ask.limit),
        )  # fmt: skip


def beside(engine: Engine, ask: AskBeside) -> BesideTurns:
    """Return the facts and tool calls that were made from a conversation's turns. Raises NotFound."""
    with engine.store.reading() as db:
        talk: Conversation = records.need(db, CONVERSATION, ask.conversation_id)
        derived = contexts.facts_of(db, talk.id, ask.first_index, ask.last_index)
        called = procedures.calls_at(db, talk.id, ask.first_index, ask.last_index)
    facts = tuple(
        DerivedFact(
            id=fact.id, claim=fact.claim, category=fact.category, confidence=fact.confidence, turns=tuple(turns)
        )
        for fact, turns in derived.values()
    )  # fmt: skip
    calls = tuple(
        TurnCall(
            id=call.id, turn_index=index, tool_name=call.tool_name, task_type=call.task_type,
            success=None if call.success is None else bool(call.success), latency_ms=call.latency_ms,
            error=call.error_message, at=to_datetime(call.created_at),
        )
        for index, call in called
    )  # fmt: skip
    return BesideTurns(facts=facts, calls=calls)


def turn_rows(db: Connection, conversation_id: str, first: int, limit: int) -> tuple[TurnRow, ...]:
    return tuple(
        TurnRow(
            id=turn.id,
            turn_index=turn.turn_index,
            role=turn.role,
            speaker=turn.speaker,
            content=turn.content,
            at=to_datetime(turn.created_at),
        )
        for turn in browsing.turns_of(db, conversation_id, first, limit)
    )


def _check(first: int, limit: int) -> None:
    if first < 0 or not 1 <= limit <= ROWS_AT_MOST:
        raise BadAsk(f"first counts from 0 and limit lies between 1 and {ROWS_AT_MOST}.")
