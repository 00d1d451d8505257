"""LAYOUTS: every known layout, one value per system; those recognised by the folder's place alone come first, those
recognised by the form of their notes (Hermes, Cline, Letta, Agent Zero, Basic Memory, Obsidian) follow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from memdesk.engine.extraction.lexicon import word_set
from memdesk.engine.workspace.layouts.layout import (
    INSTRUCTIONS,
    LEARNINGS,
    MARKS,
    NOTES,
    RULES,
    STATEMENTS,
    WORLD,
    Bootstrap,
    Days,
    Knows,
    Layout,
    Part,
    lies_in,
    named_after,
    no_agent,
    opening,
    slug,
)
from memdesk.model.channel import GLOBAL
from memdesk.model.message import NO_MESSAGE, Message, message

LOOKED_INTO = 8
"""Number of notes whose beginning is read to recognise a folder."""
_ENTRY_MARK = re.compile(r"^§\s*$", re.MULTILINE)


def _placed(why: Message, *names: str | None) -> Knows:
    """Return the rule that recognises a folder by its name and those of its parents; None matches any."""
    return lambda at, _: why if lies_in(at, *names) else NO_MESSAGE


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
    bootstrap=Bootstrap.of("SOUL", "MEMORY", "USER"),
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


_DAILY = Days(folder="daily")
BASIC_MEMORY = Layout(
    name="Basic Memory",
    knows=_basic_memory,
    alone=True,
    agent=no_agent,
    days=_DAILY,
    deep=True,
    curated=(("*.md", NOTES),),
)
OBSIDIAN = replace(BASIC_MEMORY, name="Obsidian", knows=_obsidian)


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


DAILY_CHARACTERS = 8_000
"""Size limit of a day file for additions by MemoryHook."""


def _agenticx(at: Path, has: frozenset[str]) -> Message:
    kind = subject(at)
    if kind:
        return message("it is the workspace of {kind} in .agenticx", kind=kind)
    return message("it holds IDENTITY.md") if "identity.md" in has else NO_MESSAGE


def _group_or_agent(at: Path) -> str | None:
    name = named_after(at)
    return f"group_{name}" if subject(at) == "a group" else name


def subject(at: Path) -> str:
    """Return the AgenticX subject that a folder belongs to by its place; "" for none."""
    if lies_in(at, "workspace", ".agenticx"):
        return message("the main agent")
    for folder, kind in (("avatars", message("an avatar")), ("groups", message("a group"))):
        if lies_in(at, None, folder, ".agenticx") or lies_in(at, "workspace", None, folder, ".agenticx"):
            return kind
    return ""


AGENTICX = Layout(
    name="AgenticX",
    knows=_agenticx,
    agent=_group_or_agent,
    days=Days(
        opening="# Daily Memory\n\n- Date: {day}\n- Notes:\n",
        entry="  - {text}\n",
        characters=DAILY_CHARACTERS,
    ),
    bootstrap=Bootstrap.of("IDENTITY", "USER", "SOUL", "MEMORY"),
    budgets=(("MEMORY", 4_000),),
)


def scope(at: Path) -> str:
    """Return the Agentix scope of a folder: main, user, project or local; "" for none."""
    if lies_in(at, "memories", ".agentix"):
        return "main"
    if lies_in(at, None, "agent-memory-local", ".agentix"):
        return "local"
    if lies_in(at, None, "agent-memory", ".agentix"):
        return "user" if at.parents[2] == Path.home() else "project"
    return ""


def _agentix(at: Path, _: frozenset[str]) -> Message:
    found = scope(at)
    kind = {"main": message("the main agent's memories"), "": ""}.get(
        found, message("a sub-agent's memory of the scope {found}", found=found)
    )
    return message("it is {kind} in .agentix", kind=kind) if kind else NO_MESSAGE


def _agentix_agent(at: Path) -> str | None:
    return _agentix_project(at) if scope(at) == "main" else at.name


def _agentix_channel(at: Path) -> str | None:
    return GLOBAL if scope(at) == "user" else slug(_agentix_project(at)) or None


def _agentix_project(at: Path) -> str:
    """Return the name of the folder in which Agentix was started."""
    hidden = next(folder for folder in at.parents if folder.name == ".agentix")
    return hidden.parent.name or "agentix"


AGENTIX = Layout(
    name="Agentix", knows=_agentix, alone=True, agent=_agentix_agent, channel=_agentix_channel, any_text=True
)


def _is_agnx(at: Path, has: frozenset[str]) -> Message:
    inside = lies_in(at, None, "agents", "memory") and {"memory.md", "daily/"} & has
    return message("it lies in memory/agents and holds MEMORY.md or daily") if inside else NO_MESSAGE


def _agnx_agent(at: Path) -> str | None:
    """Return the agent of a folder in agents; the folder that agents share is of none."""
    return at.name if lies_in(at, None, "agents") else None


def _duragent(at: Path, has: frozenset[str]) -> Message:
    inside = lies_in(at, None, "agents") and "agent.yaml" in has
    return message("it lies in agents and holds agent.yaml") if inside else NO_MESSAGE


AGNX_WORLD = Layout(
    name=WORLD,
    knows=_placed(message("it is the folder world in a folder memory"), "world", "memory"),
    alone=True,
    agent=no_agent,
    channel=lambda _: GLOBAL,
)
AGNX = Layout(
    name="agnx",
    knows=_is_agnx,
    alone=True,
    agent=_agnx_agent,
    days=_DAILY,
    begins=("MEMORY.md",),
)
DURAGENT = Layout(
    name="duragent",
    knows=_duragent,
    alone=True,
    days=Days(folder="memory/daily"),
    begins=("memory/MEMORY.md",),
)


ANTHROPIC = Layout(
    name="Anthropic memory",
    knows=_placed(message("it is called memories"), "memories"),
    alone=True,
    agent=no_agent,
    any_text=True,
)


_TOPIC = re.compile(
    r"\A---\n(?:.*\n){1,12}?\s*type:\s*(?:user|feedback|project|reference)\s*\n(?:.*\n){0,8}?---\s*$", re.M
)


def _topics(at: Path) -> Message:
    """Return the reason for which a folder is a memory of Claude Code, also where a backup has it."""
    found = next((path for path in notes_in(at, inner=False) if _TOPIC.match(opening(path))), None)
    return message("{found} is a topic of its memory", found=found.name) if found is not None else NO_MESSAGE


def _is_claude_memory(at: Path, has: frozenset[str]) -> Message:
    return _topics(at) if "memory.md" in has else NO_MESSAGE


def _instructions(at: Path, has: frozenset[str]) -> Message:
    if lies_in(at, ".claude"):
        return message("it is called .claude")
    if "memory/" in has and (topics := _topics(at / "memory")):
        return topics
    if MARKS & has:
        return NO_MESSAGE
    found = next((name for name in ("CLAUDE.md", "CLAUDE.local.md") if name.lower() in has), "")
    if found:
        return message("it holds {found}", found=found)
    hidden = next((name for name in ("CLAUDE.md", "rules", "memory") if (at / ".claude" / name).exists()), "")
    return message("it holds .claude/{hidden}", hidden=hidden) if hidden else NO_MESSAGE


_CLAUDE_FILES = (
    ("CLAUDE.md", INSTRUCTIONS),
    ("*/CLAUDE.md", INSTRUCTIONS),
    ("CLAUDE.local.md", INSTRUCTIONS),
    ("*AGENTS.md", INSTRUCTIONS),
    ("*rules/*.md", RULES),
    (".claude/memory/*.md", STATEMENTS),
    ("*agent-memory/*.md", STATEMENTS),
    ("memory/*.md", STATEMENTS),
)
_INDEX_CHARACTERS = 25_000
CLAUDE_PROJECT = Layout(
    name="Claude Code",
    knows=_placed(message("it lies in .claude/projects"), None, "projects", ".claude"),
    alone=True,
    agent=lambda _: "claude-code",
    curated=_CLAUDE_FILES,
    budgets=(("MEMORY", _INDEX_CHARACTERS),),
)
CLAUDE_CODE = replace(CLAUDE_PROJECT, knows=_instructions, alone=False)
CLAUDE_MEMORY = replace(
    CLAUDE_PROJECT, name="Claude Code memory", knows=_is_claude_memory, curated=(("*.md", STATEMENTS),)
)


def _codex(at: Path, has: frozenset[str]) -> Message:
    own = "agents.md" in has and not MARKS & has
    return message("it holds {found}", found="AGENTS.md") if own else NO_MESSAGE


_AGENTS_FILES = (
    ("*AGENTS.md", INSTRUCTIONS),
    ("*AGENTS.override.md", INSTRUCTIONS),
    ("*.cursor/rules/*", RULES),
    (".cursorrules", RULES),
    ("memory/*.md", STATEMENTS),
)
CODEX = Layout(name="Codex", knows=_codex, agent=lambda _: "codex", curated=_AGENTS_FILES)
CODEX_MEMORY = replace(
    CODEX,
    name="Codex memory",
    knows=_placed(message("it lies in .codex"), "memories", ".codex"),
    curated=(("*.md", STATEMENTS),),
)


def _cursor(at: Path, has: frozenset[str]) -> Message:
    if MARKS & has:
        return NO_MESSAGE
    found = next((name for name in (".cursor/rules", ".cursorrules") if (at / name).exists()), "")
    return message("it holds {found}", found=found) if found else NO_MESSAGE


CURSOR = Layout(name="Cursor", knows=_cursor, agent=lambda _: "cursor", curated=_AGENTS_FILES)


_PROMPT = ("AGENTS", "SOUL", "TOOLS", "IDENTITY", "USER", "HEARTBEAT", "BOOTSTRAP", "MEMORY")


def _openclaw(at: Path, has: frozenset[str]) -> Message:
    beside = sorted({"agents.md", "tools.md"} & has)
    if "identity.md" in has and beside:
        return message("it holds IDENTITY.md beside {upper}md", upper=beside[0].upper()[:-2])
    if ".learnings/" in has:
        return message("it holds the folder .learnings")
    if lies_in(at, None, ".openclaw") and at.name.startswith("workspace"):
        return message("it is a workspace in .openclaw")
    return message("it holds TOOLS.md and SOUL.md") if {"tools.md", "soul.md"} <= has else NO_MESSAGE


OPENCLAW = Layout(
    name="OpenClaw",
    knows=_openclaw,
    days=Days(entry="\n{text}\n"),
    bootstrap=Bootstrap.of(*_PROMPT, characters=20_000),
    curated=((".learnings/LEARNINGS.md", LEARNINGS), (".learnings/ERRORS.md", LEARNINGS)),
)


_CAPS = (("SYSTEM", 6_000), ("AGENTS", 8_000), ("SOUL", 4_000), ("USER", 4_000), ("MEMORY", 16_000))
_SCAFFOLD = frozenset(("soul.md", "agents.md", "user.md", "memory.md", "heartbeat.md"))


def _openlegion(_: Path, has: frozenset[str]) -> Message:
    if "learnings/" in has:
        return message("it holds the folder learnings")
    if {"instructions.md", "soul.md"} <= has:
        return message("it holds INSTRUCTIONS.md and SOUL.md")
    return (
        message("it holds the files of its scaffold")
        if has >= _SCAFFOLD and "identity.md" not in has
        else NO_MESSAGE
    )


OPENLEGION = Layout(
    name="OpenLegion",
    knows=_openlegion,
    days=Days(utc=True, opening="", entry="- [{time}] {text}\n"),
    bootstrap=Bootstrap(
        parts=(Part(path="PROJECT.md"), *(Part(path=f"{stem}.md", characters=cap) for stem, cap in _CAPS)),
        joint="\n\n---\n\n",
        characters=40_000,
        cut="\n\n... (truncated, use memory_search for full content)",
    ),
    writable=("HEARTBEAT.md", "USER.md"),
    learnings=True,
    budgets=_CAPS,
)


def _workspace(_: Path, has: frozenset[str]) -> Message:
    found = sorted(MARKS & has)
    return message("it holds {upper}.md", upper=found[0][:-3].upper()) if found else NO_MESSAGE


def _folder(_at: Path, _has: frozenset[str]) -> Message:
    return message("no system is known by its files")


WORKSPACE = Layout(
    name="workspace",
    knows=_workspace,
    days=Days(),
    bootstrap=Bootstrap.of("IDENTITY", "SOUL", "USER", "MEMORY"),
    begins=("AGENTS.md", "HEARTBEAT.md"),
    learnings=True,
)
FOLDER = Layout(name="folder", knows=_folder, agent=no_agent, days=Days())


LAYOUTS: tuple[Layout, ...] = (
    AGNX_WORLD,
    AGNX,
    DURAGENT,
    CLAUDE_PROJECT,
    CLAUDE_MEMORY,
    AGENTIX,
    HERMES,
    CODEX_MEMORY,
    ANTHROPIC,
    CLINE,
    LETTA,
    AGENT_ZERO,
    CLAUDE_CODE,
    OPENCLAW,
    AGENTICX,
    OPENLEGION,
    BASIC_MEMORY,
    OBSIDIAN,
    CURSOR,
    CODEX,
    WORKSPACE,
    FOLDER,
)


def layout_named(name: str) -> Layout:
    """Return the layout of this name; that of a plain folder for a name that is not known."""
    return next((layout for layout in LAYOUTS if layout.name == name), FOLDER)
