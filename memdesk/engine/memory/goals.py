"""Goals: what is to be reached, by when, as part of what, and what stands in the way."""

from __future__ import annotations

from collections.abc import Sequence

from memdesk.model.goal import Goal
from memdesk.store import goals
from memdesk.store.connection import Connection
from memdesk.store.goals import GoalFilter

ACTIVE_SHOWN = 20


def active(
    db: Connection, user_id: str, channels: Sequence[str], *, limit: int = ACTIVE_SHOWN
) -> tuple[Goal, ...]:
    """A user's active goals of these channels, highest priority first, then the nearest deadline."""
    wanted = GoalFilter(user_id=user_id, statuses=("active",), channels=tuple(channels))
    return tuple(goals.listed(db, wanted, first=0, limit=limit)[1])
