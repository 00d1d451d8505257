"""The scratchpad of a session: notes under keys, some of which mean something to the runtime (AgenticX)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memdesk.model.channel import LOCAL_USER

PENDING = "__pending_subagent_summaries__"
"""The queue of reports of sub-agents that nobody has read yet: a list."""
FACTS = "session_facts"
"""Lines that were learned in this session, each once: text."""
RESULTS = ("subagent_result::", "delegation_result::")
"""What the keys begin with under which a sub-agent or a delegate leaves its outcome: text."""
HINTS = ("__taskspace_hint__", "__taskspace_label_hint__")
"""Where the tools of the session work: text."""


def is_reserved(key: str) -> bool:
    """Whether a key means something to the runtime."""
    return key in (PENDING, FACTS, *HINTS) or key.startswith(RESULTS)


def is_internal(key: str) -> bool:
    """Whether a key is the runtime's own affair, and stays out of agents' listings."""
    return key.startswith("__") and key.endswith("__")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPlace:
    """Whose scratchpad: one session of a user."""

    session_id: str
    user_id: str = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteNote(SessionPlace):
    """A note: text or any JSON. append: after what is there, as a new line of a text or a new item of a list.

    ttl_seconds: how long it lives after its last use; None takes the setting.
    """

    key: str
    value: Any
    append: bool = False
    ttl_seconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskNote(SessionPlace):
    """A note by its key."""

    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListNotes(SessionPlace):
    """The notes whose key begins with `prefix`."""

    prefix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteWritten:
    """cut: the text was longer than a note may be, and ends in a line that says so."""

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
    """In the order of their keys."""

    notes: tuple[NoteRow, ...]
