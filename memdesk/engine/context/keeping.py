"""Storing an agent's messages: each becomes a turn exactly once, even if the list has lost or repeats some by
now.

A runtime sends its context: the complete conversation, or a summary and the messages after it. The messages
already stored are found by their position after the summary, by their ids, or by the longest run that both
sides share."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.engine.context.messages import INSTRUCTING, is_plain, said_in
from memdesk.engine.engine import Engine
from memdesk.engine.memory.remember import TURNS_AT_MOST, store_turns
from memdesk.engine.wording import shortened
from memdesk.model.change import Change
from memdesk.model.context import Compaction, Message
from memdesk.model.message import message as sentence
from memdesk.model.remember import NewTurn, NewTurns
from memdesk.model.turn import TURN, Turn
from memdesk.store import contexts, records, semantic
from memdesk.store.connection import Connection

WHOLE = "message"
"""Name in a turn's metadata under which the complete message is kept if role and text are not all of it."""
LOOKED_BACK = 50
"""Turns that may have been stored after the end of a list without the list becoming unrecognised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitMessages:
    """Message list split into instructions in front, the messages of an earlier compaction's summary, and the
    talk.

    carried: that compaction, None if the list begins with the talk itself. talk_at: position of the talk in
    the list."""

    instructions: tuple[Message, ...]
    carried: Compaction | None
    talk: tuple[Message, ...]
    talk_at: int

    @property
    def first_index(self) -> int | None:
        """Index of the turn that the talk begins with, None if the list alone does not show it."""
        return None if self.carried is None else self.carried.last_index + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationOwner:
    """Owner of a conversation: the fields that a turn needs in addition to its message."""

    conversation_id: str
    user_id: str
    channel: str
    agent_id: str | None
    author: str


def split_messages(messages: Sequence[Message], standing: Sequence[Compaction]) -> SplitMessages:
    """Split a message list. standing: the compactions of its conversation, newest first.

    Instructions are the system messages in front; a message that opens like a summary but is not this desk's
    belongs to the talk."""
    front = next((n for n, each in enumerate(messages) if not _instructs(each)), len(messages))
    for compaction in standing:
        stands: list[Message] = json.loads(compaction.message)
        for at in range(front + 1) if stands else ():
            if list(messages[at : at + len(stands)]) == stands:
                rest = messages[at + len(stands) :]
                return SplitMessages(
                    instructions=tuple(messages[:at]),
                    carried=compaction,
                    talk=tuple(rest),
                    talk_at=at + len(stands),
                )
    return SplitMessages(
        instructions=tuple(messages[:front]), carried=None, talk=tuple(messages[front:]), talk_at=front
    )


def store_messages(
    engine: Engine,
    whose: ConversationOwner,
    talk: Sequence[Message],
    counts: Sequence[int],
    first: int | None,
) -> int:
    """Store the messages of the talk that are not stored yet; return the index of the turn it begins with.

    first: that index, if known. counts: tokens of each message, empty if not counted. Raises Conflict if a
    different message has the place of one of these, and any error of storing; turns stored before an error
    stay."""
    with engine.store.reading() as db:
        known = _known(db, whose.conversation_id, len(talk), first)
    start, shared = _placed(talk, known, first)
    _complete(engine, whose, talk[:shared], known, start)
    for at in range(shared, len(talk), TURNS_AT_MOST):
        some = range(at, min(at + TURNS_AT_MOST, len(talk)))
        turns = tuple(_turn(whose, talk[n], start + n, counts[n] if counts else None) for n in some)
        store_turns(engine, NewTurns(turns=turns), author=whose.author)
    return start


def message_of(turn: Turn) -> Message:
    """Return the message that became this turn, exactly as it came."""
    kept: dict[str, Any] = json.loads(turn.metadata)
    whole = kept.get(WHOLE)
    return whole if isinstance(whole, dict) else {"role": turn.role, "content": turn.content}


def _instructs(message: Message) -> bool:
    said = message.get("content")
    ours = isinstance(said, str) and any(said.startswith(opening) for opening in _OPENINGS)
    return message.get("role") in INSTRUCTING and not ours


_OPENINGS = ("[compacted]", "[summary]", "Summary of the conversation so far:")
"""Openings of summaries sent as system messages; one that this desk did not make is part of the talk."""


def _known(db: Connection, conversation_id: str, length: int, first: int | None) -> list[Turn]:
    """Return the stored turns that a list of this length may share."""
    last = semantic.last_turn_index(db, conversation_id)
    start = max(0, last + 1 - 2 * length - LOOKED_BACK) if first is None else first
    return contexts.turns_between(db, conversation_id, start, last)


def _placed(talk: Sequence[Message], known: Sequence[Turn], first: int | None) -> tuple[int, int]:
    """Return (index of the turn that the talk begins with, number of its messages that are already turns)."""
    after = known[-1].turn_index + 1 if known else (first or 0)
    if first is not None:
        return first, _in_common(talk, known, 0)
    for at in range(len(known)):
        shared = _in_common(talk, known, at)
        if shared == len(talk) or (shared and at + shared == len(known)):
            return known[at].turn_index, shared
    return after, 0


def _in_common(talk: Sequence[Message], known: Sequence[Turn], at: int) -> int:
    """Return the number of messages in a row that equal the turns from position `at` on."""
    pairs = zip(talk, known[at:], strict=False)
    return next((n for n, pair in enumerate(pairs) if not _same(*pair)), min(len(talk), len(known) - at))


def _same(message: Message, turn: Turn) -> bool:
    """Return True if a turn contains this message. A message with the turn's id but another text is not the
    same, and is refused later."""
    kept = message_of(turn)
    mere = message.get("id") == turn.id or WHOLE not in json.loads(turn.metadata)
    says = turn.role == message.get("role") and turn.content == said_in(message)
    return kept == message or (mere and says)


def _complete(
    engine: Engine, whose: ConversationOwner, shared: Sequence[Message], known: Sequence[Turn], start: int
) -> None:
    """Add the complete message to turns that were stored as plain text, so that the archive returns it
    exactly."""
    by_index = {turn.turn_index: turn for turn in known}
    poor = [
        (by_index[start + n].id, message)
        for n, message in enumerate(shared)
        if message_of(by_index[start + n]) != message
    ]
    for at in range(0, len(poor), TURNS_AT_MOST):
        some = poor[at : at + TURNS_AT_MOST]

        def verb(db: Connection, some: list[tuple[str, Message]] = some) -> tuple[Change, None]:
            edits = []
            for id, message in some:
                turn = records.need(db, TURN, id)
                whole = json.dumps({**json.loads(turn.metadata), WHOLE: message}, ensure_ascii=False)
                edits.append(records.update_edit(TURN, turn, metadata=whole))
            title = sentence("{count} turns with their messages whole", count=len(some))
            return Change(
                op="update",
                layer="episodic",
                title=title,
                author=whose.author,
                edits=tuple(edits),
                channel=whose.channel,
                user_id=whose.user_id,
            ), None

        engine.store.decide(verb)


def _turn(whose: ConversationOwner, message: Message, index: int, tokens: int | None) -> NewTurn:
    name, id = message.get("name"), message.get("id")
    return NewTurn(
        content=said_in(message),
        role=str(message["role"]),
        speaker=shortened(name, 200) if isinstance(name, str) and name.strip() else None,
        channel=whose.channel,
        user_id=whose.user_id,
        agent_id=whose.agent_id,
        conversation_id=whose.conversation_id,
        turn_id=id if isinstance(id, str) and id.strip() else None,
        turn_index=index,
        token_count=tokens,
        metadata={} if is_plain(message) else {WHOLE: message},
    )
