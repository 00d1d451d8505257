"""Memory in files as a person reads it: workspaces, identity files, days, and what an import would bring."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime

from memdesk.model.channel import LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceRow:
    """`present`: whether the folder is on the disk. why: how its layout is recognised, "" when it no longer is."""

    id: str
    name: str
    path: str
    layout: str
    agent_id: str | None
    channel: str
    files: int
    present: bool
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceList:
    """layouts: every layout that a folder can be of, by its name."""

    rows: tuple[WorkspaceRow, ...]
    layouts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRow:
    """A file that is not a day. `size` and `budget` in characters; budget None where nothing bounds it."""

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
    """A standing file that a workspace lacks, and the text that it can begin with. budget: in characters."""

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
    """One kept version. `change` is its audit entry; `added` and `removed` count lines against the one before.

    beside: it never stood in the file: it clashed with the version above it, and was kept.
    """

    content_hash: str
    change: int
    author: str
    at: datetime
    added: int
    removed: int
    beside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FileText:
    """A file as it is on the disk now. `authors` names, line by line, who wrote it last."""

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
    """merged: what stands now also holds what others wrote since the version that the text was made from."""

    change: int
    content_hash: str
    merged: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnLine:
    """Believe a line of a file. line: its number, from 1; text: the line as it was seen, found again if it moved.

    document_id, file: the file by its id, or by its absolute path. claim: what the line says in words that stand alone,
    where its own do not. category: as a fact has it.
    """

    line: int
    document_id: str = ""
    file: str = ""
    text: str = ""
    claim: str | None = None
    category: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LineLearned:
    """The fact a line tells, and the number of the line. change: None when the fact was tied to it already."""

    fact_id: str
    claim: str
    line: int
    change: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A file that came, went or changed its name, and where it lies or lay."""

    document_id: str
    path: str
    change: int
    content_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileConflict:
    """A text of a file that clashed with what stood there. Each side is a version of the file, named by its hash.

    author: who wrote ours, the text that was kept beside the file. status: open, accepted or dismissed.
    """

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
    """A conflict whole. now: the file as it is by now; marked: ours and that put together, clashes between marks."""

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
    """One entry of a day file. `time` is HH:MM where the entry carries one; `section` is the heading above it."""

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
class ImportItem:
    """One thing that would come in: a file, or a conversation. `turns`, `facts` and `passages` count its parts."""

    name: str
    what: str
    turns: int = 0
    facts: int = 0
    size_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """What stays out, and why, in a sentence."""

    name: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecognisedPlace:
    """A folder that is a workspace. why: how its layout was recognised, as what follows “because”.

    registered: the desk knows it already.
    """

    path: str
    layout: str
    why: str
    agent_id: str | None
    registered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPreview:
    """What an import would do. `known` counts items that are on the desk already and would change nothing.

    places: the workspaces a folder holds, with how each was recognised.
    """

    path: str
    format: str
    says: str
    channel: str
    agent_id: str | None
    items: tuple[ImportItem, ...]
    skipped: tuple[Skipped, ...]
    known: int
    counts: dict[str, int] = field(default_factory=dict)
    places: tuple[RecognisedPlace, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFiles:
    agents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFile:
    document_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadVersion:
    document_id: str
    content_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveFile:
    """Write a file. base_hash: the version the text was based on; what was changed since is merged.

    A clash is a Conflict. merge: False for a caller who would see both texts first, and meets any change as a Conflict.
    """

    document_id: str
    text: str
    base_hash: str
    merge: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateFile:
    """Put a new file into a workspace. path: relative to its folder, with slashes."""

    workspace_id: str
    path: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetireFile:
    document_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameFile:
    """path: the new one, relative to the workspace's folder."""

    document_id: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskConflicts:
    """Conflicts of files that wait; with `resolved`, all there were."""

    user_id: str = LOCAL_USER
    resolved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AskConflict:
    conflict_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveConflict:
    """Let one side stand: ours (the text kept beside the file), theirs (the file as it is), or a text of one's own.

    base_hash: the file's version when this was decided; what was changed since is merged.
    """

    conflict_id: str
    side: str
    base_hash: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskCalendar:
    agents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskDay:
    day: date
    agents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskImport:
    """Bring in a folder, a transcript or a conversation file. path is absolute.

    channel, agent_id, layout: override what the source says. copy: bring a folder onto the desk instead of registering
    it.
    """

    path: str
    channel: str | None = None
    user_id: str = LOCAL_USER
    agent_id: str | None = None
    copy: bool = False
    layout: str | None = None
