"""The text a person is writing and the version it is based on, as an editor has them."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.files.merge import BETWEEN, MINE, THEIRS
from memdesk.gui.editor.authors import per_line
from memdesk.gui.editor.past import plain_ends
from memdesk.gui.language import tr
from memdesk.model.workspace import FileText


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An unsaved text of one file, and the version it is based on."""

    base: FileText
    text: str


def base_text(file: FileText) -> str:
    """The file's text as an editor has it."""
    return plain_ends(file.text)


def named(file: FileText) -> str:
    """“MEMORY.md of Iris”."""
    return tr("{file} of {agent}", file=file.path, agent=file.agent_id) if file.agent_id else file.path


def base_authors(file: FileText) -> list[str]:
    """Its authors by the editor's lines."""
    return per_line(base_text(file), file.authors)


def alike(one: str, other: str) -> bool:
    """Whether two texts are the same but for their final newline, which a file keeps in its own manner."""
    return one.rstrip("\n") == other.rstrip("\n")


def is_half_merged(text: str) -> bool:
    """Whether the marks of a merge still stand in a text."""
    lines = set(text.split("\n")) if MINE in text else set()
    return {MINE, BETWEEN, THEIRS} <= lines
