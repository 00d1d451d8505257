"""Recognition of the workspaces in a folder by the names of its files, each with the reason."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from memdesk.engine.workspace.layouts.known import LAYOUTS
from memdesk.engine.workspace.layouts.layout import Layout
from memdesk.engine.workspace.layouts.marks import MARKS
from memdesk.engine.workspace.layouts.naming import named_after

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
    """Return the nearest of these workspaces that contains a file. places: deepest first."""
    return next(place for place in places if path.is_relative_to(place.path))


def why_of(path: Path, layout: str) -> str:
    """Return why a folder on the disk has this layout; "" when nothing in it shows that any more."""
    names: set[str] = set()
    with suppress(OSError), os.scandir(path) as found:
        names = {item.name.lower() + ("/" if item.is_dir() else "") for item in found}
    told = (each.knows(path, frozenset(names)) for each in LAYOUTS if each.name == layout)
    return next(filter(None, told), "")


def _held(names: Iterable[str]) -> dict[str, frozenset[str]]:
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


def _lifted(root: Path, folder: str, known: Mapping[Path, Place]) -> Path:
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
