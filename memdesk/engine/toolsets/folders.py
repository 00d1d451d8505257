"""Folders of agents on the desk: no two agents, and no two users, ever share one."""

from __future__ import annotations

import hashlib

from memdesk.engine.workspace.layouts import slug
from memdesk.model.channel import LOCAL_USER

_CHARACTERS = 60
_USERS = "_users"
"""Folder of other users' agents: no agent's folder begins with an underscore."""
_TAKEN = frozenset(("memories",))
"""Names that the memory tool uses for a folder inside an agent's own."""


def folder_of(name: str) -> str:
    """Return a name for the folder of an agent or a user: its own name if that is plain, else a unique one."""
    plain = slug(name)[:_CHARACTERS]
    if plain == name and plain not in _TAKEN:
        return plain
    mark = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{plain or 'agent'}-{mark}"


def above(user_id: str) -> tuple[str, ...]:
    """Return the path below the desk's workspaces that contains a user's agents; empty for the desk's own
    user."""
    return () if user_id == LOCAL_USER else (_USERS, folder_of(user_id))
