"""Channels: list, create, rename, merge, archive and restore the scopes that memory belongs to."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
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
from memdesk.model.team import CURATOR, OWNER, READER

LIST = Get(
    "channels.list",
    ListChannels,
    ChannelList,
    "A user's channels with what they hold",
    "memory.channels:list_channels",
    role=READER,
    face=Face(
        "channels list",
        about="List the channels.",
        columns="CHANNEL {name} | FACTS {facts:,} | ENTITIES {entities:,} | CONVERSATIONS {conversations:,}"
        " | TURNS {turns:,} | GOALS {goals:,} | STRATEGIES {strategies:,}"
        " | {moving_to:?on its way into {moving_to}}{archived_at:?archived}",
        none="No channel yet; the first memory makes one.",
    ),
)
CREATE = Post(
    "channels.create",
    NewChannel,
    ChannelChanged,
    "Make a channel",
    "memory.channels:create_channel",
    role=CURATOR,
    face=Face("channels create", positional=("name",), line="{title} (change {change})"),
)
RENAME = Post(
    "channels.rename",
    RenameChannel,
    JobState,
    "Start giving a channel another name",
    "memory.channel_merge:rename_channel",
    role=OWNER,
    act="channels",
    face=Face(
        "channels rename",
        about="Rename a channel. Its old name still leads to it.",
        positional=("channel", "name"),
        help={"channel": "which channel", "name": "its new name"},
        line="{says} Moved {counts}. `memdesk undo {result[change]} --run` takes it back.",
    ),
)
MERGE = Post(
    "channels.merge",
    MergeChannels,
    JobState,
    "Start moving a channel into another",
    "memory.channel_merge:merge_channels",
    role=OWNER,
    act="channels",
    face=Face(
        "channels merge",
        about="Move all records of a channel into another.",
        positional=("channel", "into"),
        help={"channel": "the channel that is emptied"},
        line="{says} Moved {counts}. `memdesk undo {result[change]} --run` takes it back.",
    ),
)
ARCHIVE = Post(
    "channels.archive",
    ArchiveChannel,
    ChannelChanged,
    "Take a channel out of the lists",
    "memory.channels:archive_channel",
    role=CURATOR,
    face=Face(
        "channels archive",
        positional=("channel",),
        help={"channel": "which channel"},
        line="{title} (change {change})",
    ),
)
RESTORE = Post(
    "channels.restore",
    RestoreChannel,
    ChannelChanged,
    "Bring an archived channel back",
    "memory.channels:restore_channel",
    role=CURATOR,
    face=Face(
        "channels restore",
        positional=("channel",),
        help={"channel": "which channel"},
        line="{title} (change {change})",
    ),
)
