"""Skills: what was learned and approved, as files of a runtime: a SKILL.md each, and a section of its instructions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from memdesk.client.plugs.installing import FileChange, carry_out, read_text
from memdesk.model.browse import FactRow
from memdesk.model.errors import Conflict
from memdesk.model.message import message
from memdesk.model.strategy import StrategyRow

INSTRUCTIONS = {"claude-code": "CLAUDE.md", "codex": "AGENTS.md", "gemini-cli": "GEMINI.md"}
"""File of instructions of each runtime that has skills."""
BEGIN, END = "<!-- memdesk: begin, written by `memdesk skills` -->", "<!-- memdesk: end -->"
_SECTION = re.compile(rf"\n?{re.escape(BEGIN)}.*?{re.escape(END)}\n?", re.S)
_VERSION = re.compile(r"^  version: (\d+)$", re.M)
_ID = re.compile(r"^  memdesk: (\S+)$", re.M)
NAME_CHARACTERS = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillsPlan:
    """Change to the skills of a runtime. folder: of its settings. skills: the names of those it has then."""

    folder: Path
    changes: tuple[FileChange, ...]
    skills: tuple[str, ...]

    @property
    def diff(self) -> str:
        return "".join(line for change in self.changes for line in change.diff())

    def carry_out(self) -> tuple[str, ...]:
        """Make the change, and return the backups of the files that were changed. Raises Conflict where a file is no
        longer as it was when the change was made out."""
        for change in self.changes:
            if read_text(change.path) != change.before:
                raise Conflict(
                    message("{path} was changed meanwhile.", path=change.path),
                    next=message("Look at the change again."),
                )
        return carry_out(self.changes, self.folder)

    def reversed(self) -> SkillsPlan:
        """Return the change that takes this one back."""
        changes = tuple(
            FileChange(path=each.path, before=each.after, after=each.before, own=each.own)
            for each in self.changes
        )
        return SkillsPlan(folder=self.folder, changes=changes, skills=())


def plan_skills(
    folder: Path, runtime: str, strategies: Iterable[StrategyRow], facts: Iterable[FactRow]
) -> SkillsPlan:
    """Return the change by which a runtime has the pinned ones of these as its skills and instructions, no others."""
    pinned = [each for each in strategies if each.pinned]
    lines = [each for each in facts if each.pinned]
    changes = _changes(folder, runtime, pinned, lines)
    return SkillsPlan(
        folder=folder,
        changes=tuple(each for each in changes if each.before != each.after),
        skills=tuple(skill_name(each) for each in pinned),
    )


def skill_name(strategy: StrategyRow) -> str:
    """Return the name of a strategy's skill: letters, digits and hyphens, with the end of its id."""
    words = unicodedata.normalize("NFKD", strategy.context_pattern or strategy.description).lower()
    plain_words = re.sub(r"[^a-z0-9]+", "-", words).strip("-")[:NAME_CHARACTERS].strip("-")
    return "-".join(filter(None, ("memdesk", plain_words, strategy.id[-6:].lower())))


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
    text = read_text(path)
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
