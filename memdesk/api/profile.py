"""Profile: preferences, expertise and communication style of a user."""

from __future__ import annotations

from memdesk.api.endpoint import Endpoint, Face
from memdesk.model.profile import ASPECTS, AskProfile, Profile, RemoveTrait, SetTrait, TraitChanged

GET = Endpoint(
    "profile.get",
    "GET",
    AskProfile,
    Profile,
    "Preferences, expertise and communication style",
    verb="engine.memory.profiles:profile",
    face=Face(
        words="profile list",
        about="Show the profile of a user.",
        line="preferences: {preferences}\nexpertise: {expertise}\n"
        "communication style: {communication_style}\nmetadata: {metadata}",
    ),
)
SET = Endpoint(
    "profile.set",
    "POST",
    SetTrait,
    TraitChanged,
    "Note what a user told of themselves",
    verb="engine.memory.profiles:set_trait",
    face=Face(
        words="profile set",
        positional=("aspect", "name", "value"),
        choices={"aspect": ASPECTS},
        help={"value": "JSON, or a text"},
        options={"retry_key": "key"},
        line="{repeated:?Known already as }{repeated:!Set as }{id}.",
    ),
)
REMOVE = Endpoint(
    "profile.remove",
    "POST",
    RemoveTrait,
    TraitChanged,
    "Take an entry out of a profile",
    owner=True,
    verb="engine.memory.profiles:remove_trait",
    face=Face(
        words="profile remove",
        positional=("aspect", "name"),
        choices={"aspect": ASPECTS},
        line="Removed {id} (change {change})",
    ),
)
