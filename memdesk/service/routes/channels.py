"""Channels: created, archived and restored at once; renamed and merged by a job."""

from __future__ import annotations

from memdesk.contract import channels as contract
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

    answer(app, contract.LIST, lambda ask, _: channels.list_channels(engine, ask))
    answer(app, contract.CREATE, lambda ask, author: channels.create_channel(engine, ask, author=author))
    answer(app, contract.RENAME, rename)
    answer(app, contract.MERGE, merge)
    answer(app, contract.ARCHIVE, lambda ask, author: channels.archive_channel(engine, ask, author=author))
    answer(app, contract.RESTORE, lambda ask, author: channels.restore_channel(engine, ask, author=author))
