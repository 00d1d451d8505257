"""The scratchpad of a session: notes under keys, some of them reserved for the runtime (AgenticX)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memdesk.model.channel import LOCAL_USER

PENDING = "__pending_subagent_summaries__"
"""Key of the queue of unread reports of sub-agents: a list."""
FACTS = "session_facts"
"""Key of the lines learned in this session, each once: text."""
RESULTS = ("subagent_result::", "delegation_result::")
"""Prefixes of the keys under which a sub-agent or a delegate leaves its outcome: text."""
HINTS = ("__taskspace_hint__", "__taskspace_label_hint__")
"""Keys of the working location of the session's tools: text."""


def is_reserved(key: str) -> bool:
    """Return True if a key has a meaning for the runtime."""
    return key in (PENDING, FACTS, *HINTS) or key.startswith(RESULTS)


def is_internal(key: str) -> bool:
    """Return True if a key is internal to the runtime, and hidden from agents' listings."""
    return key.startswith("__") and key.endswith("__")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPlace:
    """Scratchpad to use: one session of a user."""

    session_id: str
    user_id: str = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteNote(SessionPlace):
    """Note to write: text or any JSON. append: add to the existing note, as a new line of a text or a new
    item of a list.

    ttl_seconds: its lifetime after its last use; None takes the setting."""

    key: str
    value: Any
    append: bool = False
    ttl_seconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskNote(SessionPlace):
    """Request for a note by its key."""

    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListNotes(SessionPlace):
    """Request for the notes whose key begins with `prefix`."""

    prefix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteWritten:
    """Result of writing a note. cut: the text exceeded the maximum length, and ends in a line that reports
    this."""

    key: str
    bytes: int
    cut: bool
    expires_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRow:
    key: str
    bytes: int
    reserved: bool
    used_at: datetime
    expires_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteList:
    """Notes in the order of their keys."""

    notes: tuple[NoteRow, ...]
