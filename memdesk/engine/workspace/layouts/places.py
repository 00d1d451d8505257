"""Recognition of the workspaces in a folder by the names of its files, and the role of each file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePosixPath

from memdesk.engine.workspace.layouts.layout import MARKS, WORLD, Layout, named_after
from memdesk.engine.workspace.layouts.systems import LAYOUTS, layout_named

MARKDOWN = (".md", ".markdown")
BUDGETS = {
    "IDENTITY": 2000,
    "SOUL": 2000,
    "USER": 2000,
    "AGENTS": 2000,
    "HEARTBEAT": 1000,
    "MEMORY": 4000,
}
"""Recommended lengths in characters, for layouts that set none. MEMORY: AgenticX adds to it only below 4,000.
The others are MemDesk's choice for files that are in every prompt, at most half of that."""
LEARNINGS_BUDGET = 4000
_CORE = ("IDENTITY", "SOUL")
_STANDING = (
    "USER",
    "AGENTS",
    "TOOLS",
    "HEARTBEAT",
    "CLAUDE",
    "CLAUDE.LOCAL",
    "INSTRUCTIONS",
    "PROJECT",
    "SYSTEM",
    "BOOT",
    "BOOTSTRAP",
)
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(.*)")
_DAY_FOLDERS = frozenset(("memory", "daily", "logs", "journal", "diary"))


def layer_of(relative: str, layout: str) -> str:
    """Return the role of a file by its path in the workspace: one of model.document.LAYERS."""
    path = PurePosixPath(relative)
    stem = path.stem.upper()
    if _is_learning(path):
        return "learnings"
    if day_of(relative) is not None:
        return "day"
    if stem in _CORE:
        return "core"
    if stem in _STANDING:
        return "workspace"
    return "long-term" if stem == "MEMORY" or layout == WORLD else "notes"


def _is_learning(path: PurePosixPath) -> bool:
    return "learnings" in (part.lower() for part in path.parts[:-1])


def is_memory(name: str, layout: str) -> bool:
    """Return True if a file of this name is memory in this layout: markdown, or any text where the layout
    allows that."""
    return PurePosixPath(name).suffix.lower() in MARKDOWN or layout_named(layout).any_text


def day_of(relative: str) -> str | None:
    """Return the day that names a file, as YYYY-MM-DD, or None. More text may follow it only in a folder of
    days."""
    path = PurePosixPath(relative)
    found = _DAY.fullmatch(path.stem)
    if found is None or not (not found[2] or path.parent.name.lower() in _DAY_FOLDERS):
        return None
    try:
        return date.fromisoformat(found[1]).isoformat()
    except ValueError:
        return None


def budget_of(relative: str, layout: str = "workspace") -> int | None:
    """Return the recommended length of a file in characters, None where there is none."""
    path = PurePosixPath(relative)
    if _is_learning(path):
        return LEARNINGS_BUDGET
    if len(path.parts) > 1 and path.stem.upper() != "MEMORY":
        return None
    known = BUDGETS | dict(layout_named(layout).budgets)
    return known.get(path.stem.upper())


def holds_facts(relative: str, layout: str) -> bool:
    """Return True if each line of this file is read as a fact: curated memory, the user's profile, a world
    file."""
    return layout == WORLD or PurePosixPath(relative).stem.upper() in ("MEMORY", "USER")


KNOWN_HIDDEN = frozenset(
    (".claude", ".agnx", ".duragent", ".agenticx", ".agentix", ".openclaw", ".openlegion")
)
"""Hidden folders in which agents keep their memory; a walk enters these."""
_ROOT = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Folder that is one workspace. channel, agent_id: from its layout, None where that does not determine
    them.

    why: the reason for its layout, as the end of a sentence that begins with “because”."""

    path: Path
    name: str
    layout: str
    channel: str | None = None
    agent_id: str | None = None
    registered: bool = False
    why: str = ""


def places_of(root: Path, names: Iterable[str], registered: tuple[Place, ...]) -> tuple[Place, ...]:
    """Return the workspaces in a folder, deepest first, from the names of its files (with slashes).

    Files in no other workspace belong to the folder itself, or to the registered workspace it is in."""
    held = _names_by_folder(names)
    known = {place.path: place for place in registered}
    folders = {folder for folder in held if folder == _ROOT or _is_place(root / folder, held[folder])}
    paths = {
        root if not folder and _is_place(root, held[folder]) else _workspace_folder(root, folder, known)
        for folder in folders
    }
    paths |= {path for path in known if path.is_relative_to(root)}
    found = [known.get(path) or _place(path, held.get(_relative(root, path), frozenset())) for path in paths]
    return tuple(sorted(found, key=lambda place: (-len(place.path.parts), str(place.path))))


def home_of(path: Path, places: tuple[Place, ...]) -> Place:
    """Return the nearest of these workspaces that contains a file. places: deepest first."""
    return next(place for place in places if path.is_relative_to(place.path))


def why_of(path: Path, layout: str) -> str:
    """Return why a folder on the disk has this layout; "" when nothing in it shows that any more."""
    names: set[str] = set()
    with suppress(OSError), os.scandir(path) as found:
        names = {item.name.lower() + ("/" if item.is_dir() else "") for item in found}
    told = (each.knows(path, frozenset(names)) for each in LAYOUTS if each.name == layout)
    return next(filter(None, told), "")


def _names_by_folder(names: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return the contents of each folder, in lower case: its files, and its folders with a slash."""
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
    if MARKS & names or "agent.yaml" in names:
        return True
    return any(layout.alone and layout.knows(folder, names) for layout in LAYOUTS)


def _workspace_folder(root: Path, folder: str, known: Mapping[Path, Place]) -> Path:
    """Return the path of the workspace that a folder belongs to: a folder called memory is part of its
    parent."""
    path = root / folder if folder else root
    if not folder:
        return next((above for above in (path, *path.parents) if above in known), path)
    return path.parent if path.name == "memory" and path.parent != root.parent else path


def _place(path: Path, names: frozenset[str]) -> Place:
    layout, why = _recognised(path, names)
    return Place(
        path=path,
        name=named_after(path),
        layout=layout.name,
        channel=layout.channel(path),
        agent_id=layout.agent(path),
        why=why,
    )


def _recognised(path: Path, names: frozenset[str]) -> tuple[Layout, str]:
    told = ((layout, layout.knows(path, names)) for layout in LAYOUTS)
    return next((layout, why) for layout, why in told if why)


def _relative(root: Path, path: Path) -> str:
    """Return a folder's path relative to the walk's start, "" for the start itself."""
    return path.relative_to(root).as_posix() if path != root and path.is_relative_to(root) else _ROOT
