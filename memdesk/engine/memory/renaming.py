"""Rename of a channel, and merge of a channel into another: their conditions, and the start of the move."""

from __future__ import annotations

from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory.channels import NAME_CHARACTERS, channel_named, need_channel, newborn
from memdesk.engine.memory.journey import Journey
from memdesk.engine.progress import Progress
from memdesk.engine.wording import tidied
from memdesk.model.change import Edit
from memdesk.model.channel import CHANNEL, Channel
from memdesk.model.channels import MergeChannels, RenameChannel
from memdesk.model.errors import Conflict
from memdesk.store import records
from memdesk.store.connection import Connection


def rename_channel(engine: Engine, ask: RenameChannel, *, author: str, progress: Progress) -> dict[str, Any]:
    """Rename a channel. Returns counts of moved records and the last change.

    Raises BadAsk for `_global` or a bad name, NotFound, Conflict if another channel has the name."""
    name = tidied(ask.name, "A channel's name", NAME_CHARACTERS)

    def begin(db: Connection, source: Channel) -> list[Edit]:
        taken = channel_named(db, ask.user_id, name)
        if taken is None:
            return [newborn(engine, db, ask.user_id, name, number=source.number)]
        if taken.moved_to is None:
            raise Conflict(f"There is a channel {name} already.", next="Merge the two instead.")
        return [records.moved(CHANNEL, taken, retired_at=None, moved_to=None, number=source.number)]

    journey = Journey(
        engine=engine, user_id=ask.user_id, name=ask.channel, to=name, verb="renamed to", author=author
    )
    return journey.go(begin, progress)


def merge_channels(engine: Engine, ask: MergeChannels, *, author: str, progress: Progress) -> dict[str, Any]:
    """Move all records of a channel into another. Returns counts of moved records and the last change.

    Of two facts with the same claim the older is kept and gains the other's sources; entities of the same
    name become one. Raises BadAsk if either is `_global`, NotFound, Conflict if either is archived."""
    into = " ".join(ask.into.split())

    def begin(db: Connection, source: Channel) -> list[Edit]:
        target = need_channel(db, ask.user_id, into)
        if target.retired_at is not None or target.moved_to is not None:
            raise Conflict(f"Channel {into} is archived, or went into another.", next="Restore it first.")
        return []

    journey = Journey(
        engine=engine, user_id=ask.user_id, name=ask.channel, to=into, verb="merged into", author=author
    )
    return journey.go(begin, progress)
