"""Semantic memory: entities, their other names, and the relations between records."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.kind import Kind
from memdesk.model.trust import BEFORE

ENTITY_TYPES = (
    "Person",
    "Organization",
    "Location",
    "Concept",
    "Technology",
    "Product",
    "Event",
    "Agent",
    "Entity",
)
_SPELLINGS = {each.casefold(): each for each in ENTITY_TYPES}


def entity_type(given: str) -> str:
    """Return a type of entity in the desk's spelling: `person` and ` Person ` are Person; others are kept, on
    one line."""
    tidy = " ".join(given.split())
    return _SPELLINGS.get(tidy.casefold(), tidy) or "Entity"


ENTITY_RELATIONS = ("RELATED_TO", "PART_OF", "LOCATED_IN", "WORKS_FOR", "KNOWS", "CREATED_BY", "REFERENCES")
"""The seven relation types between entities named by AgentX; callers may use other types in the same form."""
ABOUT = "ABOUT"
DERIVED_FROM = "DERIVED_FROM"
PROMOTED_FROM = "PROMOTED_FROM"
SUPERSEDES = "SUPERSEDES"
MENTIONS = "MENTIONS"
QUOTES = "QUOTES"
BLOCKED_BY = "BLOCKED_BY"
STRUCTURAL = frozenset((ABOUT, DERIVED_FROM, QUOTES, PROMOTED_FROM, SUPERSEDES, MENTIONS, BLOCKED_BY))
"""Relation types that the desk itself keeps; a person links a fact and an entity, and does not retype these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """Person, organisation or other thing that facts are about. `properties` is a JSON object as text."""

    seq: int
    id: str
    user_id: str
    channel: str
    agent_id: str | None
    name: str
    type: str
    description: str
    properties: str
    pinned: int
    salience: float
    salience_at: int
    created_at: int
    retired_at: int | None = None
    origin: str = ""
    trust: float = BEFORE


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """Another name of an entity. It is a separate record, so that two additions never conflict."""

    seq: int
    id: str
    user_id: str
    channel: str
    entity_id: str
    name: str
    created_at: int
    retired_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A typed edge between any two records: entity to entity, fact ABOUT entity, fact DERIVED_FROM turn, fact QUOTES
    turn.

    `properties` is a JSON object as text.
    """

    seq: int
    id: str
    user_id: str
    channel: str
    source_id: str
    target_id: str
    type: str
    confidence: float
    source_turn_id: str | None
    created_at: int
    retired_at: int | None = None
    properties: str = "{}"
    origin: str = ""
    trust: float = BEFORE


ENTITY = Kind(
    name="entity",
    prefix="e",
    table="entities",
    record=Entity,
    label="Entity",
    layer="semantic",
    title="name",
    subject_rank=2,
    text=("name", "description"),
    fades=True,
    category="type",
    recalled=True,
    timeline=True,
    tabled=True,
    acts=(
        "edit",
        "pin",
        "trust",
        "quarantine",
        "retire",
        "restore",
        "rescue",
        "relate",
        "merge",
        "move",
        "tag",
    ),
    panel="graph",
    icon="graph",
    shape="entity",
    none_yet=("No entity yet.", "Learning a fact about somebody or something makes one."),
)
ALIAS = Kind(
    name="alias",
    prefix="a",
    table="aliases",
    record=Alias,
    label="Other name",
    layer="semantic",
    title="name",
    subject_rank=16,
    text=("name",),
    references=(("entity_id", "entity"),),
    fold="entity_id",
    owner="entity",
    acts=("retire",),
)
RELATION = Kind(
    name="relation",
    prefix="r",
    table="relations",
    record=Relation,
    label="Relation",
    layer="semantic",
    title="type",
    subject_rank=18,
    references=(("source_id", "record"), ("target_id", "record"), ("source_turn_id", "turn")),
    acts=("retire",),
)
