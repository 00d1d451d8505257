"""recall, explain, salient: recall as an agent does, explain each result, and list the strongest memories."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from memdesk.api import recall
from memdesk.cli.command import Command, Context
from memdesk.cli.output import Output, local, moment, plain
from memdesk.model.kinds import RECALLED, SEARCHED
from memdesk.model.recall import TECHNIQUES, Bundle, Explain, Explanation, Hit, Provenance, Query


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="+", metavar="QUERY", help="a question, or words")
    _declare_query(parser)


def _declare_query(parser: argparse.ArgumentParser) -> None:
    """Add the options that filter and steer a recall, for `recall` and `explain` alike."""
    parser.add_argument("--limit", type=int, metavar="N", help="memories at most (default: the setting's 10)")
    parser.add_argument("--kind", action="append", choices=SEARCHED, default=[], help="only this kind")
    parser.add_argument(
        "--every-channel", action="store_true", help="search all channels, not just one and _global"
    )
    parser.add_argument("--since", type=moment, metavar="TIME", help="only memories from then on")
    parser.add_argument("--until", type=moment, metavar="TIME", help="only memories from before")
    parser.add_argument("--tag", action="append", default=[], help="only memories that carry this tag")
    parser.add_argument("--category", action="append", default=[], help="only memories of this category")
    parser.add_argument("--min-confidence", type=float, default=0.0, metavar="P", help="of facts, 0 to 1")
    parser.add_argument("--floor", type=float, metavar="P", help="relevance the best must reach, 0 for none")
    parser.add_argument(
        "--technique", action="append", choices=TECHNIQUES, help="use these alone beside vectors"
    )
    parser.add_argument("--tiers", action="store_true", help="facts alone, the nearest categories first")


def _query(context: Context, text: Sequence[str]) -> Query:
    args = context.args
    return Query(
        text=" ".join(text),
        channel=context.channel,
        user_id=context.user,
        agent_id=getattr(args, "agent", None),
        kinds=tuple(args.kind) or RECALLED,
        limit=args.limit,
        every_channel=args.every_channel,
        since=args.since,
        until=args.until,
        tags=tuple(args.tag),
        categories=tuple(args.category),
        min_confidence=args.min_confidence,
        floor=args.floor,
        techniques=None if args.technique is None else tuple(args.technique),
        tiers=args.tiers,
    )


def search(context: Context) -> int:
    """Recall memories of a channel and `_global`. The memories returned are reinforced."""
    bundle = context.call(recall.SEARCH, _query(context, context.args.query))
    context.out.answer(bundle, _lines(context.out, bundle))
    _tell(context, bundle)
    return 0


def _declare_explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the memory")
    parser.add_argument("query", nargs="+", metavar="QUERY", help="the question it is or is not recalled for")
    _declare_query(parser)


def explain(context: Context) -> int:
    """Show stage by stage why a memory is or is not recalled for a question."""
    ask = Explain(query=_query(context, context.args.query), id=context.args.id)
    told = context.call(recall.EXPLAIN, ask)
    context.out.answer(told, _stages(context.out, told))
    return 0


def _stages(out: Output, told: Explanation) -> Iterator[str]:
    yield out.styled(plain(told.text), "bold")
    for stage in told.stages:
        yield f"  {'✓' if stage.passed else '✗'} {stage.name:<10} {plain(stage.says)}"
    yield plain(told.says)


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
        last = "" if source.first_line == source.last_line else f"-{source.last_line}"
        lines = "" if source.first_line is None else f":{source.first_line}{last}"
        return f", from {plain(source.path)}{lines}"
    if source.conversation_id is None:
        return ""
    turn = "" if source.turn_index is None else f", turn {source.turn_index}"
    speaker = f" by {plain(source.speaker)}" if source.speaker else ""
    when = f", {local(source.at)}" if source.at else ""
    return f", from “{plain(source.conversation_title or source.conversation_id)}”{turn}{speaker}{when}"


def _tell(context: Context, bundle: Bundle) -> None:
    """Print the recall's notices, and where else to search when nothing was found."""
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
    Command(name="recall", run=search, declare=_declare, scope=("channel", "user", "agent")),
    Command(name="explain", run=explain, declare=_declare_explain, scope=("channel", "user")),
)
