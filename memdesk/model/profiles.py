"""Requests about user profiles, and complete profiles."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memdesk.model.channel import LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Profile of a user, the same in every channel: names with JSON values.

    updated_at: when an entry was last set; None for a profile that is empty."""

    user_id: str
    preferences: dict[str, Any] = field(default_factory=dict)
    expertise: dict[str, Any] = field(default_factory=dict)
    communication_style: dict[str, Any] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    updated_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskProfile:
    user_id: str = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTrait:
    """Request to set one profile entry. aspect: preferences, expertise, communication_style or metadata.
    name: its name within the aspect. value: any JSON. retry_key: the caller's id of this call, for
    retries."""

    aspect: str
    name: str
    value: Any
    user_id: str = LOCAL_USER
    retry_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveTrait:
    aspect: str
    name: str
    user_id: str = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitChanged:
    """Result of a change to a profile. `repeated`: the profile had this value already, or this call was
    answered before."""

    id: str
    change: int | None
    repeated: bool
