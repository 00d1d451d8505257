"""Wording of memory tools that keep files: the texts of each published dialect, sizes, and numbered lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

AROUND = 2
"""Lines shown before and after a replacement."""
_PACKAGES = "node_modules"


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Wording of a tool, in the parts that differ between its published forms.

    error: prefix of an error message. unlisted: names that a listing omits in addition to hidden ones.
    no_folder: message for editing a folder, "" for the message of a missing file. ends_with_newline: an
    insertion adds a final newline if the file had none."""

    error: str
    unlisted: tuple[str, ...]
    listing: str
    edited: str
    no_file: str
    no_line: str
    no_folder: str
    ends_with_newline: bool


DOCS = Words(
    error="Error: ",
    unlisted=(_PACKAGES,),
    listing="excluding hidden items and node_modules:",
    edited="The memory file has been edited.",
    no_file="Error: The path {path} does not exist",
    no_line="Error: Invalid `insert_line` parameter: {line}. "
    "It should be within the range of lines of the file: [0, {last}]",
    no_folder="",
    ends_with_newline=False,
)
PYTHON = Words(
    error="",
    unlisted=(),
    listing="excluding hidden items:",
    edited="The memory file has been edited. Here is the snippet showing the change (with line numbers):",
    no_file="The path {path} does not exist. Please provide a valid path.",
    no_line="Invalid `insert_line` parameter: {line}. It should be within the range [0, {last}].",
    no_folder="The path {path} is not a file.",
    ends_with_newline=True,
)
WORDS = {"docs": DOCS, "python": PYTHON}


def size_told(size_bytes: int) -> str:
    """Return a size in the unit that makes it less than 1,024, with one decimal unless it is an integer."""
    size, units = float(size_bytes), ["B", "K", "M", "G"]
    while size >= 1024 and len(units) > 1:
        size, units = size / 1024, units[1:]
    return f"{int(size)}{units[0]}" if size == int(size) else f"{size:.1f}{units[0]}"


def line_range(asked: Any, lines: int) -> tuple[int, int]:
    """Return the first and the last line to show; -1 means the last line of the file."""
    if not asked:
        return 1, lines
    first, last = asked
    return max(1, first), lines if last == -1 else last


def numbered(lines: list[str], first: int) -> str:
    """Return lines with their numbers, six characters wide, from `first` on."""
    return "\n".join(f"{number:>6}\t{line}" for number, line in enumerate(lines, first))


def snippet(text: str, line: int) -> str:
    """Return the lines around a line, counted from 0, with their numbers."""
    lines, first = text.split("\n"), max(0, line - AROUND)
    return numbered(lines[first : line + AROUND + 1], first + 1)
