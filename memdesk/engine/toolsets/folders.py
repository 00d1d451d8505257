"""Where on the desk an agent has its folders: no two agents, and no two users, ever share one."""

from __future__ import annotations

import hashlib

from memdesk.engine.workspace.layouts import slug
from memdesk.model.channel import LOCAL_USER

_CHARACTERS = 60
_USERS = "_users"
"""No agent's folder begins with an underscore."""
_TAKEN = frozenset(("memories",))
"""What the memory tool calls a folder inside an agent's own."""


def folder_of(name: str) -> str:
    """A name for the folder of an agent or a user: its own where that is plain, else one that no other has."""
    plain = slug(name)[:_CHARACTERS]
    if plain == name and plain not in _TAKEN:
        return plain
    mark = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{plain or 'agent'}-{mark}"


def above(user_id: str) -> tuple[str, ...]:
    """Where in the desk's workspaces a user's agents have their folders; the desk's own user's stand first."""
    return () if user_id == LOCAL_USER else (_USERS, folder_of(user_id))
