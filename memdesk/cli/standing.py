"""standing: decide once for all questions of a source."""

from __future__ import annotations

import argparse
from dataclasses import replace

from memdesk.api import review
from memdesk.cli.command import Command, Context
from memdesk.cli.output import local, plain
from memdesk.model.errors import BadAsk
from memdesk.model.message import message
from memdesk.model.proposal import SOURCES, AskStanding, Revoke, Stand, StandingRow

COLUMNS = ("ID", "ALWAYS", "SINCE", "BY", "")


def _declare(parser: argparse.ArgumentParser) -> None:
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
    found = context.call(review.STANDING, AskStanding(user_id=context.user, revoked=context.args.all))
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
    done = context.call(review.STAND, ask)
    context.out.answer(done, [f"{plain(done.title)} ({done.id}); `memdesk standing lift {done.id}` ends it."])
    return 0


def _lift(context: Context) -> int:
    if len(context.args.words) != 1:
        raise BadAsk(
            message("Which one is to be lifted?"),
            next=message("`memdesk standing` lists them with their ids."),
        )
    done = context.call(review.REVOKE, Revoke(id=context.args.words[0]))
    context.out.answer(done, [f"{plain(done.title)}; `memdesk undo {done.change}` lets it stand again."])
    return 0


def _sources(args: argparse.Namespace) -> list[tuple[str, str]]:
    return [(kind, getattr(args, kind)) for kind in SOURCES if getattr(args, kind)]


def _row(each: StandingRow) -> tuple[str, ...]:
    lifted = f"lifted {local(each.revoked_at)}" if each.revoked_at else ""
    return each.id, plain(each.says), local(each.created_at), plain(each.author), lifted


ACTIONS = {"list": _list, "add": _add, "lift": _lift}
COMMANDS = (Command(name="standing", run=standing, declare=_declare, scope=("channel", "user", "agent")),)
