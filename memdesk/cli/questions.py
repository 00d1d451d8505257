"""effect and questions run: recalls before and after a change, and the kept questions asked again."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from memdesk.api import questions
from memdesk.cli.command import Command, Context
from memdesk.cli.output import Output, local, plain
from memdesk.model.effect import TRIED, ActEffect, AskEffect, EffectLine
from memdesk.model.kept_question import QuestionRow, QuestionsRun, RunQuestions


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
        yield from (_line(line) for line in each.lines if line.before or line.was != line.now)


def _line(line: EffectLine) -> str:
    was, now = ("" if place is None else str(place) for place in (line.was, line.now))
    text = f"{line.before} → {line.text}" if line.before else line.text
    mark = "-" if line.now is None else "+" if line.was is None else "~" if line.before else " "
    return f"  {was:>3} {now:>3} {mark} {plain(text)}"


def run(context: Context) -> int:
    """Ask the kept questions now, and say which gained or lost their answer."""
    found = context.call(questions.RUN, RunQuestions(user_id=context.user))
    context.out.answer(found, _run(found))
    return 0


def _run(found: QuestionsRun) -> Iterator[str]:
    yield plain(found.says)
    for word, rows in (("lost", found.lost), ("gained", found.gained)):
        yield from (_row(word, row) for row in rows)


def _row(word: str, row: QuestionRow) -> str:
    return f"  {word}  “{plain(row.text)}” must tell “{plain(row.expects)}”  {row.id}"


COMMANDS = (
    Command(name="effect", run=effect, declare=_declare_effect),
    Command(name="questions run", run=run, scope=("user",)),
)
