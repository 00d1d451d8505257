"""Agents: names that sign with a token, and the grants that the desk's owner gives them. The owner's passphrase."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.kind import Kind
from memdesk.model.message import Message
from memdesk.model.names import FilledName, Name

CHANNEL_SCOPE, USER_SCOPE, GLOBAL_SCOPE, PERSON_SCOPE, AGENT_SCOPE = (
    "channel",
    "user",
    "global",
    "person",
    "agent",
)
GRANTED = {
    CHANNEL_SCOPE: "use only the channel {name}, its own, and others that are granted",
    USER_SCOPE: "use the memory of the user {name}",
    GLOBAL_SCOPE: f"write into {GLOBAL} without asking",
    PERSON_SCOPE: "change goals and the profile that a person wrote",
    AGENT_SCOPE: "use the scratchpads, sessions and facts of the agent {name}",
}
"""Scopes of a grant, each with the sentence that says what it permits."""
NAMELESS = (GLOBAL_SCOPE, PERSON_SCOPE)
"""Scopes that take no name."""
UNNAMED = "unnamed"
"""Name of a caller that gives none."""


def agent_key(name: str) -> str:
    """Return the form of an agent's name by which two names are compared: another case or width is no other agent."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """Permission of an agent. scope: one of GRANTED. name: the channel, user or agent it is for, "" for none.

    says: the grant as one line. author: who gave it; an agent's own for a user whose memory it began. retired_at:
    since when it is withdrawn."""

    seq: int
    id: str
    user_id: str
    agent: str
    scope: str
    name: str
    says: str
    author: str
    created_at: int
    retired_at: int | None = None


GRANT = Kind(
    name="grant",
    prefix="gr",
    table="grants",
    record=Grant,
    label="Grant",
    layer="workspace",
    title="says",
    subject_rank=20,
    panel="agents",
    icon="identity",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rights:
    """Grants of one agent. channels: those it is limited to, none for all. agents: keys of the agents whose things it
    may use. may_begin_users: a user whom the desk does not know becomes the agent's."""

    channels: frozenset[str] = frozenset()
    users: frozenset[str] = frozenset((LOCAL_USER,))
    agents: frozenset[str] = frozenset()
    may_write_global: bool = False
    may_change_the_persons: bool = False
    may_begin_users: bool = True

    def is_own(self, agent: str, other: str | None) -> bool:
        """Return True if what is `other`'s is this agent's too: its own, no agent's, or of one granted to it."""
        return other is None or agent_key(other) in (agent_key(agent), *self.agents)


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantRow:
    """Grant as listed. says: what it permits."""

    id: str
    scope: str
    name: str
    says: str
    author: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentInfo:
    """Agent as listed. token_since: when its newest token was made; None for a guest, which only gives its name.
    token_ends: when the last of its tokens ends; None if one never does, or there is none.

    channel: where its memory goes if it names none. seen_at: its last call or change. changes: the number of its
    changes and recalls."""

    agent: str
    token_since: datetime | None
    token_ends: datetime | None
    channel: str
    seen_at: datetime | None
    changes: int
    grants: tuple[GrantRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentList:
    """Agents by name: those with a token or a grant, and those that have changed or recalled something."""

    rows: tuple[AgentInfo, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedAgent:
    """Request about an agent. agent: its name."""

    agent: FilledName


@dataclass(frozen=True, slots=True, kw_only=True)
class NewToken:
    """Request for a token. agent: whose. days: how long it opens the desk, up to 3,650; 0 for no end."""

    agent: FilledName
    days: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentToken:
    """New token of an agent. It is shown once: the desk keeps only its hash. tokens: the number that it has now.
    ends_at: when it ends, None for never."""

    agent: str
    token: str
    tokens: int
    ends_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRevoked:
    """Result of revoking an agent's tokens. It is a guest again, and its grants stay."""

    agent: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGrant:
    """Grant to give. agent: who gets it. scope: channel, user, global, person or agent. name: the channel, the user
    or the agent."""

    agent: FilledName
    scope: FilledName
    name: Name = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedGrant:
    """Request about a grant. id: as agents.list has it."""

    id: FilledName


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantChanged:
    """Result of giving or withdrawing a grant. `change` is the number to undo it by, None where nothing changed."""

    id: str
    change: int | None
    title: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPassphrase:
    """Passphrase to set. passphrase: "" removes it."""

    passphrase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskConfirmation:
    """Request to have the person confirm an act that a command carries out itself. what: a short sentence."""

    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """Answer to a request for confirmation: the person, or nothing that asks, allowed it."""

    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerAct:
    """Answer of the window to an act that waits for a click. id: as in the desk's status. allow: true to go on."""

    id: str
    allow: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PassphraseSet:
    """State of the passphrase. is_set: dangerous calls ask for it, except from the window."""

    is_set: bool
