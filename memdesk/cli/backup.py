"""backup, copy, encrypt, decrypt: list the desk's backups, make one now, or restore one; copy the desk into a database,
and back; move it into encryption, and back into clear."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Iterator
from typing import TypeVar

from memdesk.api import backups
from memdesk.cli.command import Command, Context
from memdesk.cli.confirming import asked, confirm, unlock
from memdesk.cli.jobs import followed
from memdesk.cli.output import Output, counted, local, moment, plain
from memdesk.client import find
from memdesk.files.places import desk_at
from memdesk.model.backup import Backup, BackupList, RestoreBackup, RestoreOutcome
from memdesk.model.desk_keys import AskEncryption, EncryptionMoved
from memdesk.model.errors import BadAsk
from memdesk.model.message import message
from memdesk.model.status import Nothing

Answer = TypeVar("Answer")


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", nargs="?", choices=tuple(ACTIONS), default="list", help="what to do (default: list)"
    )
    parser.add_argument("name", nargs="?", default="", metavar="NAME", help="restore: which backup")
    parser.add_argument(
        "--at", type=moment, metavar="TIME", help="restore: the newest backup made by then, in place of NAME"
    )
    parser.add_argument("--yes", action="store_true", help="restore: do not ask for the name again")


def manage(context: Context) -> int:
    """List the backups, make and test one now, or restore one.

    Backups are made automatically every day and before every large operation. A restore stops the service,
    keeps the present desk as a backup, and puts the named backup in its place. It either succeeds completely
    or changes nothing. Files in workspaces are not changed."""
    return ACTIONS[context.args.action](context)


def _list(context: Context) -> int:
    found = context.rooms.backups(context.desk)
    context.out.answer(found, _lines(context.out, found))
    return 0


def _lines(out: Output, found: BackupList) -> Iterator[str]:
    if found.rows:
        rows = [
            (each.name, local(each.made_at), megabytes(each.bytes), _contents(each), _state(each))
            for each in found.rows
        ]
        yield from out.table(("BACKUP", "MADE", "SIZE", "HOLDS", "TESTED"), rows)
    together = f"{counted(len(found.rows), 'backup')}, {megabytes(found.bytes)} in {plain(found.folder)}"
    yield f"{together}; {megabytes(found.free_bytes)} are free."
    if not found.enabled:
        yield "No backup is made by itself: the setting backup_minutes is 0."
    if found.last_restore is not None:
        last = found.last_restore
        did = "restored" if last.ok else "could not restore"
        yield f"{local(last.at)}: {did} {plain(last.name)}. {plain(last.says)}"


def _contents(backup: Backup) -> str:
    names = (("fact", "facts"), ("entity", "entities"), ("turn", "turns"))
    return (
        ", ".join(counted(backup.counts.get(one, 0), one, many) for one, many in names)
        if backup.counts
        else ""
    )


def _state(backup: Backup) -> str:
    return "no" if backup.verified_at is None else local(backup.verified_at)


def megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB"


def _now(context: Context) -> int:
    job = followed(context, context.call(backups.MAKE, Nothing()))
    context.out.answer(job, [plain(job.says)])
    return 0


def _restore(context: Context) -> int:
    if bool(context.args.name) == (context.args.at is not None):
        raise BadAsk(
            message("Name a backup, or a moment with --at."),
            next=message("`memdesk backup list` shows those there are."),
        )
    confirm(context.desk, context.args.name or "restore", flag=context.args.yes)
    done = restored(context, RestoreBackup(name=context.args.name, at=context.args.at))
    context.out.answer(done, [f"Restored {plain(done.name)}.", plain(done.says)])
    return 0


def restored(context: Context, ask: RestoreBackup) -> RestoreOutcome:
    """Stop the service, restore a backup, and start the service again if it was running."""
    unlock(context.desk)
    return alone(context, lambda: context.rooms.restore(context.desk, ask))


def alone(context: Context, work: Callable[[], Answer]) -> Answer:
    """Run `work` while this process has exclusive use of the desk, through find.alone."""

    async def once() -> Answer:
        return work()

    return asyncio.run(find.alone(context.desk, once))


ACTIONS: dict[str, Callable[[Context], int]] = {"list": _list, "now": _now, "restore": _restore}


def _declare_copy(parser: argparse.ArgumentParser) -> None:
    place = "the folder of a desk, or the address of a PostgreSQL database"
    parser.add_argument("source", metavar="FROM", help=place)
    parser.add_argument("target", metavar="TO", help=f"{place}, without memory")


def copy(context: Context) -> int:
    """Copy a desk from a folder into a PostgreSQL database, or back: all memory with its ids, versions, journal and
    vectors, the settings and the agents' tokens.

    Neither desk may be in use. The journal's chain is verified at the end; killed at any moment, the copy is empty or
    complete. Backups, and files in workspaces, stay where they are."""
    done = context.rooms.copy(desk_at(context.args.source), desk_at(context.args.target))
    lines = [f"{counted(sum(done.rows.values()), 'row')} copied, and the journal holds to its end."]
    context.out.answer(done, [*lines, f"  newest change {done.hash or 'none'}"])
    return 0


BACKUP_CHOICES = ("keep", "move", "remove")


def _declare_decrypt(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--backups",
        choices=BACKUP_CHOICES,
        help="what becomes of the backups there are (asked for if left out)",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def _declare_encrypt(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--passphrase", action="store_true", help="ask for a passphrase, in place of the system's keyring"
    )
    _declare_decrypt(parser)


def encrypt(context: Context) -> int:
    """Encrypt the desk: its database, backups made from now on, and all else that it keeps of memory.

    Needs the extra `encryption`. The key is kept in the system's keyring, or with --passphrase encrypted with a
    passphrase, which is then asked for at each start of the service. Without key and passphrase nobody can read the
    desk again. Files in workspaces stay as they are, for agents read them. Killed at any moment, the desk is the old
    one or the new one."""
    confirm(context.desk, "encrypt", flag=context.args.yes)
    ask = AskEncryption(
        passphrase=_new_passphrase() if context.args.passphrase else "", backups=_backups(context)
    )
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


def _new_passphrase() -> str:
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
    Command(name="backup", run=manage, declare=_declare),
    Command(name="copy", run=copy, declare=_declare_copy),
    Command(name="encrypt", run=encrypt, declare=_declare_encrypt),
    Command(name="decrypt", run=decrypt, declare=_declare_decrypt),
)
