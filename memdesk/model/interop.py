"""Imports and exports: the preview of an import, with what it brings besides plain memory, each of which needs a yes of
its own; the search of this machine for memory; the formats of exports, their request and preview."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from memdesk.model.channel import LOCAL_USER
from memdesk.model.message import NO_MESSAGE, Message
from memdesk.model.names import FilledName, Name

ALL = "all"
"""Word in `accept` for everything that a source declares, but for grants."""
TRUST, PINS, AUTHORS = "trust", "pins", "authors"
STANDING, SETTINGS, GRANTS = "standing", "settings", "grants"
FOLDERS, GLOBAL_MEMORY, INSTRUCTIONS = "folders", "global", "instructions"
DECLARATIONS: dict[str, str] = {
    TRUST: "Without a yes it counts as imported, and is told to agents as quoted.",
    PINS: "Without a yes they come in unpinned, and use counts stay out.",
    AUTHORS: "Without a yes they come in as imported, and agents under another name.",
    STANDING: "Without a yes they stay out.",
    SETTINGS: "Without a yes they stay out.",
    GRANTS: "Without a yes to grants, or to one of them, they stay out: they say what an agent may do here.",
    FOLDERS: "Without a yes they stay out, with their files.",
    GLOBAL_MEMORY: "Without a yes it comes into a channel of its own.",
    INSTRUCTIONS: "Without a yes they are kept out of recall until you decide in review.",
}
"""Result without a yes, by the kind of thing declared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """Thing that a source brings besides plain memory. id: names it in `accept`, after its kind and a colon.

    count: the number of records it is about."""

    id: str
    text: Message
    count: int = 1
    accepted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """Things of one kind in the preview of an import. name: trust, pins, authors, standing, settings, grants,
    folders, global or instructions; it accepts them all.

    count, accepted: how many things there are, and how many of them were accepted. says: the result without a yes.
    rows: the first of them."""

    name: str
    count: int
    accepted: int
    says: str
    rows: tuple[Declared, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFormat:
    """Export format. suffix: of the file's name, "" for a folder. comes_back: whether `memdesk import` reads
    it.

    holds: the tables whose records are exported. kinds: the types a caller can choose among, by name; empty
    if the format has a fixed set. past: which records outside recall are exported too: none, superseded or
    all. leaves: a sentence about the data that the format cannot contain."""

    name: str
    says: Message
    suffix: str
    comes_back: bool
    holds: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    past: str = "none"
    leaves: Message = NO_MESSAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFormats:
    rows: tuple[ExportFormat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskExportPreview:
    """Request for the preview of an export. format: the name of a format.

    user_id: whose memory; left out, the archive contains every user's, and any other format the desk's own
    user's. channel: only this one. agents: only their memory. kinds: only these types, of those the format
    names; turns are exported with their conversations, other names with their entities, uses with their
    strategies. since, until: only records of this time, the end left out. A tag, or a relation between two
    records, is exported if those records are."""

    format: Name
    user_id: FilledName | None = None
    channel: FilledName | None = None
    agents: tuple[Name, ...] = ()
    kinds: tuple[Name, ...] = ()
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchExport(AskExportPreview):
    """Request for an export as one file. clear: yes to a file in clear, which an encrypted desk asks for."""

    clear: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AskExport(FetchExport):
    """Request to export memory into a file or folder that does not exist yet. path: absolute.

    history: a complete archive also contains the journal, for reading."""

    path: str
    history: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFile:
    """Export as one file. data: its bytes in base64. folder: it is a ZIP of the folder that the format consists of.
    counts: how many records it has of each table."""

    data: str
    folder: bool
    counts: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPreview:
    """Preview of an export.

    goes, stays: how many records of each table would be exported, and how many the format cannot contain.
    users: everyone who has memory here; channels, agents: those of the requested user."""

    format: ExportFormat
    goes: dict[str, int]
    stays: dict[str, int]
    users: tuple[str, ...]
    channels: tuple[str, ...]
    agents: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportItem:
    """Item that would be imported: a file, or a conversation. `turns` and `facts` count its parts."""

    name: str
    what: Message
    turns: int = 0
    facts: int = 0
    size_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Item that is not imported, and why, in a sentence."""

    name: Message
    why: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportLine:
    """Line of a file in the preview of an import. fact: it would become a fact; why: the reason if it would not."""

    number: int
    text: str
    fact: bool
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCoverage:
    """Account of a file's lines in the preview of an import: `lines` with a word or a mark, of which `facts` become
    facts.

    others: numbers of the remaining lines by reason. rows: the lines, unless very many of the import are shown
    already."""

    file: str
    lines: int
    facts: int
    others: dict[str, int] = field(default_factory=dict)
    rows: tuple[ImportLine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecognisedPlace:
    """Folder that is a workspace. why: how its layout was recognised, as the clause after “because”.

    registered: the desk has it already."""

    path: str
    layout: str
    why: Message
    agent_id: str | None
    registered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPreview:
    """Preview of an import. `known` counts items that are on the desk already and would change nothing.

    places: the workspaces in a folder, with how each was recognised. coverage: the lines of each new file.
    declared: what it would bring besides plain memory, each kind with the yes it needs; () for an archive that
    this desk made."""

    path: str
    format: str
    says: Message
    channel: str
    agent_id: str | None
    items: tuple[ImportItem, ...]
    skipped: tuple[Skipped, ...]
    known: int
    counts: dict[str, int] = field(default_factory=dict)
    places: tuple[RecognisedPlace, ...] = ()
    coverage: tuple[FileCoverage, ...] = ()
    declared: tuple[Declaration, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskDiscovery:
    """Request to search this machine for memory that agents keep."""

    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoveredPlace:
    """Folder or file with an agent's memory, which an import takes. notes, transcripts: numbers of files.

    changed_at: the latest change of a file. known: it is on this desk already."""

    system: str
    path: str
    notes: int
    transcripts: int
    size_bytes: int
    changed_at: datetime | None
    known: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovered:
    """Places with memory, and the systems that were looked for in vain."""

    rows: tuple[DiscoveredPlace, ...]
    missing: tuple[str, ...]
    took_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AskImport:
    """Request to import a folder, a transcript or a conversation file. path: absolute.

    channel, agent_id, layout: override the source's own. copy: copy a folder onto the desk instead of
    registering it. take, leave: lines that become facts, and lines that do not, whatever they seem to be, each
    as `MEMORY.md:12`. accept: what a source from elsewhere may bring besides plain memory, by the names in the
    preview: `pins`, or `folders:/home/mara/notes` for one thing, or `all`."""

    path: str
    channel: FilledName | None = None
    user_id: FilledName = LOCAL_USER
    agent_id: FilledName | None = None
    copy: bool = False
    layout: str | None = None
    take: tuple[str, ...] = ()
    leave: tuple[str, ...] = ()
    accept: tuple[str, ...] = ()
