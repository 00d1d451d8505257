"""import: bring a folder, a transcript or another program's export in, after showing what would come."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memdesk.cli.command import Command, Context
from memdesk.cli.jobs import follow
from memdesk.cli.output import Output, counted, plain, tallied
from memdesk.client.client import Client
from memdesk.contract import workspace
from memdesk.model.status import JobState
from memdesk.model.workspace import AskImport, ImportPreview

ITEMS_SHOWN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What `import --json` prints: the preview, and the job that followed it if one did."""

    preview: ImportPreview
    job: JobState | None


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path",
        metavar="PATH",
        help="a folder of markdown, a transcript, an archive, or another program's export",
    )
    parser.add_argument("--preview", action="store_true", help="only show what would come in")
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")
    parser.add_argument(
        "--copy", action="store_true", help="copy a folder onto the desk; else it stays where it is"
    )


def bring_in(context: Context) -> int:
    """Preview an import, ask, carry it out, and print what came in."""
    args = context.args
    ask = AskImport(
        path=str(Path(args.path).expanduser().absolute()),
        channel=args.channel,
        user_id=context.user,
        agent_id=args.agent,
        copy=args.copy,
    )
    preview = context.call(workspace.PREVIEW_IMPORT, ask)
    if not context.out.json:
        context.out.answer(preview, _preview_lines(preview))
    if args.preview or not preview.items or not _agreed(context):
        return _left_out(context, preview)
    job = context.talk(lambda client: _carry_out(client, ask, context.out))
    context.out.answer(Imported(preview=preview, job=job), [f"Brought in: {tallied(job.result)}."])
    return 0


async def _carry_out(client: Client, ask: AskImport, out: Output) -> JobState:
    return await follow(client, await client.call(workspace.IMPORT, ask), out)


def _left_out(context: Context, preview: ImportPreview) -> int:
    if context.out.json:
        context.out.answer(Imported(preview=preview, job=None), ())
    elif not preview.items:
        context.out.note("There is nothing new to bring in.")
    elif not context.args.preview:
        context.out.note("Nothing was brought in.")
    return 0


def _agreed(context: Context) -> bool:
    """Ask on a terminal; a script has made up its mind."""
    if context.args.yes or context.out.json or not sys.stdin.isatty():
        return True
    context.out.err.write("Bring this in? [y/N] ")
    context.out.err.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _preview_lines(preview: ImportPreview) -> Iterator[str]:
    yield f"{plain(preview.says) or preview.format} ({plain(preview.path)})"
    whose = f", agent {plain(preview.agent_id)}" if preview.agent_id else ""
    yield f"  into channel {plain(preview.channel)}{whose}"
    for item in preview.items[:ITEMS_SHOWN]:
        parts = (
            counted(item.turns, "turn") if item.turns else "",
            counted(item.facts, "fact") if item.facts else "",
        )
        yield f"  + {plain(item.name)}: {', '.join((plain(item.what), *filter(None, parts)))}"
    if len(preview.items) > ITEMS_SHOWN:
        yield f"  … and {len(preview.items) - ITEMS_SHOWN:,} more"
    for skipped in preview.skipped[:ITEMS_SHOWN]:
        yield f"  - {plain(skipped.name)}: {plain(skipped.why)}"
    if len(preview.skipped) > ITEMS_SHOWN:
        yield f"  … and {len(preview.skipped) - ITEMS_SHOWN:,} more left out; --json lists them all"
    yield f"  {tallied(preview.counts)}"


COMMANDS = (
    Command(
        name="import",
        says="bring memory in from files",
        run=bring_in,
        declare=_declare,
        scope=("channel", "user", "agent"),
    ),
)
