"""recall: ask as an agent would, and see why each memory came."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from memdesk.cli.command import Command, Context
from memdesk.cli.output import Output, local, plain
from memdesk.cli.times import moment
from memdesk.contract import recall
from memdesk.model.kinds import RECALLED, SEARCHED
from memdesk.model.recall import Bundle, Hit, Provenance, Query


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="+", metavar="QUERY", help="a question, or words")
    parser.add_argument("--limit", type=int, default=10, help="memories at most (default: 10)")
    parser.add_argument("--kind", action="append", choices=SEARCHED, default=[], help="only this kind")
    parser.add_argument(
        "--every-channel", action="store_true", help="search all channels, not just one and _global"
    )
    parser.add_argument("--since", type=moment, metavar="TIME", help="only memories from then on")
    parser.add_argument("--until", type=moment, metavar="TIME", help="only memories from before")


def search(context: Context) -> int:
    """Recall memories of a channel and `_global`; what comes back is reinforced."""
    args = context.args
    bundle = context.call(
        recall.SEARCH,
        Query(
            text=" ".join(args.query),
            channel=context.channel,
            user_id=context.user,
            agent_id=args.agent,
            kinds=tuple(args.kind) or RECALLED,
            limit=args.limit,
            every_channel=args.every_channel,
            since=args.since,
            until=args.until,
        ),
    )
    context.out.answer(bundle, _lines(context.out, bundle))
    _tell(context, bundle)
    return 0


def _lines(out: Output, bundle: Bundle) -> Iterator[str]:
    for hit in bundle.hits:
        yield f"{hit.score:.3f}  {out.styled(plain(hit.text), 'bold')}"
        yield out.styled(
            f"       {hit.id}  {hit.kind} in {plain(hit.channel)}{_source(hit.provenance)}", "dim"
        )
        yield out.styled(f"       {_reasons(hit)}", "dim")


def _reasons(hit: Hit) -> str:
    return "  ".join(f"{part.name} {part.value:+.3f}" for part in hit.parts)


def _source(source: Provenance) -> str:
    if source.path:
        lines = "" if source.first_line is None else f":{source.first_line}-{source.last_line}"
        return f", from {plain(source.path)}{lines}"
    if source.conversation_id is None:
        return ""
    turn = "" if source.turn_index is None else f", turn {source.turn_index}"
    speaker = f" by {plain(source.speaker)}" if source.speaker else ""
    when = f", {local(source.at)}" if source.at else ""
    return f", from “{plain(source.conversation_title or source.conversation_id)}”{turn}{speaker}{when}"


def _tell(context: Context, bundle: Bundle) -> None:
    """What was off, and where else to look when nothing was found."""
    if context.out.json:
        return
    for notice in bundle.notices:
        context.out.note(notice)
    if not bundle.hits:
        searched = ", ".join(plain(channel) for channel in bundle.channels)
        more = (
            ""
            if context.args.every_channel
            else " Name a channel with --channel, or search all with --every-channel."
        )
        context.out.note(f"Nothing found in {searched or context.channel}.{more}")


COMMANDS = (
    Command(
        name="recall",
        says="recall memories, with reasons",
        run=search,
        declare=_declare,
        scope=("channel", "user", "agent"),
    ),
)
