"""Search of the known places of this machine for memory that agents keep. It reads names, sizes and times alone."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.extraction.lexicon import word_set
from memdesk.model.document import WORKSPACE
from memdesk.model.interop import AskDiscovery, Discovered, DiscoveredPlace
from memdesk.store import records

DEPTH, ENTRIES = 7, 20_000
"""Limits of one place: levels of folders below it, and files and folders looked at."""
MARKDOWN = (".md", ".markdown", ".mdc")
TRANSCRIPT = ".jsonl"
PASSED_OVER = word_set("node_modules cache debug logs shell-snapshots todos statsig plugins extensions venv")
"""Folders without memory in any known system, in addition to hidden ones."""


@dataclass(frozen=True, slots=True)
class Known:
    """System with the places of its memory, relative to the home folder; each may be a pattern."""

    name: str
    places: tuple[str, ...]


KNOWN = (
    Known(
        "OpenClaw",
        (
            ".openclaw/workspace*",
            ".openclaw/agents",
            ".clawdbot/workspace*",
            ".clawdbot/agents",
            "clawd",
            "openclaw",
        ),
    ),
    Known("Claude Code", (".claude",)),
    Known("Codex", (".codex",)),
    Known("AgenticX", (".agenticx",)),
    Known("Agentix", (".agentix",)),
    Known("agnx", (".agnx", ".duragent")),
    Known("Hermes", (".hermes",)),
    Known("Gemini CLI", (".gemini",)),
    Known("Cursor", (".cursor",)),
    Known("Basic Memory", ("basic-memory",)),
    Known("Letta", (".letta",)),
    Known("mem0", (".mem0", "mem0")),
    Known(
        "MCP memory server",
        ("memory.jsonl", ".local/share/mcp/memory.jsonl", ".mcp/memory.jsonl", "Documents/memory.jsonl"),
    ),
)
"""Places by the documents of each system; OpenClaw's older names are Clawdbot and clawd."""


@dataclass(slots=True)
class Contents:
    """Counts of one place. size: bytes. changed: seconds since the epoch of the latest change of a file."""

    notes: int = 0
    transcripts: int = 0
    size: int = 0
    changed: float = 0.0


def discover(engine: Engine, ask: AskDiscovery) -> Discovered:
    """Return the places that contain memory, in the order of KNOWN, and the systems of which none was found."""
    began = time.monotonic()
    with engine.store.reading() as db:
        registered = {Path(each.path) for each in records.find(db, WORKSPACE, user_id=ask.user_id)}
    found = [each for known in KNOWN for each in _found(known, Path.home(), registered)]
    names = {each.system for each in found}
    return Discovered(
        rows=tuple(found),
        missing=tuple(known.name for known in KNOWN if known.name not in names),
        took_ms=round(1000 * (time.monotonic() - began)),
    )


def _found(known: Known, home: Path, registered: set[Path]) -> Iterator[DiscoveredPlace]:
    """Yield the places of a system with content; one that is a link to another comes once."""
    seen = set()
    for pattern in known.places:
        for path in sorted(home.glob(pattern)):
            real = path.resolve()
            contents = contents_of(real)
            if real in seen or not (contents.notes or contents.transcripts or real.is_file()):
                continue
            seen.add(real)
            yield DiscoveredPlace(
                system=known.name,
                path=str(path),
                notes=contents.notes,
                transcripts=contents.transcripts if real.is_dir() else 0,
                size_bytes=contents.size,
                changed_at=datetime.fromtimestamp(contents.changed, UTC) if contents.changed else None,
                known=any(each == real or real in each.parents for each in registered),
            )


def contents_of(path: Path) -> Contents:
    """Return the counts of a file, or of a folder within DEPTH and ENTRIES. What cannot be read is left out."""
    contents, left = Contents(), ENTRIES
    folders = [(path, 0)]
    if path.is_file():
        _add(contents, path.name, path.stat())
        return contents
    while folders and left > 0:
        folder, depth = folders.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError:
            continue
        for entry in entries:
            left -= 1
            try:
                if entry.is_dir(follow_symlinks=False):
                    if depth < DEPTH and not _is_passed_over(entry.name):
                        folders.append((Path(entry.path), depth + 1))
                elif entry.is_file(follow_symlinks=False):
                    _add(contents, entry.name, entry.stat(follow_symlinks=False))
            except OSError:
                continue
    return contents


def _is_passed_over(name: str) -> bool:
    return name in PASSED_OVER or (name.startswith(".") and name != ".learnings")


def _add(contents: Contents, name: str, stat: os.stat_result) -> None:
    suffix = Path(name).suffix.lower()
    if suffix in MARKDOWN:
        contents.notes += 1
    elif suffix == TRANSCRIPT:
        contents.transcripts += 1
    contents.size += stat.st_size
    contents.changed = max(contents.changed, stat.st_mtime)
