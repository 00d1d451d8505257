"""skills: write what was learned and approved into a runtime, as skills and a section of its instructions."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memdesk.api import memory, procedures
from memdesk.cli.command import Command, Context
from memdesk.cli.output import plain
from memdesk.client.plugs.runtimes import BY_NAME
from memdesk.client.plugs.skills import INSTRUCTIONS, plan_skills
from memdesk.model.browse import FactRow, ListFacts
from memdesk.model.errors import BadAsk
from memdesk.model.message import message
from memdesk.model.procedures import ListStrategies, StrategyRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Change to the skills of a runtime. skills: the names of those it has then."""

    runtime: str
    skills: tuple[str, ...]
    files: tuple[str, ...]
    diff: str
    applied: bool
    backups: tuple[str, ...]


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", nargs="?", choices=("list", "write", "remove"), default="list")
    parser.add_argument("--runtime", choices=tuple(INSTRUCTIONS), default="claude-code", help="for whom")
    parser.add_argument("--apply", action="store_true", help="make the change; without it, it is only shown")
    parser.add_argument("--folder", metavar="DIR", help="its folder (default: where it keeps its settings)")


def skills(context: Context) -> int:
    """List, write or remove skills: each pinned strategy is a folder with a SKILL.md, and the pinned facts are a
    section of CLAUDE.md, AGENTS.md or GEMINI.md.

    Pinning is the approval. Without --channel, only what is in _global is written, for what a project knows is none of
    another's. The change is shown first, and made with --apply after a backup; what others wrote stays as it is. A
    skill names the strategy it came from, and its version grows when that changes. Unpin one and write again to take it
    out."""
    args = context.args
    folder = Path(args.folder or BY_NAME[args.runtime].file().parent).expanduser().absolute()
    wants = args.action != "remove"
    strategies = [each for each in _strategies(context) if each.pinned] if wants else []
    facts = [each for each in _facts(context) if each.pinned] if wants else []
    planned = plan_skills(folder, args.runtime, strategies, facts)
    changes = planned.changes
    applies = args.apply and args.action != "list"
    if args.apply and not applies:
        raise BadAsk(message("A list changes nothing."), next=message("memdesk skills write --apply"))
    backups = planned.carry_out() if applies else ()
    done = Written(
        runtime=args.runtime,
        skills=planned.skills,
        files=tuple(str(change.path) for change in changes),
        diff="" if args.action == "list" else planned.diff,
        applied=bool(applies and changes),
        backups=backups,
    )
    context.out.answer(done, _outcome_lines(context, done, strategies, facts))
    if not context.out.json and args.action != "list":
        kept = f" What was there is kept in {', '.join(backups)}." if backups else ""
        shown = (
            "Nothing is changed yet; --apply makes this change." if changes else "Nothing has to be changed."
        )
        context.out.note(f"{len(changes)} files are changed.{kept}" if done.applied else shown)
    return 0


def _strategies(context: Context) -> Iterator[StrategyRow]:
    after: str | None = ""
    while after is not None:
        ask = ListStrategies(user_id=context.user, channels=(context.channel,), after=after)
        page = context.call(procedures.STRATEGIES, ask)
        yield from page.rows
        after = page.next


def _facts(context: Context) -> Iterator[FactRow]:
    first = 0
    while True:
        page = context.call(
            memory.FACTS, ListFacts(user_id=context.user, channels=(context.channel,), first=first)
        )
        yield from page.rows
        first += len(page.rows)
        if not page.rows or first >= page.total:
            return


def _outcome_lines(
    context: Context, done: Written, strategies: list[StrategyRow], facts: list[FactRow]
) -> Iterator[str]:
    if done.diff or context.args.action != "list":
        yield from done.diff.splitlines()
        return
    rows = [("strategy", each.id, plain(each.description)) for each in strategies]
    rows += [("fact", each.id, plain(each.claim)) for each in facts]
    yield from context.out.table(("KIND", "ID", "WHAT A PERSON PINNED"), rows)


COMMANDS = (Command(name="skills", run=skills, declare=_declare, scope=("channel", "user")),)
