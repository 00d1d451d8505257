"""Channels: created at first use, archived and restored, each in a separate change.

Undoing the first memory of a channel therefore keeps the channel."""

from __future__ import annotations

from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.wording import tidied
from memdesk.model.change import Change, Edit
from memdesk.model.channel import (
    CHANNEL,
    GLOBAL,
    ArchiveChannel,
    Channel,
    ChannelChanged,
    ChannelInfo,
    ChannelList,
    ListChannels,
    NewChannel,
    RestoreChannel,
)
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.instant import optional_datetime, to_datetime
from memdesk.model.kind import new_id
from memdesk.model.message import Message, message
from memdesk.store import browsing, records, semantic
from memdesk.store.connection import Connection

NAME_CHARACTERS = 100


def ensure_channel(engine: Engine, user_id: str, name: str, *, author: str) -> str:
    """Create the channel if the user has none of this name, and restore an archived one.

    Returns the name that memory is stored under: for a renamed or merged channel, the one it went into.
    Raises BadAsk for a bad name. Writing to an archived channel shows that it is in use; refusing would lose
    what an agent learned."""
    tidy = tidied(name, message("A channel's name"), NAME_CHARACTERS)

    def in_use(db: Connection) -> bool:
        known = channel_named(db, user_id, tidy)
        return known is not None and known.retired_at is None and known.moved_to is None

    if engine.store.kept(CHANNEL.table, (user_id, tidy), in_use):
        return tidy
    return engine.store.decide(lambda db: _ensured(engine, db, user_id, tidy, author))[1]


def create_channel(engine: Engine, ask: NewChannel, *, author: str) -> ChannelChanged:
    """Create a channel. Raises Conflict if the user has one of this name, archived or not.

    A name that only led to another channel may be used again."""
    name = tidied(ask.name, message("A channel's name"), NAME_CHARACTERS)

    def verb(db: Connection) -> tuple[Change | None, None]:
        known = channel_named(db, ask.user_id, name)
        edit = (
            new_channel_edit(engine, db, ask.user_id, name) if known is None else _reuse_name_edit(db, known)
        )
        return about_channel(
            "learn", message("Channel {name}", name=name), name, ask.user_id, author, edit
        ), None

    applied, _ = engine.store.decide(verb)
    return ChannelChanged(
        name=name, change=None if applied is None else applied.id, title=message("Channel {name}", name=name)
    )


def list_channels(engine: Engine, ask: ListChannels) -> ChannelList:
    """List a user's channels, `_global` first, with counts of the current records in each."""
    with engine.store.reading() as db:
        found = browsing.channels_of_user(db, ask.user_id, archived=ask.archived)
        counts = browsing.counts_by_channel(db, ask.user_id)
    return ChannelList(rows=tuple(_info(channel, counts.get(channel.name, {})) for channel in found))


def archive_channel(engine: Engine, ask: ArchiveChannel, *, author: str) -> ChannelChanged:
    """Remove a channel from the lists. Raises NotFound, BadAsk for `_global`, Conflict if it is archived already."""

    def move(channel: Channel) -> Edit:
        if channel.name == GLOBAL:
            raise BadAsk(message("_global cannot be archived: every recall reads it."))
        if channel.moved_to is not None or channel.retired_at is not None:
            raise Conflict(
                message(
                    "Channel {channel} is archived already, or on its way into another.", channel=channel.name
                )
            )
        return records.update_edit(CHANNEL, channel, retired_at=engine.clock())

    details = {"reason": ask.reason} if ask.reason else {}
    return _apply_channel_change(
        engine, ask.user_id, ask.channel, move, did=message("Archived"), author=author, op="retire", **details
    )


def restore_channel(engine: Engine, ask: RestoreChannel, *, author: str) -> ChannelChanged:
    """Restore an archived channel. Raises NotFound, Conflict if it is not archived."""

    def move(channel: Channel) -> Edit:
        if channel.moved_to is not None:
            raise Conflict(
                message(
                    "Channel {channel} went into {moved_to}.", channel=channel.name, moved_to=channel.moved_to
                ),
                next=message("Take that back in the timeline."),
            )
        if channel.retired_at is None:
            raise Conflict(message("Channel {channel} is not archived.", channel=channel.name))
        return records.update_edit(CHANNEL, channel, retired_at=None)

    return _apply_channel_change(
        engine, ask.user_id, ask.channel, move, did=message("Restored"), author=author, op="update"
    )


def channel_named(db: Connection, user_id: str, name: str) -> Channel | None:
    """Return the channel of this name, even if it is archived or went into another."""
    found = records.find(db, CHANNEL, user_id=user_id, name=name, limit=1)
    return found[0] if found else None


def need_channel(db: Connection, user_id: str, name: str) -> Channel:
    """Return the channel of this name, like channel_named. Raises NotFound if there is none."""
    found = channel_named(db, user_id, " ".join(name.split()))
    if found is None:
        raise NotFound(
            message("There is no channel {channel}.", channel=name[:NAME_CHARACTERS]),
            next=message("`memdesk channels` lists them."),
        )
    return found


def new_channel_edit(
    engine: Engine, db: Connection, user_id: str, name: str, *, number: int | None = None
) -> Edit:
    """Return the edit that creates a channel, with the next free colour number unless it takes over another's."""
    now = engine.clock()
    if number is None:
        number = 0 if name == GLOBAL else 1 + semantic.highest_channel_number(db, user_id)
    channel = Channel(
        seq=engine.store.new_seq(),
        id=new_id(CHANNEL.prefix, now),
        user_id=user_id,
        name=name,
        number=number,
        created_at=now,
    )
    return records.creation_edit(CHANNEL, channel)


def about_channel(
    op: str, title: Message, name: str, user_id: str, author: str, edit: Edit, **details: Any
) -> Change:
    """Return the change to one channel."""
    return Change(
        op=op,
        layer="workspace",
        title=title,
        author=author,
        channel=name,
        user_id=user_id,
        edits=(edit,),
        details=details,
    )


def _ensured(
    engine: Engine, db: Connection, user_id: str, name: str, author: str
) -> tuple[Change | None, str]:
    standing = semantic.current_channel(db, user_id, name)
    known = channel_named(db, user_id, standing)
    if known is None:
        edit = new_channel_edit(engine, db, user_id, standing)
        return about_channel(
            "learn", message("Channel {name}", name=standing), standing, user_id, author, edit
        ), standing
    if known.retired_at is None:
        return None, standing
    title = message("Channel {standing} is back: it was written to", standing=standing)
    back = records.update_edit(CHANNEL, known, retired_at=None)
    return about_channel("update", title, standing, user_id, author, back), standing


def _apply_channel_change(
    engine: Engine, user_id: str, name: str, move: Any, *, did: str, author: str, op: str, **details: Any
) -> ChannelChanged:
    def verb(db: Connection) -> tuple[Change | None, Channel]:
        channel = need_channel(db, user_id, name)
        title = message("{did} channel {channel}", did=did, channel=channel.name)
        return about_channel(op, title, channel.name, user_id, author, move(channel), **details), channel

    applied, channel = engine.store.decide(verb)
    return ChannelChanged(
        name=channel.name,
        change=None if applied is None else applied.id,
        title=message("{did} channel {channel}", did=did, channel=channel.name),
    )


def _reuse_name_edit(db: Connection, known: Channel) -> Edit:
    """Return the edit that reuses the name of a channel that went into another. Raises Conflict for any other name."""
    if known.retired_at is None or known.moved_to is None:
        if known.retired_at is None:
            raise Conflict(
                message("There is a channel {known} already.", known=known.name),
                next=message("Use it, or take another name."),
            )
        raise Conflict(
            message("There is a channel {known} already, archived.", known=known.name),
            next=message("Restore it, or take another name."),
        )
    number = 1 + semantic.highest_channel_number(db, known.user_id)
    return records.update_edit(CHANNEL, known, retired_at=None, moved_to=None, number=number)


def _info(channel: Channel, counts: dict[str, int]) -> ChannelInfo:
    kinds = ("conversations", "turns", "facts", "entities", "goals", "strategies")
    return ChannelInfo(
        name=channel.name,
        number=channel.number,
        created_at=to_datetime(channel.created_at),
        archived_at=optional_datetime(channel.retired_at),
        moving_to=channel.moved_to,
        **{kind: counts.get(kind, 0) for kind in kinds},
    )
