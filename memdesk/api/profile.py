"""Profile: preferences, expertise and communication style of a user."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint
from memdesk.model.profile import AskProfile, Profile, RemoveTrait, SetTrait, TraitChanged

GET = Endpoint(
    "profile.get",
    "GET",
    AskProfile,
    Profile,
    "Preferences, expertise and communication style",
    verb="engine.memory.profiles:profile",
)
SET = Endpoint(
    "profile.set",
    "POST",
    SetTrait,
    TraitChanged,
    "Note what a user told of themselves",
    verb="engine.memory.profiles:set_trait",
)
REMOVE = Endpoint(
    "profile.remove",
    "POST",
    RemoveTrait,
    TraitChanged,
    "Take an entry out of a profile",
    owner=True,
    verb="engine.memory.profiles:remove_trait",
)
