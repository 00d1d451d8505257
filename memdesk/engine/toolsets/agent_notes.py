"""Working memory of an agent for one conversation: its checkpoints and notes."""

from __future__ import annotations

import threading
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory import working
from memdesk.model.working import AskValue, SetValue, WorkingPlace

CHECKPOINTS = "checkpoints"
NOTES = "scratchpad_notes"
AT_MOST = {CHECKPOINTS: 8, NOTES: 50}
"""Most entries of a list per conversation; the oldest are dropped (AgentX: 8 checkpoints; the limit of notes
is ours)."""
LIFE_S = 7 * 86_400
"""Seconds until a list expires after its last use (AgentX)."""
_adding = threading.Lock()


def add(engine: Engine, scope: WorkingPlace, name: str, entry: dict[str, Any], *, replace: bool) -> list[Any]:
    """Add an entry to a list, or begin a new list with it; return the list."""
    with _adding:
        before = [] if replace else entries(engine, scope, name, author="")
        kept = [*before, entry][-AT_MOST[name] :]
        working.set_value(
            engine,
            SetValue(
                key=name,
                value=kept,
                ttl_seconds=LIFE_S,
                user_id=scope.user_id,
                channel=scope.channel,
                conversation_id=scope.conversation_id,
            ),
        )
        return kept


def entries(engine: Engine, scope: WorkingPlace, name: str, *, author: str) -> list[Any]:
    """Return the current list, oldest first."""
    ask = AskValue(
        key=name, user_id=scope.user_id, channel=scope.channel, conversation_id=scope.conversation_id
    )
    value = working.get_value(engine, ask, author=author)
    return list(value.value) if value.found and isinstance(value.value, list) else []
