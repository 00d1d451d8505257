"""User profiles: stable properties of a person, one entry per record."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memdesk.model.channel import LOCAL_USER
from memdesk.model.kind import Kind
from memdesk.model.names import FilledName, Name
from memdesk.model.trust import BEFORE

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
    origin: str = ""
    trust: float = BEFORE


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


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitMark:
    """Source of a profile entry that is not trusted: another agent is told its value as quoted. agent: who set it."""

    aspect: str
    name: str
    source: str
    trust: float
    agent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Profile of a user, the same in every channel: names with JSON values.

    updated_at: when an entry was last set; None for a profile that is empty. marks: entries that are not trusted."""

    user_id: str
    preferences: dict[str, Any] = field(default_factory=dict)
    expertise: dict[str, Any] = field(default_factory=dict)
    communication_style: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    updated_at: datetime | None = None
    marks: tuple[TraitMark, ...] = ()

    @property
    def aspects(self) -> dict[str, dict[str, Any]]:
        """Entries by aspect, without empty aspects."""
        found: dict[str, dict[str, Any]] = {name: getattr(self, name) for name in ASPECTS}
        return {name: entries for name, entries in found.items() if entries}


@dataclass(frozen=True, slots=True, kw_only=True)
class AskProfile:
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTrait:
    """Request to set one profile entry. aspect: preferences, expertise, communication_style or metadata.
    name: its name within the aspect. value: any JSON. retry_key: the caller's id of this call, for
    retries."""

    aspect: Name
    name: Name
    value: Any
    user_id: FilledName = LOCAL_USER
    retry_key: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveTrait:
    aspect: Name
    name: Name
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitChanged:
    """Result of a change to a profile. `repeated`: the profile had this value already, or this call was
    answered before."""

    id: str
    change: int | None
    repeated: bool
