"""KINDS: every memory type there is, in one tuple. Search, audit, export and browse follow from it."""

from __future__ import annotations

from memdesk.model.channel import CHANNEL
from memdesk.model.document import DOCUMENT, WORKSPACE
from memdesk.model.entity import ALIAS, ENTITY, RELATION
from memdesk.model.fact import FACT
from memdesk.model.kind import Kind
from memdesk.model.turn import CONVERSATION, TURN

KINDS: tuple[Kind, ...] = (
    CHANNEL,
    CONVERSATION,
    TURN,
    FACT,
    ENTITY,
    ALIAS,
    RELATION,
    WORKSPACE,
    DOCUMENT,
)
BY_NAME: dict[str, Kind] = {kind.name: kind for kind in KINDS}
SEARCHED: tuple[str, ...] = ("turn", "fact", "entity", "passage")
"""What a recall may return. A passage is a piece of a document; it is an index, not a record of its own."""
