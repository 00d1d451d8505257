"""What time makes of a memory's score: whether it is still true, and how long ago it was told (AgentX)."""

from __future__ import annotations

from memdesk.engine.recall.asked import HOUR_US
from memdesk.model.fact import Fact
from memdesk.model.settings import Settings


def truth(source: object, settings: Settings) -> float:
    """The factor of a fact that holds now or held once; 1 for what says nothing of it."""
    told = source.temporal if isinstance(source, Fact) else None
    return {"current": settings.temporal_current, "past": settings.temporal_past}.get(told or "", 1.0)


def recency(at: int, now: int, half_life_hours: float) -> float:
    """1 for what was told at this very moment, half after every half-life. Times in UTC microseconds."""
    return float(0.5 ** (max(0, now - at) / HOUR_US / half_life_hours))
