"""Reads of user profiles."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from memdesk.model.instant import to_datetime
from memdesk.model.profile import TRAIT, Trait
from memdesk.model.profiles import Profile
from memdesk.store import records
from memdesk.store.connection import Connection


def profile_of(db: Connection, user_id: str) -> Profile:
    """Return a user's profile; empty if no entry was set."""
    traits: list[Trait] = records.find(db, TRAIT, user_id=user_id, retired_at=None)
    last = max((trait.updated_at for trait in traits), default=None)
    return Profile(
        user_id=user_id, preferences=_aspect(traits, "preferences"), expertise=_aspect(traits, "expertise"),
        communication_style=_aspect(traits, "communication_style"), metadata=_aspect(traits, "metadata"),
        updated_at=None if last is None else to_datetime(last),
    )  # fmt: skip


def _aspect(traits: Sequence[Trait], aspect: str) -> dict[str, Any]:
    return {trait.name: json.loads(trait.value) for trait in traits if trait.aspect == aspect}
