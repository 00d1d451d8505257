"""Memory going out: the formats there are, and asking for a file of one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFormat:
    """One format. suffix: how its file's name ends, "" for a folder. comes_back: whether `memdesk import` reads it.

    channels: whether one channel can be asked for; without it all of a user's are. holds: the tables whose records go
    out. past: which of them that left recall go too: none, superseded or all. leaves: what it cannot hold, in a
    sentence.
    """

    name: str
    says: str
    suffix: str
    comes_back: bool
    channels: bool
    holds: tuple[str, ...] = ()
    past: str = "none"
    leaves: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFormats:
    rows: tuple[ExportFormat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskExport:
    """Write memory into a file or folder that is not there yet. path is absolute; format names one of the formats.

    user_id: whose memory; without it the archive is of everybody's, and any other format of the desk's own user's.
    channel: only this one, where the format allows it. history: an archive also holds the journal, for reading.
    """

    format: str
    path: str
    user_id: str | None = None
    channel: str | None = None
    history: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AskExportPreview:
    """What an export would hold; see AskExport."""

    format: str
    user_id: str | None = None
    channel: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPreview:
    """goes, stays: how many records of each table would go out, and how many there are that the format has no room for.

    users: everybody who has memory here; channels: those of the user that was asked for.
    """

    format: ExportFormat
    goes: dict[str, int]
    stays: dict[str, int]
    users: tuple[str, ...]
    channels: tuple[str, ...]
