"""A workspace's folder for its manager: files and their state, limits, and removal from the desk."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

INDEXED, WAITING, LEFT = "indexed", "waiting", "left"
"""States of a file: found by a search; found by its words only, or not read yet; left out for a reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskFolder:
    workspace_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderFile:
    """File of a workspace. state: indexed, waiting or left; why: the reason it waits or is left out, "" when
    it is indexed.

    document_id: None while the desk does not know it. size_bytes: on the disk, 0 if the file is missing.
    budget: the layout's limit in characters, None for no limit."""

    path: str
    layer: str
    state: str
    why: str
    document_id: str | None
    size: int
    size_bytes: int
    budget: int | None
    updated_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """Workspace in full. watched: whether an edit by another program is noticed at once.

    files: by path, the left-out ones last; others: how many other files in the folder are no memory.
    passages: pieces it is searched by; unembedded: how many of them wait for a vector. facts: how many are
    read from its lines. conflicts:
    texts that wait for a person's decision. day_folder: the folder of its day files, "" if it has none;
    days_utc: whether days are UTC days. day_characters, prompt_characters: the maximum length of a day file,
    and of the text a session starts with; None for no limit. writable: files an agent may rewrite.
    largest_megabytes: larger files are left out."""

    id: str
    name: str
    path: str
    layout: str
    why: str
    agent_id: str | None
    channel: str
    present: bool
    watched: bool
    added_at: datetime
    files: tuple[FolderFile, ...]
    others: int
    size_bytes: int
    passages: int
    unembedded: int
    facts: int
    conflicts: int
    day_folder: str
    days_utc: bool
    day_characters: int | None
    prompt_characters: int | None
    writable: tuple[str, ...]
    largest_megabytes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderRemoved:
    """Workspace that was removed from the desk. files: how many were removed from search; on the disk they
    stay.

    change: the newest change of the removal, whose changes are one run."""

    id: str
    name: str
    files: int
    change: int
