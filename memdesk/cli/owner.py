"""owner: set or remove the passphrase that confirms dangerous commands."""

from __future__ import annotations

import argparse
import sys

from memdesk.api import owner
from memdesk.cli.command import Command, Context
from memdesk.cli.confirming import asked
from memdesk.model.errors import BadAsk
from memdesk.model.owner import NewPassphrase


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--remove", action="store_true", help="ask for none any more")


def change(context: Context) -> int:
    """Set or remove the passphrase that erasing, restoring, exporting, tokens and grants ask for.

    The window does not ask: who sits at it sees what is done. Only a hash is kept, in the desk's folder. A program that
    runs as you can delete that file: the passphrase stops mistakes and agents, not an attacker with your account."""
    new = "" if context.args.remove else _new()
    said = context.call(owner.PASSPHRASE, NewPassphrase(passphrase=new))
    context.out.answer(
        said, ["The passphrase is set." if said.is_set else "There is no passphrase any more."]
    )
    return 0


def _new() -> str:
    first = asked("The new passphrase: ")
    if sys.stdin.isatty() and asked("Again: ") != first:
        raise BadAsk("The two are not the same, so nothing was changed.")
    if not first:
        raise BadAsk("A passphrase has at least one letter.", next="--remove removes it.")
    return first


COMMANDS = (Command(name="owner passphrase", run=change, declare=_declare),)
