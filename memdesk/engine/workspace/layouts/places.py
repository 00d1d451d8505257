"""Recognition of the workspaces in a folder by the names of its files, and the role of each file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from memdesk.engine.extraction.lexicon import word_set
from memdesk.engine.workspace.layouts.layout import DAY, MARKS, STATEMENTS, WORLD, Layout, named_after
from memdesk.engine.workspace.layouts.systems import FOLDER, LAYOUTS, WORKSPACE, layout_named
from memdesk.model.document import Workspace
from memdesk.model.message import NO_MESSAGE, Message, message

MARKDOWN = (".md", ".markdown", ".mdc")
_OWN_BUDGETS = {
    "IDENTITY": 2000,
    "SOUL": 2000,
    "USER": 2000,
    "AGENTS": 2000,
    "HEARTBEAT": 1000,
    "MEMORY": 4000,
}
"""Recommended lengths in characters for a workspace of no known system: MemDesk's choice for files that are in
every prompt."""
LEARNINGS_BUDGET = 4000
_CORE = ("IDENTITY", "SOUL")
_STANDING = word_set(
    "USER AGENTS TOOLS HEARTBEAT CLAUDE CLAUDE.LOCAL AGENTS.OVERRIDE INSTRUCTIONS PROJECT SYSTEM BOOT "
    "BOOTSTRAP"
)
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(.*)")
_CURATED = ("MEMORY", "USER")
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
    return any(part.lower().lstrip(".") == "learnings" for part in path.parts[:-1])


def is_memory(name: str, layout: str) -> bool:
    """Return True if a file of this name is memory in this layout: markdown, or any text where the layout
    allows that."""
    return _is_markdown(PurePosixPath(name)) or layout_named(layout).any_text


def _is_markdown(path: PurePosixPath) -> bool:
    return path.suffix.lower() in MARKDOWN or path.name == ".cursorrules"


def day_of(relative: str) -> str | None:
    """Return the day that names a file, as YYYY-MM-DD, or None. More text may follow it only in a folder of days."""
    path = PurePosixPath(relative)
    found = _DAY.fullmatch(path.stem)
    if found is None or not (not found[2] or path.parent.name.lower() in _DAY_FOLDERS):
        return None
    try:
        return date.fromisoformat(found[1]).isoformat()
    except ValueError:
        return None


def budget_of(relative: str, layout: str = "workspace") -> int | None:
    """Return the recommended length of a file in characters, by its own system; None where there is none."""
    path = PurePosixPath(relative)
    system = layout_named(layout)
    if _is_learning(path):
        return LEARNINGS_BUDGET if system.learnings or layout == WORKSPACE.name else None
    if len(path.parts) > 1 and path.stem.upper() != "MEMORY":
        return None
    prompt = system.bootstrap.parts if system.bootstrap is not None else ()
    cut = {PurePosixPath(part.path).stem: part.characters for part in prompt if part.characters}
    known = cut | dict(system.budgets) | (_OWN_BUDGETS if layout == WORKSPACE.name else {})
    return known.get(path.stem.upper())


def holds_facts(relative: str, layout: str) -> bool:
    """Return True if the lines of this file are read as facts."""
    return manner_of(relative, layout) != ""


def manner_of(relative: str, layout: str) -> str:
    """Return the manner in which the lines of a file are read as facts, "" for a file of which no line is.

    The memory, the user's profile and the agent's identity are read in every layout, days too, and the files
    that the layout names."""
    path = PurePosixPath(relative)
    if not _is_markdown(path):
        return ""
    if path.stem.upper() in _CURATED or relative == "IDENTITY.md":
        return STATEMENTS
    if day_of(relative) is not None:
        return DAY
    if layout == WORLD:
        return STATEMENTS
    found = (manner for pattern, manner in layout_named(layout).curated if fnmatchcase(relative, pattern))
    return next(found, "")


def unread_reason(relative: str, layout: str) -> str:
    """Return why no line of a file is read as a fact, for a person; "" for a file whose lines are read."""
    if holds_facts(relative, layout):
        return ""
    if layer_of(relative, layout) in ("core", "workspace"):
        return message("instructions of the agent")
    return (
        message("entry of learnings")
        if _is_learning(PurePosixPath(relative))
        else message("note, found by its passages")
    )


KNOWN_HIDDEN = word_set(
    ".claude .agnx .duragent .agenticx .agentix .openclaw .openlegion .hermes .letta .clinerules "
    ".learnings .a0proj .codex .cursor .cursorrules"
)
"""Hidden folders and files in which agents keep their memory; a walk takes these."""
_ROOT = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Folder that is one workspace. channel, agent_id: from its layout, None where that does not determine
    them.

    given: a person said its layout or its agent. why: the reason for its layout, as the end of a sentence that
    begins with “because”."""

    path: Path
    name: str
    layout: str
    channel: str | None = None
    agent_id: str | None = None
    registered: bool = False
    given: bool = False
    why: Message = NO_MESSAGE

    @classmethod
    def of(cls, workspace: Workspace) -> Place:
        """Return the folder of a workspace that is registered already."""
        return cls(
            path=Path(workspace.path),
            name=workspace.name,
            layout=workspace.layout,
            channel=workspace.channel,
            agent_id=workspace.agent_id,
            registered=True,
        )


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
    found = [place for place in found if place.registered or not _is_part(place, found)]
    return tuple(sorted(found, key=lambda place: (-len(place.path.parts), str(place.path))))


_HOMES = {
    ".agnx/memory": "agnx",
    ".duragent/memory": "duragent",
    ".hermes/memories": "Hermes",
    "memory-bank": "Cline",
    ".agenticx/workspace": "AgenticX",
}
"""Folders in which systems keep their memory, from the one they are started in."""


def empty_homes(root: Path, files: Iterable[Path]) -> tuple[Place, ...]:
    """Return the folders in `root` that are made for a system's memory and have none of these files yet."""
    used = {folder for path in files for folder in path.parents}
    depths = {path: len(PurePosixPath(path).parts) for path in _HOMES}
    starts = {path: (root, *root.parents[depth - 1 : depth]) for path, depth in depths.items()}
    return tuple(
        Place(
            path=start / path,
            name=named_after(start),
            layout=_HOMES[path],
            why=message("it is made for the memory of its agents"),
        )
        for path, around in starts.items()
        for start in around
        if (start / path).is_relative_to(root) and (start / path).is_dir() and start / path not in used
    )


def home_of(path: Path, places: tuple[Place, ...]) -> Place:
    """Return the nearest of these workspaces that contains a file. places: deepest first."""
    return next(place for place in places if path.is_relative_to(place.path))


def why_of(path: Path, layout: str) -> Message:
    """Return why a folder on the disk has this layout; "" when nothing in it shows that any more."""
    names: set[str] = set()
    with suppress(OSError), os.scandir(path) as found:
        names = {item.name.lower() + ("/" if item.is_dir() else "") for item in found}
    reasons = (each.knows(path, frozenset(names)) for each in LAYOUTS if each.name == layout)
    return next(filter(None, reasons), NO_MESSAGE)


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
    """Return the path of the workspace that a folder belongs to: a folder called memory is part of its parent."""
    path = root / folder if folder else root
    if not folder:
        return next((above for above in (path, *path.parents) if above in known), path)
    parts = path.relative_to(root).parts
    if ".claude" in parts and "projects" not in parts:
        return root.joinpath(*parts[: parts.index(".claude")])
    inner = path.name in ("memory", ".learnings") or path.parent.name == ".hermes"
    return path.parent if inner and path.parent != root.parent else path


def _is_part(place: Place, places: Iterable[Place]) -> bool:
    """Return True if a folder is part of another one, whose layout covers the folders in it."""
    return any(
        other.path in place.path.parents
        and layout_named(other.layout).deep
        and place.layout in (other.layout, FOLDER.name, WORKSPACE.name)
        for other in places
    )


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


def _recognised(path: Path, names: frozenset[str]) -> tuple[Layout, Message]:
    reasons = ((layout, layout.knows(path, names)) for layout in LAYOUTS)
    return next((layout, why) for layout, why in reasons if why)


def _relative(root: Path, path: Path) -> str:
    """Return a folder's path relative to the walk's start, "" for the start itself."""
    return path.relative_to(root).as_posix() if path != root and path.is_relative_to(root) else _ROOT
