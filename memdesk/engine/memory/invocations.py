"""Tool calls as they are sent: their limits, and the conversation and turn to which they belong."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from memdesk.engine.wording import tidied
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.instant import optional_instant
from memdesk.model.message import message
from memdesk.model.tool_call import NewToolCall
from memdesk.model.turn import CONVERSATION, TURN, Turn
from memdesk.store import records, semantic
from memdesk.store.connection import Connection

TOOL_CHARACTERS = 200
TASK_CHARACTERS = 100
JSON_CHARACTERS = 100_000
"""Most characters of an input or an output: enough for a page of a file, and small enough for a journal of
thousands."""
ERROR_CHARACTERS = 10_000
LATENCY_AT_MOST = 10**12
"""Most milliseconds: thirty years, so that sums of latencies stay far below the largest integer of a database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Conversation and turn of a call, with their channel and agent; all None for a call outside any."""

    conversation_id: str | None = None
    turn_id: str | None = None
    channel: str | None = None
    agent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """Validated tool call. fields: its values as stored; at: its time, None for now."""

    ask: NewToolCall
    fields: dict[str, Any]
    at: int | None

    def place(self, db: Connection) -> Where:
        """Return where the call belongs. Raises NotFound, or Conflict if turn, conversation and channel do
        not agree."""
        ask = self.ask
        turn = _turn(db, ask)
        id = turn.conversation_id if turn is not None else ask.conversation_id
        if id is None:
            return Where()
        talk = records.need_owned(db, CONVERSATION, id, ask.user_id)
        names = (" ".join(ask.channel.split()), talk.channel)
        asked, kept = (semantic.current_channel(db, ask.user_id, name) for name in names)
        if asked not in (kept, GLOBAL):
            raise Conflict(
                message("Conversation {id} belongs to channel {channel}.", id=id, channel=talk.channel)
            )
        return Where(
            conversation_id=id,
            turn_id=None if turn is None else turn.id,
            channel=talk.channel,
            agent_id=talk.agent_id,
        )


def read_invocation(ask: NewToolCall) -> Invocation:
    """Validate a tool call. Raises BadAsk for one that is empty, too long or out of range."""
    if ask.latency_ms is not None and not 0 <= ask.latency_ms <= LATENCY_AT_MOST:
        raise BadAsk(message("latency_ms lies between 0 and {count}.", count=f"{LATENCY_AT_MOST:,}"))
    if len(ask.error_message) > ERROR_CHARACTERS:
        raise BadAsk(
            message(
                "An error message of {count} characters; {most} at most.",
                count=f"{len(ask.error_message):,}",
                most=f"{ERROR_CHARACTERS:,}",
            )
        )
    if ask.error_message and ask.success:
        raise BadAsk(
            message("A call that succeeded has no error_message."),
            next=message("Say which of the two holds."),
        )
    success = False if ask.error_message else ask.success
    fields = {
        "tool_name": tidied(ask.tool_name, message("The name of a tool"), TOOL_CHARACTERS),
        "task_type": tidied(ask.task_type, message("A type of task"), TASK_CHARACTERS)
        if ask.task_type.strip()
        else "",
        "tool_input": _json(ask.tool_input, "input"),
        "tool_output": None if ask.tool_output is None else _json(ask.tool_output, "output"),
        "success": None if success is None else int(success),
        "latency_ms": ask.latency_ms,
        "error_message": ask.error_message,
    }
    return Invocation(ask=ask, fields=fields, at=optional_instant(ask.created_at))


def _turn(db: Connection, ask: NewToolCall) -> Turn | None:
    """Return the turn that made the call, by its id or its index. Raises NotFound, BadAsk for an index
    without a conversation, Conflict for a turn of another conversation."""
    if ask.turn_id is not None:
        turn = records.need_owned(db, TURN, ask.turn_id, ask.user_id)
        if ask.conversation_id not in (None, turn.conversation_id):
            raise Conflict(
                message(
                    "Turn {id} belongs to conversation {conversation_id}.",
                    id=turn.id,
                    conversation_id=turn.conversation_id,
                )
            )
        return turn
    if ask.turn_index is None:
        return None
    if ask.conversation_id is None:
        raise BadAsk(
            message("turn_index needs its conversation_id."), next=message("Give both, or the turn_id.")
        )
    found = records.find(db, TURN, conversation_id=ask.conversation_id, turn_index=ask.turn_index, limit=1)
    if not found:
        raise NotFound(
            message(
                "Conversation {conversation_id} has no turn {turn_index}.",
                conversation_id=ask.conversation_id,
                turn_index=ask.turn_index,
            ),
            next=message("Store the turn first."),
        )
    return found[0]


def _json(value: Any, what: str) -> str:
    text = json.dumps(value, ensure_ascii=False)
    if len(text) > JSON_CHARACTERS:
        raise BadAsk(
            message(
                "A tool's {what} of {count} characters as JSON; {most} at most.",
                what=what,
                count=f"{len(text):,}",
                most=f"{JSON_CHARACTERS:,}",
            ),
            next=message("Record its beginning, or the path of a file that holds it."),
        )
    return text
