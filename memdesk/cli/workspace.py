"""import, export, workspaces, prompt: import a folder, a transcript or another program's export after a preview; write
memory into a file; list workspaces; print prompt sections."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path

from memdesk.api import exports, workspace
from memdesk.api.endpoint import Endpoint
from memdesk.cli.command import Command, Context
from memdesk.cli.jobs import followed
from memdesk.cli.output import YES, Output, counted, moment, plain, tallied
from memdesk.files.atomic import write_fetched
from memdesk.model.errors import BadAsk
from memdesk.model.interop import (
    ALL,
    AskExport,
    AskExportPreview,
    AskImport,
    ExportFormats,
    ExportPreview,
    FetchExport,
    ImportPreview,
)
from memdesk.model.message import message
from memdesk.model.status import JobState, Nothing
from memdesk.model.workspace_files import AskPrompt, AskRecallSection, PromptText


def _declare_export(parser: argparse.ArgumentParser) -> None:
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
    if context.desk.service is not None:
        return _fetch(context, FetchExport(**asdict(wanted), clear=args.clear), Path(path))
    ask = AskExport(**asdict(wanted), path=path, history=args.history, clear=args.clear)
    job = followed(context, context.call(exports.START, ask))
    context.out.answer(job, [plain(job.says), tallied(job.result)])
    return 0


def _fetch(context: Context, ask: FetchExport, path: Path) -> int:
    """Export memory of a desk on another computer to a file or folder of this one."""
    if context.args.history:
        raise BadAsk(
            message("The journal goes out on the desk's own computer only."),
            next=message("Leave --history out."),
        )
    found = context.call(exports.FETCH, ask)
    write_fetched(path, found.data, folder=found.folder)
    says = message("Written to {path}.", path=path)
    context.out.answer(replace(found, data=""), [plain(says), tallied(found.counts)])
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


ITEMS_SHOWN = 12
RECALL = "recall"
PROMPTS: dict[str, Endpoint[AskPrompt, PromptText]] = {
    "start": workspace.BOOTSTRAP,
    "days": workspace.RECENT,
    "learnings": workspace.LEARNINGS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """Output of `import --json`: the preview, and the job that carried it out, if any."""

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
    parser.add_argument("--as", dest="layout", metavar="SYSTEM", help="the system that keeps the folder")
    parser.add_argument(
        "--with",
        dest="take",
        metavar="FILE:LINE",
        action="append",
        default=[],
        help="take this line as a fact",
    )
    parser.add_argument(
        "--without",
        dest="leave",
        metavar="FILE:LINE",
        action="append",
        default=[],
        help="leave this line out",
    )
    parser.add_argument(
        "--accept",
        metavar="WHAT",
        action="append",
        default=[],
        help="bring this in as well, from a source that this desk did not make: a kind of the preview such as pins, "
        "several with commas, one thing as folders:PATH, or all",
    )
    parser.add_argument("--lines", action="store_true", help="list each line, and why it makes no fact")


def bring_in(context: Context) -> int:
    """Preview an import, ask for agreement, carry it out, and print what came in."""
    args = context.args
    ask = AskImport(
        path=str(Path(args.path).expanduser().absolute()),
        channel=args.channel,
        user_id=context.user,
        agent_id=args.agent,
        copy=args.copy,
        layout=args.layout,
        take=tuple(args.take),
        leave=tuple(args.leave),
        accept=tuple(_words(args.accept)),
    )
    preview = context.call(workspace.PREVIEW_IMPORT, ask)
    if not context.out.json:
        lines = _preview_lines(preview), _coverage_lines(preview, rows=args.lines), _customs_lines(preview)
        context.out.answer(preview, chain(*lines))
    agreed = not args.preview and bool(preview.items) and _agreed(context, preview)
    if not agreed:
        return _left_out(context, preview)
    if agreed == ALL:
        ask = replace(ask, accept=(*ask.accept, ALL))
    job = followed(context, context.call(workspace.IMPORT, ask))
    counts = {name: number for name, number in job.result.items() if name != "change"}
    context.out.answer(Imported(preview=preview, job=job), [f"Brought in: {tallied(counts)}."])
    return 0


def _left_out(context: Context, preview: ImportPreview) -> int:
    if context.out.json:
        context.out.answer(Imported(preview=preview, job=None), ())
    elif not preview.items:
        context.out.note("There is nothing new to bring in.")
    elif not context.args.preview:
        context.out.note("Nothing was brought in.")
    return 0


def _agreed(context: Context, preview: ImportPreview) -> str:
    """Return what a person agrees to: the import, or ALL that it declares with it, or "". Asks on a terminal, never
    in a script."""
    if context.args.yes or context.out.json or not sys.stdin.isatty():
        return "import"
    more = any(each.accepted < each.count for each in preview.declared)
    answer = context.out.ask("Bring this in? [y/N, all] " if more else "Bring this in? [y/N] ")
    if more and answer == ALL:
        return ALL
    return "import" if answer in YES else ""


def _words(given: list[str]) -> Iterator[str]:
    """Yield the words of `--accept`: kinds may be joined by commas, the name of one thing may contain any."""
    for each in given:
        yield from [each] if ":" in each else filter(None, each.split(","))


def _customs_lines(preview: ImportPreview) -> Iterator[str]:
    """Yield what the import brings besides plain memory, and the words to accept it by."""
    for each in preview.declared:
        yield f"  ! {each.name}: {each.count:,}, {each.accepted:,} accepted. {each.says}"
        for thing in each.rows[:ITEMS_SHOWN]:
            many = f" ({counted(thing.count, 'memory', 'memories')})" if thing.count > 1 else ""
            mark = "+" if thing.accepted else "-"
            yield f"    {mark} {each.name}:{plain(thing.id)} {plain(thing.text)}{many}"
        if len(each.rows) > ITEMS_SHOWN:
            yield f"    … and {each.count - ITEMS_SHOWN:,} more; --json lists them"
    kind = next((each.name for each in preview.declared if each.accepted < each.count), None)
    if kind is not None:
        yield f"  Accept a kind with --accept {kind}, one thing with --accept {kind}:ID, or all with --accept all."


def _preview_lines(preview: ImportPreview) -> Iterator[str]:
    yield f"{plain(preview.says) or preview.format} ({plain(preview.path)})"
    whose = f", agent {plain(preview.agent_id)}" if preview.agent_id else ""
    yield f"  into channel {plain(preview.channel)}{whose}"
    for place in preview.places:
        yield f"  {plain(place.path)} is {place.layout}{_because(place.why)}"
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


def _coverage_lines(preview: ImportPreview, *, rows: bool) -> Iterator[str]:
    """Yield the account of the lines: of all files in one line, and with `rows` of each line."""
    others = sum((Counter(each.others) for each in preview.coverage), Counter[str]())
    if not preview.coverage:
        return
    total, facts = sum(each.lines for each in preview.coverage), sum(each.facts for each in preview.coverage)
    reasons = ", ".join(f"{why} ({number:,})" for why, number in others.most_common())
    yield f"  {counted(total, 'line')}: {counted(facts, 'fact')}" + (
        f", {total - facts:,} not: {reasons}" if reasons else ""
    )
    for each in preview.coverage if rows else ():
        for row in each.rows:
            yield f"    {'+' if row.fact else '-'} {plain(each.file)}:{row.number} {plain(row.text)}" + (
                f" ({row.why})" if row.why else ""
            )


def _because(why: str) -> str:
    return f", because {plain(why)}" if why else ""


def _declare_prompt(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        choices=(*PROMPTS, RECALL),
        help="what a session begins with, its last days, its learnings, or a recall",
    )
    parser.add_argument("text", nargs="*", metavar="TEXT", help="for a recall: what the user said last")
    parser.add_argument("--workspace", metavar="ID", help="whose, where an agent has several")


def prompt(context: Context) -> int:
    """Print the section of an agent's prompt that comes from its files, in the format of the agent's system."""
    args = context.args
    if args.what == RECALL:
        messages = tuple({"role": "user", "content": text} for text in args.text)
        answer = context.call(
            workspace.RECALL_SECTION,
            AskRecallSection(messages=messages, workspace_id=args.workspace, agent_id=args.agent),
        )
    else:
        answer = context.call(PROMPTS[args.what], AskPrompt(workspace_id=args.workspace, agent_id=args.agent))
    context.out.answer(answer, [plain(line) for line in answer.text.splitlines()])
    return 0


COMMANDS = (
    Command(name="import", run=bring_in, declare=_declare, scope=("channel", "user", "agent")),
    Command(name="prompt", run=prompt, declare=_declare_prompt, scope=("agent",)),
    Command(name="export", run=send, declare=_declare_export, scope=("channel", "user", "agent")),
)
