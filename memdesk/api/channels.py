"""Channels: list, create, rename, merge, archive and restore the scopes that memory belongs to."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint, Face
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
    face=Face(
        words="channels list",
        about="List the channels.",
        help={"archived": "the archived ones too"},
        columns=(
            ("CHANNEL", "{name}"),
            ("FACTS", "{facts:,}"),
            ("ENTITIES", "{entities:,}"),
            ("CONVERSATIONS", "{conversations:,}"),
            ("TURNS", "{turns:,}"),
            ("GOALS", "{goals:,}"),
            ("STRATEGIES", "{strategies:,}"),
            ("", "{moving_to:?on its way into }{moving_to}{archived_at:?archived}"),
        ),
        none="No channel yet; the first memory makes one.",
    ),
)
CREATE = Endpoint(
    "channels.create",
    "POST",
    NewChannel,
    ChannelChanged,
    "Make a channel",
    owner=True,
    verb="engine.memory.channels:create_channel",
    face=Face(
        words="channels create",
        positional=("name",),
        help={"name": "its name"},
        line="{title} (change {change})",
    ),
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
    face=Face(
        words="channels rename",
        about="Rename a channel. Its old name still leads to it.",
        positional=("channel", "name"),
        help={"channel": "which channel", "name": "its new name"},
        line="{says} Moved {counts}. `memdesk undo {result[change]} --run` takes it back.",
    ),
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
    face=Face(
        words="channels merge",
        about="Move all records of a channel into another.",
        positional=("channel", "into"),
        help={"channel": "which channel", "into": "what it goes into"},
        line="{says} Moved {counts}. `memdesk undo {result[change]} --run` takes it back.",
    ),
)
ARCHIVE = Endpoint(
    "channels.archive",
    "POST",
    ArchiveChannel,
    ChannelChanged,
    "Take a channel out of the lists",
    owner=True,
    verb="engine.memory.channels:archive_channel",
    face=Face(
        words="channels archive",
        positional=("channel",),
        help={"channel": "which channel"},
        line="{title} (change {change})",
    ),
)
RESTORE = Endpoint(
    "channels.restore",
    "POST",
    RestoreChannel,
    ChannelChanged,
    "Bring an archived channel back",
    owner=True,
    verb="engine.memory.channels:restore_channel",
    face=Face(
        words="channels restore",
        positional=("channel",),
        help={"channel": "which channel"},
        line="{title} (change {change})",
    ),
)
