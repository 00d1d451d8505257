"""Sources of an import: the known places of this machine where agents keep memory, of which names, sizes and times
alone are read; the recognition of a path to import, and the choice of its importer."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from memdesk.engine.engine import Engine
from memdesk.engine.extraction.lexicon import word_set
from memdesk.engine.interop.archive_format import ARCHIVE_IN
from memdesk.engine.interop.batches import Home, Importer, Item, Note, Source
from memdesk.engine.interop.csv_format import TABLE
from memdesk.engine.interop.formats import EXPORTS, refusal
from memdesk.engine.interop.markdown_folder import MARKDOWN_FILE, MARKDOWN_FOLDER
from memdesk.engine.interop.reading import Peek, holds_desk
from memdesk.engine.toolsets.agent_folders import user_folder
from memdesk.engine.workspace.layouts import LAYOUTS, MARKDOWN, Place, layout_named, named_after, slug
from memdesk.engine.workspace.layouts.systems import FOLDER
from memdesk.engine.workspace.layouts.systems import WORKSPACE as WORKSPACE_LAYOUT
from memdesk.files.atomic import write_atomic
from memdesk.files.reading import MEGABYTE, kernel_devices, read_bytes
from memdesk.model.channel import LOCAL_USER
from memdesk.model.document import WORKSPACE
from memdesk.model.errors import BadAsk, NotFound, Refused
from memdesk.model.interop import AskDiscovery, AskImport, Discovered, DiscoveredPlace
from memdesk.model.message import message
from memdesk.store import records


def copy_to_desk(source: Source, start: Path, home: Path, registered: tuple[Place, ...]) -> Source:
    """Return the source with its workspaces moved to `home`, the user's folder on the desk, under a name that
    is always the same."""
    mark = hashlib.blake2b(os.fsencode(start), digest_size=3).hexdigest()
    folder = home / f"{slug(named_after(start)) or 'folder'}-{mark}"
    known = {place.path: place for place in registered}
    return replace(source, items=_moved(source, start, folder, known))


def copy_note(note: Note) -> None:
    """Copy a note's file into its workspace, if that is elsewhere.

    Raises Refused if the copy on the desk has another text by now; the copy is not changed."""
    there = note.place.path / note.relative
    if there == note.path:
        return
    data, _ = read_bytes(note.path, note.name, limit_bytes=note.size_bytes + MEGABYTE)
    if not there.exists():
        there.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomic(there, data)
    elif read_bytes(there, note.name, limit_bytes=there.stat().st_size + MEGABYTE)[0] != data:
        raise Refused(
            message(
                "{note} says something else on the desk by now; that copy was left as it is.", note=note.name
            )
        )


def _moved(source: Source, start: Path, folder: Path, known: dict[Path, Place]) -> Iterator[Item]:
    for item in source.items:
        if isinstance(item, Note):
            path = folder / item.place.path.relative_to(start)
            yield replace(item, place=known.get(path) or replace(item.place, path=path))
        elif not isinstance(item, Home):
            yield item


IMPORTERS: tuple[Importer, ...] = (MARKDOWN_FOLDER, ARCHIVE_IN, *EXPORTS, TABLE, MARKDOWN_FILE)
"""Importers in order. The markdown file importer accepts any file with such a suffix, so it comes last."""


def open_source(engine: Engine, ask: AskImport) -> Source:
    """Return the contents of the requested path as a source. Raises BadAsk, NotFound or Refused, naming it."""
    path = _path(engine, ask.path)
    registered = _with_given(ask, path, _registered(engine, ask.user_id))
    peek = Peek(
        path,
        path.name,
        limit_bytes=engine.settings.import_file_megabytes * MEGABYTE,
        registered=() if ask.copy else registered,
    )
    importer = next((importer for importer in IMPORTERS if importer.sniff(peek)), None)
    if importer is None:
        raise refusal(peek)
    source = importer.open(peek)
    if not ask.copy or not peek.is_folder and importer is not MARKDOWN_FILE:
        return _as_asked(source, ask)
    start = path if peek.is_folder else path.parent
    home = engine.desk.workspaces.joinpath(*user_folder(ask.user_id))
    return copy_to_desk(source, start, home, registered)


def _as_asked(source: Source, ask: AskImport) -> Source:
    """Return the source. Raises Refused if an exact source is requested for another user, channel or agent."""
    if source.exact and (ask.channel is not None or ask.agent_id is not None):
        raise Refused(
            message("{path} comes back as it was, in the channels it had.", path=Path(ask.path).name),
            next=message("Leave channel and agent out; move what belongs elsewhere afterwards."),
        )
    if source.exact and ask.user_id not in (LOCAL_USER, source.user_id):
        raise Refused(
            message(
                "{path} does not hold the memory of {user_id}.", path=Path(ask.path).name, user_id=ask.user_id
            ),
            next=message("Leave the user out, and it comes back as whose it was."),
        )
    return source


def _with_given(ask: AskImport, path: Path, registered: tuple[Place, ...]) -> tuple[Place, ...]:
    """Return the workspaces with the folder itself as a person gives it: of this layout, or this agent's.

    Raises BadAsk if it cannot be one."""
    known = next((each for each in registered if each.path == path), None)
    layout = known.layout if known is not None else None
    if ask.layout is not None:
        layout = _asked_layout(ask.layout, path, known)
    if layout is None or (
        known is not None and layout == known.layout and ask.agent_id in (None, known.agent_id)
    ):
        return registered
    system = layout_named(layout)
    place = known or Place(
        path=path,
        name=named_after(path),
        layout=layout,
        channel=system.channel(path),
        agent_id=system.agent(path),
        why=message("you said so"),
    )
    given = replace(place, layout=layout, agent_id=ask.agent_id or place.agent_id, given=True)
    return (*(each for each in registered if each.path != path), given)


def _asked_layout(name: str, path: Path, known: Place | None) -> str:
    """Return the requested layout. Raises BadAsk if the folder cannot have it."""
    layout = next((each for each in LAYOUTS if each.name == name), None)
    if layout is None:
        names = ", ".join(dict.fromkeys(each.name for each in LAYOUTS))
        raise BadAsk(
            message("There is no layout {what}.", what=name[:60]),
            next=message("These are: {known}.", known=names),
        )
    if not path.is_dir():
        raise BadAsk(
            message("{path} is a file; only a folder has a layout.", path=path.name),
            next=message("Leave the layout out."),
        )
    if known is not None and known.layout not in (layout.name, WORKSPACE_LAYOUT.name, FOLDER.name):
        raise BadAsk(
            message("{known} is on this desk already, as {layout}.", known=known.name, layout=known.layout),
            next=message("Remove the folder from the desk first; its files stay."),
        )
    return layout.name


def _path(engine: Engine, given: str) -> Path:
    """Return the real path of the requested import. Raises BadAsk, NotFound or Refused."""
    path = Path(given)
    if not path.is_absolute():
        raise BadAsk(
            message("{given} is not an absolute path.", given=given),
            next=message("Name the folder or file from the root on."),
        )
    try:
        real = path.resolve(strict=True)
    except FileNotFoundError as error:
        raise NotFound(
            message("There is no file or folder {given}.", given=given), next=message("Check the path.")
        ) from error
    except (OSError, RuntimeError) as error:
        raise Refused(
            message("{given} could not be looked at: it is out of reach or a link in circles.", given=given)
        ) from error
    _refuse_places(engine, real)
    if real.stat().st_dev in kernel_devices():
        raise Refused(
            message("{given} is a view of the running system, not a folder of files.", given=given),
            next=message("Name the folder your agents keep their files in."),
        )
    return real


def _refuse_places(engine: Engine, path: Path) -> None:
    if path in (Path.home(), Path(path.anchor)):
        raise Refused(
            message("{path} is a whole home or disk, not an agent's folder.", path=path),
            next=message("Name the folder inside it."),
        )
    if holds_desk(engine, path):
        raise Refused(
            message("{path} holds this desk itself.", path=path),
            next=message("Name the folder your agents keep their files in."),
        )


def _registered(engine: Engine, user_id: str) -> tuple[Place, ...]:
    with engine.store.reading() as db:
        found = records.find(db, WORKSPACE, user_id=user_id, retired_at=None)
    return tuple(Place.of(each) for each in found)


DEPTH, ENTRIES = 7, 20_000
"""Limits of one place: levels of folders below it, and files and folders looked at."""
TRANSCRIPT = ".jsonl"
PASSED_OVER = word_set("node_modules cache debug logs shell-snapshots todos statsig plugins extensions venv")
"""Folders without memory in any known system, in addition to hidden ones."""


KNOWN: dict[str, tuple[str, ...]] = {
    "OpenClaw": (
        ".openclaw/workspace*",
        ".openclaw/agents",
        ".clawdbot/workspace*",
        ".clawdbot/agents",
        "clawd",
        "openclaw",
    ),
    "Claude Code": (".claude",),
    "Codex": (".codex",),
    "AgenticX": (".agenticx",),
    "Agentix": (".agentix",),
    "agnx": (".agnx", ".duragent"),
    "Hermes": (".hermes",),
    "Gemini CLI": (".gemini",),
    "Cursor": (".cursor",),
    "Basic Memory": ("basic-memory",),
    "Letta": (".letta",),
    "mem0": (".mem0", "mem0"),
    "MCP memory server": (
        "memory.jsonl",
        ".local/share/mcp/memory.jsonl",
        ".mcp/memory.jsonl",
        "Documents/memory.jsonl",
    ),
}
"""Places of each system's memory by its documentation, patterns relative to the home folder. OpenClaw's older names are
Clawdbot and clawd."""


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
        registered = {
            Path(each.path) for each in records.find(db, WORKSPACE, user_id=ask.user_id, retired_at=None)
        }
    found = [each for system in KNOWN for each in _found(system, Path.home(), registered)]
    names = {each.system for each in found}
    return Discovered(
        rows=tuple(found),
        missing=tuple(system for system in KNOWN if system not in names),
        took_ms=round(1000 * (time.monotonic() - began)),
    )


def _found(system: str, home: Path, registered: set[Path]) -> Iterator[DiscoveredPlace]:
    """Yield the places of a system with content; one that is a link to another comes once."""
    seen = set()
    for pattern in KNOWN[system]:
        for path in sorted(home.glob(pattern)):
            real = path.resolve()
            contents = contents_of(real)
            if real in seen or not (contents.notes or contents.transcripts or real.is_file()):
                continue
            seen.add(real)
            yield DiscoveredPlace(
                system=system,
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
