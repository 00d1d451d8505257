"""User profiles: stable properties of a person, one entry per record."""

from __future__ import annotations

from dataclasses import dataclass

from memdesk.model.kind import Kind

ASPECTS = ("preferences", "expertise", "communication_style", "metadata")
"""AgentX's columns of user_profiles: preferences, expertise_areas, communication_style, metadata."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """Entry of a user's profile, the same in every channel. `aspect` is one of ASPECTS, `value` JSON as text."""

    seq: int
    id: str
    user_id: str
    aspect: str
    name: str
    value: str
    created_at: int
    updated_at: int
    retired_at: int | None = None


TRAIT = Kind(
    name="trait",
    prefix="p",
    table="traits",
    record=Trait,
    label="Profile entry",
    layer="semantic",
    title="name",
    subject_rank=5,
    unique=(("user_id", "aspect", "name"),),
)
