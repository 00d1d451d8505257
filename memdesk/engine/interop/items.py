"""Items that importers pass to the intake: chats, notes and parcels of records, before anything reaches the
store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from memdesk.engine.interop.peek import Peek
from memdesk.engine.workspace.layouts import Place
from memdesk.files.reading import Left
from memdesk.model.kind import Kind

UNIQUE_ID = 16
"""Length from which a source's id is globally unique; a shorter one (“1”, “u7”) is so only in its file or
conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTurn:
    """Turn of a chat. given_id: the source's own id, None if it has none. at: UTC microseconds.

    beside: fields of the source that no column can store."""

    role: str
    content: str
    at: int
    given_id: str | None = None
    speaker: str | None = None
    model: str | None = None
    token_count: int | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    beside: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """Conversation to import. `key` identifies it for good: the source's own id, or a value that stays the
    same when it grows.

    file: the file it was read from. given: True if `key` is the source's own id. channel, agent_id: None if
    the source has none. left: the parts left out. beside: fields of the source that no column can store."""

    name: str
    file: str
    key: str
    given: bool
    title: str
    turns: tuple[ChatTurn, ...]
    channel: str | None = None
    agent_id: str | None = None
    left: tuple[Left, ...] = ()
    beside: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Markdown file of a workspace, read from `path` when it is processed. `relative`: its path in `place`."""

    name: str
    path: Path
    place: Place
    relative: str
    size_bytes: int

    @property
    def file(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Update of a record during an import: applied if its columns equal `before`, else skipped."""

    kind: Kind
    id: str
    before: dict[str, Any]
    after: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Birth:
    """Record to import under its own id.

    fields: its columns; a missing column gets the value of a new record, and the parcel's channel. beside:
    fields of the source that no column can store. then: moves of earlier records that refer to it."""

    kind: Kind
    id: str
    fields: dict[str, Any]
    beside: dict[str, Any] = field(default_factory=dict)
    then: tuple[Move, ...] = ()


Step = Birth | Move


@dataclass(frozen=True, slots=True, kw_only=True)
class Parcel:
    """Records that are imported together, as one change. name: a description for people, such as "facts of
    harbour".

    channel, agent_id: for records that name none. exact: they keep their values from the other desk,
    including user, channel and id. texts: the hashes of the versions they name, which `text_of` reads."""

    name: str
    file: str
    steps: tuple[Step, ...]
    channel: str | None = None
    agent_id: str | None = None
    exact: bool = False
    texts: tuple[str, ...] = ()
    text_of: Callable[[str], str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """Use of a memory before its import. id: its own, or its document's for a passage of these lines."""

    id: str
    lines: tuple[int, int] | None
    access_count: int
    last_accessed: int
    salience: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Uses:
    """Use counts imported in addition to the records; they are not a change of memory."""

    name: str
    file: str
    rows: tuple[Used, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphLines:
    """Lines of an MCP memory server's file that are imported together, as one change."""

    name: str
    file: str
    lines: tuple[dict[str, Any], ...]
    channel: str | None = None
    agent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scratch:
    """Scratchpad notes of sessions, as (session, key, JSON value): working memory, not a change of stored
    memory."""

    name: str
    file: str
    notes: tuple[tuple[str, str, Any], ...]


Item = Chat | Note | Parcel | GraphLines | Uses | Scratch | Left


def left_out(name: str, why: str, count: int) -> Iterator[Left]:
    """Yield one entry for the items of a source that are left out for the same reason, if there are any."""
    if count:
        yield Left(name=name, why=f"{why}; in all: {count:,}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """File or folder opened for import. `total`: number of `items`; `channel`: for chats that name none.

    exact: it is restored unchanged, with users, channels and ids. user_id: the user it belongs to, None for
    several users."""

    format: str
    says: str
    total: int
    channel: str
    items: Iterable[Item]
    exact: bool = False
    user_id: str | None = None


class Importer(Protocol):
    """Import format: recognises its files and opens them. reads: the files it accepts, described for people."""

    @property
    def name(self) -> str: ...

    @property
    def reads(self) -> str: ...

    def sniff(self, peek: Peek) -> bool: ...

    def open(self, peek: Peek, registered: tuple[Place, ...]) -> Source:
        """Return the contents of a recognised file. registered: the workspaces the desk already knows; files
        under one of them belong to it."""
        ...
