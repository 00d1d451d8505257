"""KINDS: every memory type, in one tuple. Search, audit, export and browsing are driven by it."""

from __future__ import annotations

from typing import Any

from memdesk.model.channel import CHANNEL
from memdesk.model.context import COMPACTION
from memdesk.model.curation import TAG
from memdesk.model.document import DOCUMENT, WORKSPACE
from memdesk.model.entity import ALIAS, ENTITY, RELATION
from memdesk.model.fact import FACT
from memdesk.model.goal import GOAL
from memdesk.model.kind import Kind
from memdesk.model.procedure import OUTCOME, STRATEGY, TOOL_CALL
from memdesk.model.profile import TRAIT
from memdesk.model.proposal import PROPOSAL, STANDING
from memdesk.model.session import SESSION
from memdesk.model.turn import CONVERSATION, TURN

KINDS: tuple[Kind[Any], ...] = (
    CHANNEL,
    CONVERSATION,
    TURN,
    FACT,
    ENTITY,
    ALIAS,
    RELATION,
    GOAL,
    STRATEGY,
    OUTCOME,
    TOOL_CALL,
    TRAIT,
    PROPOSAL,
    STANDING,
    TAG,
    WORKSPACE,
    DOCUMENT,
    SESSION,
    COMPACTION,
)
BY_NAME: dict[str, Kind[Any]] = {kind.name: kind for kind in KINDS}
RECALLED: tuple[str, ...] = ("turn", "fact", "entity", "passage")
"""Kinds that a recall returns by default. A passage is a piece of a document, and not a record of its kind."""
SEARCHED: tuple[str, ...] = (*RECALLED, "strategy", "goal")
"""Kinds that a recall can return."""
