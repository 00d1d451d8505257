"""Latest turns of the current session. Stored turns are kept by their search number, so that a correction or
an undo applies here too; other turns are kept in full."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import NAME_CHARACTERS
from memdesk.engine.memory.ephemeral import Look, check_value, keyed, make_room, read, write
from memdesk.engine.wording import tidied
from memdesk.model import working as model
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import BadAsk
from memdesk.model.instant import optional_datetime, to_datetime
from memdesk.model.turn import CONVERSATION, TURN, Conversation, Turn
from memdesk.model.working import (
    TURNS,
    AddTurn,
    AskRecent,
    WorkingPlace,
    WorkingTurn,
    WorkingTurns,
    channel_key,
    working_key,
)
from memdesk.store import records, semantic, working
from memdesk.store.connection import Connection
from memdesk.store.working import Kept, Place

LIST_BYTES = 262_144
"""Most bytes of the turns or thoughts of one conversation; beyond it the oldest are dropped, however few
there are."""
LIMIT_AT_MOST = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Place of one conversation's working memory."""

    place: Place

    def key(self, name: str = "") -> str:
        """Return the key of this name, or the prefix of all keys here."""
        return working_key(self.place.user_id, self.place.channel, self.place.conversation_id, name)


def spot(db: Connection, ask: WorkingPlace) -> Spot:
    """Return the place of a request's working memory: for a conversation, in its own channel, as for a stored
    turn.

    Raises BadAsk for a channel without a name."""
    channel = semantic.standing_channel(
        db, ask.user_id, tidied(ask.channel, "A channel's name", NAME_CHARACTERS)
    )
    if channel == GLOBAL and ask.conversation_id is not None:
        talk: Conversation | None = records.get(db, CONVERSATION, ask.conversation_id)
        channel = talk.channel if talk is not None and talk.user_id == ask.user_id else channel
    return Spot(place=Place(user_id=ask.user_id, channel=channel, conversation_id=ask.conversation_id))


def named(ask: WorkingPlace, name: str) -> Look:
    """Return the function that looks up one key in the place of a request."""

    return lambda db, at: keyed(spot(db, ask).key(name))(db, at)


def follow(engine: Engine, db: Connection, turns: Sequence[Turn], at: int) -> None:
    """Add turns that are being stored to their conversations' working memory. Runs on the writer thread."""
    talks: dict[tuple[str, str, str], list[int]] = {}
    for turn in turns:
        talks.setdefault((turn.user_id, turn.channel, turn.conversation_id), []).append(turn.seq)
    for (user_id, channel, conversation_id), seqs in talks.items():
        place = Place(user_id=user_id, channel=channel, conversation_id=conversation_id)
        push(engine, db, Spot(place=place), TURNS, seqs, at)
    make_room(engine, db, at)


def follow_channel(
    db: Connection, user_id: str, channel: str, to: str, conversation_id: str | None = None
) -> None:
    """Move working memory to another channel: that of one conversation, or all of a channel.

    Call it inside the operation that moves them, on the writer's connection; undoing that operation does not
    move it back."""
    if conversation_id is None:
        was, now = channel_key(user_id, channel), channel_key(user_id, to)
    else:
        was, now = (working_key(user_id, name, conversation_id) for name in (channel, to))
    working.rename(db, was, now, channel=to)


def push(engine: Engine, db: Connection, where: Spot, name: str, items: Sequence[Any], at: int) -> Kept:
    """Add items (oldest first) to a list, with the length and lifetime of the settings."""
    settings = engine.settings
    return working.push(
        db, where.key(name), items, most=settings.working_turns, most_bytes=LIST_BYTES, at=at,
        ttl_s=settings.working_ttl_seconds, place=where.place,
    )  # fmt: skip


def add_turn(engine: Engine, ask: AddTurn) -> model.Kept:
    """Add a turn that is not stored to working memory. Raises BadAsk if it is empty or too large."""
    if not ask.content.strip():
        raise BadAsk("A turn without content says nothing.")
    turn = {
        "role": ask.role,
        "speaker": ask.speaker or ask.role,
        "content": ask.content,
        "metadata": ask.metadata,
    }
    check_value(turn, "A turn")

    def work(db: Connection, at: int) -> Kept:
        return push(engine, db, spot(db, ask), TURNS, ({**turn, "at": at},), at)

    return shown(write(engine, work))


def recent_turns(engine: Engine, ask: AskRecent, *, author: str) -> WorkingTurns:
    """Return the latest turns of a conversation, newest first."""
    check_limit(ask.limit)
    held = read(engine, named(ask, TURNS), author=author)
    return WorkingTurns(turns=turns_of(engine, held, ask.user_id)[: ask.limit])


def turns_of(engine: Engine, held: Iterable[Kept], user_id: str) -> tuple[WorkingTurn, ...]:
    """Return the turns in these lists, in order, without those that were undone or retired."""
    items = [item for kept in held for item in kept.value]
    with engine.store.reading() as db:
        found: list[Turn] = records.many(db, TURN, "seq", [item for item in items if isinstance(item, int)])
    stored = {turn.seq: turn for turn in found if turn.retired_at is None and turn.user_id == user_id}
    return tuple(
        _stored(stored[item]) if isinstance(item, int) else _unstored(item)
        for item in items
        if not isinstance(item, int) or item in stored
    )


def check_limit(limit: int) -> None:
    """Raise BadAsk for a limit out of range."""
    if not 1 <= limit <= LIMIT_AT_MOST:
        raise BadAsk(f"limit lies between 1 and {LIMIT_AT_MOST}.")


def shown(kept: Kept) -> model.Kept:
    """Return the written key as the answer to its writer."""
    return model.Kept(key=kept.key, bytes=kept.bytes, expires_at=optional_datetime(kept.expires_at))


def _stored(turn: Turn) -> WorkingTurn:
    return WorkingTurn(
        id=turn.id, turn_index=turn.turn_index, role=turn.role, speaker=turn.speaker, content=turn.content,
        at=to_datetime(turn.created_at), metadata=json.loads(turn.metadata),
    )  # fmt: skip


def _unstored(item: dict[str, Any]) -> WorkingTurn:
    return WorkingTurn(
        role=item["role"], speaker=item["speaker"], content=item["content"], at=to_datetime(item["at"]),
        metadata=item["metadata"],
    )  # fmt: skip
