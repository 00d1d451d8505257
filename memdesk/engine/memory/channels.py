"""Channels come into being at first use, in a change of their own: taking back what was first said in one keeps it."""

from __future__ import annotations

from memdesk.engine.engine import Engine
from memdesk.engine.wording import tidied
from memdesk.model.change import Change
from memdesk.model.channel import CHANNEL, GLOBAL, Channel
from memdesk.model.ids import new_id
from memdesk.store import records, semantic
from memdesk.store.connection import Connection

NAME_CHARACTERS = 100


def ensure_channel(engine: Engine, user_id: str, name: str, *, author: str) -> str:
    """Make the channel where the user has none of this name; returns the name as kept. Raises BadAsk for a bad name."""
    tidy = tidied(name, "A channel's name", NAME_CHARACTERS)
    with engine.store.reading() as db:
        if _known(db, user_id, tidy):
            return tidy

    def verb(db: Connection) -> tuple[Change | None, None]:
        if _known(db, user_id, tidy):
            return None, None
        now = engine.clock()
        channel = Channel(
            seq=engine.store.new_seq(), id=new_id(CHANNEL.prefix, now), user_id=user_id, name=tidy,
            number=0 if tidy == GLOBAL else 1 + semantic.highest_channel_number(db, user_id), created_at=now,
        )  # fmt: skip
        return Change(
            op="learn", layer="workspace", title=f"Channel {tidy}", author=author, channel=tidy, user_id=user_id,
            edits=(records.born(CHANNEL, channel),),
        ), None  # fmt: skip

    engine.store.decide(verb)
    return tidy


def _known(db: Connection, user_id: str, name: str) -> bool:
    return bool(records.find(db, CHANNEL, user_id=user_id, name=name, limit=1))
