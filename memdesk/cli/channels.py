"""channels: list, create, rename, merge, archive and restore channels."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeVar

from memdesk.api import channels
from memdesk.api.endpoint import Endpoint
from memdesk.cli.command import Command, Context
from memdesk.cli.jobs import follow
from memdesk.cli.output import Output, plain, tallied
from memdesk.client.client import Client
from memdesk.model.channel import (
    ArchiveChannel,
    ChannelChanged,
    ChannelInfo,
    ListChannels,
    MergeChannels,
    NewChannel,
    RenameChannel,
    RestoreChannel,
)
from memdesk.model.errors import BadAsk
from memdesk.model.status import JobState

Ask = TypeVar("Ask")
COLUMNS = ("CHANNEL", "FACTS", "ENTITIES", "CONVERSATIONS", "TURNS", "GOALS", "STRATEGIES", "")
_ONE, _TWO = ("create", "archive", "restore"), ("rename", "merge")
"""Actions by how many names they take."""


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", nargs="?", choices=tuple(ACTIONS), default="list", help="what to do (default: list)"
    )
    parser.add_argument("name", nargs="?", default="", metavar="NAME", help="which channel")
    parser.add_argument(
        "other", nargs="?", default="", metavar="OTHER", help="its new name, or what it goes into"
    )
    parser.add_argument("--archived", action="store_true", help="list: the archived ones too")
    parser.add_argument("--reason", default="", help="archive: why, for the audit log")


def manage(context: Context) -> int:
    """List the channels; create, rename, merge, archive or restore one. An old name still leads to the
    renamed channel."""
    args = context.args
    if args.action in (*_ONE, *_TWO) and not args.name:
        raise BadAsk(f"{args.action} takes the name of a channel.", next="`memdesk channels` lists them.")
    if args.action in _TWO and not args.other:
        raise BadAsk(f"{args.action} takes two names.", next=f"memdesk channels {args.action} NAME OTHER")
    return ACTIONS[args.action](context)


def _list(context: Context) -> int:
    found = context.call(channels.LIST, ListChannels(user_id=context.user, archived=context.args.archived))
    rows = [_row(info) for info in found.rows]
    context.out.listing(found, COLUMNS, rows, none="No channel yet; the first memory makes one.")
    return 0


def _row(info: ChannelInfo) -> tuple[str, ...]:
    counts = (info.facts, info.entities, info.conversations, info.turns, info.goals, info.strategies)
    state = f"on its way into {info.moving_to}" if info.moving_to else "archived" if info.archived_at else ""
    return (info.name, *(f"{number:,}" for number in counts), state)


def _create(context: Context) -> int:
    return _changed(context, channels.CREATE, NewChannel(name=context.args.name, user_id=context.user))


def _archive(context: Context) -> int:
    args = context.args
    ask = ArchiveChannel(channel=args.name, reason=args.reason, user_id=context.user)
    return _changed(context, channels.ARCHIVE, ask)


def _restore(context: Context) -> int:
    ask = RestoreChannel(channel=context.args.name, user_id=context.user)
    return _changed(context, channels.RESTORE, ask)


def _changed(context: Context, endpoint: Endpoint[Ask, ChannelChanged], ask: Ask) -> int:
    done = context.call(endpoint, ask)
    context.out.answer(done, [f"{plain(done.title)} (change {done.change})"])
    return 0


def _rename(context: Context) -> int:
    ask = RenameChannel(channel=context.args.name, name=context.args.other, user_id=context.user)
    return _followed(context, channels.RENAME, ask)


def _merge(context: Context) -> int:
    ask = MergeChannels(channel=context.args.name, into=context.args.other, user_id=context.user)
    return _followed(context, channels.MERGE, ask)


def _followed(context: Context, endpoint: Endpoint[Ask, JobState], ask: Ask) -> int:
    job = context.talk(lambda client: _carried_out(client, endpoint, ask, context.out))
    counts = {name.replace("_", " "): n for name, n in job.result.items() if name not in ("change", "run")}
    undo = f"`memdesk undo {job.result['change']} --run` takes it back."
    context.out.answer(job, [f"{plain(job.says)} Moved {tallied(counts)}. {undo}"])
    return 0


async def _carried_out(client: Client, endpoint: Endpoint[Ask, JobState], ask: Ask, out: Output) -> JobState:
    return await follow(client, await client.call(endpoint, ask), out)


ACTIONS: dict[str, Callable[[Context], int]] = {
    "list": _list,
    "create": _create,
    "rename": _rename,
    "merge": _merge,
    "archive": _archive,
    "restore": _restore,
}
COMMANDS = (
    Command(
        name="channels",
        says="list channels; make, rename, merge or archive one",
        run=manage,
        declare=_declare,
        scope=("user",),
    ),
)
