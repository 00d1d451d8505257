"""owner: the passphrase that confirms dangerous commands, and the place of the owner's token."""

from __future__ import annotations

import argparse
import sys

from memdesk.api import owner
from memdesk.cli.command import Command, Context
from memdesk.cli.confirming import asked
from memdesk.files.owner_key import move_to_file, move_to_keyring
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.message import message
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
        raise BadAsk(message("The two are not the same, so nothing was changed."))
    if not first:
        raise BadAsk(message("A passphrase has at least one letter."), next=message("--remove removes it."))
    return first


def _declare_keyring(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--back", action="store_true", help="move it back into its file")


def keep(context: Context) -> int:
    """Move the owner's token into the system's keyring, or back into its file.

    Needs the extra `keyring`. Commands and the window then need a session in which the keyring is unlocked."""
    file = context.desk.owner_token
    try:
        move_to_file(file) if context.args.back else move_to_keyring(file)
    except FileNotFoundError:
        raise NotFound(
            message("This desk has no owner's token yet."),
            next=message("The first start makes it: `memdesk open`."),
        ) from None
    where = str(file) if context.args.back else "the system's keyring"
    context.out.answer({"token": where}, [f"The owner's token is in {where}."])
    return 0


COMMANDS = (
    Command(name="owner passphrase", run=change, declare=_declare),
    Command(name="owner keyring", run=keep, declare=_declare_keyring),
)
