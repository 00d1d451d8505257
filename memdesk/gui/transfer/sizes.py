"""File sizes and counts in words."""

from __future__ import annotations

from collections.abc import Mapping

from memdesk.gui.frame import times
from memdesk.gui.language import marked, tr

LOOKED_AT = ("files", "skipped", "known")
"""Counts of an import that are not about imported records."""
UNITS = ("B", "KB", "MB", "GB", "TB")
STEP = 1024
TABLES = {
    "files": marked("%Ln file(s)"), "documents": marked("%Ln file(s)"),
    "conversations": marked("%Ln conversation(s)"), "turns": marked("%Ln turn(s)"),
    "facts": marked("%Ln fact(s)"), "entities": marked("%Ln entit(y|ies)"),
    "relations": marked("%Ln relation(s)"), "goals": marked("%Ln goal(s)"),
    "strategies": marked("%Ln strateg(y|ies)"), "outcomes": marked("%Ln outcome(s)"),
    "tool_calls": marked("%Ln tool call(s)"), "tool calls": marked("%Ln tool call(s)"),
    "aliases": marked("%Ln other name(s)"), "other names": marked("%Ln other name(s)"),
    "channels": marked("%Ln channel(s)"), "proposals": marked("%Ln question(s) of the review"),
    "tags": marked("%Ln tag(s)"), "workspaces": marked("%Ln folder(s)"),
    "compactions": marked("%Ln compaction(s)"), "sessions": marked("%Ln session(s)"),
    "traits": marked("%Ln line(s) of a profile"), "versions": marked("%Ln version(s) of a file"),
    "memories": marked("%Ln fact(s)"), "scratch notes": marked("%Ln note(s) of a scratchpad"),
    "tool_invocations": marked("%Ln tool call(s)"),
}  # fmt: skip
"""Counted names of records, by the name that the service uses."""


def size(size_bytes: int) -> str:
    """Return a size in words: “812 B”, “4.2 KB”, “1.3 GB”."""
    value, unit = float(size_bytes), 0
    while value >= STEP and unit < len(UNITS) - 1:
        value, unit = value / STEP, unit + 1
    return f"{value:.0f} {UNITS[unit]}" if unit == 0 or value >= 100 else f"{value:.1f} {UNITS[unit]}"


def came_in(counts: Mapping[str, object]) -> str:
    """Return the new records of an import in words, such as “9 files, 12 facts”, without the counts of
    LOOKED_AT."""
    return counted({name: number for name, number in counts.items() if name not in LOOKED_AT})


def counted(counts: Mapping[str, object]) -> str:
    """Return counts in words, such as “9 files, 12 facts”; zeros and the change number are left out."""
    found = (
        one(name, number)
        for name, number in counts.items()
        if name != "change" and isinstance(number, int) and number
    )
    return tr(", ").join(dict.fromkeys(found))


def one(name: str, number: int) -> str:
    """Return one count in words: “12 facts”."""
    known = TABLES.get(name)
    return tr(known, "", number) if known else f"{times.count(number)} {name.replace('_', ' ')}"


NAMES = {
    "channels": marked("Channels"), "conversations": marked("Conversations"), "turns": marked("Turns"),
    "facts": marked("Facts"), "entities": marked("Entities"), "aliases": marked("Other names"),
    "relations": marked("Relations"), "goals": marked("Goals"), "strategies": marked("Strategies"),
    "outcomes": marked("Outcomes"), "tool_calls": marked("Tool calls"), "traits": marked("Lines of profiles"),
    "proposals": marked("Questions of the review"), "tags": marked("Tags"), "workspaces": marked("Folders"),
    "documents": marked("Files"), "sessions": marked("Sessions"), "compactions": marked("Compactions"),
}  # fmt: skip
"""Headings for the records of a table."""


def name(table: str) -> str:
    """Return the heading of a table: “Tool calls”."""
    return tr(NAMES[table]) if table in NAMES else table.replace("_", " ").capitalize()
