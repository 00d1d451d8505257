"""Files related to an agent's day files: its long-term file, which a line may be added to, and its lessons
from mistakes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path, PurePosixPath

from memdesk.contract import workspace
from memdesk.gui.calendar.claim import claim_of
from memdesk.gui.editor.past import plain_ends
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.model.errors import NotFound, Refused
from memdesk.model.workspace import Day, DayEntry, FileRow, FileText, ListFiles, ReadFile, WorkspaceRow

MEMORY = "MEMORY.md"
SECTION, WRITTEN_BY_AGENTS = "## From the daily logs", "## Auto-extracted"
"""Headings of a person's lines and of the lines that OpenLegion adds, which it may cut; a person's lines come
first."""
LEARNED = {"errors": marked("Learned from errors"), "corrections": marked("Learned from corrections")}
_LESSON = re.compile(r"^- \[(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2})\] (.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
"""Format of a lesson as OpenLegion writes it; its context and its correction follow on indented lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """Contents of related files. memories: each agent's long-term file; claims: the claims in its list lines;
    lessons: of one day."""

    memories: Mapping[str | None, FileText] = field(default_factory=dict)
    claims: Mapping[str | None, frozenset[str]] = field(default_factory=dict)
    lessons: tuple[DayEntry, ...] = ()

    def holds(self, entry: DayEntry) -> bool:
        """Return True if the long-term file of the line's agent contains the line already."""
        return claim_of(entry.text) in self.claims.get(entry.agent_id, frozenset())


async def around(session: Session, day: Day, folders: Iterable[WorkspaceRow]) -> Around:
    """Read the files related to a day."""
    found = (await session.call(workspace.FILES, ListFiles(agents=session.agents))).rows
    homes = {
        each.id
        for each in folders
        for file in day.files
        if each.agent_id == file.agent_id and Path(each.path, file.path).is_file()
    }
    memories = _memories(found, homes)
    taught = [row for row in found if row.layer == "learnings"]
    texts = await asyncio.gather(*(_read(session, row) for row in (*memories, *taught)))
    lessons = [lesson for file in texts[len(memories) :] if file for lesson in lessons_of(file, day.day)]
    kept = {file.agent_id: file for file in texts[: len(memories)] if file}
    claims = {agent: claims_in(file.text) for agent, file in kept.items()}
    return Around(memories=kept, claims=claims, lessons=tuple(lessons))


def _memories(rows: Iterable[FileRow], homes: set[str]) -> list[FileRow]:
    """Return one long-term file per agent: of several folders the one that contains the day file."""
    found: dict[str | None, FileRow] = {}
    for row in rows:
        if PurePosixPath(row.path).name == MEMORY and (
            row.agent_id not in found or row.workspace_id in homes
        ):
            found[row.agent_id] = row
    return list(found.values())


async def _read(session: Session, row: FileRow) -> FileText | None:
    with suppress(NotFound, Refused):
        return await session.call(workspace.READ, ReadFile(document_id=row.document_id))
    return None


def lessons_of(file: FileText, day: date) -> Iterator[DayEntry]:
    """Yield the lessons of a day, as entries under a heading of their own."""
    kind = LEARNED.get(PurePosixPath(file.path).stem)
    text = plain_ends(file.text)
    for found in _LESSON.finditer(text):
        if found[1] == day.isoformat():
            yield DayEntry(
                document_id=file.document_id, agent_id=file.agent_id, line=text.count("\n", 0, found.start()) + 1,
                time=found[2], section=tr(kind) if kind else file.path,
                text="\n".join(line.strip() for line in found[3].split("\n")),
            )  # fmt: skip


def claims_in(text: str) -> frozenset[str]:
    """Return the claims in the list lines of a file."""
    lines = (line.strip() for line in text.splitlines())
    return frozenset(claim_of(line[2:]) for line in lines if line.startswith(("- ", "* ")))


def with_line(text: str, claim: str) -> str:
    """Return a long-term file with another line, in its section of lines from the logs."""
    lines = plain_ends(text).rstrip("\n").split("\n")
    if SECTION in lines:
        at = _end_of(lines, lines.index(SECTION))
        lines[at:at] = [f"- {claim}"]
    else:
        at = lines.index(WRITTEN_BY_AGENTS) if WRITTEN_BY_AGENTS in lines else len(lines)
        gap = [""] if at and lines[at - 1].strip() else []
        lines[at:at] = [*gap, SECTION, "", f"- {claim}", *([""] if at < len(lines) else [])]
    return "\n".join(lines).lstrip("\n") + "\n"


def _end_of(lines: list[str], heading: int) -> int:
    """Return the index behind the last line with words of a section."""
    rest = (n for n in range(heading + 1, len(lines)) if lines[n].startswith("#"))
    end = next(rest, len(lines))
    while end > heading + 1 and not lines[end - 1].strip():
        end -= 1
    return end
