"""Agents: names that sign with a token, the grants that the desk's owner gives them, and the portrait of one, by the
records that say who it is, each with its source. The owner's passphrase."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import datetime

from memdesk.model.channel import GLOBAL, LOCAL_USER
from memdesk.model.kind import Kind
from memdesk.model.message import NO_MESSAGE, Message
from memdesk.model.names import FilledName, Name
from memdesk.model.recall import Provenance
from memdesk.model.workspace import DayCount

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


IDENTITY, PEOPLE, RULES, PROJECTS = "identity", "people", "rules", "projects"
CONTRADICTIONS, SECRETS, DAYS, FILES = "contradictions", "secrets", "days", "files"
PARTS = (IDENTITY, PEOPLE, RULES, PROJECTS, CONTRADICTIONS, SECRETS, DAYS, FILES)
"""Names of the parts of a portrait, in their order."""
DAYS_AT_MOST, LINES_AT_MOST = 366, 200


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPortrait:
    """Request for the portrait of an agent. agent: its name; left out, the agent of the folder that was added last,
    else the one that was active last.

    lines: of each part at most. days: how many days back, ending today. utc_offset_minutes: the viewer's time zone,
    which decides where a day begins."""

    agent: Name = ""
    lines: int = 5
    days: int = 60
    utc_offset_minutes: int = 0
    user_id: FilledName = LOCAL_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class PortraitLine:
    """Line of a portrait. kind, id: the record it is read from: fact, entity, channel, proposal, secret or document.

    text: its words. note: more about it in a sentence. source: where it was read. count: the facts behind it. share:
    its part of all facts of the agent, 0 to 1. at: the time of the newest of them. other, other_source: the claim
    against it, of a contradiction."""

    kind: str
    id: str
    text: str
    note: Message = NO_MESSAGE
    channel: str = ""
    source: Provenance | None = None
    count: int = 0
    share: float = 0.0
    at: datetime | None = None
    other: str = ""
    other_source: Provenance | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PortraitPart:
    """Part of a portrait. name: one of PARTS. says: the part in one sentence. total: lines that it has in all."""

    name: str
    says: Message
    total: int
    lines: tuple[PortraitLine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderRead:
    """Folder of an agent as it was brought in. change: the newest change of that import, which takes it back with its
    run; None where it was undone or the agent wrote the folder itself.

    lines: in all its files, without empty ones. facts: lines that are facts. others: number of the other lines by the
    reason why they are none."""

    workspace_id: str
    path: str
    layout: str
    added_at: datetime
    change: int | None
    files: int
    lines: int
    facts: int
    others: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Portrait:
    """Answer to “who is this agent?”. agent: "" if the desk knows no agent. agents: all agents of the desk.

    says: the portrait in one sentence. next: what to do, of an agent or a desk about which nothing is known.
    facts: the number of its current facts. uncompared: of these, those brought in since the last checkup. folder: None
    for an agent without one. parts: those of PARTS that apply. days: entries per day, oldest first, only days that have
    any."""

    agent: str
    agents: tuple[str, ...]
    says: Message
    next: Message = NO_MESSAGE
    facts: int = 0
    uncompared: int = 0
    folder: FolderRead | None = None
    parts: tuple[PortraitPart, ...] = ()
    days: tuple[DayCount, ...] = ()
