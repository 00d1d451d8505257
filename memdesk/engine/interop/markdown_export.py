"""Export as the folder of markdown that an agent works in: identity and other core files, MEMORY.md from
facts, and the day files."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path, PurePosixPath

from memdesk.engine.interop.exporting import ExportSelection, current_records
from memdesk.engine.workspace.day_files import DayLine, entries_of
from memdesk.engine.workspace.layouts import Days, Layout, layout_named, slug
from memdesk.model.document import DOCUMENT, WORKSPACE, Document, Workspace
from memdesk.model.fact import FACT
from memdesk.model.interop import ExportFormat
from memdesk.model.message import message, verbatim
from memdesk.store import document_versions

MEMORY = "MEMORY.md"
STANDING = ("core", "workspace")
"""Layers of files that define an agent and its work; they are exported unchanged."""


@dataclass(frozen=True, slots=True)
class MarkdownOut:
    """Folder in the layout of one system. Facts are grouped by channel; the days of all workspaces are
    written in its form."""

    layout: Layout

    @property
    def about(self) -> ExportFormat:
        name = self.layout.name
        return ExportFormat(
            name=f"markdown-{slug(name)}",
            says=message("A folder of markdown as {name} keeps it", name=name),
            suffix="",
            comes_back=True,
            holds=("facts", "documents"),
            kinds=("fact", "document"),
            leaves=message(
                "Conversations, what links one memory to another, and where a fact comes from stay."
            ),
        )

    def write(self, wanted: ExportSelection, target: Path) -> Counter[str]:
        homes: dict[str, Workspace] = {each.id: each for each in current_records(wanted, WORKSPACE)}
        documents = [each for each in current_records(wanted, DOCUMENT) if each.workspace_id in homes]
        files = {**_file_rows(wanted, documents, homes), **self._days(wanted, documents, homes)}
        text, facts = _memory(wanted)
        if facts:
            files[MEMORY] = text
        for number, (name, content) in enumerate(files.items()):
            wanted.progress(number, len(files), verbatim(name))
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "utf-8", newline="")
        return Counter(files=len(files), facts=facts)

    def _days(
        self, wanted: ExportSelection, documents: list[Document], homes: dict[str, Workspace]
    ) -> dict[str, str]:
        days = self.layout.days
        if days is None:
            return {}
        by_day: dict[date, list[tuple[str, int, str]]] = defaultdict(list)
        for document in documents:
            if document.day is None:
                continue
            kept = layout_named(homes[document.workspace_id].layout).days
            entries = entries_of(document_versions.text_of(wanted.db, document.content_hash))
            for number, entry in enumerate(entries):
                day, clock = _moment(date.fromisoformat(document.day), entry, kept, days)
                by_day[day].append((clock, number, entry.text))
        return {
            f"{days.folder}/{day}.md": days.opening.format(day=day, time="", text="")
            + "".join(_entry(days, day, clock, text) for clock, _, text in sorted(entries))
            for day, entries in sorted(by_day.items())
        }


def _file_rows(
    wanted: ExportSelection, documents: list[Document], homes: dict[str, Workspace]
) -> dict[str, str]:
    """Return these files unchanged; one whose name another workspace's file has goes into a folder of its own
    workspace."""
    found: dict[str, str] = {}
    for document in documents:
        if document.layer in STANDING and _stays_inside(document.path):
            home = homes[document.workspace_id]
            folders = ("", f"agents/{slug(home.name) or home.id}/", f"agents/{home.id}/")
            name = next(name for folder in folders if (name := f"{folder}{document.path}") not in found)
            found[name] = document_versions.text_of(wanted.db, document.content_hash)
    return found


def _stays_inside(path: str) -> bool:
    parts = PurePosixPath(path)
    return not parts.is_absolute() and ".." not in parts.parts


def _memory(wanted: ExportSelection) -> tuple[str, int]:
    """Return current facts as bullets under the name of their channel, and their number."""
    claims: dict[str, list[str]] = defaultdict(list)
    for fact in current_records(wanted, FACT):
        if fact.superseded_by is None:
            claims[fact.channel].append(fact.claim)
    sections = [
        f"\n## {channel}\n\n" + "".join(f"- {claim}\n" for claim in found)
        for channel, found in claims.items()
    ]
    return "# Memory\n" + "".join(sections), sum(map(len, claims.values()))


def _moment(day: date, entry: DayLine, kept: Days | None, wanted: Days) -> tuple[date, str]:
    """Convert the day and time of an entry from the clock of its system to that of the target: UTC or local time."""
    from_utc = kept is not None and kept.utc
    if not entry.time or from_utc == wanted.utc:
        return day, entry.time
    there = datetime.combine(day, time.fromisoformat(entry.time), UTC if from_utc else None).astimezone(UTC)
    here = there if wanted.utc else there.astimezone()
    return here.date(), f"{here:%H:%M}"


def _entry(days: Days, day: date, clock: str, text: str) -> str:
    """Return one entry. Further lines of a bullet are indented; if the form has no time, the time precedes the text."""
    form = days.entry
    words = text if "{time}" in form or not clock else f"{clock} {text}"
    bullet = form.partition("{")[0]
    if bullet.lstrip().startswith("- "):
        indent = " " * (len(bullet) - len(bullet.lstrip()) + 2)
        words = words.replace("\n\n", "\n").replace("\n", f"\n{indent}")
    return form.format(day=day, time=clock or "00:00", text=words)


MARKDOWN_OUT = tuple(
    MarkdownOut(layout_named(name)) for name in ("AgenticX", "OpenClaw", "OpenLegion", "agnx")
)
