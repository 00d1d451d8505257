"""Channels: the scopes of memory. `_global` is read together with every other channel."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.kind import Kind
from memdesk.model.message import Message
from memdesk.model.names import FilledName, Name

GLOBAL = "_global"
LOCAL_USER = "local"


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """Channel of a user. `number` picks its colour permanently: 0 is `_global`, the first project is 1.

    retired_at: since when it is archived, or merged into another. moved_to: the name of the channel its
    memory moved to; callers that still use this name read and write there."""

    seq: int
    id: str
    user_id: str
    name: str
    number: int
    created_at: int
    retired_at: int | None = None
    moved_to: str | None = None


CHANNEL = Kind(
    name="channel",
    prefix="ch",
    table="channels",
    record=Channel,
    label="Channel",
    layer="workspace",
    title="name",
    subject_rank=19,
    unique=(("user_id", "name"),),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListChannels:
    """Request for the channels of a user. archived: include archived ones."""

    user_id: FilledName = LOCAL_USER
    archived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelInfo:
    """Channel with counts of its current memory. `number` picks its colour: 0 is `_global`.

    archived_at: since when it is not listed. moving_to: the channel to which its memory is being moved by a
    rename or merge that has not finished."""

    name: str
    number: int
    created_at: datetime
    archived_at: datetime | None
    moving_to: str | None
    conversations: int
    turns: int
    facts: int
    entities: int
    goals: int
    strategies: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelList:
    """Channels, `_global` first, then in order of creation."""

    rows: tuple[ChannelInfo, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewChannel:
    name: Name
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameChannel:
    """Request to rename a channel. It keeps its colour, and callers that use the old name still reach it."""

    channel: FilledName
    name: Name
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeChannels:
    """Request to move all memory of a channel into another. Duplicates are merged; the old name leads to the
    other channel."""

    channel: FilledName
    into: Name
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveChannel:
    """Request to remove a channel from the lists and from recalls of every channel. The next write to it
    restores it."""

    channel: FilledName
    reason: str = ""
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreChannel:
    channel: FilledName
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelChanged:
    """Result of a change to a channel. `change` is the audit entry, None when nothing had to change."""

    name: str
    change: int | None
    title: Message
