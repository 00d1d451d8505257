"""review, standing, checkup: answer the questions for the owner, one or all of a source; check a desk or a source."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from memdesk.api import review as calls
from memdesk.api import upkeep
from memdesk.cli.command import Command, Context
from memdesk.cli.jobs import followed
from memdesk.cli.output import counted, local, plain
from memdesk.files.atomic import write_atomic
from memdesk.model.checkup import AskCheckup, CheckedFinding, Finding
from memdesk.model.errors import BadAsk
from memdesk.model.interop import AskImport
from memdesk.model.message import message
from memdesk.model.review import (
    DECISIONS,
    STATES,
    AskDuplicates,
    AskReview,
    CountReview,
    Decide,
    Question,
    Side,
)
from memdesk.model.standing_decision import SOURCES, AskStanding, Revoke, Stand, StandingRow
from memdesk.model.status import Nothing

COLUMNS = ("ID", "ALWAYS", "SINCE", "BY", "")


def _declare_standing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", nargs="?", choices=tuple(ACTIONS), default="list", help="what to do (default: list)"
    )
    parser.add_argument(
        "words", nargs="*", metavar="WORD", help="add: TYPE ANSWER, such as promotion dismiss; lift: ID"
    )
    parser.add_argument(
        "--workspace", metavar="ID", help="the source is this folder, not an agent or a channel"
    )
    parser.add_argument("--all", action="store_true", help="list: the lifted ones too")


def standing(context: Context) -> int:
    """List the standing decisions, add one for all questions of an agent, a channel or a folder, or revoke
    one."""
    return ACTIONS[context.args.action](context)


def _list(context: Context) -> int:
    found = context.call(calls.STANDING, AskStanding(user_id=context.user, revoked=context.args.all))
    if sources := _sources(context.args):
        kept = tuple(each for each in found.rows if (each.source_kind, each.source) in sources)
        found = replace(found, rows=kept)
    none = "Nothing is decided once for all; `memdesk standing add` does."
    context.out.listing(found, COLUMNS, [_row(each) for each in found.rows], none=none)
    return 0


def _add(context: Context) -> int:
    words, sources = context.args.words, _sources(context.args)
    if len(words) != 2 or len(sources) != 1:
        raise BadAsk(
            message("A standing decision takes a type, an answer and one source."),
            next=message("memdesk standing add TYPE ANSWER --agent NAME"),
        )
    (type, decision), ((kind, source),) = words, sources
    ask = Stand(type=type, source_kind=kind, source=source, decision=decision, user_id=context.user)
    done = context.call(calls.STAND, ask)
    context.out.answer(done, [f"{plain(done.title)} ({done.id}); `memdesk standing lift {done.id}` ends it."])
    return 0


def _lift(context: Context) -> int:
    if len(context.args.words) != 1:
        raise BadAsk(
            message("Which one is to be lifted?"),
            next=message("`memdesk standing` lists them with their ids."),
        )
    done = context.call(calls.REVOKE, Revoke(id=context.args.words[0]))
    context.out.answer(done, [f"{plain(done.title)}; `memdesk undo {done.change}` lets it stand again."])
    return 0


def _sources(args: argparse.Namespace) -> list[tuple[str, str]]:
    return [(kind, getattr(args, kind)) for kind in SOURCES if getattr(args, kind)]


def _row(each: StandingRow) -> tuple[str, ...]:
    lifted = f"lifted {local(each.revoked_at)}" if each.revoked_at else ""
    return each.id, plain(each.says), local(each.created_at), plain(each.author), lifted


ACTIONS = {"list": _list, "add": _add, "lift": _lift}


_WORDS = tuple(dict.fromkeys(word for words in DECISIONS.values() for word in words))


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "id", nargs="?", metavar="ID", help="the question to answer; without it, they are listed"
    )
    parser.add_argument("decision", nargs="?", choices=_WORDS, metavar="ANSWER", help=", ".join(_WORDS))
    parser.add_argument("--reason", default="", help="why, for the audit log")
    parser.add_argument("--text", default="", help="merge of a contradiction: the claim in the place of both")
    parser.add_argument(
        "--type", action="append", choices=tuple(DECISIONS), default=[], help="list: only this type"
    )
    parser.add_argument(
        "--state", choices=(*STATES, "later", "all"), default="open", help="list (default: open)"
    )
    parser.add_argument("--limit", type=int, default=20, help="list: questions at most (default: 20)")
    parser.add_argument(
        "--find-duplicates", action="store_true", help="first ask about memories that may be one"
    )


def review(context: Context) -> int:
    """List the questions that wait for an answer, with both sides of each, or answer one."""
    if context.args.id is not None:
        return _decide(context)
    args = context.args
    if args.find_duplicates:
        found = context.call(calls.PROPOSE_DUPLICATES, AskDuplicates(user_id=context.user))
        context.out.note(f"Asked about {counted(found.proposed, 'possible duplicate')}.")
    channels = (args.channel,) if args.channel else ()
    ask = AskReview(
        user_id=context.user, state=args.state, types=tuple(args.type), channels=channels, limit=args.limit
    )
    page = context.call(calls.LIST, ask)
    context.out.answer(page, [line for question in page.rows for line in _lines(question)])
    if not context.out.json:
        total = context.call(calls.COUNT, CountReview(user_id=context.user, state=args.state)).total
        none = "No question waits for you." if args.state == "open" else "No question."
        context.out.note(f"{len(page.rows):,} of {counted(total, 'question')} shown." if total else none)
    return 0


def _decide(context: Context) -> int:
    args = context.args
    if args.decision is None:
        raise BadAsk(message("What is the answer?"), next=message("memdesk review {id} ANSWER", id=args.id))
    ask = Decide(id=args.id, decision=args.decision, reason=args.reason, text=args.text)
    done = context.call(calls.DECIDE, ask)
    back = f"{done.change} --run" if done.run else str(done.change)
    context.out.answer(done, [f"{plain(done.title)} ({done.memory}); `memdesk undo {back}` opens it again."])
    return 0


def _lines(question: Question) -> Iterator[str]:
    answers = "/".join(question.decisions) or f"{question.decision} at {local(question.decided_at)}"
    by = f" by {plain(question.agent_id)}" if question.agent_id else ""
    yield f"{question.id}  {question.type} in {plain(question.channel)}{by}: {plain(question.reason)}  [{answers}]"
    for word, side in (("subject", question.subject), ("other", question.other)):
        if side is not None:
            yield f"  {word}: {_side(side)}"
    if "claim" in question.details:
        yield f"  proposed: “{plain(str(question.details['claim']))}”"


def _side(side: Side) -> str:
    quote = f", from “{plain(side.provenance.quote)}”" if side.provenance.quote else ""
    return f"“{plain(side.title)}” {side.id} in {plain(side.channel)}{quote}"


def _declare_checkup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path",
        nargs="?",
        metavar="PATH",
        help="a folder or another program's export to check without importing it; without it, this desk is checked",
    )
    parser.add_argument("--html", metavar="FILE", help="with PATH: write the report as an HTML page to FILE")
    parser.add_argument("--limit", type=int, default=50, help="findings at most (default: 50)")
    parser.add_argument("--look", action="store_true", help="only list the findings, ask about none")


def checkup(context: Context) -> int:
    """Check all facts, ask about the best findings in the review queue, and list them."""
    if context.args.path is not None:
        return _check_source(context)
    if context.args.html is not None:
        raise BadAsk(
            message("--html writes the report about a PATH."), next=message("Name a folder or an export.")
        )
    if not context.args.look:
        followed(context, context.call(upkeep.CHECKUP, Nothing()))
    ask = AskCheckup(user_id=context.user, limit=context.args.limit)
    found = context.call(upkeep.FINDINGS, ask)
    context.out.answer(found, [line for row in found.rows for line in _finding_lines(row)])
    if not context.out.json:
        more = " and more" if found.more else ""
        context.out.note(f"{counted(len(found.rows), 'finding')}{more} in {counted(found.checked, 'fact')}.")
    return 0


def _check_source(context: Context) -> int:
    """Check a folder or an export without importing it; print the report, and write it as a page if asked."""
    args = context.args
    ask = AskImport(path=str(Path(args.path).expanduser().absolute()), user_id=context.user)
    report = context.rooms.check_path(ask)
    if args.html is not None:
        write_atomic(Path(args.html).expanduser().absolute(), report.page.encode())
    shown = report.rows[: args.limit]
    context.out.answer(report, [line for row in shown for line in _checked_lines(row)])
    if not context.out.json:
        more = f", {len(shown)} shown" if len(shown) < len(report.rows) else ""
        context.out.note(
            f"{counted(len(report.rows), 'finding')}{more} in {counted(report.facts, 'fact')} of "
            f"{counted(report.files, 'file')}; nothing was imported."
        )
        if args.html is not None:
            context.out.note(f"The report is in {args.html}.")
    return 0


def _checked_lines(found: CheckedFinding) -> Iterator[str]:
    yield f"{found.kind}: “{plain(found.claim.claim)}”{_at(found.claim.place)}"
    if found.other is not None:
        yield f"  other: “{plain(found.other.claim)}”{_at(found.other.place)}"
    yield f"  {plain(found.reason)} {found.advice}"


def _at(place: str) -> str:
    return f" in {plain(place)}" if place else ""


def _finding_lines(found: Finding) -> Iterator[str]:
    yield f"{found.kind} in {plain(found.channel)}: “{plain(found.title)}” {found.id}"
    if found.other_id is not None:
        yield f"  other: “{plain(found.other_title)}” {found.other_id}"
    yield f"  {plain(found.reason)}"


COMMANDS = (
    Command(name="review", run=review, declare=_declare, scope=("channel", "user")),
    Command(name="checkup", run=checkup, declare=_declare_checkup, scope=("user",)),
    Command(name="standing", run=standing, declare=_declare_standing, scope=("channel", "user", "agent")),
)
