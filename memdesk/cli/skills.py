"""skills: write what was learned and approved into a runtime, as skills and a section of its instructions."""

from __future__ import annotations

import argparse
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memdesk.api import memory, procedures
from memdesk.cli.command import Command, Context
from memdesk.cli.output import plain
from memdesk.client.plugs.installing import FileChange, carry_out
from memdesk.client.plugs.runtimes import BY_NAME
from memdesk.model.browse import FactRow, ListFacts
from memdesk.model.errors import BadAsk
from memdesk.model.message import message
from memdesk.model.procedures import ListStrategies, StrategyRow

INSTRUCTIONS = {"claude-code": "CLAUDE.md", "codex": "AGENTS.md"}
"""File of instructions of each runtime that has skills."""
BEGIN, END = "<!-- memdesk: begin, written by `memdesk skills` -->", "<!-- memdesk: end -->"
_SECTION = re.compile(rf"\n?{re.escape(BEGIN)}.*?{re.escape(END)}\n?", re.S)
_VERSION = re.compile(r"^  version: (\d+)$", re.M)
_ID = re.compile(r"^  memdesk: (\S+)$", re.M)
NAME_CHARACTERS = 48


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
    section of CLAUDE.md or AGENTS.md.

    Pinning is the approval. Without --channel, only what is in _global is written, for what a project knows is none of
    another's. The change is shown first, and made with --apply after a backup; what others wrote stays as it is. A
    skill names the strategy it came from, and its version grows when that changes."""
    args = context.args
    folder = Path(args.folder or BY_NAME[args.runtime].file().parent).expanduser().absolute()
    wants = args.action != "remove"
    strategies = [each for each in _strategies(context) if each.pinned] if wants else []
    facts = [each for each in _facts(context) if each.pinned] if wants else []
    changes = tuple(
        each for each in _changes(folder, args.runtime, strategies, facts) if each.before != each.after
    )
    applies = args.apply and args.action != "list"
    if args.apply and not applies:
        raise BadAsk(message("A list changes nothing."), next=message("memdesk skills write --apply"))
    backups = carry_out(changes, folder) if applies else ()
    done = Written(
        runtime=args.runtime,
        skills=tuple(skill_name(each) for each in strategies),
        files=tuple(str(change.path) for change in changes),
        diff="" if args.action == "list" else "".join(line for each in changes for line in each.diff()),
        applied=bool(applies and changes),
        backups=backups,
    )
    context.out.answer(done, _told(context, done, strategies, facts))
    if not context.out.json and args.action != "list":
        kept = f" What was there is kept in {', '.join(backups)}." if backups else ""
        shown = (
            "Nothing is changed yet; --apply makes this change." if changes else "Nothing has to be changed."
        )
        context.out.note(f"{len(changes)} files are changed.{kept}" if done.applied else shown)
    return 0


def skill_name(strategy: StrategyRow) -> str:
    """Return the name of a strategy's skill: letters, digits and hyphens, with the end of its id."""
    words = unicodedata.normalize("NFKD", strategy.context_pattern or strategy.description).lower()
    plain_words = re.sub(r"[^a-z0-9]+", "-", words).strip("-")[:NAME_CHARACTERS].strip("-")
    return "-".join(filter(None, ("memdesk", plain_words, strategy.id[-6:].lower())))


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


def _changes(
    folder: Path, runtime: str, strategies: list[StrategyRow], facts: list[FactRow]
) -> Iterator[FileChange]:
    """Yield the files that the skills and the section are in, and those of skills that are no more."""
    wanted = {each.id: each for each in strategies}
    known: set[str] = set()
    for file in sorted((folder / "skills").glob("memdesk-*/SKILL.md")):
        text = file.read_text(encoding="utf-8")
        if (found := _ID.search(text)) is None:
            continue
        known.add(found[1])
        after = _skill(wanted[found[1]], text, file.parent.name) if found[1] in wanted else ""
        yield FileChange(path=file, before=text, after=after, own=True)
    for id, strategy in wanted.items():
        if id not in known:
            name = skill_name(strategy)
            path = folder / "skills" / name / "SKILL.md"
            yield FileChange(path=path, before="", after=_skill(strategy, "", name), own=True)
    path = folder / INSTRUCTIONS[runtime]
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    yield FileChange(path=path, before=text, after=_with_section(text, facts), own=False)


def _skill(strategy: StrategyRow, before: str, name: str) -> str:
    """Return the SKILL.md of a strategy. before: its text until now, whose version goes up if it says otherwise."""
    version = int(found[1]) if (found := _VERSION.search(before)) else 1
    text = _skill_text(strategy, name, version)
    return text if before in ("", text) else _skill_text(strategy, name, version + 1)


def _skill_text(strategy: StrategyRow, name: str, version: int) -> str:
    use = " ".join((strategy.context_pattern or strategy.description).split())
    steps = "\n".join(f"{number}. {tool}" for number, tool in enumerate(strategy.tool_sequence, 1))
    by = f", learned by {strategy.agent_id}" if strategy.agent_id else ""
    return (
        f"---\nname: {name}\ndescription: {_quoted(f'Use it for: {use}')}\nmetadata:\n"
        f"  memdesk: {strategy.id}\n  version: {version}\n  channel: {_quoted(strategy.channel)}\n---\n\n"
        f"# {use[:1].upper()}{use[1:]}\n\n{strategy.description.strip()}\n\n## Tools in this order\n\n{steps}\n\n"
        f"Written by MemDesk from strategy {strategy.id} of {strategy.created_at:%Y-%m-%d}{by}, pinned by a person.\n"
    )


def _quoted(text: str) -> str:
    """Return a text as a value of YAML."""
    return "'" + text.replace("'", "''") + "'"


def _with_section(text: str, facts: list[FactRow]) -> str:
    """Return a file of instructions with the pinned facts in our section, and everything else as it was."""
    rest = _SECTION.sub("", text)
    if not facts:
        return rest
    lines = "\n".join(f"- {_in_line(fact.claim)} <!-- {fact.id} -->" for fact in sorted(facts, key=_order))
    section = f"{BEGIN}\n## Approved in MemDesk\n\n{lines}\n{END}\n"
    found = _SECTION.search(text)
    at = found.start() if found else len(rest)
    between = "\n" if rest[:at] else ""
    return f"{rest[:at]}{between}{section}{rest[at:]}"


def _in_line(claim: str) -> str:
    """Return a claim in one line that neither opens nor closes a comment."""
    return " ".join(claim.split()).replace("<!--", "&lt;!--").replace("-->", "--&gt;")


def _order(fact: FactRow) -> tuple[str, str]:
    return fact.channel, fact.id


def _told(
    context: Context, done: Written, strategies: list[StrategyRow], facts: list[FactRow]
) -> Iterator[str]:
    if done.diff or context.args.action != "list":
        yield from done.diff.splitlines()
        return
    rows = [("strategy", each.id, plain(each.description)) for each in strategies]
    rows += [("fact", each.id, plain(each.claim)) for each in facts]
    yield from context.out.table(("KIND", "ID", "WHAT A PERSON PINNED"), rows)


COMMANDS = (Command(name="skills", run=skills, declare=_declare, scope=("channel", "user")),)
