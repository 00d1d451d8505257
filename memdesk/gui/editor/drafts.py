"""Drafts: the unsaved text of a file together with the version it is based on."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.files.merge import BETWEEN, MINE, THEIRS
from memdesk.gui.editor.authors import per_line
from memdesk.gui.editor.past import plain_ends
from memdesk.gui.language import tr
from memdesk.model.workspace import FileText


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Unsaved text of one file, and the version it is based on."""

    base: FileText
    text: str


def base_text(file: FileText) -> str:
    """Return the text of a file with the line ends of the editor."""
    return plain_ends(file.text)


def named(file: FileText) -> str:
    """Return the name of a file with its agent: “MEMORY.md of Iris”."""
    return tr("{file} of {agent}", file=file.path, agent=file.agent_id) if file.agent_id else file.path


def base_authors(file: FileText) -> list[str]:
    """Return the authors of a file by the lines of the editor."""
    return per_line(base_text(file), file.authors)


def alike(one: str, other: str) -> bool:
    """Return True if two texts differ at most in their final newlines, which the file keeps in its own form."""
    return one.rstrip("\n") == other.rstrip("\n")


def is_half_merged(text: str) -> bool:
    """Return True if a text still contains the marks of a merge conflict."""
    lines = set(text.split("\n")) if MINE in text else set()
    return {MINE, BETWEEN, THEIRS} <= lines
