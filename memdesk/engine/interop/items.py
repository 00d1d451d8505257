"""What importers hand to the door: chats, notes and parcels of records, before anything touches the store."""

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
"""A source's id this long names something anywhere; a shorter one (“1”, “u7”) only within its file or conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTurn:
    """One turn. given_id: the source's own id, None where it has none. at: UTC microseconds.

    beside: what the source told of it that no column holds.
    """

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
    """One conversation. `key` names it for good: the source's own id, or what stays the same when it grows.

    file: where it was read. given: whether `key` is the source's own id. channel, agent_id: None where the source
    does not say. left: what of it stays out. beside: what the source told of it that no column holds.
    """

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
    """One markdown file of a workspace; it is read, at `path`, when its turn comes. `relative`: its path in `place`."""

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
    """A move of a record on its way in: carried out where it reads as `before` says, left out elsewhere."""

    kind: Kind
    id: str
    before: dict[str, Any]
    after: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Birth:
    """A record that comes in under its own id.

    fields: its columns; what is not named is as a new record of the desk has it, in the parcel's channel. beside: what
    the source told of it that no column holds. then: moves of records before it that name it.
    """

    kind: Kind
    id: str
    fields: dict[str, Any]
    beside: dict[str, Any] = field(default_factory=dict)
    then: tuple[Move, ...] = ()


Step = Birth | Move


@dataclass(frozen=True, slots=True, kw_only=True)
class Parcel:
    """Records that come in together, as one change. name: what they are to a person, such as "facts of harbour".

    channel, agent_id: theirs where they name none. exact: they stay as they were on another desk, with user, channel
    and id. texts: the hashes of the versions they name, which `text_of` reads.
    """

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
    """How a memory was used before it came. id: its own, or its document's for a passage of these lines."""

    id: str
    lines: tuple[int, int] | None
    access_count: int
    last_accessed: int
    salience: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Uses:
    """Use that comes in beside the records: it is no change of memory."""

    name: str
    file: str
    rows: tuple[Used, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphLines:
    """Lines of an MCP memory server's file that come in together, as one change."""

    name: str
    file: str
    lines: tuple[dict[str, Any], ...]
    channel: str | None = None
    agent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scratch:
    """Notes of sessions' scratchpads, as (session, key, JSON value): working memory, and no change of what is known."""

    name: str
    file: str
    notes: tuple[tuple[str, str, Any], ...]


Item = Chat | Note | Parcel | GraphLines | Uses | Scratch | Left


def left_out(name: str, why: str, count: int) -> Iterator[Left]:
    """What stays out of a source for one reason, where there is any of it."""
    if count:
        yield Left(name=name, why=f"{why}; in all: {count:,}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Something opened for import. `total` counts what `items` will walk through; `channel` is where its chats go.

    exact: it comes back as it was, users, channels and ids. user_id: whose memory that is, None for several people's.
    """

    format: str
    says: str
    total: int
    channel: str
    items: Iterable[Item]
    exact: bool = False
    user_id: str | None = None


class Importer(Protocol):
    """One format: whether this is it, and what is in it. reads: what of whose files, for a person."""

    @property
    def name(self) -> str: ...

    @property
    def reads(self) -> str: ...

    def sniff(self, peek: Peek) -> bool: ...

    def open(self, peek: Peek, registered: tuple[Place, ...]) -> Source:
        """registered: the workspaces the desk knows already; files under one of them belong to it."""
        ...
