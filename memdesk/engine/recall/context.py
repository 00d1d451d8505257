"""Context returned with the hits: strategies that fit, active goals, the user's profile and the last turns."""

from __future__ import annotations

import json
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.recall.asked import Asked
from memdesk.engine.recall.strategies import Rated, rated
from memdesk.model.goal import Goal
from memdesk.model.instant import optional_datetime, to_datetime
from memdesk.model.procedure import STRATEGY
from memdesk.model.recall import GoalUnderWay, KnownStrategy, RecentTurn
from memdesk.model.turn import Turn
from memdesk.store import goals, recalling
from memdesk.store.connection import Connection
from memdesk.store.profiles import profile_of

STRATEGIES = 5
GOALS = 20
"""Most goals in the context; the limit of five strategies is AgentX's."""


def context(engine: Engine, db: Connection, asked: Asked) -> dict[str, Any]:
    """Return strategies, goals, profile and recent, as fields of a Bundle."""
    user_id, talk = asked.query.user_id, asked.query.conversation_id
    last = recalling.last_turns(db, user_id, talk, asked.recent_turns) if talk and asked.recent_turns else []
    return {
        "strategies": tuple(map(_strategy, _fitting(engine, db, asked))),
        "goals": tuple(_goal(goal) for goal in goals.active(db, user_id, asked.channels, limit=GOALS)),
        "profile": _profile(db, user_id),
        "recent": tuple(map(_turn, last)),
    }


def _fitting(engine: Engine, db: Connection, asked: Asked) -> list[Rated]:
    user_id, channels = asked.query.user_id, asked.channels
    if not recalling.holds(db, user_id, channels, STRATEGY.name):
        return []
    return rated(engine, db, asked.text, user_id=user_id, channels=channels, limit=STRATEGIES)[0]


def _strategy(found: Rated) -> KnownStrategy:
    return KnownStrategy(
        id=found.strategy.id, description=found.strategy.description,
        context_pattern=found.strategy.context_pattern, tool_sequence=tuple(json.loads(found.strategy.tool_sequence)),
        success_rate=found.tally.rate or 0.0, similarity=found.similarity,
    )  # fmt: skip


def _goal(goal: Goal) -> GoalUnderWay:
    return GoalUnderWay(
        id=goal.id, description=goal.description, priority=goal.priority, channel=goal.channel,
        deadline=optional_datetime(goal.deadline),
    )  # fmt: skip


def _profile(db: Connection, user_id: str) -> dict[str, dict[str, Any]]:
    """Return the user's profile by aspect, without empty aspects."""
    told = profile_of(db, user_id)
    aspects = {
        "preferences": told.preferences,
        "expertise": told.expertise,
        "communication_style": told.communication_style,
        "metadata": told.metadata,
    }
    return {name: entries for name, entries in aspects.items() if entries}


def _turn(turn: Turn) -> RecentTurn:
    return RecentTurn(
        id=turn.id, turn_index=turn.turn_index, role=turn.role, speaker=turn.speaker, text=turn.content,
        at=to_datetime(turn.created_at),
    )  # fmt: skip
