"""Messages that an agent has in its context now, as far as the desk knows: the last summary and the turns
after it."""

from __future__ import annotations

import json

from memdesk.engine.context.keeping import message_of
from memdesk.engine.context.placing import measured, placed, session_named
from memdesk.engine.engine import Engine
from memdesk.engine.workspace.homes import AGENT
from memdesk.model.context import Message, Meter, Window
from memdesk.model.sessions import NamedSession
from memdesk.store import contexts, semantic
from memdesk.store.connection import Connection


def at_hand(db: Connection, conversation_id: str) -> tuple[Message, ...]:
    """Return the messages a runtime continues with: the last summary, then the later turns.

    The instructions in front never reach the desk, so they are not included."""
    standing = contexts.standing(db, conversation_id)
    stands: list[Message] = json.loads(standing[0].message) if standing else []
    first = standing[0].last_index + 1 if standing else 0
    last = semantic.last_turn_index(db, conversation_id)
    turns = contexts.turns_between(db, conversation_id, first, last)
    return (*stands, *map(message_of, turns))


def fullness(engine: Engine, ask: NamedSession) -> Meter:
    """Return the fill level of a session's context, and the action its policy would take. Raises NotFound."""
    with engine.store.reading() as db:
        session = session_named(db, ask.session_id, ask.user_id)
        messages = at_hand(db, session.conversation_id)
    window = Window(messages=messages, session_id=session.id, user_id=ask.user_id)
    author = f"{AGENT}{session.agent_id}" if session.agent_id else ""
    return measured(engine, placed(engine, window, author=author))
