"""Keeping an agent's messages: each becomes a turn exactly once, whatever the list has lost or repeats by now.

A runtime sends what is in its context: the whole conversation, or a summary and what came after. What of it is known is
found by its place behind the summary, by the ids that messages bear, or by the longest run that both have in common.
"""

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
from memdesk.model.compaction import Compaction
from memdesk.model.context import Message
from memdesk.model.remember import NewTurn, NewTurns
from memdesk.model.turn import TURN, Turn
from memdesk.store import contexts, records, semantic
from memdesk.store.connection import Connection

WHOLE = "message"
"""Under this name a turn's metadata holds the message, where role and text are not all of it."""
LOOKED_BACK = 50
"""Turns that may have been stored behind a list's end, and still the list is found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parted:
    """A list in its parts: instructions in front, the messages that stand for an earlier compaction, and the talk.

    carried: that compaction, None where the list begins with the talk itself. talk_at: where the talk begins in it.
    """

    instructions: tuple[Message, ...]
    carried: Compaction | None
    talk: tuple[Message, ...]
    talk_at: int

    @property
    def first_index(self) -> int | None:
        """The turn that the talk begins with, None where the list alone does not tell."""
        return None if self.carried is None else self.carried.last_index + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Whose:
    """Whose conversation it is: what a turn needs to be told beside its message."""

    conversation_id: str
    user_id: str
    channel: str
    agent_id: str | None
    author: str


def parted(messages: Sequence[Message], standing: Sequence[Compaction]) -> Parted:
    """Part a list. standing: the compactions of its conversation, newest first.

    Instructions are the system's messages in front; what is no summary of ours and opens like one belongs to the talk.
    """
    front = next((n for n, each in enumerate(messages) if not _instructs(each)), len(messages))
    for compaction in standing:
        stands: list[Message] = json.loads(compaction.message)
        for at in range(front + 1) if stands else ():
            if list(messages[at : at + len(stands)]) == stands:
                rest = messages[at + len(stands) :]
                return Parted(
                    instructions=tuple(messages[:at]), carried=compaction, talk=tuple(rest), talk_at=at + len(stands)
                )  # fmt: skip
    return Parted(
        instructions=tuple(messages[:front]), carried=None, talk=tuple(messages[front:]), talk_at=front
    )


def keep(
    engine: Engine, whose: Whose, talk: Sequence[Message], counts: Sequence[int], first: int | None
) -> int:
    """Store what of the talk is not stored yet; returns the index of the turn it begins with.

    first: that index, where it is known. counts: tokens of each message, empty where nobody counted. Raises Conflict
    when another message stands where one of these should, and whatever storing raises: what was stored stays.
    """
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
    """The message that became this turn, as it came."""
    kept: dict[str, Any] = json.loads(turn.metadata)
    whole = kept.get(WHOLE)
    return whole if isinstance(whole, dict) else {"role": turn.role, "content": turn.content}


def _instructs(message: Message) -> bool:
    said = message.get("content")
    ours = isinstance(said, str) and any(said.startswith(opening) for opening in _OPENINGS)
    return message.get("role") in INSTRUCTING and not ours


_OPENINGS = ("[compacted]", "[summary]", "Summary of the conversation so far:")
"""How summaries in the place of instructions begin; one that this desk did not make is part of the talk."""


def _known(db: Connection, conversation_id: str, length: int, first: int | None) -> list[Turn]:
    """The turns that a list of this length may share."""
    last = semantic.last_turn_index(db, conversation_id)
    start = max(0, last + 1 - 2 * length - LOOKED_BACK) if first is None else first
    return contexts.turns_between(db, conversation_id, start, last)


def _placed(talk: Sequence[Message], known: Sequence[Turn], first: int | None) -> tuple[int, int]:
    """(index of the turn that the talk begins with, how many of its messages are turns already)."""
    after = known[-1].turn_index + 1 if known else (first or 0)
    if first is not None:
        return first, _in_common(talk, known, 0)
    for at in range(len(known)):
        shared = _in_common(talk, known, at)
        if shared == len(talk) or (shared and at + shared == len(known)):
            return known[at].turn_index, shared
    return after, 0


def _in_common(talk: Sequence[Message], known: Sequence[Turn], at: int) -> int:
    """How many messages in a row are the turns from `at` on."""
    pairs = zip(talk, known[at:], strict=False)
    return next((n for n, pair in enumerate(pairs) if not _same(*pair)), min(len(talk), len(known) - at))


def _same(message: Message, turn: Turn) -> bool:
    """Whether a turn holds this message. One that bears its id and says something else is not, and is refused later."""
    kept = message_of(turn)
    mere = message.get("id") == turn.id or WHOLE not in json.loads(turn.metadata)
    says = turn.role == message.get("role") and turn.content == said_in(message)
    return kept == message or (mere and says)


def _complete(
    engine: Engine, whose: Whose, shared: Sequence[Message], known: Sequence[Turn], start: int
) -> None:
    """Let turns that were stored as mere text hold their message whole, so that the archive gives it back exactly."""
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
                turn: Turn = records.need(db, TURN, id)
                whole = json.dumps({**json.loads(turn.metadata), WHOLE: message}, ensure_ascii=False)
                edits.append(records.moved(TURN, turn, metadata=whole))
            title = f"{len(some)} turns with their messages whole"
            return Change(
                op="update", layer="episodic", title=title, author=whose.author, edits=tuple(edits),
                channel=whose.channel, user_id=whose.user_id,
            ), None  # fmt: skip

        engine.store.decide(verb)


def _turn(whose: Whose, message: Message, index: int, tokens: int | None) -> NewTurn:
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
