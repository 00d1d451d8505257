"""install, skills: connect the desk to a runtime, or write skills into it. The change is made with --apply."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from memdesk.api import agents, memory, procedures
from memdesk.api.tools.toolsets import NAMES as SETS
from memdesk.cli.command import Command, Context
from memdesk.cli.output import plain
from memdesk.client.plugs.installing import Plan, desk_command, plan, token_file
from memdesk.client.plugs.runtimes import BY_NAME, Runtime
from memdesk.client.plugs.skills import INSTRUCTIONS, plan_skills
from memdesk.files.atomic import create
from memdesk.model.agent import NamedAgent, NewToken, agent_key
from memdesk.model.browse import FactRow, ListFacts
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.message import message
from memdesk.model.status import Nothing
from memdesk.model.strategy import ListStrategies, StrategyRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Change to the skills of a runtime. skills: the names of those it has then."""

    runtime: str
    skills: tuple[str, ...]
    files: tuple[str, ...]
    diff: str
    applied: bool
    backups: tuple[str, ...]


def _declare_skills(parser: argparse.ArgumentParser) -> None:
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
    context.out.answer(done, _skills_outcome_lines(context, done, strategies, facts))
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


def _skills_outcome_lines(
    context: Context, done: Written, strategies: list[StrategyRow], facts: list[FactRow]
) -> Iterator[str]:
    if done.diff or context.args.action != "list":
        yield from done.diff.splitlines()
        return
    rows = [("strategy", each.id, plain(each.description)) for each in strategies]
    rows += [("fact", each.id, plain(each.claim)) for each in facts]
    yield from context.out.table(("KIND", "ID", "WHAT A PERSON PINNED"), rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """Change to a runtime's files. file: its settings. files: all that change. diff: the change, line by line; "" for
    none. backups: of files that were there. token_file: the file with the agent's token."""

    runtime: str
    file: str
    files: tuple[str, ...]
    diff: str
    applied: bool
    backups: tuple[str, ...]
    also: str
    token_file: str


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runtime", choices=tuple(BY_NAME), help="what to plug the desk into")
    parser.add_argument("--apply", action="store_true", help="make the change; without it, it is only shown")
    parser.add_argument("--uninstall", action="store_true", help="take out what an installation put in")
    parser.add_argument(
        "--plugin", action="store_true", help="claude-code: as a plugin, with its tools and commands"
    )
    parser.add_argument("--set", choices=SETS, help="the set of tools it is to have (default: what suits it)")
    parser.add_argument("--file", metavar="FILE", help="its settings (default: where it keeps them)")


def install(context: Context) -> int:
    """Show the exact change to a runtime's files; with --apply, make backups and apply it.

    Only entries that call memdesk are added, and only they are removed with --uninstall. The rest of a file
    stays unchanged, with its comments. The agent gets a token in the file memdesk.token beside its settings: from
    then on nobody without one signs with its name."""
    args = context.args
    runtime = BY_NAME[args.runtime]
    if args.plugin and not runtime.has_plugin:
        raise BadAsk(
            message("{runtime} has no plugin besides.", runtime=runtime.title),
            next=message("memdesk install {runtime}", runtime=runtime.name),
        )
    file = Path(args.file).expanduser() if args.file else None
    named = args.desk or os.environ.get("MEMDESK_DESK")
    program = desk_command(
        context.desk,
        args.agent or runtime.name,
        folder=str(Path(named).expanduser().absolute()) if named else None,
        channel=args.channel,
        token=token_file(runtime, file),
    )
    planned = plan(runtime, program, file=file, set=args.set, plugin=args.plugin, uninstall=args.uninstall)
    backups: tuple[str, ...] = ()
    if args.apply:
        backups = planned.carry_out()
        _give_up_token(context, planned) if args.uninstall else _give_token(context, planned)
    done = Installed(
        runtime=runtime.name,
        file=str(planned.file),
        files=tuple(str(change.path) for change in planned.changes),
        diff=planned.diff,
        applied=bool(args.apply and planned.changes),
        backups=backups,
        also=planned.also,
        token_file=str(planned.token_file),
    )
    context.out.answer(done, _outcome_lines(done))
    _note(context, runtime, done)
    return 0


def _give_token(context: Context, planned: Plan) -> None:
    """Write a token of the agent into a file, unless there is one and the agent has one on the desk."""
    agent, file = planned.program.agent, planned.token_file
    known = context.call(agents.LIST, Nothing()).rows
    has_one = any(row.token_since and agent_key(row.agent) == agent_key(agent) for row in known)
    if has_one and file.exists():
        return
    made = context.call(agents.ADD, NewToken(agent=agent))
    file.unlink(missing_ok=True)
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    create(file, made.token.encode() + b"\n")


def _give_up_token(context: Context, planned: Plan) -> None:
    """Revoke the agent's tokens, and remove the file with one."""
    if not planned.token_file.exists():
        return
    with suppress(NotFound):
        context.call(agents.REVOKE, NamedAgent(agent=planned.program.agent))
    planned.token_file.unlink()


def _outcome_lines(done: Installed) -> Iterator[str]:
    yield from done.diff.splitlines()
    if done.also:
        yield "" if done.diff else f"{done.file} needs no change."
        yield f"And for its tools:  {done.also}"


def _note(context: Context, runtime: Runtime, done: Installed) -> None:
    if context.out.json:
        return
    if done.applied:
        kept = f" What was there is kept in {', '.join(done.backups)}." if done.backups else ""
        changed = f"{done.file} is" if len(done.files) == 1 else f"{len(done.files)} files are"
        context.out.note(f"{changed} changed.{kept} {runtime.afterwards}")
    elif done.diff:
        context.out.note("Nothing is changed yet; --apply makes this change.")
    elif not done.also:
        context.out.note(f"{done.file} needs no change.")


COMMANDS = (
    Command(name="install", run=install, declare=_declare, scope=("channel", "agent")),
    Command(name="skills", run=skills, declare=_declare_skills, scope=("channel", "user")),
)
