"""Values of limited size and lifetime, shared by working memory and the scratchpad, and the latest turns of
the current session."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from memdesk.engine.engine import Engine, log_failure
from memdesk.engine.memory.channels import NAME_CHARACTERS
from memdesk.engine.wording import check_limit, tidied
from memdesk.files.reading import MEGABYTE
from memdesk.model import working as model
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import BadAsk
from memdesk.model.instant import SECOND, optional_datetime, to_datetime
from memdesk.model.message import message
from memdesk.model.turn import CONVERSATION, TURN, Turn
from memdesk.model.working import (
    TURNS,
    AddTurn,
    AskRecent,
    WorkingPlace,
    WorkingTurn,
    WorkingTurns,
    WorkingValue,
    channel_key,
    working_key,
)
from memdesk.store import records, semantic, working
from memdesk.store.connection import Connection
from memdesk.store.indexing import Index
from memdesk.store.journal import Journal
from memdesk.store.working import Kept, Place

T = TypeVar("T")
Look = Callable[[Connection, int], Sequence[Kept]]
"""Function that reads the values alive at this time (UTC microseconds)."""
VALUE_BYTES = 65_536
"""Most bytes of one value: sixteen thousand tokens of text, and a small part of the smallest cap."""
KEY_CHARACTERS = 200
TTL_AT_MOST_S = 31_536_000


def write(engine: Engine, work: Callable[[Connection, int], T]) -> T:
    """Change working memory; durable on return. work: gets the writer's connection and the present time."""

    def piece(db: Connection, _index: Index, journal: Journal) -> T:
        at = engine.clock()
        done = work(db, at)
        make_room(engine, db, at)
        journal.audit.worked("update", at=at)
        return done

    return engine.store.maintain(piece).result()


def make_room(engine: Engine, db: Connection, at: int) -> None:
    """Delete expired values, and the least recently used ones above the cap."""
    working.sweep(db, at=at)
    working.evict(db, most_bytes=_most_bytes(engine))


def _most_bytes(engine: Engine) -> int:
    return engine.settings.working_megabytes * MEGABYTE


def forget_expired(engine: Engine) -> float | None:
    """Delete expired values. Returns in how many seconds the next one expires, None if none will."""
    at = engine.clock()
    with engine.store.reading() as db:
        end = working.next_end(db)
    if end is not None and end <= at:
        engine.store.submit(lambda db: working.sweep(db, at=at)).result()
        with engine.store.reading() as db:
            end = working.next_end(db)
    return None if end is None else max(0.0, (end - at) / SECOND)


def read(engine: Engine, look: Look, *, author: str) -> list[Kept]:
    """Return the values alive. An agent's reading extends their lifetime; a person's reading changes nothing."""
    at = engine.clock()
    with engine.store.reading() as db:
        found = list(look(db, at))
    stale = [kept.key for kept in found if working.is_stale(kept, at)]
    lost = partial(log_failure, "working memory was read but its use could not be written down")
    if stale and author.startswith("agent:"):
        used = engine.store.submit(lambda db: working.touch(db, stale, at=at))
        used.add_done_callback(lost)
    if engine.settings.audit_level == "verbose":
        reading = engine.store.maintain(
            lambda _db, _index, journal: journal.audit.worked("retrieve", at=at, results=len(found))
        )
        reading.add_done_callback(lost)
    return found


def key_lookup(key: str) -> Look:
    """Return the function that looks up one key."""

    def look(db: Connection, at: int) -> Sequence[Kept]:
        kept = working.get(db, key, at=at)
        return () if kept is None else (kept,)

    return look


def value_of(name: str, held: Sequence[Kept]) -> WorkingValue:
    """Return the value found under a name, or the answer that there is none."""
    if not held:
        return WorkingValue(key=name, found=False)
    return WorkingValue(
        key=name, found=True, value=held[0].value, expires_at=optional_datetime(held[0].expires_at)
    )


def checked_name(name: str, what: str) -> str:
    """Return a key as it is stored. Raises BadAsk if it is empty or too long."""
    return tidied(name, what, KEY_CHARACTERS)


def check_value(value: Any, what: str, *, most_bytes: int = VALUE_BYTES) -> None:
    """Raise BadAsk for a value that is not JSON or too large."""
    try:
        size = len(json.dumps(value, ensure_ascii=False, allow_nan=False).encode())
    except (TypeError, ValueError):
        raise BadAsk(
            message("{what} is not JSON.", what=what), next=message("Send text, numbers, lists and objects.")
        ) from None
    if size > most_bytes:
        raise BadAsk(
            message(
                "{what} has {count} bytes; {most} at most.",
                what=what,
                count=f"{size:,}",
                most=f"{most_bytes:,}",
            ),
            next=message("Keep the whole in a file or a turn, and its place here."),
        )


def life(asked: int | None, default_s: int) -> int:
    """Return the seconds a value lives after its last use. Raises BadAsk if out of range."""
    if asked is not None and not 1 <= asked <= TTL_AT_MOST_S:
        raise BadAsk(message("ttl_seconds lies between 1 and {count}.", count=f"{TTL_AT_MOST_S:,}"))
    return default_s if asked is None else asked


LIST_BYTES = 262_144
"""Most bytes of the turns or thoughts of one conversation; beyond it the oldest are dropped, however few there are."""
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
    channel = semantic.current_channel(
        db, ask.user_id, tidied(ask.channel, message("A channel's name"), NAME_CHARACTERS)
    )
    if channel == GLOBAL and ask.conversation_id is not None:
        talk = records.get(db, CONVERSATION, ask.conversation_id)
        channel = talk.channel if talk is not None and talk.user_id == ask.user_id else channel
    return Spot(place=Place(user_id=ask.user_id, channel=channel, conversation_id=ask.conversation_id))


def place_lookup(ask: WorkingPlace, name: str) -> Look:
    """Return the function that looks up one key in the place of a request."""

    return lambda db, at: key_lookup(spot(db, ask).key(name))(db, at)


def add_stored_turns(engine: Engine, db: Connection, turns: Sequence[Turn], at: int) -> None:
    """Add turns that are being stored to their conversations' working memory. Runs on the writer thread."""
    talks: dict[tuple[str, str, str], list[int]] = {}
    # With what it had before counted as well: where that fits, nothing is to be read after the writing.
    most_used = working.bytes_used(db)
    for turn in turns:
        talks.setdefault((turn.user_id, turn.channel, turn.conversation_id), []).append(turn.seq)
    for (user_id, channel, conversation_id), seqs in talks.items():
        place = Place(user_id=user_id, channel=channel, conversation_id=conversation_id)
        most_used += push(engine, db, Spot(place=place), TURNS, seqs, at).bytes
    if most_used > _most_bytes(engine) and working.bytes_used(db) > _most_bytes(engine):
        make_room(engine, db, at)


def foresee_stored_turns(db: Connection, user_id: str, channel: str, conversation_id: str) -> None:
    """Read what `add_stored_turns` reads of a conversation, to be read ahead."""
    place = Place(user_id=user_id, channel=channel, conversation_id=conversation_id)
    working.get(db, Spot(place=place).key(TURNS), at=0)
    working.bytes_used(db)


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
        db,
        where.key(name),
        items,
        most=settings.working_turns,
        most_bytes=LIST_BYTES,
        at=at,
        ttl_s=settings.working_ttl_seconds,
        place=where.place,
    )


def add_turn(engine: Engine, ask: AddTurn) -> model.Kept:
    """Add a turn that is not stored to working memory. Raises BadAsk if it is empty or too large."""
    if not ask.content.strip():
        raise BadAsk(message("A turn without content says nothing."))
    turn = {
        "role": ask.role,
        "speaker": ask.speaker or ask.role,
        "content": ask.content,
        "metadata": ask.metadata,
    }
    check_value(turn, message("A turn"))

    def work(db: Connection, at: int) -> Kept:
        return push(engine, db, spot(db, ask), TURNS, ({**turn, "at": at},), at)

    return written_answer(write(engine, work))


def recent_turns(engine: Engine, ask: AskRecent, *, author: str) -> WorkingTurns:
    """Return the latest turns of a conversation, newest first."""
    check_limit(ask.limit, LIMIT_AT_MOST)
    held = read(engine, place_lookup(ask, TURNS), author=author)
    return WorkingTurns(turns=turns_of(engine, held, ask.user_id)[: ask.limit])


def turns_of(engine: Engine, held: Iterable[Kept], user_id: str) -> tuple[WorkingTurn, ...]:
    """Return the turns in these lists, in order, without those that were undone or retired."""
    items = [item for kept in held for item in kept.value]
    with engine.store.reading() as db:
        found = records.many(db, TURN, "seq", [item for item in items if isinstance(item, int)])
    stored = {turn.seq: turn for turn in found if turn.retired_at is None and turn.user_id == user_id}
    return tuple(
        _stored(stored[item]) if isinstance(item, int) else _unstored(item)
        for item in items
        if not isinstance(item, int) or item in stored
    )


def written_answer(kept: Kept) -> model.Kept:
    """Return the written key as the answer to its writer."""
    return model.Kept(key=kept.key, bytes=kept.bytes, expires_at=optional_datetime(kept.expires_at))


def _stored(turn: Turn) -> WorkingTurn:
    return WorkingTurn(
        id=turn.id,
        turn_index=turn.turn_index,
        role=turn.role,
        speaker=turn.speaker,
        content=turn.content,
        at=to_datetime(turn.created_at),
        metadata=json.loads(turn.metadata),
    )


def _unstored(item: dict[str, Any]) -> WorkingTurn:
    return WorkingTurn(
        role=item["role"],
        speaker=item["speaker"],
        content=item["content"],
        at=to_datetime(item["at"]),
        metadata=item["metadata"],
    )
