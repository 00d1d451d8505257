"""Layouts of systems that are recognised by the form of their notes: Hermes, Cline, Letta, Agent Zero, Basic
Memory and Obsidian."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from memdesk.engine.extraction.lexicon import word_set
from memdesk.engine.workspace.layouts.layout import (
    INSTRUCTIONS,
    NOTES,
    RULES,
    STATEMENTS,
    Bootstrap,
    Days,
    Layout,
    Part,
    lies_in,
    named_after,
    no_agent,
    opening,
)
from memdesk.model.message import NO_MESSAGE, Message, message

LOOKED_INTO = 8
"""Number of notes whose beginning is read to recognise a folder."""
_ENTRY_MARK = re.compile(r"^§\s*$", re.MULTILINE)


def _hermes(at: Path, has: frozenset[str]) -> Message:
    if lies_in(at, ".hermes"):
        return message("it is called .hermes")
    if lies_in(at, "memories", ".hermes"):
        return message("it lies in .hermes")
    marked = (name for name in ("MEMORY.md", "USER.md") if name.lower() in has)
    found = next((name for name in marked if _ENTRY_MARK.search(opening(at / name))), "")
    return message("its {found} parts its entries by §", found=found) if found else NO_MESSAGE


HERMES = Layout(
    name="Hermes",
    knows=_hermes,
    bootstrap=Bootstrap(parts=tuple(Part(path=f"{stem}.md") for stem in ("SOUL", "MEMORY", "USER"))),
    budgets=(("MEMORY", 2_200), ("USER", 1_375), ("SOUL", 20_000)),
)
"""Budgets: the character limits of Hermes' memory tool, and the length at which it cuts SOUL.md."""


_BANK = word_set(
    "projectbrief.md productcontext.md activecontext.md systempatterns.md techcontext.md progress.md"
)


def _cline(at: Path, has: frozenset[str]) -> Message:
    if lies_in(at, ".clinerules"):
        return message("it is called .clinerules")
    enough = 1 if at.name == "memory-bank" else 2
    return message("it holds the files of a memory bank") if len(_BANK & has) >= enough else NO_MESSAGE


CLINE = Layout(
    name="Cline", knows=_cline, alone=True, agent=no_agent, deep=True, curated=(("*.md", INSTRUCTIONS),)
)


_LABELLED = re.compile(r"\A---\n(?=(?:.*\n)*?(?:description|label):)(?=(?:.*\n)*?(?:limit|read_only|label):)")


def _letta(at: Path, has: frozenset[str]) -> Message:
    if lies_in(at, "memory", None, "agents", ".letta"):
        return message("it lies in .letta/agents")
    blocks = at / "system" if "system/" in has else at
    found = next((path for path in notes_in(blocks, inner=False) if _LABELLED.match(opening(path))), None)
    return message("{found} is a memory block", found=found.name) if found is not None else NO_MESSAGE


LETTA = Layout(
    name="Letta",
    knows=_letta,
    alone=True,
    agent=lambda at: named_after(at.parent if at.name == "memory" else at),
    deep=True,
    curated=(("*.md", STATEMENTS),),
)


def _agent_zero(at: Path, has: frozenset[str]) -> Message:
    if lies_in(at, ".a0proj"):
        return message("it is called .a0proj")
    if (at / "memory").is_dir() and any((at / "memory").glob("*/index.faiss")):
        return message("its memory is a FAISS index")
    if "behaviour.md" in has:
        return message("it holds behaviour.md")
    main = any((at / "knowledge").glob("*/main")) if "knowledge/" in has else False
    return message("it holds knowledge for its agents") if main else NO_MESSAGE


AGENT_ZERO = Layout(
    name="Agent Zero",
    knows=_agent_zero,
    alone=True,
    deep=True,
    curated=(("*behaviour.md", RULES), ("knowledge/*.md", STATEMENTS), ("*instructions/*.md", INSTRUCTIONS)),
)


_PERMALINK = re.compile(r"\A---\n(?:.*\n)*?permalink:", re.MULTILINE)


def _basic_memory(at: Path, has: frozenset[str]) -> Message:
    found = next((path for path in notes_in(at) if _PERMALINK.match(opening(path))), None)
    return message("{found} has a permalink", found=found.name) if found is not None else NO_MESSAGE


def _obsidian(at: Path, _: frozenset[str]) -> Message:
    return message("it holds the folder .obsidian") if (at / ".obsidian").is_dir() else NO_MESSAGE


_VAULT_DAYS = Days(folder="daily", opening="# {day}\n", entry="\n## {time}\n\n{text}\n")
BASIC_MEMORY = Layout(
    name="Basic Memory",
    knows=_basic_memory,
    alone=True,
    agent=no_agent,
    days=_VAULT_DAYS,
    deep=True,
    curated=(("*.md", NOTES),),
)
OBSIDIAN = Layout(
    name="Obsidian",
    knows=_obsidian,
    alone=True,
    agent=no_agent,
    days=_VAULT_DAYS,
    deep=True,
    curated=(("*.md", NOTES),),
)


def notes_in(at: Path, *, inner: bool = True) -> Iterator[Path]:
    """Yield some notes of a folder, and with `inner` of the folders in it."""

    def found() -> Iterator[Path]:
        yield from sorted(at.glob("*.md"))
        if inner:
            yield from sorted(at.glob("[!.]*/*.md"))

    try:
        yield from islice(found(), LOOKED_INTO)
    except OSError:
        return
