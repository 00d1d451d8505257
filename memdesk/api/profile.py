"""Profile: preferences, expertise and communication style of a user."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
from memdesk.model.profile import ASPECTS, AskProfile, Profile, RemoveTrait, SetTrait, TraitChanged
from memdesk.model.team import AGENT, CURATOR, READER

GET = Get(
    "profile.get",
    AskProfile,
    Profile,
    "Preferences, expertise and communication style",
    "memory.profiles:profile",
    role=READER,
    face=Face(
        "profile list",
        about="Show the profile of a user.",
        line="preferences: {preferences}\nexpertise: {expertise}\ncommunication style:"
        " {communication_style}\nmetadata: {metadata}",
    ),
)
SET = Post(
    "profile.set",
    SetTrait,
    TraitChanged,
    "Note what a user told of themselves",
    "memory.profiles:set_trait",
    role=AGENT,
    face=Face(
        "profile set",
        positional=("aspect", "name", "value"),
        choices={"aspect": ASPECTS},
        help={"value": "JSON, or a text"},
        line="{repeated:?Known already as }{repeated:!Set as }{id}.",
    ),
)
REMOVE = Post(
    "profile.remove",
    RemoveTrait,
    TraitChanged,
    "Take an entry out of a profile",
    "memory.profiles:remove_trait",
    role=CURATOR,
    face=Face(
        "profile remove",
        positional=("aspect", "name"),
        choices={"aspect": ASPECTS},
        help={"name": "its name within the aspect"},
        line="Removed {id} (change {change})",
    ),
)
