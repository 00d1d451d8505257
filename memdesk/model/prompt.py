"""What an agent is told before a turn: pieces of memory within a budget, and what it was told before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.context import Message

PIECES = ("identity", "learnings", "recall", "facts", "goals", "scratchpad", "subagents")
"""What may be told, in the order it is."""
FORMS = ("neutral", "agenticx", "openlegion")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskContext:
    """What an agent should have in mind now.

    messages: its context; the last messages of the user are what is recalled for. text: recall for this instead.
    turn_index: which turn of the conversation comes next, for whoever looks back. budget_tokens: how much may be told.
    format: neutral, or as agenticx or openlegion write it. pieces: only these, of identity, learnings, recall, facts,
    goals, scratchpad and subagents. workspace_id: whose files; left out, the agent's only one.
    """

    messages: tuple[Message, ...] = ()
    text: str = ""
    session_id: str | None = None
    conversation_id: str | None = None
    turn_index: int | None = None
    channel: str = GLOBAL
    user_id: str = LOCAL_USER
    agent_id: str | None = None
    workspace_id: str | None = None
    budget_tokens: int | None = None
    format: str = "neutral"
    pieces: tuple[str, ...] = PIECES


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPiece:
    """One piece. source: where it comes from, such as a file or `recall`. ids: of the memories in it, where it has any.

    tokens: what it costs, estimated. cut: there was more than the budget had room for.
    """

    name: str
    source: str
    text: str
    tokens: int
    cut: bool
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldContext:
    """text: the pieces as one, ready for a prompt; "" where there is nothing to tell. query: what was recalled for.

    left: pieces that had something to tell and no room. notices: what was off, in sentences.
    """

    text: str
    pieces: tuple[ContextPiece, ...]
    tokens: int
    budget_tokens: int
    query: str
    left: tuple[str, ...]
    took_ms: float
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSeen:
    """What agents were told, newest first. after: the `next` of the page before.

    turn_index: what was told before this turn of conversation_id, or the latest before it.
    """

    user_id: str = LOCAL_USER
    session_id: str | None = None
    conversation_id: str | None = None
    turn_index: int | None = None
    agents: tuple[str, ...] = ()
    after: str = ""
    limit: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenRow:
    """One time that an agent was told something. pieces: the names of what it was told."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenList:
    """`next` asks for the page after this one, None when this is the last."""

    rows: tuple[SeenRow, ...]
    next: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSeen:
    """One of them whole. id: as listed."""

    id: int
    user_id: str = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenWhole:
    """What an agent was told that time, to the letter."""

    row: SeenRow
    pieces: tuple[ContextPiece, ...]
