"""recap: sum up what a user said in earlier conversations."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from memdesk.api import recall
from memdesk.cli.command import Command, Context
from memdesk.cli.output import Output, counted, local, plain
from memdesk.model.recap import EXTRACTS, AskRecap, PastFact, PastTurn, Recap
from memdesk.model.trust import is_trusted, source_words


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "topic", nargs="*", metavar="TOPIC", help="what it is about (default: background, preferences, goals)"
    )
    parser.add_argument("--limit", type=int, default=10, help="turns of the user at most (default: 10)")


def _recap(context: Context) -> int:
    """Sum up what a user said in earlier conversations, with the turns and facts that it is made of."""
    args = context.args
    ask = AskRecap(
        topic=" ".join(args.topic),
        limit=args.limit,
        **{"channel": args.channel} if args.channel else {},
        **{"user_id": args.user} if args.user else {},
    )
    found = context.call(recall.RECAP, ask)
    context.out.answer(found, _lines(context.out, found))
    if found.note and not context.out.json:
        context.out.note(found.note)
    return 0


def _lines(out: Output, found: Recap) -> Iterator[str]:
    if not (found.turns or found.facts or found.summary):
        yield "Nothing is known yet."
        return
    by = "" if found.by == EXTRACTS else f" (by {plain(found.by)})"
    yield f"Recap{by}: {plain(found.summary) or 'nothing that is trusted'}"
    if found.turns:
        yield f"{counted(len(found.turns), 'past message')}:"
        yield from (f"  {local(turn.at)}  {plain(turn.text)}{_mark(out, turn)}" for turn in found.turns)
    if found.facts:
        yield f"{counted(len(found.facts), 'known fact')}:"
        yield from (
            f"  {plain(fact.claim)} ({fact.confidence:.0%}){_mark(out, fact)}" for fact in found.facts
        )


def _mark(out: Output, found: PastTurn | PastFact) -> str:
    if is_trusted(found.trust):
        return ""
    return out.styled(f"  not trusted, from {source_words(found.source)}", "yellow")


COMMANDS = (Command(name="recap", run=_recap, declare=_declare, scope=("channel", "user")),)
