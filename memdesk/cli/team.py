"""team join: keep the token with which this computer's commands and window call a desk of another computer."""

from __future__ import annotations

import argparse

from memdesk.api import upkeep
from memdesk.cli.command import Command, Context
from memdesk.cli.confirming import asked
from memdesk.client.direct import DirectClient
from memdesk.files.atomic import write_atomic
from memdesk.files.places import desk_at
from memdesk.model.errors import BadAsk
from memdesk.model.message import message
from memdesk.model.status import Nothing


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("service", metavar="ADDRESS", help="its address: https://HOST:PORT")


def join(context: Context) -> int:
    """Keep the token that a desk's owner made for you, so that commands and the window of this account send it.

    The token is asked for, or read from a line of standard input, and tried before it is kept. `memdesk owner keyring
    --desk ADDRESS` moves it into the system's keyring. A program may give one in MEMDESK_TOKEN instead."""
    desk = desk_at(context.args.service)
    if desk.service is None:
        raise BadAsk(
            message("{service} is not the address of a desk's service.", service=context.args.service),
            next=message("It is https://HOST:PORT; http only on this computer."),
        )
    token = asked("The token: ").strip()
    if not token.isascii() or not token.isprintable() or not token:
        raise BadAsk(
            message("That is not a token."),
            next=message("`memdesk team invite NAME --role ROLE` prints one."),
        )
    DirectClient(desk, token=token).call(upkeep.STATUS, Nothing())
    write_atomic(desk.owner_token, f"{token}\n".encode())
    context.out.answer(
        {"service": desk.service, "token": str(desk.owner_token)},
        [f"Joined. `memdesk --desk {desk.service} open` shows it; MEMDESK_DESK names it for every command."],
    )
    return 0


COMMANDS = (Command(name="team join", run=join, declare=_declare),)
