"""Channels: list, create, rename, merge, archive and restore the scopes that memory belongs to."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint
from memdesk.model.channel import (
    ArchiveChannel,
    ChannelChanged,
    ChannelList,
    ListChannels,
    MergeChannels,
    NewChannel,
    RenameChannel,
    RestoreChannel,
)
from memdesk.model.status import JobState

LIST = Endpoint(
    "channels.list",
    "GET",
    ListChannels,
    ChannelList,
    "A user's channels with what they hold",
    verb="engine.memory.channels:list_channels",
)
CREATE = Endpoint(
    "channels.create",
    "POST",
    NewChannel,
    ChannelChanged,
    "Make a channel",
    owner=True,
    verb="engine.memory.channels:create_channel",
)
RENAME = Endpoint(
    "channels.rename",
    "POST",
    RenameChannel,
    JobState,
    "Start giving a channel another name",
    owner=True,
    verb="engine.memory.channel_merge:rename_channel",
    act="channels",
)
MERGE = Endpoint(
    "channels.merge",
    "POST",
    MergeChannels,
    JobState,
    "Start moving a channel into another",
    owner=True,
    verb="engine.memory.channel_merge:merge_channels",
    act="channels",
)
ARCHIVE = Endpoint(
    "channels.archive",
    "POST",
    ArchiveChannel,
    ChannelChanged,
    "Take a channel out of the lists",
    owner=True,
    verb="engine.memory.channels:archive_channel",
)
RESTORE = Endpoint(
    "channels.restore",
    "POST",
    RestoreChannel,
    ChannelChanged,
    "Bring an archived channel back",
    owner=True,
    verb="engine.memory.channels:restore_channel",
)
