"""revoke, erase: take all that descends from a source out of memory, or erase all of a user, which no undo restores."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from memdesk.api import curation
from memdesk.cli.command import Command, Context
from memdesk.cli.following import followed
from memdesk.cli.output import plain, tallied
from memdesk.model.curation import Descendant, EraseUser, Revocation, RevocationPreview
from memdesk.model.errors import BadAsk
from memdesk.model.message import message
from memdesk.model.status import JobState


def _declare_erase(parser: argparse.ArgumentParser) -> None:
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
    including all other data in it. Of a desk in PostgreSQL none is made, and dumps of the database keep the user."""
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


ROWS_SHOWN = 12
FLAGS = {
    "session": ("ID", "an agent's session"),
    "conversation": ("ID", "a conversation"),
    "from-agent": ("NAME", "all that an agent stored"),
    "run": ("ID", "an import or a job"),
    "file": ("PATH", "a file of a workspace; it is removed, and undo brings it back"),
    "tool": ("NAME", "the output of a tool"),
}


def _declare(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group(required=True)
    for name, (metavar, says) in FLAGS.items():
        source.add_argument(f"--{name}", metavar=metavar, help=says)
    parser.add_argument("--look", action="store_true", help="only show what would go")
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")
    parser.add_argument("--reason", default="", help="why, for the audit log")


def revoke(context: Context) -> int:
    """Take out everything that descends from a source: what was stored by it, read from it, merged, promoted and
    summarised. One undo brings it back; what went is not learned again."""
    args = context.args
    kind, source = next(
        (name, given) for name in FLAGS if (given := getattr(args, name.replace("-", "_"))) is not None
    )
    if kind == "file":
        source = str(Path(source).expanduser().absolute())
    ask = Revocation(
        source_kind=kind.removeprefix("from-"), source=source, user_id=context.user, reason=args.reason
    )
    found = context.call(curation.PREVIEW_REVOCATION, ask)
    if args.look or not context.out.json:
        context.out.answer(found, _lines(found))
    if args.look:
        return 0
    if not (args.yes or context.out.json) and sys.stdin.isatty() and not _agreed(context):
        context.out.note("Nothing was taken out.")
        return 0
    job = followed(context, context.call(curation.REVOKE, ask))
    context.out.answer(
        job, [plain(job.says), f"`memdesk undo {job.result.get('change')} --run` brings it back."]
    )
    return 0


def _agreed(context: Context) -> bool:
    context.out.err.write("Take this out? [y/N] ")
    context.out.err.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _lines(found: RevocationPreview) -> Iterator[str]:
    yield f"{plain(found.title)}: {tallied(found.counts)}"
    yield from _some("-", found.rows)
    yield from (f"  - {plain(path)}: the file is removed" for path in found.files)
    yield from _some("=", found.stays)
    yield from _some("+", found.returns)


def _some(mark: str, rows: tuple[Descendant, ...]) -> Iterator[str]:
    for row in rows[:ROWS_SHOWN]:
        yield f"  {mark} {row.kind} {plain(row.id)} {plain(row.title)} ({plain(row.why)})"
    if len(rows) > ROWS_SHOWN:
        yield f"  {mark} … and more; --json lists {len(rows):,}"


COMMANDS = (
    Command(name="revoke", run=revoke, declare=_declare, scope=("user",)),
    Command(name="erase", run=erase, declare=_declare_erase),
)
