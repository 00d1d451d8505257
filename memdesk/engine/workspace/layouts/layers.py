"""Role of each file of a workspace, the day it belongs to, and its recommended length."""

from __future__ import annotations

import re
from datetime import date
from pathlib import PurePosixPath

from memdesk.engine.workspace.layouts.known import layout_named
from memdesk.engine.workspace.layouts.layout import WORLD

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
    if "learnings" in (part.lower() for part in path.parts[:-1]):
        return "learnings"
    if day_of(relative) is not None:
        return "day"
    if stem in _CORE:
        return "core"
    if stem in _STANDING:
        return "workspace"
    return "long-term" if stem == "MEMORY" or layout == WORLD else "notes"


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
    if "learnings" in path.parts[:-1]:
        return LEARNINGS_BUDGET
    if len(path.parts) > 1 and path.stem.upper() != "MEMORY":
        return None
    known = BUDGETS | dict(layout_named(layout).budgets)
    return known.get(path.stem.upper())


def holds_facts(relative: str, layout: str) -> bool:
    """Return True if each line of this file is read as a fact: curated memory, the user's profile, a world
    file."""
    return layout == WORLD or PurePosixPath(relative).stem.upper() in ("MEMORY", "USER")
