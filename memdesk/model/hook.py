"""Events of an agent runtime's session, and the answers to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memdesk.model.channel import LOCAL_USER
from memdesk.model.names import FilledName

Moment = Literal[
    "session-start", "prompt", "tool", "stop", "subagent-stop", "pre-compact", "post-compact", "session-end"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class HookEvent:
    """Event that a runtime reports. moment: what happens in the session. said: the JSON object that the runtime
    passes to its hooks, as text, with `session_id`.

    channel: left out, the session's own, else that of the project in the folder `cwd`. budget_tokens: as in a request
    for context."""

    moment: Moment
    said: str
    channel: FilledName | None = None
    user_id: FilledName = LOCAL_USER
    agent_id: FilledName | None = None
    budget_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HookAnswer:
    """Answer to an event. output: the text that the hook prints for the runtime, "" for none.

    channel: of the session. turns, tool_calls: how many were stored by this event. note: what could not be read."""

    output: str = ""
    channel: str = ""
    turns: int = 0
    tool_calls: int = 0
    note: str = ""
