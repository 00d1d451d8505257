"""Memory given to an agent before a turn: pieces within a token budget, and the log of pieces given before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.context import Message
from memdesk.model.message import Message as Sentence
from memdesk.model.names import FilledName, Name

PIECES = ("identity", "learnings", "recall", "facts", "goals", "scratchpad", "subagents")
"""Names of the pieces, in the order in which they are given."""
FORMS = ("neutral", "agenticx", "openlegion")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskContext:
    """Request for the memory that an agent should have now.

    messages: its context; the user's last messages are the recall query. text: recall for this instead.
    turn_index: the index of the next turn of the conversation, for the log. budget_tokens: the maximum size
    of the answer. format: neutral, or as agenticx or openlegion write it. pieces: only these, of identity,
    learnings, recall, facts, goals, scratchpad and subagents. workspace_id: whose files; left out, the
    agent's only one."""

    messages: tuple[Message, ...] = ()
    text: str = ""
    session_id: FilledName | None = None
    conversation_id: Name | None = None
    turn_index: int | None = None
    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER
    agent_id: FilledName | None = None
    workspace_id: Name | None = None
    budget_tokens: int | None = None
    format: Name = "neutral"
    pieces: tuple[str, ...] = PIECES


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPiece:
    """Piece of a context. source: its origin, such as a file or `recall`. ids: of the memories in it, if it
    has any.

    tokens: its estimated size. cut: it was shortened to fit the budget."""

    name: str
    source: str
    text: str
    tokens: int
    cut: bool
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptContext:
    """Context for a prompt.

    text: the pieces joined, ready for a prompt; "" if there are none. query: the recall query. left: pieces
    that had content but did not fit. notices: sentences about problems."""

    text: str
    pieces: tuple[ContextPiece, ...]
    tokens: int
    budget_tokens: int
    query: str
    left: tuple[str, ...]
    took_ms: float
    notices: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSeen:
    """Request for contexts that agents were given, newest first. after: the `next` of the page before.

    turn_index: the context given before this turn of conversation_id, or the latest before it. since: only from then
    on; the answer then counts them by author."""

    user_id: FilledName = LOCAL_USER
    session_id: FilledName | None = None
    conversation_id: Name | None = None
    turn_index: int | None = None
    agents: tuple[Name, ...] = ()
    since: datetime | None = None
    after: Name = ""
    limit: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenRow:
    """Context given to an agent, as listed. pieces: the names of its pieces. memories: how many it had."""

    id: int
    at: datetime
    author: str
    channel: str
    agent_id: str | None
    session_id: str | None
    conversation_id: str | None
    turn_index: int | None
    query: str
    tokens: int
    budget_tokens: int
    format: str
    took_ms: float
    pieces: tuple[str, ...]
    memories: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenCount:
    """Number of contexts that an author was given. took_ms: what one took on average."""

    author: str
    count: int
    took_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenList:
    """Page of given contexts. `next` asks for the page after this one, None when this is the last.

    counts: of all that a request with `since` means, by author."""

    rows: tuple[SeenRow, ...]
    next: str | None
    counts: tuple[SeenCount, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSeen:
    """Request for one given context in full. id: as listed."""

    id: int
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenWhole:
    """Context given to an agent, with the exact text of its pieces."""

    row: SeenRow
    pieces: tuple[ContextPiece, ...]
