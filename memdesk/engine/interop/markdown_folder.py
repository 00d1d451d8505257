"""Folders of markdown as agents keep them, with the transcripts in them. They are registered in their place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path, PurePath

from memdesk.engine.interop.batches import Batch, Chat, GraphLines, Home, Item, Note, Source
from memdesk.engine.interop.csv_format import TABLES
from memdesk.engine.interop.formats import EXPORTS, FOREIGN_SUFFIXES, refusal
from memdesk.engine.interop.reading import Peek
from memdesk.engine.workspace.layouts import (
    KNOWN_HIDDEN,
    MARKDOWN,
    WORLD,
    Place,
    empty_homes,
    home_of,
    is_memory,
    name_in,
    places_of,
    slug,
)
from memdesk.files.agent_config import read_agnx_config
from memdesk.files.reading import Entry, Left, read_text, walk
from memdesk.model.channel import GLOBAL
from memdesk.model.errors import Refused
from memdesk.model.message import Message, message

_TRANSCRIPTS = (".json", ".jsonl", ".ndjson")
_IDENTITY_BYTES = 100_000
_SNIFFED_LINES = 20


class MarkdownFolder:
    """A workspace, a folder of workspaces, or any folder of notes and transcripts."""

    name = "markdown folder"
    reads = message(
        "A folder of markdown as AgenticX, OpenLegion, OpenClaw, agnx, duragent, Agentix, Claude Code, Codex, "
        "Cursor, Hermes, Cline, Letta, Agent Zero, Basic Memory or Obsidian keep it, or of no system, with the "
        "exports below in it"
    )

    def sniff(self, peek: Peek) -> bool:
        return peek.is_folder

    def open(self, peek: Peek) -> Source:
        seen = list(walk(peek.path, known_hidden=KNOWN_HIDDEN))
        entries = [item for item in seen if isinstance(item, Entry)]
        names = [entry.name for entry in entries if entry.path.suffix.lower() in (*MARKDOWN, *_TRANSCRIPTS)]
        configured = tuple(_configured(entries, peek.path, peek.registered))
        found = places_of(peek.path, names + _configs(entries), (*peek.registered, *configured))
        places = tuple(_introduced(place, entries) for place in found)
        inhabited = {home_of(entry.path, places).layout for entry in entries if entry.name in set(names)}
        own = tuple(place for place in peek.registered if place.given and place.path == peek.path)
        paths = [entry.path for entry in entries]
        homes = (*empty_homes(peek.path, paths), *_empty(configured, paths), *own)
        return Source(
            format=self.name,
            says=_says(inhabited | {home.layout for home in homes}),
            total=len(seen) + len(homes),
            channel=slug(peek.path.name),
            items=chain(
                _items(seen, places, peek.limit_bytes), (Home(name=home.name, place=home) for home in homes)
            ),
        )


class MarkdownFile:
    """Single markdown file: a note of the folder that contains it."""

    name = "markdown file"
    reads = message("One markdown file: a note of the folder it lies in")

    def sniff(self, peek: Peek) -> bool:
        return not peek.is_folder and peek.suffix in MARKDOWN

    def open(self, peek: Peek) -> Source:
        entry = Entry(path=peek.path, name=peek.path.name, size_bytes=peek.file.size_bytes)
        places = tuple(
            _introduced(place, [entry])
            for place in places_of(peek.path.parent, [entry.name], peek.registered)
        )
        return Source(
            format=self.name,
            says=message("Markdown file"),
            total=1,
            channel=slug(peek.path.stem),
            items=_items([entry], places, peek.limit_bytes),
        )


def _items(seen: list[Entry | Left], places: tuple[Place, ...], limit_bytes: int) -> Iterator[Item]:
    for item in seen:
        if isinstance(item, Left):
            yield item
            continue
        home, suffix = home_of(item.path, places), item.path.suffix.lower()
        if is_memory(item.path.name, home.layout):
            yield _note(item, home)
        elif suffix in (*_TRANSCRIPTS, *FOREIGN_SUFFIXES):
            yield from _export(item, home, limit_bytes)
        elif suffix in TABLES:
            yield Left(
                name=item.name,
                why=message("A table may hold anything; it comes in where it is imported by itself."),
            )
        else:
            yield Left(name=item.name, why=message("Neither markdown nor a transcript."))


def _note(entry: Entry, place: Place) -> Item:
    if entry.size_bytes == 0:
        return Left(name=entry.name, why=message("The file is empty."))
    return Note(
        name=entry.name,
        path=entry.path,
        place=place,
        relative=entry.path.relative_to(place.path).as_posix(),
        size_bytes=entry.size_bytes,
    )


def _export(entry: Entry, place: Place, limit_bytes: int) -> Iterator[Item]:
    """Yield the contents of an export in a folder; items that name no channel and no agent get the folder's."""
    peek = Peek(entry.path, entry.name, limit_bytes=limit_bytes)
    try:
        importer = next((each for each in EXPORTS if each.sniff(peek)), None)
        if importer is None:
            raise refusal(peek)
        items = tuple(importer.open(peek).items)
    except Refused as error:
        yield Left.because(entry.name, error)
        return
    for item in items:
        if isinstance(item, Chat | GraphLines | Batch):
            channel = item.channel or place.channel or slug(place.name)
            yield replace(item, channel=channel, agent_id=item.agent_id or place.agent_id)
        else:
            yield item


def _introduced(place: Place, entries: list[Entry]) -> Place:
    """Return a new workspace under the name that its own files give it."""
    if place.registered or place.agent_id is None:
        return place
    if place.layout == "Claude Code":
        project = _project(place, entries)
        return replace(place, name=project, channel=slug(project)) if project else place
    identity = next((entry for entry in entries if entry.path == place.path / "IDENTITY.md"), None)
    if identity is None:
        return place
    try:
        name = name_in(read_text(identity.path, identity.name, limit_bytes=_IDENTITY_BYTES).text)
    except Refused:
        return place
    return replace(place, name=name, agent_id=name) if name else place


def _project(place: Place, entries: list[Entry]) -> str | None:
    """Return the name of a Claude Code project: the folder it was opened in, as its sessions record it."""
    for entry in entries:
        if entry.path.suffix == ".jsonl" and entry.path.parent == place.path:
            peek = Peek(entry.path, entry.name, limit_bytes=10_000_000)
            try:
                values = [value for _, value in peek.lines[0][:_SNIFFED_LINES] if isinstance(value, dict)]
            except Refused:
                continue
            where = next((value["cwd"] for value in values if isinstance(value.get("cwd"), str)), "")
            if name := PurePath(where.replace("\\", "/")).name:
                return name
    return None


def _configs(entries: list[Entry]) -> list[str]:
    """Return files that are not imported, but show the layout of a folder."""
    return [entry.name for entry in entries if Path(entry.name).name == "agent.yaml"]


def _configured(entries: list[Entry], root: Path, registered: tuple[Place, ...]) -> Iterator[Place]:
    """Yield the folders of agnx's agents, and their world, where an agent.yaml names the folder they share."""
    known = {place.path for place in registered}
    for entry in entries:
        if entry.path.name != "agent.yaml":
            continue
        try:
            shared = read_agnx_config(entry.path)
        except Refused:
            continue
        if not shared.named or shared.memory is None or not shared.memory.is_relative_to(root):
            continue
        why = message("{entry} names it", entry=entry.name)
        world = Place(path=shared.memory / "world", name="world", layout=WORLD, channel=GLOBAL, why=why)
        agent = entry.path.parent.name
        own = Place(path=shared.memory / "agents" / agent, name=agent, layout="agnx", agent_id=agent, why=why)
        yield from (place for place in (world, own) if place.path not in known)
        known |= {world.path, own.path}


def _empty(places: tuple[Place, ...], paths: list[Path]) -> Iterator[Place]:
    """Yield the agents' folders among these that have no file yet, so that their agents find them."""
    used = {folder for path in paths for folder in path.parents}
    yield from (place for place in places if place.agent_id is not None and place.path not in used)


def _says(layouts: set[str]) -> Message:
    named = sorted({layout.removesuffix(" world") for layout in layouts} - {"folder", "workspace"})
    if not named:
        return message("A folder of markdown")
    if len(named) == 1:
        return message("Markdown as {named} keeps it", named=named[0])
    return message("Markdown as {list} and {named} keep it", list=", ".join(named[:-1]), named=named[-1])


MARKDOWN_FOLDER = MarkdownFolder()
MARKDOWN_FILE = MarkdownFile()
