"""erase: the only command that cannot be undone, so it asks for the user's name twice."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from memdesk.api import curation
from memdesk.cli.command import Command, Context
from memdesk.cli.following import followed
from memdesk.cli.output import plain
from memdesk.model.curation import EraseUser
from memdesk.model.errors import BadAsk
from memdesk.model.message import message
from memdesk.model.status import JobState


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("erased", metavar="USER", help="whose memory")
    parser.add_argument(
        "--confirm", metavar="USER", default="", help="the same name again; else it is asked for"
    )
    parser.add_argument(
        "--backups", action="store_true", help="also delete every backup that holds anything of them"
    )


def erase(context: Context) -> int:
    """Erase everything kept about one user, permanently: memory, conversations, history and logs.

    A backup is made just before, so that a mistake can be corrected; older backups erase the user again when
    they are restored. With --backups no backup is made, and every backup that contains the user is deleted,
    including all other data in it."""
    name = context.args.erased
    confirm = context.args.confirm or _repeated(name)
    if confirm != name:
        raise BadAsk(
            message("The name was not repeated, so nothing was erased."),
            next=message("memdesk erase {name} --confirm NAME", name=plain(name)),
        )
    ask = EraseUser(user_id=name, confirm=confirm, backups=context.args.backups)
    job = followed(context, context.call(curation.ERASE_USER, ask))
    context.out.answer(job, [plain(line) for line in (*job.says.splitlines(), *_about_backups(job))])
    return 0


def _about_backups(job: JobState) -> Iterator[str]:
    if kept := job.result.get("backup"):
        yield f"The backup {kept} was made just before: restoring it brings the user back; older ones do not."
    if removed := job.result.get("removed"):
        yield f"Deleted the backups that held it: {', '.join(removed)}."


def _repeated(name: str) -> str:
    """Ask on the terminal for the name again and return the answer; "" where there is no terminal."""
    if not sys.stdin.isatty():
        return ""
    print(
        f"This cannot be taken back. Type {plain(name)} again to erase it: ",
        end="",
        file=sys.stderr,
        flush=True,
    )
    return sys.stdin.readline().strip()


COMMANDS = (Command(name="erase", run=erase, declare=_declare),)
