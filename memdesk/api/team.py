"""Members: the people and agents that may call the desk over the network."""

from __future__ import annotations

from memdesk.api.endpoint import Face, Get, Post
from memdesk.model.status import Nothing
from memdesk.model.team import (
    OWNER,
    ROLES,
    Invite,
    Invited,
    MemberList,
    MemberRevoked,
    NamedMember,
)

LIST = Get(
    "team.list",
    Nothing,
    MemberList,
    "Members, with their roles, users and channels",
    "agents.granting:list_members",
    role=OWNER,
    example=Nothing(),
    face=Face(
        "team list",
        columns="NAME {name} | ROLE {role} | USERS {users} | CHANNELS {channels} | UNTIL {ends_at} | SEEN {seen_at}",
        none="No member has a token. `memdesk team invite NAME --role ROLE` makes one.",
    ),
)
INVITE = Post(
    "team.invite",
    Invite,
    Invited,
    "Make a person or an agent a token, shown once, that opens the desk over the network",
    "agents.granting:invite",
    role=OWNER,
    confirmed=True,
    example=Invite(name="Ana", role="curator", only_channels=("garden",)),
    face=Face(
        "team invite",
        positional=("name",),
        choices={"role": tuple(ROLES)},
        line="{token}",
    ),
)
REVOKE = Post(
    "team.revoke",
    NamedMember,
    MemberRevoked,
    "Revoke all tokens of a member, at once",
    "agents.granting:revoke_member",
    role=OWNER,
    confirmed=True,
    example=NamedMember(name="Ana"),
    face=Face(
        "team revoke", positional=("name",), line="{name} may not call any more: {tokens:# token} revoked."
    ),
)
