"""Channels: list, create, rename, merge, archive and restore the scopes that memory belongs to."""

from __future__ import annotations

from typing import Any

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

LIST = Endpoint("channels.list", "GET", ListChannels, ChannelList, "A user's channels with what they hold")
CREATE = Endpoint("channels.create", "POST", NewChannel, ChannelChanged, "Make a channel", owner=True)
RENAME = Endpoint(
    "channels.rename", "POST", RenameChannel, JobState, "Start giving a channel another name", owner=True
)
MERGE = Endpoint(
    "channels.merge", "POST", MergeChannels, JobState, "Start moving a channel into another", owner=True
)
ARCHIVE = Endpoint(
    "channels.archive", "POST", ArchiveChannel, ChannelChanged, "Take a channel out of the lists", owner=True
)
RESTORE = Endpoint(
    "channels.restore", "POST", RestoreChannel, ChannelChanged, "Bring an archived channel back", owner=True
)

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (LIST, CREATE, RENAME, MERGE, ARCHIVE, RESTORE)
