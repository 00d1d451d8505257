"""What is done with channels as a whole, and how they are listed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class ListChannels:
    """archived: the archived ones as well."""

    user_id: str = LOCAL_USER
    archived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelInfo:
    """A channel with counts of what is current in it. `number` picks its colour: 0 is `_global`.

    archived_at: since when it is out of the lists. moving_to: the channel its memory is on the way to, when a rename or
    a merge was begun and not finished.
    """

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
    """`_global` first, then in the order they were made."""

    rows: tuple[ChannelInfo, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewChannel:
    name: str
    user_id: str = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameChannel:
    """Give a channel another name. It keeps its colour, and who still uses the old name reaches it."""

    channel: str
    name: str
    user_id: str = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeChannels:
    """Move everything of a channel into another. What both hold becomes one; the old name leads to the other."""

    channel: str
    into: str
    user_id: str = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveChannel:
    """Take a channel out of the lists and of recalls of every channel. The next write to it brings it back."""

    channel: str
    reason: str = ""
    user_id: str = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreChannel:
    channel: str
    user_id: str = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelChanged:
    """`change` is the audit entry, None when the channel was so already."""

    name: str
    change: int | None
    title: str
