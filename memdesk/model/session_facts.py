"""What AgenticX's hook keeps at the end of an agent's turn: lines drawn from the talk, and where they were written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memdesk.model.channel import LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepSession:
    """The end of an agent's turn. messages: the session's, oldest first, each with `role` and `content` (text).

    session_id: whose scratchpad gets the lines too, None for nobody's.
    """

    messages: tuple[dict[str, Any], ...]
    session_id: str | None = None
    user_id: str = LOCAL_USER
    workspace_id: str | None = None
    agent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionKept:
    """The lines drawn, and the changes that wrote them; a change is None where nothing was to be written.

    says: why nothing was, in a sentence.
    """

    facts: tuple[str, ...]
    day_change: int | None = None
    memory_change: int | None = None
    says: str = ""
