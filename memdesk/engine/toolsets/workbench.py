"""What an agent keeps at hand for one conversation, checkpoints and notes, in its working memory."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.memory import working
from memdesk.model.working import AskValue, SetValue

CHECKPOINTS = "checkpoints"
NOTES = "scratchpad_notes"
AT_MOST = {CHECKPOINTS: 8, NOTES: 50}
"""Of one conversation; the oldest go (AgentX: 8 checkpoints; notes are ours)."""
LIFE_S = 7 * 86_400
"""After the last use (AgentX)."""
_adding = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Whose working memory: of a user, in a channel, in a conversation."""

    user_id: str
    channel: str
    conversation_id: str


def add(engine: Engine, bench: Bench, name: str, entry: dict[str, Any], *, replace: bool) -> list[Any]:
    """Add to a list, or begin it anew; returns it as it then is."""
    with _adding:
        before = [] if replace else held(engine, bench, name, author="")
        kept = [*before, entry][-AT_MOST[name] :]
        working.set_value(
            engine,
            SetValue(
                key=name, value=kept, ttl_seconds=LIFE_S, user_id=bench.user_id, channel=bench.channel,
                conversation_id=bench.conversation_id,
            ),
        )  # fmt: skip
        return kept


def held(engine: Engine, bench: Bench, name: str, *, author: str) -> list[Any]:
    """A list as it is, oldest first."""
    ask = AskValue(
        key=name, user_id=bench.user_id, channel=bench.channel, conversation_id=bench.conversation_id
    )  # fmt: skip
    value = working.get_value(engine, ask, author=author)
    return list(value.value) if value.found and isinstance(value.value, list) else []
