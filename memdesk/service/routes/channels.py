"""Channels: created, archived and restored at once; renamed and merged by a job."""

from __future__ import annotations

from memdesk.api import channels as calls
from memdesk.engine.memory import channel_merge, channels
from memdesk.model.channel import MergeChannels, RenameChannel
from memdesk.model.status import JobState
from memdesk.service.app import DeskApp, answer
from memdesk.service.host import Host

CHANNELS = "channels"


def register(app: DeskApp, host: Host) -> None:
    engine = host.engine

    def rename(ask: RenameChannel, author: str) -> JobState:
        return host.acts.start(ask, author=author)

    def merge(ask: MergeChannels, author: str) -> JobState:
        return host.acts.start(ask, author=author)

    host.acts.learn(
        RenameChannel,
        CHANNELS,
        lambda ask, act, progress: channel_merge.rename_channel(
            engine, ask, author=act.author, progress=progress
        ),
    )
    host.acts.learn(
        MergeChannels,
        CHANNELS,
        lambda ask, act, progress: channel_merge.merge_channels(
            engine, ask, author=act.author, progress=progress
        ),
    )

    answer(app, calls.LIST, lambda ask, _: channels.list_channels(engine, ask))
    answer(app, calls.CREATE, lambda ask, author: channels.create_channel(engine, ask, author=author))
    answer(app, calls.RENAME, rename)
    answer(app, calls.MERGE, merge)
    answer(app, calls.ARCHIVE, lambda ask, author: channels.archive_channel(engine, ask, author=author))
    answer(app, calls.RESTORE, lambda ask, author: channels.restore_channel(engine, ask, author=author))
