"""act: change a set of memories that is described in words, after a look at each of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from memdesk.api import curation
from memdesk.cli.command import Command, Context
from memdesk.cli.following import followed
from memdesk.cli.output import plain
from memdesk.model.acting import ActReading, ReadAct
from memdesk.model.curation import Touch
from memdesk.model.errors import BadAsk

ROWS_SHOWN = 20


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="+", help="such as: facts about the old flat → past")
    parser.add_argument("--look", action="store_true", help="only show what would change")
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")


def act(context: Context) -> int:
    """Change all memories that the words describe: “SET → ACT”, such as “everything from forge since Tuesday →
    quarantine”, or “retire facts tagged old”.

    A set: facts, entities, goals, strategies or everything; about WORDS, from AGENT, in CHANNEL, tagged TAG, since or
    before a time, older than 30 days, with confidence below .5. An act: past, retire, quarantine, restore, pin, unpin,
    promote, to CHANNEL, tag WORDS. `->` is an arrow too. The memories are shown before anything is changed; one undo
    takes all back."""
    args = context.args
    ask = ReadAct(
        text=" ".join(args.words),
        user_id=context.user,
        channels=(args.channel,) if args.channel else (),
        agents=(args.agent,) if args.agent else (),
    )
    found = context.call(curation.READ_ACT, ask)
    if not (args.yes and context.out.json):
        context.out.answer(found, _lines(found))
    if args.look and not found.unknown:
        return 0
    if found.act is None:
        raise BadAsk(found.why_not, next=found.next)
    if not _agreed(context):
        context.out.note("Nothing was changed.")
        return 0
    job = followed(context, context.call(curation.BULK, found.act))
    context.out.answer(
        job, [plain(job.says), f"`memdesk undo {job.result.get('change')} --run` brings it back."]
    )
    return 0


def _agreed(context: Context) -> bool:
    if context.args.yes:
        return True
    if not sys.stdin.isatty():
        return False
    context.out.err.write("Change them? [y/N] ")
    context.out.err.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _lines(found: ActReading) -> Iterator[str]:
    if found.understood:
        yield plain("Understood: " + ", ".join(found.understood))
    left = sorted(found.rows, key=lambda row: bool(row.why_not))
    for row in left[:ROWS_SHOWN]:
        yield f"  {_line(row)}"
    if len(left) > ROWS_SHOWN:
        yield f"  … and more; --json lists {len(left):,}"
    if found.act is not None:
        yield f"{found.will:,} of {found.total:,} would change."


def _line(row: Touch) -> str:
    if row.why_not:
        return f"= {plain(row.id)} {plain(row.title)} ({plain(row.why_not)})"
    return f"~ {plain(row.id)} {plain(row.title)} ({plain(row.before)} → {plain(row.after)})"


COMMANDS = (Command(name="act", run=act, declare=_declare, scope=("channel", "user", "agent")),)
