"""remember, show, conversations show: learn a fact, show one memory in full, and read a conversation."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from memdesk.api import history, memory, workspace
from memdesk.cli.command import Command, Context
from memdesk.cli.history import event_lines
from memdesk.cli.output import Output, counted, local, plain
from memdesk.model.browse import ConversationView, Inspect, Inspection, ReadConversation, Related
from memdesk.model.errors import BadAsk
from memdesk.model.fact import CATEGORIES, TEMPORAL
from memdesk.model.history import AskEvent
from memdesk.model.message import message
from memdesk.model.remember import NewFact
from memdesk.model.workspace import LearnLine


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("conversation", metavar="CONVERSATION", help="its id")
    parser.add_argument("--first", type=int, default=0, help="turns to skip")
    parser.add_argument("--limit", type=int, default=200, help="turns at most (default: 200)")


def _show(context: Context) -> int:
    """Read the turns of a conversation, in order."""
    args = context.args
    ask = ReadConversation(conversation_id=args.conversation, first=args.first, limit=args.limit)
    found = context.call(memory.CONVERSATION, ask)
    context.out.answer(found, _lines(context.out, found))
    if not context.out.json and found.first + len(found.turns) < found.total:
        shown = found.first + len(found.turns)
        context.out.note(f"{shown:,} of {counted(found.total, 'turn')} shown; `--first {shown}` goes on.")
    return 0


def _lines(out: Output, found: ConversationView) -> Iterator[str]:
    yield f"{plain(found.title)} ({plain(found.channel)}, {local(found.started_at)})"
    for turn in found.turns:
        yield out.styled(f"{turn.turn_index}  {plain(turn.speaker)}, {local(turn.at)}", "dim")
        yield from (f"    {plain(line)}" for line in turn.content.splitlines())


CONFIDENCE = 0.95
NOT_OF_A_LINE = ("channel", "user", "agent", "confidence", "temporal", "about", "supersedes", "key")
"""Options of `remember` that cannot be combined with --line."""


def _declare_remember(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", nargs="*", metavar="TEXT", help="the claim; `-` reads it from stdin")
    parser.add_argument(
        "--line", metavar="FILE:N", help="a line of a workspace's file: from then on each follows the other"
    )
    parser.add_argument("--category", help=f"{', '.join(CATEGORIES)} (default: fact, or as a line tells)")
    parser.add_argument("--confidence", type=float, help=f"how sure, 0 to 1 (default: {CONFIDENCE})")
    parser.add_argument("--temporal", choices=TEMPORAL, help="when it holds")
    parser.add_argument("--about", action="append", default=[], metavar="NAME", help="an entity it is about")
    parser.add_argument("--supersedes", metavar="ID", help="the fact it takes the place of")
    parser.add_argument("--key", help="your own id of this call: the same key learns once")


def remember(context: Context) -> int:
    """Learn one fact."""
    args = context.args
    if args.line:
        return _remember_line(context)
    if not args.text:
        raise BadAsk(
            message("There is nothing to remember."),
            next=message("Name a claim, or a line as --line FILE:N."),
        )
    learned = context.call(
        memory.LEARN_FACT,
        NewFact(
            claim=sys.stdin.read().strip() if args.text == ["-"] else " ".join(args.text),
            channel=args.channel,
            user_id=context.user,
            agent_id=args.agent,
            category=args.category or "fact",
            confidence=CONFIDENCE if args.confidence is None else args.confidence,
            temporal=args.temporal,
            about=tuple(args.about),
            supersedes=args.supersedes,
            retry_key=args.key,
        ),
    )
    word = "Known already as" if learned.repeated else "Learned"
    where = f" in {context.channel}" if not learned.proposed else ""
    proposed = f" Proposed for {context.channel}: it waits in review." if learned.proposed else ""
    context.out.answer(learned, [f"{word} {learned.id}{where}.{proposed}"])
    return 0


def _remember_line(context: Context) -> int:
    if ignored := [f"--{name}" for name in NOT_OF_A_LINE if getattr(context.args, name) not in (None, [])]:
        raise BadAsk(
            message("A line takes no {ignored}: its file says whose it is.", ignored=", ".join(ignored)),
            next=message("Leave it out; `memdesk edit` changes what was learned."),
        )
    file, _, number = context.args.line.rpartition(":")
    if not file or not number.isdecimal():
        raise BadAsk(message("A line is named as FILE:N, such as MEMORY.md:12."))
    ask = LearnLine(
        file=str(Path(file).expanduser().absolute()),
        line=int(number),
        claim=" ".join(context.args.text) or None,
        category=context.args.category,
    )
    learned = context.call(workspace.LEARN_LINE, ask)
    word = "Known already as" if learned.change is None else "Learned"
    context.out.answer(learned, [f"{word} {learned.fact_id}: {plain(learned.claim)}"])
    return 0


def _declare_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="a memory's id, or the number of a change")


def show(context: Context) -> int:
    """Show one memory in full, or one change with the values before and after it."""
    if context.args.id.isdecimal():
        detail = context.call(history.EVENT, AskEvent(id=int(context.args.id)))
        context.out.answer(detail, event_lines(detail))
        return 0
    found = context.call(memory.INSPECT, Inspect(id=context.args.id))
    context.out.answer(found, _inspection_lines(found))
    return 0


def _inspection_lines(found: Inspection) -> Iterator[str]:
    state = "".join((", pinned" if found.pinned else "", ", retired" if found.retired else ""))
    yield f"{found.label} {found.id} in {found.channel}{state}"
    yield f"  {plain(found.title)}"
    for value in found.fields:
        if value.value:
            yield f"  {value.name}: {plain(value.value)}"
    if found.curve is not None:
        fades = found.curve.fades_in_days
        when = "" if fades is None else f", fades in {fades:.0f} days"
        yield f"  salience: {found.curve.now:.2f}{when}"
    last = f", last {local(found.last_recalled_at)}" if found.last_recalled_at else ""
    yield f"  recalled: {counted(found.recalled, 'time')}{last}"
    if found.provenance is not None and found.provenance.quote:
        yield f"  from: “{plain(found.provenance.quote)}”"
    yield from _listed("about", found.about)
    yield from _listed("related", found.related)
    for version in found.versions:
        yield (
            f"  change {version.event.id}, {local(version.event.at)}, {version.event.author}: {version.event.op}"
        )


def _listed(name: str, related: tuple[Related, ...]) -> Iterator[str]:
    for each in related:
        arrow = f"{each.relation} →" if each.outgoing else f"← {each.relation}"
        yield f"  {name}: {arrow} {plain(each.title)} ({each.id})"


COMMANDS = (
    Command(name="remember", run=remember, declare=_declare_remember, scope=("channel", "user", "agent")),
    Command(name="show", run=show, declare=_declare_show),
    Command(name="conversations show", run=_show, declare=_declare),
)
