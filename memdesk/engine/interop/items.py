"""What importers hand to the door: chats and notes, in words of their own, before anything touches the store."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from memdesk.engine.interop.peek import Peek
from memdesk.engine.workspace.layouts import Place
from memdesk.files.reading import Left

UNIQUE_ID = 16
"""A source's id this long names something anywhere; a shorter one (“1”, “u7”) only within its file or conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTurn:
    """One turn. given_id: the source's own id, None where it has none. at: UTC microseconds."""

    role: str
    content: str
    at: int
    given_id: str | None = None
    speaker: str | None = None
    model: str | None = None
    token_count: int | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """One conversation. `key` names it for good: the source's own id, or what stays the same when it grows.

    file: where it was read. given: whether `key` is the source's own id. channel, agent_id: None where the source
    does not say. left: what of it stays out.
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


Item = Chat | Note | Left


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Something opened for import. `total` counts what `items` will walk through; `channel` is where its chats go."""

    format: str
    says: str
    total: int
    channel: str
    items: Iterable[Item]


class Importer(Protocol):
    """One format: whether this is it, and what is in it."""

    @property
    def name(self) -> str: ...

    def sniff(self, peek: Peek) -> bool: ...

    def open(self, peek: Peek, registered: tuple[Place, ...]) -> Source:
        """registered: the workspaces the desk knows already; files under one of them belong to it."""
        ...
