"""Recap of a user's history: a short summary, with the turns and facts it is made of (AgentX)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.message import NO_MESSAGE, Message
from memdesk.model.names import FilledName, Name

EXTRACTS = "extracts"
"""Source of a recap without a language model: facts, goals and sentences, word for word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRecap:
    """Request for a recap of a user's earlier conversations in a channel and `_global`.

    topic: what it is about; "" for the user's background, preferences and goals. conversation_id: the conversation
    under way, which is left out. limit: most turns, 30 at most."""

    topic: str = ""
    channel: FilledName = GLOBAL
    user_id: FilledName = LOCAL_USER
    agent_id: Name | None = None
    conversation_id: Name | None = None
    limit: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PastTurn:
    """Turn of the user in another conversation. source, trust: as of a hit."""

    id: str
    conversation_id: str
    turn_index: int
    at: datetime
    text: str
    source: str
    trust: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PastFact:
    """Fact that bears on the topic. source, trust: as of a hit."""

    id: str
    claim: str
    confidence: float
    source: str
    trust: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Recap:
    """Recap of a user's history.

    summary: made of what is trusted alone; "" where there is nothing. by: the language model that wrote it, or
    `extracts`. note: why the model did not, "" if it did or was not asked."""

    topic: str
    summary: str
    by: str
    turns: tuple[PastTurn, ...]
    facts: tuple[PastFact, ...]
    note: Message = NO_MESSAGE
