"""Recall: what is asked, and what comes back with its reasons."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.kinds import RECALLED


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A recall. The active channel and `_global` are searched; `every_channel` searches all of the user's.

    kinds: which of SEARCHED may come back, empty for the usual four. since, until: only memories of that
    time (UTC).
    """

    text: str
    channel: str = GLOBAL
    user_id: str = LOCAL_USER
    agent_id: str | None = None
    conversation_id: str | None = None
    kinds: tuple[str, ...] = RECALLED
    limit: int = 10
    every_channel: bool = False
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePart:
    """One named share of a score; the parts of a hit add up to it."""

    name: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a memory comes from: a turn of a conversation, or lines of a file."""

    turn_id: str | None = None
    conversation_id: str | None = None
    conversation_title: str | None = None
    turn_index: int | None = None
    speaker: str | None = None
    agent_id: str | None = None
    document_id: str | None = None
    path: str | None = None
    first_line: int | None = None
    last_line: int | None = None
    quote: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    id: str
    kind: str
    text: str
    channel: str
    score: float
    parts: tuple[ScorePart, ...]
    provenance: Provenance
    category: str = ""
    confidence: float | None = None
    salience: float | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """The answer to a recall. `notices` says in sentences what was off, such as a missing embedder."""

    query: str
    hits: tuple[Hit, ...]
    channels: tuple[str, ...]
    took_ms: float
    notices: tuple[str, ...] = ()
