"""export: write memory into a file or folder that other programs, or another desk, can read."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from memdesk.api import exports
from memdesk.cli.command import Command, Context
from memdesk.cli.following import followed
from memdesk.cli.output import Output, moment, plain, tallied
from memdesk.model.errors import BadAsk
from memdesk.model.exports import AskExport, AskExportPreview, ExportFormats, ExportPreview
from memdesk.model.message import message
from memdesk.model.status import Nothing


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("format", nargs="?", metavar="FORMAT", help="which one; without it all are listed")
    parser.add_argument("path", nargs="?", metavar="PATH", help="a file or folder that is not there yet")
    parser.add_argument(
        "--kind",
        action="append",
        default=[],
        metavar="TYPE",
        help="only this type; may be given several times",
    )
    parser.add_argument("--since", type=moment, metavar="TIME", help="only what is from then on")
    parser.add_argument("--until", type=moment, metavar="TIME", help="only what is from before")
    parser.add_argument("--count", action="store_true", help="say what would go out; write nothing")
    parser.add_argument("--clear", action="store_true", help="an encrypted desk: yes, write a file in clear")
    parser.add_argument("--history", action="store_true", help="archive: with the journal, for reading")


def send(context: Context) -> int:
    """List the formats, or export memory to a file or folder. An archive has every user's memory, other
    formats the local user's, unless --user names one."""
    args = context.args
    if args.format is None:
        found = context.call(exports.FORMATS, Nothing())
        context.out.answer(found, _formats(context.out, found))
        return 0
    wanted = AskExportPreview(
        format=args.format,
        user_id=args.user,
        channel=args.channel,
        agents=(args.agent,) if args.agent else (),
        kinds=tuple(args.kind),
        since=args.since,
        until=args.until,
    )
    if args.count:
        counted = context.call(exports.PREVIEW, wanted)
        context.out.answer(counted, _counts(counted))
        return 0
    if args.path is None:
        raise BadAsk(
            message("Where should it be written?"),
            next=message("memdesk export {format} PATH", format=plain(args.format)),
        )
    path = str(Path(args.path).expanduser().absolute())
    ask = AskExport(**asdict(wanted), path=path, history=args.history, clear=args.clear)
    job = followed(context, context.call(exports.START, ask))
    context.out.answer(job, [plain(job.says), tallied(job.result)])
    return 0


def _counts(found: ExportPreview) -> Iterator[str]:
    yield f"Would go out: {tallied(found.goes)}."
    if found.stays:
        yield f"Has no room in it: {tallied(found.stays)}."
    yield plain(found.format.leaves)


def _formats(out: Output, found: ExportFormats) -> Iterator[str]:
    rows = [
        (row.name, row.suffix or "folder", "yes" if row.comes_back else "no", ", ".join(row.kinds), row.says)
        for row in found.rows
    ]
    yield from out.table(("FORMAT", "FILE", "COMES BACK", "TYPES", "WHAT IT IS"), rows)


COMMANDS = (Command(name="export", run=send, declare=_declare, scope=("channel", "user", "agent")),)
