"""Definition of a layout, and the names that folders and files give to agents, workspaces and channels."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memdesk.model.message import Message

_PLAIN_NAMES = frozenset(
    ("workspace", "memory", "memories", "memory-bank", "daily", "agent", "home", "docs", "notes", "vault")
)
_NAME = re.compile(
    r"^[-*+\s]*(?:name|名字|姓名|名称|名前)[* \t]*[:：][*\"“` \t]*(?P<name>\w[^\n*(（\[]*)",
    re.IGNORECASE | re.MULTILINE,
)


def name_in(identity: str) -> str | None:
    """Return the name that an identity file gives its agent: `- **Name:** Iris`."""
    found = _NAME.search(identity)
    name = found["name"].strip(' \t.*_"“”') if found else ""
    return name[:60] or None


def named_after(folder: Path) -> str:
    """Return a folder's name, or its parent's where its own is a general one such as `workspace`."""
    plain = folder.name.lower().lstrip(".") in _PLAIN_NAMES
    name = folder.parent.name if plain and folder.parent.name else folder.name
    return name.strip(".-") or "folder"


def slug(text: str) -> str:
    """Return a channel name made from a title: lower case, words joined by hyphens, any script."""
    return re.sub(r"[\W_]+", "-", text.lower()).strip("-")[:60]


STATEMENTS, INSTRUCTIONS, RULES = "statements", "instructions", "rules"
NOTES, LEARNINGS, DAY = "notes", "learnings", "day"
"""Manners in which the lines of a file are read as facts: curated memory, instructions to the agent, rules alone,
notes of a vault, entries of learnings, and a day, of which only what is true beyond it is kept."""
MARKS = frozenset(("identity.md", "soul.md", "user.md", "memory.md"))


WORLD = "agnx world"
"""Layout of agnx's shared knowledge: files that every agent reads."""
Knows = Callable[[Path, frozenset[str]], Message]
"""Function that returns why a folder with these names in it (lower case; folders end with a slash) is this
system's, "" if it is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """Format of a system's day files. folder: where they are. utc: their dates and hours are UTC, else local.

    opening: the beginning of a new day file; entry: one entry. Both are filled with {day}, {time} (HH:MM) and
    {text}. characters: length limit of a day file, None for none."""

    folder: str = "memory"
    utc: bool = False
    opening: str = "# {day}\n"
    entry: str = "\n## {time}\n\n{text}\n"
    characters: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """File in the prompt at the start of a session. characters: the length at which it is cut, None for never."""

    path: str
    characters: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bootstrap:
    """Files in the prompt at the start of a session, in order. joint: text between them. characters: the
    length at which the joined text is cut; cut: text put after a cut."""

    parts: tuple[Part, ...]
    joint: str = "\n\n"
    characters: int | None = None
    cut: str = ""

    @classmethod
    def of(cls, *stems: str, characters: int | None = None) -> Bootstrap:
        """Return the prompt of these markdown files, each cut at a length."""
        return cls(parts=tuple(Part(path=f"{stem}.md", characters=characters) for stem in stems))


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Layout of one system's folders.

    knows: recognises a folder. alone: enough to make a folder a workspace anywhere; other layouts only name a
    folder that is one already. agent, channel: the agent and the channel by the folder's place, None where it
    does not determine them. days: None where the system keeps none. bootstrap: None where the start of a
    session is not known. writable: files an agent may replace. learnings: True if it keeps errors and
    corrections. any_text: it keeps memory in files of any name, not in markdown alone. budgets: recommended
    lengths of curated files, in characters. begins: files its agents use besides those of the bootstrap,
    which a person may begin from a template. curated: (pattern of a path, manner) of files that are read line by
    line, besides those of every system. deep: folders inside it are no workspaces of the same layout."""

    name: str
    knows: Knows
    alone: bool = False
    agent: Callable[[Path], str | None] = named_after
    channel: Callable[[Path], str | None] = lambda _: None
    days: Days | None = None
    bootstrap: Bootstrap | None = None
    writable: tuple[str, ...] = ()
    learnings: bool = False
    any_text: bool = False
    budgets: tuple[tuple[str, int], ...] = ()
    begins: tuple[str, ...] = ()
    curated: tuple[tuple[str, str], ...] = ()
    deep: bool = False


def lies_in(folder: Path, *names: str | None) -> bool:
    """Return True if the folder, its parent and so on have these names; None matches any name."""
    return all(name in (None, at.name) for name, at in zip(names, (folder, *folder.parents), strict=False))


OPENING_BYTES = 4_096


def opening(path: Path) -> str:
    """Return the beginning of a text file, by which a system may be recognised; "" where it cannot be read.

    A pipe is not opened: that would wait for a writer for ever."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return file.read(OPENING_BYTES).decode("utf-8", "ignore")
    except OSError:
        return ""


def no_agent(_: Path) -> None:
    """Return None, for folders that belong to no particular agent."""
