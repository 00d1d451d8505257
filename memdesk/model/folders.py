"""A workspace's folder as a person looks after it: its files and how they stand, its limits, and letting it go."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

INDEXED, WAITING, LEFT = "indexed", "waiting", "left"
"""How a file stands: found by a search; found by its words only, or not read yet; left out for a reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskFolder:
    workspace_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderFile:
    """One file. state: indexed, waiting or left; why: what it waits for, or why it is left, "" when it is indexed.

    document_id: None while the desk does not know it. size_bytes: on the disk, 0 where it is gone. budget: characters
    that its layout bounds it to, None for no bound.
    """

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
    """A workspace whole. watched: whether an edit by another program is seen at once.

    files: by path, those that are left last; others: how many files lie there that are no memory. passages: pieces it
    is searched by; unembedded: how many of them wait for a vector. facts: how many are read from its lines. conflicts:
    texts that wait for a person. day_folder: where its days lie, "" where it keeps none; days_utc: whose days they are.
    day_characters, prompt_characters: how long a day, and what a session begins with, may be; None for no bound.
    writable: files an agent may rewrite whole. largest_megabytes: a larger file is left.
    """

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
    """A workspace that left the desk. files: how many left search with it; on the disk they stay.

    change: the newest of the changes that did it, which are one run.
    """

    id: str
    name: str
    files: int
    change: int
