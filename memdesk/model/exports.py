"""Memory going out: the formats there are, and asking for a file of one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFormat:
    """One format. suffix: how its file's name ends, "" for a folder. comes_back: whether `memdesk import` reads it.

    holds: the tables whose records go out. kinds: the types among which one can choose, by name; empty where the format
    knows no others. past: which of them that left recall go too: none, superseded or all. leaves: what it cannot hold,
    in a sentence.
    """

    name: str
    says: str
    suffix: str
    comes_back: bool
    holds: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    past: str = "none"
    leaves: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFormats:
    rows: tuple[ExportFormat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskExportPreview:
    """What an export would hold. format names one of the formats.

    user_id: whose memory; without it the archive is of everybody's, and any other format of the desk's own user's.
    channel: only of this one. agents: only what is theirs. kinds: only these types, of those the format names; turns go
    with their conversations, other names with their entities, uses with their strategies. since, until: only what is
    from this time, the end left out. A tag, or a tie between two records, goes where they do.
    """

    format: str
    user_id: str | None = None
    channel: str | None = None
    agents: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskExport(AskExportPreview):
    """Write memory into a file or folder that is not there yet. path is absolute.

    history: an archive of everything also holds the journal, for reading.
    """

    path: str
    history: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPreview:
    """goes, stays: how many records of each table would go out, and how many there are that the format has no room for.

    users: everybody who has memory here; channels, agents: those of the user that was asked for.
    """

    format: ExportFormat
    goes: dict[str, int]
    stays: dict[str, int]
    users: tuple[str, ...]
    channels: tuple[str, ...]
    agents: tuple[str, ...]
