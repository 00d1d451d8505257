"""encrypt, decrypt: move a desk into encryption, and back into clear."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from memdesk.cli.backup import alone
from memdesk.cli.command import Command, Context
from memdesk.cli.confirming import asked, confirm, unlock
from memdesk.cli.output import counted, plain
from memdesk.model.desk_keys import AskEncryption, EncryptionMoved
from memdesk.model.errors import BadAsk
from memdesk.model.message import message

CHOICES = ("keep", "move", "remove")


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--backups", choices=CHOICES, help="what becomes of the backups there are (asked for if left out)"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def _declare_encrypt(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--passphrase", action="store_true", help="ask for a passphrase, in place of the system's keyring"
    )
    _declare(parser)


def encrypt(context: Context) -> int:
    """Encrypt the desk: its database, backups made from now on, and all else that it keeps of memory.

    Needs the extra `encryption`. The key is kept in the system's keyring, or with --passphrase encrypted with a
    passphrase, which is then asked for at each start of the service. Without key and passphrase nobody can read the
    desk again. Files in workspaces stay as they are, for agents read them. Killed at any moment, the desk is the old
    one or the new one."""
    confirm(context.desk, "encrypt", flag=context.args.yes)
    ask = AskEncryption(passphrase=_new() if context.args.passphrase else "", backups=_backups(context))
    done = alone(context, lambda: context.rooms.encrypt(context.desk, ask))
    context.out.answer(done, _encrypted(done))
    return 0


def decrypt(context: Context) -> int:
    """Write an encrypted desk in clear. Killed at any moment, the desk is the old one or the new one."""
    confirm(context.desk, "decrypt", flag=context.args.yes)
    unlock(context.desk, backups=True)
    ask = AskEncryption(backups=_backups(context))
    done = alone(context, lambda: context.rooms.decrypt(context.desk, ask))
    context.out.answer(
        done, ["The desk is in clear.", *_kept(done, "are still encrypted, and their key is kept")]
    )
    return 0


def _backups(context: Context) -> str:
    """Return what becomes of the backups. Raises BadAsk where there are some and nothing was said."""
    found = sum(1 for _ in context.desk.backups.glob("*.db"))
    if context.args.backups or not found:
        return context.args.backups or "keep"
    raise BadAsk(
        message("This desk has {found}, which would stay as they are.", found=counted(found, "backup")),
        next=message(
            "Say what becomes of them: --backups move rewrites, remove deletes, keep leaves them as they are."
        ),
    )


def _new() -> str:
    first = asked("The new passphrase of the encryption: ")
    if not first:
        raise BadAsk(message("A passphrase has at least one letter."))
    if asked("Again: ") != first:
        raise BadAsk(message("The two are not the same, so nothing was changed."))
    return first


def _encrypted(done: EncryptionMoved) -> Iterator[str]:
    yield "The desk is encrypted."
    if done.key:
        yield "Its key is in the system's keyring. Keep a copy elsewhere: without it nobody can read the desk again."
        yield f"  {done.key}"
    else:
        yield "Its passphrase is asked for when the service starts. Without it nobody can read the desk again."
    yield from _kept(done, "are still in clear")
    for folder in done.in_clear:
        yield f"In clear as before: the files in {plain(folder)}, which agents read themselves."
    yield "Exports and copies made before are not changed."


def _kept(done: EncryptionMoved, state: str) -> Iterator[str]:
    if done.moved:
        yield f"Rewritten with it: {counted(len(done.moved), 'backup')}."
    if done.removed:
        yield f"Removed: {counted(len(done.removed), 'backup')}."
    if done.kept:
        yield f"These backups {state}: {', '.join(done.kept)}."


COMMANDS = (
    Command(name="encrypt", run=encrypt, declare=_declare_encrypt),
    Command(name="decrypt", run=decrypt, declare=_declare),
)
