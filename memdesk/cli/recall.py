"""recall, explain, recap, effect, questions run: recall as an agent does, explain each result, sum up earlier
conversations; recalls before and after a change, and the kept questions asked again."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace

from memdesk.api import questions, recall
from memdesk.api.endpoint import Face
from memdesk.cli.command import Command, Context
from memdesk.cli.declared import ask_of, declare_ask
from memdesk.cli.output import Output, counted, local, plain
from memdesk.model.kind import SEARCHED
from memdesk.model.questions import (
    TRIED,
    ActEffect,
    AskEffect,
    EffectLine,
    QuestionRow,
    QuestionsRun,
    RunQuestions,
)
from memdesk.model.recall import (
    EXTRACTS,
    TECHNIQUES,
    AskRecap,
    Bundle,
    Explain,
    Explanation,
    Hit,
    PastFact,
    PastTurn,
    Provenance,
    Query,
    Recap,
)
from memdesk.model.trust import is_trusted, source_words


def _declare_recap(parser: argparse.ArgumentParser) -> None:
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
    context.out.answer(found, _recap_lines(context.out, found))
    if found.note and not context.out.json:
        context.out.note(found.note)
    return 0


def _recap_lines(out: Output, found: Recap) -> Iterator[str]:
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


QUERY = Face(
    "recall",
    positional=("text",),
    joined="text",
    choices={"kinds": SEARCHED, "techniques": TECHNIQUES},
    left_out=(
        "conversation_id",
        "session_id",
        "time_window_hours",
        "weights",
        "per_conversation",
        "recent_turns",
    ),
    help={
        "text": "a question, or words",
        "limit": "memories at most (default: the setting's 10)",
        "kinds": "only this kind of memory (default: all but goals and strategies)",
        "since": "only memories from this time on",
        "until": "only memories from before this time",
        "tags": "only memories that carry this tag",
        "categories": "only memories of this category",
        "techniques": "use these alone beside vectors",
        "every_channel": "search all channels (default, unless --channel or --agent is given)",
        "floor": "relevance the best must reach, 0 for none",
        "tiers": "facts alone, the nearest categories first",
    },
)


def _declare(parser: argparse.ArgumentParser) -> None:
    declare_ask(parser, Query, QUERY)


def search(context: Context) -> int:
    """Recall memories of every channel, or of one and `_global`. The memories returned are reinforced."""
    query = _query(context)
    bundle = context.call(recall.SEARCH, query)
    context.out.answer(bundle, _lines(context.out, bundle))
    _print_notices(context, query, bundle)
    return 0


def _query(context: Context) -> Query:
    """Return the query of the arguments. A person asks every channel, and an agent its own."""
    query = ask_of(context, Query, QUERY)
    narrowed = context.args.channel or context.args.agent
    return query if narrowed else replace(query, every_channel=True)


def _declare_explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the memory")
    declare_ask(parser, Query, QUERY)


def explain(context: Context) -> int:
    """Show stage by stage why a memory is or is not recalled for a question."""
    ask = Explain(query=_query(context), id=context.args.id)
    explanation = context.call(recall.EXPLAIN, ask)
    context.out.answer(explanation, _stages(context.out, explanation))
    return 0


def _stages(out: Output, explanation: Explanation) -> Iterator[str]:
    yield out.styled(plain(explanation.text), "bold")
    for stage in explanation.stages:
        yield f"  {'✓' if stage.passed else '✗'} {stage.name:<10} {plain(stage.says)}"
    yield plain(explanation.says)


def _lines(out: Output, bundle: Bundle) -> Iterator[str]:
    for hit in bundle.hits:
        yield f"{hit.score:.3f}  {out.styled(plain(hit.text), 'bold')}"
        if not is_trusted(hit.trust):
            yield out.styled(
                f"       not trusted, from {source_words(hit.source)} ({hit.trust:.1f})", "yellow"
            )
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


def _print_notices(context: Context, query: Query, bundle: Bundle) -> None:
    """Print the recall's notices, and where else to search when nothing was found."""
    if context.out.json:
        return
    for notice in filter(None, (*bundle.notices, bundle.reason)):
        context.out.note(notice)
    if bundle.replica_behind_s is not None:
        context.out.note(f"Read from the replica, at most {bundle.replica_behind_s:.1f} s behind.")
    if not bundle.hits:
        searched = ", ".join(plain(channel) for channel in bundle.channels)
        more = "" if query.every_channel else " Search all channels with --every-channel."
        context.out.note(f"Nothing found in {searched or context.channel}.{more}")


def _declare_effect(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("act", choices=TRIED, metavar="ACT", help=", ".join(TRIED))
    parser.add_argument("ids", nargs="+", metavar="ID", help="the memories that it is done with")
    parser.add_argument("--claim", default="", help="edit: the new claim")
    parser.add_argument("--to", default="", metavar="CHANNEL", help="move: the channel to move to")
    parser.add_argument("--into", default="", metavar="ID", help="merge: the memory to merge into")
    parser.add_argument("--days", type=int, default=7, metavar="N", help="days of recalls (default: 7)")
    parser.add_argument("--limit", type=int, default=40, metavar="N", help="recalls at most (default: 40)")


def effect(context: Context) -> int:
    """Show which recent recalls would return something else after an act, without carrying it out."""
    args = context.args
    ask = AskEffect(
        act=args.act,
        ids=tuple(args.ids),
        claim=args.claim,
        channel=args.to,
        into_id=args.into,
        days=args.days,
        limit=args.limit,
    )
    found = context.call(questions.EFFECT, ask)
    context.out.answer(found, _effect(context.out, found))
    return 0


def _effect(out: Output, found: ActEffect) -> Iterator[str]:
    yield plain(f"{found.says} {found.why_not}".rstrip())
    if found.untried:
        yield f"{found.untried} memories of the set were not tried."
    for each in found.changed:
        yield ""
        yield out.styled(plain(f"{each.agent}, “{each.query}”, {local(each.at)}: {each.says}"), "bold")
        yield from (_effect_line(line) for line in each.lines if line.before or line.was != line.now)


def _effect_line(line: EffectLine) -> str:
    was, now = ("" if place is None else str(place) for place in (line.was, line.now))
    text = f"{line.before} → {line.text}" if line.before else line.text
    mark = "-" if line.now is None else "+" if line.was is None else "~" if line.before else " "
    return f"  {was:>3} {now:>3} {mark} {plain(text)}"


def run_questions(context: Context) -> int:
    """Ask the kept questions now, and say which gained or lost their answer."""
    found = context.call(questions.RUN, RunQuestions(user_id=context.user))
    context.out.answer(found, _run_lines(found))
    return 0


def _run_lines(found: QuestionsRun) -> Iterator[str]:
    yield plain(found.says)
    for word, rows in (("lost", found.lost), ("gained", found.gained)):
        yield from (_question_line(word, row) for row in rows)


def _question_line(word: str, row: QuestionRow) -> str:
    return f"  {word}  “{plain(row.text)}” must tell “{plain(row.expects)}”  {row.id}"


COMMANDS = (
    Command(name="recall", run=search, declare=_declare, scope=("channel", "user", "agent")),
    Command(name="explain", run=explain, declare=_declare_explain, scope=("channel", "user")),
    Command(name="recap", run=_recap, declare=_declare_recap, scope=("channel", "user")),
    Command(name="effect", run=effect, declare=_declare_effect),
    Command(name="questions run", run=run_questions, scope=("user",)),
)
