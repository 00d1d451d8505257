"""How agent systems lay out their folders: which folder is whose, and what each file in it is for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePosixPath

from memdesk.model.channel import GLOBAL

KNOWN_HIDDEN = frozenset((".claude", ".agnx", ".duragent", ".agenticx", ".openclaw", ".openlegion"))
"""Hidden folders in which agents keep their memory; a walk goes into these."""
MARKDOWN = (".md", ".markdown")
BUDGETS = {
    "IDENTITY": 2000,
    "SOUL": 2000,
    "USER": 2000,
    "AGENTS": 2000,
    "HEARTBEAT": 1000,
    "MEMORY": 4000,
}
"""Characters. MEMORY: AgenticX adds to it only below 4,000. The others are ours: what an agent should carry in
every prompt, at most half of that."""
LEARNINGS_BUDGET = 4000
WORLD = "agnx world"
"""The layout of agnx's shared knowledge: files that every agent reads."""
_CORE = ("IDENTITY", "SOUL")
_STANDING = (
    "USER",
    "AGENTS",
    "TOOLS",
    "HEARTBEAT",
    "CLAUDE",
    "INSTRUCTIONS",
    "PROJECT",
    "SYSTEM",
    "BOOT",
    "BOOTSTRAP",
)
_MARKS = frozenset(("identity.md", "soul.md", "user.md", "memory.md"))
"""Files of which one makes its folder a workspace. AGENTS.md and CLAUDE.md do not: code has them in every corner."""
_ROOT = ""
_PLAIN_NAMES = frozenset(("workspace", "memory", "memories", "daily", "agent", "home", "docs"))
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(.*)")
_DAY_FOLDERS = frozenset(("memory", "daily", "logs", "journal", "diary"))
_NAME = re.compile(
    r"^[-*+\s]*(?:name|名字|姓名|名称|名前)[* \t]*[:：][*\"“` \t]*(?P<name>\w[^\n*(（\[]*)",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A folder that is one workspace. channel and agent_id: what its layout says, None where it says nothing."""

    path: Path
    name: str
    layout: str
    channel: str | None = None
    agent_id: str | None = None
    registered: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """One system's folder, known by its own name, its parents' and the names in it (small; folders end with a slash).

    alone: it is a workspace wherever it lies; the others only give a name to a folder that is one already.
    """

    name: str
    is_this: Callable[[Path, frozenset[str]], bool]
    agent: Callable[[Path], str | None] = lambda folder: named_after(folder)
    channel: str | None = None
    alone: bool = False


def _lies_in(folder: Path, *names: str | None) -> bool:
    """Whether the folder, its parent and so on bear these names; None for any."""
    return all(name in (None, at.name) for name, at in zip(names, (folder, *folder.parents), strict=False))


def _nobody(_: Path) -> None:
    return None


def _claude(_: Path) -> str:
    return "claude-code"


LAYOUTS: tuple[Layout, ...] = (
    Layout(WORLD, lambda at, _: _lies_in(at, "world", "memory"), _nobody, channel=GLOBAL, alone=True),
    Layout(
        "agnx",
        lambda at, has: _lies_in(at, None, "agents", "memory") and bool({"memory.md", "daily/"} & has),
        alone=True,
    ),
    Layout("duragent", lambda at, has: _lies_in(at, None, "agents") and "agent.yaml" in has, alone=True),
    Layout("Claude Code", lambda at, _: _lies_in(at, None, "projects", ".claude"), _claude, alone=True),
    Layout("Anthropic memory", lambda at, _: _lies_in(at, "memories"), _nobody, alone=True),
    Layout("Claude Code", lambda _, has: "claude.md" in has and not _MARKS & has, _claude),
    Layout("OpenClaw", lambda _, has: "identity.md" in has and bool({"agents.md", "tools.md"} & has)),
    Layout("AgenticX", lambda _, has: "identity.md" in has),
    Layout("OpenLegion", lambda _, has: "learnings/" in has or {"instructions.md", "soul.md"} <= has),
    Layout("workspace", lambda _, has: bool(_MARKS & has)),
    Layout("folder", lambda _at, _has: True, _nobody),
)


def places_of(root: Path, names: Iterable[str], registered: tuple[Place, ...]) -> tuple[Place, ...]:
    """The workspaces in a folder, deepest first, from the names of its files (with slashes).

    Files that no other workspace holds belong to the folder itself, or to the registered workspace it lies in.
    """
    held = _held(names)
    known = {place.path: place for place in registered}
    folders = {folder for folder in held if folder == _ROOT or _is_place(root / folder, held[folder])}
    paths = {
        root if not folder and _is_place(root, held[folder]) else _lifted(root, folder, known)
        for folder in folders
    }
    paths |= {path for path in known if path.is_relative_to(root)}
    found = [known.get(path) or _place(path, held.get(_relative(root, path), frozenset())) for path in paths]
    return tuple(sorted(found, key=lambda place: (-len(place.path.parts), str(place.path))))


def home_of(path: Path, places: tuple[Place, ...]) -> Place:
    """The nearest of these workspaces that a file lies in."""
    return next(place for place in places if path.is_relative_to(place.path))


def layer_of(relative: str, layout: str) -> str:
    """What a file of a workspace is for, by its path in it: one of model.document.LAYERS."""
    path = PurePosixPath(relative)
    stem = path.stem.upper()
    if "learnings" in (part.lower() for part in path.parts[:-1]):
        return "learnings"
    if day_of(relative) is not None:
        return "day"
    if stem in _CORE:
        return "core"
    if stem in _STANDING:
        return "workspace"
    return "long-term" if stem == "MEMORY" or layout == WORLD else "notes"


def day_of(relative: str) -> str | None:
    """The day a file tells of, YYYY-MM-DD: it is named by it, alone or in a folder of days."""
    path = PurePosixPath(relative)
    found = _DAY.fullmatch(path.stem)
    if found is None or not (not found[2] or path.parent.name.lower() in _DAY_FOLDERS):
        return None
    try:
        return date.fromisoformat(found[1]).isoformat()
    except ValueError:
        return None


def budget_of(relative: str) -> int | None:
    """How many characters a file should stay within, None where nothing bounds it."""
    if "learnings" in PurePosixPath(relative).parts[:-1]:
        return LEARNINGS_BUDGET
    path = PurePosixPath(relative)
    return BUDGETS.get(path.stem.upper()) if len(path.parts) == 1 or path.stem.upper() == "MEMORY" else None


def holds_facts(relative: str, layout: str) -> bool:
    """Whether each line of this file is something to believe: curated memory, the user's profile, a world file."""
    return layout == WORLD or PurePosixPath(relative).stem.upper() in ("MEMORY", "USER")


def name_in(identity: str) -> str | None:
    """The name an identity file gives its agent: `- **Name:** Iris`."""
    found = _NAME.search(identity)
    name = found["name"].strip(' \t.*_"“”') if found else ""
    return name[:60] or None


def named_after(folder: Path) -> str:
    """A folder's name, or its parent's where it is one that every system uses."""
    plain = folder.name.lower().lstrip(".") in _PLAIN_NAMES
    name = folder.parent.name if plain and folder.parent.name else folder.name
    return name.strip(".-") or "folder"


def slug(text: str) -> str:
    """A channel's name from a title: lower case, words joined by hyphens, any script."""
    return re.sub(r"[\W_]+", "-", text.lower()).strip("-")[:60]


def _held(names: Iterable[str]) -> dict[str, frozenset[str]]:
    """What each folder holds, in lower case: its files, and the folders in it with a slash."""
    held: dict[str, set[str]] = {_ROOT: set()}
    for name in names:
        folder, _, file = name.rpartition("/")
        held.setdefault(folder, set()).add(file.lower())
        while folder:
            above, _, part = folder.rpartition("/")
            held.setdefault(above, set()).add(part.lower() + "/")
            folder = above
    return {folder: frozenset(items) for folder, items in held.items()}


def _is_place(folder: Path, names: frozenset[str]) -> bool:
    if _MARKS & names or "agent.yaml" in names:
        return True
    return any(layout.alone and layout.is_this(folder, names) for layout in LAYOUTS)


def _lifted(root: Path, folder: str, known: Mapping[Path, Place]) -> Path:
    """The workspace a folder stands for: a folder called memory is part of what it lies in."""
    path = root / folder if folder else root
    if not folder:
        return next((above for above in (path, *path.parents) if above in known), path)
    return path.parent if path.name == "memory" and path.parent != root.parent else path


def _place(path: Path, names: frozenset[str]) -> Place:
    layout = next(layout for layout in LAYOUTS if layout.is_this(path, names))
    return Place(
        path=path,
        name=named_after(path),
        layout=layout.name,
        channel=layout.channel,
        agent_id=layout.agent(path),
    )


def _relative(root: Path, path: Path) -> str:
    """A folder as its files' names begin: relative to the walk's start, empty for the start itself."""
    return path.relative_to(root).as_posix() if path != root and path.is_relative_to(root) else _ROOT
