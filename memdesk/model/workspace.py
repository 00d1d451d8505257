"""Memory in files for people and agents: workspaces, identity files and day files."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from memdesk.model.channel import LOCAL_USER
from memdesk.model.message import NO_MESSAGE, Message
from memdesk.model.names import FilledName, Name


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceRow:
    """Workspace as listed. `present`: whether the folder is on the disk. why: how its layout is recognised,
    "" when it no longer is. learnings: whether its system keeps errors and corrections."""

    id: str
    name: str
    path: str
    layout: str
    agent_id: str | None
    channel: str
    files: int
    present: bool
    why: Message = NO_MESSAGE
    learnings: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceList:
    """List of workspaces. layouts: the names of all layouts that a folder can have."""

    rows: tuple[WorkspaceRow, ...]
    layouts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRow:
    """File that is not a day file. `size` and `budget` in characters; budget None if there is no limit."""

    document_id: str
    workspace_id: str
    workspace: str
    agent_id: str | None
    path: str
    layer: str
    size: int
    budget: int | None
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class FileList:
    rows: tuple[FileRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """Standard file that a workspace lacks, and a text to start it with. budget: in characters."""

    workspace_id: str
    workspace: str
    agent_id: str | None
    path: str
    layer: str
    budget: int | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateList:
    rows: tuple[Template, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileVersion:
    """Version of a file. `change` is its audit entry; `added` and `removed` count lines compared with the
    version before.

    beside: it was never the file's text: it clashed with the version above it, and was kept."""

    content_hash: str
    change: int
    author: str
    at: datetime
    added: int
    removed: int
    beside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FileText:
    """File as it is on the disk now. `authors` names the last author of each line."""

    document_id: str
    path: str
    layer: str
    agent_id: str | None
    text: str
    content_hash: str
    budget: int | None
    versions: tuple[FileVersion, ...]
    authors: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionText:
    content_hash: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """Result of saving a file.

    merged: the file's text now includes changes that others made since the version that the saved text was
    based on."""

    change: int
    content_hash: str
    merged: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnLine:
    """Request to learn a line of a file as a fact. line: its number, from 1; text: the line as seen, found
    again if it moved.

    document_id, file: the file by its id, or by its absolute path. claim: the line's meaning as a
    self-contained sentence, if its own words are not. category: of the fact."""

    line: int
    document_id: Name = ""
    file: str = ""
    text: str = ""
    claim: str | None = None
    category: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LineLearned:
    """Fact learned from a line, and the line's number. change: None when the fact was linked to it already."""

    fact_id: str
    claim: str
    line: int
    change: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """File that was created, removed or renamed, with its path."""

    document_id: str
    path: str
    change: int
    content_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileConflict:
    """Text of a file that clashed with the file's text. Each side is a version of the file, named by its
    hash.

    author: the author of ours, the text that was kept as a separate version. status: open, accepted or
    dismissed."""

    id: str
    document_id: str
    path: str
    agent_id: str | None
    author: str
    at: datetime
    status: str
    decision: str
    base_hash: str
    ours_hash: str
    theirs_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileConflicts:
    rows: tuple[FileConflict, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileConflictText:
    """Conflict in full. now: the file's present text; marked: ours and the present text merged, with clashes
    between marks."""

    conflict: FileConflict
    base: str
    ours: str
    theirs: str
    now: str
    now_hash: str
    marked: str
    clashes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DayCount:
    day: date
    entries: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """Every day that has an entry, oldest first."""

    days: tuple[DayCount, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DayEntry:
    """Entry of a day file. `time` is HH:MM if the entry has one; `section` is the heading above it."""

    document_id: str
    agent_id: str | None
    line: int
    time: str
    section: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DayFile:
    document_id: str
    agent_id: str | None
    path: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """A day's entries in file order; `previous` and `next` are the nearest days that have entries."""

    day: date
    entries: tuple[DayEntry, ...]
    files: tuple[DayFile, ...]
    previous: date | None
    next: date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFiles:
    """Request for the files of agents. agents: empty for all. day_file: the document of a day file to list as well."""

    agents: tuple[Name, ...] = ()
    day_file: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFile:
    document_id: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadVersion:
    document_id: Name
    content_hash: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveFile:
    """Request to write a file. base_hash: the version the text was based on; later changes of the file are
    merged.

    A clash is a Conflict. merge: False for a caller that wants to see both texts first, and gets a Conflict
    for any change."""

    document_id: Name
    text: str
    base_hash: Name
    merge: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateFile:
    """Request to create a file in a workspace. path: relative to its folder, with slashes."""

    workspace_id: Name
    path: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetireFile:
    document_id: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameFile:
    """Request to rename a file. path: the new one, relative to the workspace's folder."""

    document_id: Name
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskConflicts:
    """Request for open conflicts of files; with `resolved`, for all."""

    user_id: FilledName = LOCAL_USER
    resolved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AskConflict:
    conflict_id: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveConflict:
    """Request to keep one side: ours (the separately kept text), theirs (the file as it is), or a text of the
    caller.

    base_hash: the file's version when this was decided; later changes of the file are merged."""

    conflict_id: Name
    side: Name
    base_hash: Name
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskCalendar:
    agents: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskDay:
    day: date
    agents: tuple[Name, ...] = ()
