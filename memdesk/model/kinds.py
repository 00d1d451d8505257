"""KINDS: every memory type, in one tuple. Search, audit, export and browsing are driven by it."""

from __future__ import annotations

from typing import Any

from memdesk.model.agent import GRANT
from memdesk.model.channel import CHANNEL
from memdesk.model.context import COMPACTION
from memdesk.model.curation import TAG
from memdesk.model.document import DOCUMENT, WORKSPACE
from memdesk.model.entity import ALIAS, ENTITY, RELATION
from memdesk.model.fact import FACT
from memdesk.model.goal import GOAL
from memdesk.model.kind import Kind
from memdesk.model.profile import TRAIT
from memdesk.model.project import PROJECT
from memdesk.model.questions import KEPT_QUESTION
from memdesk.model.review import PROPOSAL
from memdesk.model.session import SESSION
from memdesk.model.standing_decision import STANDING
from memdesk.model.strategy import OUTCOME, STRATEGY
from memdesk.model.tool_call import TOOL_CALL
from memdesk.model.turn import CONVERSATION, TURN

KINDS: tuple[Kind[Any], ...] = (
    CHANNEL,
    PROJECT,
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
    GRANT,
    KEPT_QUESTION,
)
BY_NAME: dict[str, Kind[Any]] = {kind.name: kind for kind in KINDS}
BY_RECORD: dict[type[Any], Kind[Any]] = {kind.record: kind for kind in KINDS}
PASSAGE = "passage"
"""Piece of a document. Recall returns it like a record, but it has no kind of its own."""
TABLED: tuple[Kind[Any], ...] = tuple(kind for kind in KINDS if kind.tabled)
"""Kinds with a table in the panel Facts."""
DATED: tuple[Kind[Any], ...] = (*TABLED, RELATION, TRAIT, DOCUMENT)
"""Kinds that are compared with an earlier moment."""
TIMELINE: tuple[str, ...] = tuple(kind.name for kind in KINDS if kind.timeline)
"""Memory types that appear in the timeline."""


def with_act(act: str) -> tuple[str, ...]:
    """Return the names of the kinds whose records this can be done with."""
    return tuple(kind.name for kind in KINDS if act in kind.acts)
