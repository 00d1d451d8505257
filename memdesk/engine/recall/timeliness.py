"""Effect of time on a memory's score: if a fact is current or past, and the age of the memory (AgentX)."""

from __future__ import annotations

from memdesk.engine.recall.asked import HOUR_US
from memdesk.model.fact import Fact
from memdesk.model.settings import Settings


def truth(source: object, settings: Settings) -> float:
    """Return the factor for a fact that is current or past; 1 for a future fact, one without a time, and
    other kinds."""
    told = source.temporal if isinstance(source, Fact) else None
    return {"current": settings.temporal_current, "past": settings.temporal_past}.get(told or "", 1.0)


def recency(at: int, now: int, half_life_hours: float) -> float:
    """Return 1 for a memory created at `now`, halved for every half-life of age. Times in UTC microseconds."""
    return float(0.5 ** (max(0, now - at) / HOUR_US / half_life_hours))
