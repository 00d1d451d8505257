"""What is asked of user profiles, and a profile as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memdesk.model.channel import LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What a user has told of themselves, the same in every channel: names with JSON values.

    updated_at: when anything of it was last said; None for a profile that is empty.
    """

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
    """One entry of a profile. aspect: preferences, expertise, communication_style or metadata. name: what it is called
    there. value: any JSON. retry_key: the caller's id of this call, for retries."""

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
    """`repeated`: the profile said so already, or this call was answered before."""

    id: str
    change: int | None
    repeated: bool
