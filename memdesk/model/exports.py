"""Exports of memory: the available formats, the request, and its preview."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.message import NO_MESSAGE, Message
from memdesk.model.names import FilledName, Name


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
