"""conversations show: read the turns of a conversation."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from memdesk.api import memory
from memdesk.cli.command import Command, Context
from memdesk.cli.output import Output, counted, local, plain
from memdesk.model.browse import ConversationView, ReadConversation


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


COMMANDS = (Command(name="conversations show", run=_show, declare=_declare),)
