"""Working memory: the keys it lives under. They read as AgentX writes them."""

from __future__ import annotations

import re

_APART = re.compile("[%:]")
NO_CONVERSATION = "global"
"""What AgentX writes where no conversation is named."""


def job_key(job_id: str) -> str:
    """Where a run of consolidation is noted."""
    return f"consolidation:job:{_part(job_id)}"


def lock_key(conversation_id: str) -> str:
    """The claim on a conversation: whoever holds it is the only one to read it for extraction or patterns."""
    return f"consolidation:lock:{_part(conversation_id)}"


def working_key(user_id: str, channel: str, conversation_id: str | None, name: str = "") -> str:
    """`working:{user}:{channel}:{conversation}:{name}`; without a name, what all keys of the place begin with."""
    place = NO_CONVERSATION if conversation_id is None else _conversation(conversation_id)
    return f"working:{_part(user_id)}:{_part(channel)}:{place}:{name}"


def session_key(session_id: str, name: str = "") -> str:
    """`session:{id}:{name}`; without a name, what all keys of the session begin with."""
    return f"session:{_part(session_id)}:{name}"


def _part(name: str) -> str:
    """A name in which no colon can be taken for the end of it."""
    return _APART.sub(lambda found: f"%{ord(found[0]):02X}", name)


def _conversation(id: str) -> str:
    """A conversation may itself be called “global”; it is not the one without a name."""
    return "%67lobal" if id == NO_CONVERSATION else _part(id)
