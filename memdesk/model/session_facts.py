"""AgenticX's hook at the end of an agent's turn: lines extracted from the conversation, and where they were
written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memdesk.model.channel import LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepSession:
    """Request at the end of an agent's turn. messages: the session's, oldest first, each with `role` and
    `content` (text).

    session_id: the session whose scratchpad gets the lines too, None for none."""

    messages: tuple[dict[str, Any], ...]
    session_id: str | None = None
    user_id: str = LOCAL_USER
    workspace_id: str | None = None
    agent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionKept:
    """Lines that were extracted, and the changes that wrote them; a change is None if there was nothing to
    write.

    says: why nothing was written, in a sentence."""

    facts: tuple[str, ...]
    day_change: int | None = None
    memory_change: int | None = None
    says: str = ""
