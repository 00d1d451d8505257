"""Memory in files: workspaces, their documents, and the passages by which a document is searched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memdesk.model.kind import Kind
from memdesk.model.trust import BEFORE

LAYERS = ("core", "workspace", "long-term", "learnings", "day", "notes")
"""Purposes of a file: identity, standing instructions, curated memory, lessons, a day's log, anything else."""
SECTION_LINES = 60
"""Maximum lines of a passage. Longer sections are cut into windows, as AgenticX does."""
BLOCK_LINES = 40
"""Lines of each passage of a file without headings, as in AgenticX."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """Folder of markdown files that belongs to an agent. `path` is absolute; the folder stays where it is."""

    seq: int
    id: str
    user_id: str
    channel: str
    agent_id: str | None
    name: str
    path: str
    layout: str
    created_at: int
    retired_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """File of a workspace as last seen. `content_hash` names its version; every version is kept.

    `layer` is one of LAYERS; `day` is YYYY-MM-DD for a daily log. `size` is in characters."""

    seq: int
    id: str
    user_id: str
    channel: str
    agent_id: str | None
    workspace_id: str
    path: str
    layer: str
    day: str | None
    content_hash: str
    size: int
    created_at: int
    updated_at: int
    retired_at: int | None = None
    origin: str = ""
    trust: float = BEFORE


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Searchable piece of a document: lines `first_line` to `last_line`, counted from 1, under `heading`."""

    heading: str
    first_line: int
    last_line: int
    text: str


WORKSPACE = Kind(
    name="workspace",
    prefix="w",
    table="workspaces",
    record=Workspace,
    label="Workspace",
    layer="workspace",
    title="name",
    subject_rank=10,
    owner="document",
    unique=(("user_id", "path"),),
)
DOCUMENT = Kind(
    name="document",
    prefix="d",
    table="documents",
    record=Document,
    label="File",
    layer="workspace",
    title="path",
    subject_rank=9,
    references=(("workspace_id", "workspace"),),
    unique=(("workspace_id", "path"),),
)

_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$")
_FENCE = re.compile(r"^ {0,3}(```+|~~~+)")


def passages_of(text: str) -> tuple[Passage, ...]:
    """Cut markdown into passages at its headings; cut a long section again at its last blank line within
    SECTION_LINES. A file without headings is cut into blocks of BLOCK_LINES.

    A heading inside a code fence is text. Passages without a letter or digit are left out."""
    lines = text.splitlines()
    starts = _section_starts(lines)
    if len(starts) == 1:
        blocks = range(0, len(lines), BLOCK_LINES)
        return tuple(_passages(lines, ((at, min(at + BLOCK_LINES, len(lines))) for at in blocks), ""))
    found: list[Passage] = []
    for (start, heading), (end, _) in zip(starts, [*starts[1:], (len(lines), "")], strict=True):
        found.extend(_passages(lines, _windows(lines, start, end), heading))
    return tuple(found)


def _section_starts(lines: list[str]) -> list[tuple[int, str]]:
    starts: list[tuple[int, str]] = [(0, "")]
    fence = ""
    for number, line in enumerate(lines):
        if mark := _FENCE.match(line):
            fence = "" if fence and mark[1].startswith(fence) else (fence or mark[1])
        elif not fence and (head := _HEADING.match(line)):
            starts.append((number, head[2]))
    return starts


def _windows(lines: list[str], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the windows of a section."""
    while start < end:
        stop = min(end, start + SECTION_LINES)
        if stop < end:
            blank = next((n for n in range(stop - 1, start, -1) if not lines[n].strip()), None)
            stop = stop if blank is None else blank + 1
        yield start, stop
        start = stop


def _passages(lines: list[str], spans: Iterable[tuple[int, int]], heading: str) -> Iterator[Passage]:
    """Yield the passages of these spans of lines that have a letter or digit."""
    for start, stop in spans:
        body = "\n".join(lines[start:stop]).strip()
        if any(ch.isalnum() for ch in body):
            yield Passage(heading=heading, first_line=start + 1, last_line=stop, text=body)
