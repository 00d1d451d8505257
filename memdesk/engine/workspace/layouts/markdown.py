"""Markdown folders of no particular system: an agent's by the files in them, or any."""

from __future__ import annotations

from pathlib import Path

from memdesk.engine.workspace.layouts.layout import Bootstrap, Days, Layout, Part, nobody
from memdesk.engine.workspace.layouts.marks import MARKS

_DAYS = Days(opening="# {day}\n", entry="\n## {time}\n\n{text}\n")


def _workspace(_: Path, has: frozenset[str]) -> str:
    found = sorted(MARKS & has)
    return f"it holds {found[0][:-3].upper()}.md" if found else ""


def _folder(_at: Path, _has: frozenset[str]) -> str:
    return "no system is known by its files"


WORKSPACE = Layout(
    name="workspace",
    knows=_workspace,
    days=_DAYS,
    bootstrap=Bootstrap(
        parts=tuple(Part(path=f"{stem}.md") for stem in ("IDENTITY", "SOUL", "USER", "MEMORY"))
    ),
    begins=("AGENTS.md", "HEARTBEAT.md"),
)
FOLDER = Layout(name="folder", knows=_folder, agent=nobody, days=_DAYS)
