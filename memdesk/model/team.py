"""Members of a desk: people and agents that call it over the network, each with a role and bounds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memdesk.model.message import message
from memdesk.model.names import FilledName

READER, AGENT, CURATOR, OWNER = "reader", "agent", "curator", "owner"
ROLES = {
    READER: "a person who reads and recalls",
    AGENT: "an agent, which also stores, and proposes what is for all",
    CURATOR: "a person who also corrects, promotes, answers questions and takes changes back",
    OWNER: "a person who may do all that the desk's owner may, but on the desk's computer only",
}
"""Roles, each of which may make the calls of those before it, with what it is for."""
ROLE_NAMES = {
    READER: message("reader"),
    AGENT: message("agent"),
    CURATOR: message("curator"),
    OWNER: message("owner"),
}
"""Name of each role, as it is said in a sentence."""
_RANK = {role: rank for rank, role in enumerate(ROLES)}


def may(role: str, needed: str) -> bool:
    """Return True if a role may make the calls that are declared for another."""
    return _RANK[role] >= _RANK[needed]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listen:
    """Address on which a desk is served to the network. certificate, key: files in PEM, "" for none."""

    host: str
    port: int
    certificate: str = ""
    key: str = ""

    @property
    def address(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http{'s' if self.certificate else ''}://{host}:{self.port}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Invite:
    """Invitation of a member. name: of the person or agent, with which all it writes is signed. role: reader, agent,
    curator or owner. users: whose memory it may use, by default `local`. only_channels: those it may use, by default
    all; it reads `_global` beside them, and writes there if that is named. days: how long the token opens the
    desk, up to 3,650; 0 for no end."""

    name: FilledName
    role: FilledName
    users: tuple[FilledName, ...] = ()
    only_channels: tuple[FilledName, ...] = ()
    days: int = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class Invited:
    """New member. token: shown once, since the desk keeps only its hash. ends_at: when it ends, None for never."""

    name: str
    role: str
    token: str
    ends_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberRow:
    """Token of a member. users, channels: empty for an agent that is bound by its grants alone, and for all channels.
    seen_at: when the member last called, since the service started."""

    name: str
    role: str
    users: tuple[str, ...]
    channels: tuple[str, ...]
    made_at: datetime
    ends_at: datetime | None
    seen_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberList:
    """Members by name, one row for each token."""

    rows: tuple[MemberRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedMember:
    """Request about a member."""

    name: FilledName


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberRevoked:
    """Result of revoking all tokens of a member."""

    name: str
    tokens: int
